import Policy

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

    /// Makes the keys that take long and that most chains need, unless they are there: RSA-2048, for leaves and for issuers.
    /// It takes a third of a second, and more on a busy machine: no client's handshake should wait for it.
    ///
    /// - Parameter isWanted: asked before each; false ends it.
    package func makeKeysAhead(while isWanted: () -> Bool = { true }) {
        make([otherKeys, issuerKeys, untrustedIssuerKeys].map { ($0, 2048) }, while: isWanted)
    }

    /// Makes those that chains like the genuine ones need besides, unless they are there. RSA-4096 takes a second, or four.
    ///
    /// - Parameters:
    ///   - genuine: nil where not all hosts are known: then what public certification authorities issue with.
    ///   - isWanted: asked before each; false ends it.
    package func makeKeys(like genuine: GenuineKeys?, while isWanted: () -> Bool = { true }) {
        let (issuers, leaves) = genuine.map { ($0.issuerSizes, $0.leafSizes) } ?? ([4096], [4096])
        make(issuers.map { (issuerKeys, $0) } + leaves.map { (otherKeys, $0) }, while: isWanted)
    }

    /// Whether chains of this recipe need keys that take long and are not there, as far as chains made before tell.
    package func lacksKeys(for recipe: Recipe) -> Bool { !lacking(recipe).isEmpty }

    /// Makes those keys.
    ///
    /// - Parameter isWanted: asked before each; false ends it.
    package func makeKeys(for recipe: Recipe, while isWanted: () -> Bool = { true }) {
        make(lacking(recipe), while: isWanted)
    }

    private typealias Wanted = (ring: KeyRing, bits: Int)

    private func lacking(_ recipe: Recipe) -> [Wanted] {
        var wanted: [Wanted] = []
        if recipe.key == .unusualSize { wanted.append((otherKeys, 3072)) }
        // Whatever was issued below the one CA is issued below the other as well.
        if recipe.signer == .untrustedCA {
            wanted += KeyType.rsaSizes.filter { issuerKeys.wasAsked(for: .rsa(bits: $0)) }.map {
                (untrustedIssuerKeys, $0)
            }
        }
        return wanted.filter { !$0.ring.has(.rsa(bits: $0.bits)) }
    }

    private func make(_ wanted: [Wanted], while isWanted: () -> Bool) {
        for (ring, bits) in wanted where isWanted() {
            // What fails here fails again, and says so, where it is needed.
            _ = try? ring.key(.rsa(bits: bits), isAhead: true)
        }
    }

    func issuerKey(_ type: KeyType, under authority: CertificateAuthority) throws(OpenSSLError) -> LeafKey {
        try (authority === untrusted ? untrustedIssuerKeys : issuerKeys).key(type)
    }
}

/// Of which kinds the keys are that a run's hosts have in their own chains.
package struct GenuineKeys: Hashable, Sendable {
    private var leaves: Set<KeyType> = []
    private var issuers: Set<KeyType> = []

    package init() {}

    /// - Parameter issuers: above the leaf, as far up as they are known.
    package mutating func add(leaf: Certificate, issuers: [Certificate]) {
        leaves.insert(leaf.keyType)
        for issuer in issuers { self.issuers.insert(issuer.keyType) }
    }

    package mutating func add(_ other: GenuineKeys) {
        leaves.formUnion(other.leaves)
        issuers.formUnion(other.issuers)
    }

    /// Of RSA keys that are like them, in bits.
    fileprivate var leafSizes: [Int] { Self.sizes(leaves) }
    fileprivate var issuerSizes: [Int] { Self.sizes(issuers) }

    private static func sizes(_ types: Set<KeyType>) -> [Int] {
        Set(types.compactMap { if case .rsa(let bits)? = $0.imitated { bits } else { nil } }).sorted()
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
/// Unchecked Sendable: `slots` and `asked` are touched only under the lock.
@safe private final class KeyRing: @unchecked Sendable {
    private let lock = OpenSSLLock()
    private var slots: [KeyType: KeySlot] = [:]
    private var asked: Set<KeyType> = []

    /// - Parameter isAhead: nobody needs it yet.
    func key(_ type: KeyType, isAhead: Bool = false) throws(OpenSSLError) -> LeafKey {
        try slot(type, isAhead: isAhead).key(type)
    }

    private func slot(_ type: KeyType, isAhead: Bool) throws(OpenSSLError) -> KeySlot {
        try lock.lock()
        defer { lock.unlock() }
        if !isAhead { asked.insert(type) }
        if let found = slots[type] { return found }
        let new = KeySlot()
        slots[type] = new
        return new
    }

    /// Also where it is still being made.
    func has(_ type: KeyType) -> Bool {
        guard (try? lock.lock()) != nil else { return true }
        defer { lock.unlock() }
        return slots[type] != nil
    }

    func wasAsked(for type: KeyType) -> Bool {
        guard (try? lock.lock()) != nil else { return false }
        defer { lock.unlock() }
        return asked.contains(type)
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
