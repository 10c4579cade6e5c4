import COpenSSL

/// What a run forges with: the CA, its untrusted twin and the leaf keys, for all loops.
///
/// One leaf key of each type serves every host: making a key and decoding its public part costs more than the rest.
public final class ForgeMaterial: Sendable {
    public let trusted: CertificateAuthority
    /// Equal to `trusted` but for keys, names and serials; made for this run and never installed anywhere.
    public let untrusted: CertificateAuthority
    private let ecKey: LeafKey
    private let rsaKey = LazyLeafKey(type: .rsa(bits: 2048))

    public init(_ authority: CertificateAuthority) throws {
        trusted = authority
        untrusted = try authority.twin()
        ecKey = LeafKey(try PrivateKey.generate(.p256))
    }

    /// The RSA key is made when the first client asks for it: that takes about a tenth of a second, once.
    func leafKey(rsa: Bool) throws(OpenSSLError) -> LeafKey { rsa ? try rsaKey.value() : ecKey }
}

/// A leaf's key with what its certificates say about it.
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

/// A leaf key made on first use.
///
/// Unchecked Sendable: `made` is touched only under the lock.
@safe private final class LazyLeafKey: @unchecked Sendable {
    private let type: KeyType
    private let lock: UnsafeMutableRawPointer?
    private var made: LeafKey?

    init(type: KeyType) {
        self.type = type
        unsafe lock = CRYPTO_THREAD_lock_new()
    }

    deinit { unsafe CRYPTO_THREAD_lock_free(lock) }

    func value() throws(OpenSSLError) -> LeafKey {
        // nil only when OpenSSL was out of memory; going on without a lock would be a race.
        try OpenSSLError.requiring("lock a key") { unsafe lock != nil && CRYPTO_THREAD_write_lock(lock) == 1 }
        defer { unsafe CRYPTO_THREAD_unlock(lock) }
        if let made { return made }
        let new = LeafKey(try PrivateKey.generate(type))
        made = new
        return new
    }
}
