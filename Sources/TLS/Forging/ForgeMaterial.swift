import COpenSSL

/// What all loops of a run forge with: the CA, its twin, leaf keys, and what was lent.
///
/// One leaf key of each type serves every host: making a key and decoding its public part costs more than the rest.
package final class ForgeMaterial: Sendable {
    package let trusted: CertificateAuthority
    /// Equal to `trusted` but for keys, names and serials; made for this run and never installed anywhere.
    package let untrusted: CertificateAuthority
    package let lent: LentMaterials
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

    /// All but the P-256 key are made when the first client asks for them: RSA takes one or two tenths of a second, of
    /// any size.
    func leafKey(_ type: KeyType) throws(OpenSSLError) -> LeafKey {
        type == .p256 ? ecKey : try otherKeys.key(type)
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
/// The types are ours, and few: nothing from the network names one.
///
/// Unchecked Sendable: `made` is touched only under the lock.
@safe private final class KeyRing: @unchecked Sendable {
    private let lock: UnsafeMutableRawPointer?
    private var made: [KeyType: LeafKey] = [:]

    init() { unsafe lock = CRYPTO_THREAD_lock_new() }

    deinit { unsafe CRYPTO_THREAD_lock_free(lock) }

    func key(_ type: KeyType) throws(OpenSSLError) -> LeafKey {
        // nil only when OpenSSL was out of memory; going on without a lock would be a race.
        try OpenSSLError.requiring("lock a key") { unsafe lock != nil && CRYPTO_THREAD_write_lock(lock) == 1 }
        defer { unsafe CRYPTO_THREAD_unlock(lock) }
        if let found = made[type] { return found }
        let new = LeafKey(try PrivateKey.generate(type))
        made[type] = new
        return new
    }
}
