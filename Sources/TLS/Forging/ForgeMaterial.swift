/// What all loops of a run forge with: the CA, its twin, leaf keys, and what was lent.
///
/// One leaf key of each type serves every host: making a key and decoding its public part costs more than the rest.
package final class ForgeMaterial: Sendable {
    package let trusted: CertificateAuthority
    /// Equal to `trusted` but for keys, names and serials; made for this run and never installed anywhere.
    package let untrusted: CertificateAuthority
    package let lent: LentMaterials
    let staples = StapleMemory()
    private let ecKey: LeafKey
    private let otherKeys = KeyRing()
    /// Of issuers that are made for one chain each; never a leaf's key, so that no leaf seems to have signed itself.
    private let issuerKeys = KeyRing()
    /// Below the untrusted CA they are others: a client that keeps issuers would link the one's leaf to the other's.
    private let untrustedIssuerKeys = KeyRing()

    package init(_ authority: CertificateAuthority, lent: LentMaterials = LentMaterials()) throws {
        trusted = authority
        untrusted = try authority.twin()
        self.lent = lent
        ecKey = LeafKey(try PrivateKey.generate(.p256))
    }

    /// All but the P-256 key are made when the first client asks for them, or ahead of that.
    func leafKey(_ type: KeyType) throws(OpenSSLError) -> LeafKey {
        type == .p256 ? ecKey : try otherKeys.key(type)
    }

    /// Makes every key that takes long and may be needed, for leaves and for issuers, unless it is there: RSA's. It takes
    /// most of a second, and several on a busy machine: none that a client's handshake should wait for.
    ///
    /// - Parameter isWanted: asked before each; false ends it.
    package func makeKeysAhead(while isWanted: () -> Bool = { true }) {
        // The longest first: where there was no time for the others, they do not take much.
        for size in KeyType.rsaSizes.reversed() {
            for ring in [otherKeys, issuerKeys, untrustedIssuerKeys] where isWanted() {
                // What fails here fails again, and says so, where it is needed.
                _ = try? ring.key(.rsa(bits: size))
            }
        }
    }

    func issuerKey(_ type: KeyType, under authority: CertificateAuthority) throws(OpenSSLError) -> LeafKey {
        try (authority === untrusted ? untrustedIssuerKeys : issuerKeys).key(type)
    }
}

/// A key with what certificates say about it.
struct LeafKey: Sendable {
    let key: PrivateKey
    let identifier: [UInt8]
    let usage: CertificateExtension

    init(_ key: PrivateKey) {
        self.key = key
        identifier = CertificateAuthority.keyIdentifier(of: key.publicKeyDER)
        // TLS 1.2's RSA key exchange encrypts to the key; ECDSA keys only sign.
        if case .rsa = key.type {
            usage = .keyUsage(.digitalSignature, .keyEncipherment)
        } else {
            usage = .keyUsage(.digitalSignature)
        }
    }
}

/// Keys made on first use, one of each type.
///
/// The types are ours, and few: nothing from the network names one. Each has a lock of its own: who waits for an RSA key
/// keeps nobody from another one.
///
/// Unchecked Sendable: `slots` is touched only under the lock.
@safe private final class KeyRing: @unchecked Sendable {
    private let lock = OpenSSLLock()
    private var slots: [KeyType: KeySlot] = [:]

    func key(_ type: KeyType) throws(OpenSSLError) -> LeafKey { try slot(type).key(type) }

    private func slot(_ type: KeyType) throws(OpenSSLError) -> KeySlot {
        try lock.lock()
        defer { lock.unlock() }
        if let found = slots[type] { return found }
        let new = KeySlot()
        slots[type] = new
        return new
    }
}

/// A key, once it was made; who comes meanwhile waits for it.
///
/// Unchecked Sendable: `made` is touched only under the lock.
@safe private final class KeySlot: @unchecked Sendable {
    private let lock = OpenSSLLock()
    private var made: LeafKey?

    func key(_ type: KeyType) throws(OpenSSLError) -> LeafKey {
        try lock.lock()
        defer { lock.unlock() }
        if let made { return made }
        let new = LeafKey(try PrivateKey.generate(type))
        made = new
        return new
    }
}
