import COpenSSL
import Policy

/// Writes and signs a certificate by hand, field by field.
///
/// OpenSSL's own setters decode the public key again each time: 131 µs, against 14 µs for the signature.
struct CertificateBuilder {
    /// The version number as written: 2 means X.509 v3.
    var version: UInt = 2
    /// Magnitude, most significant byte first.
    var serial: [UInt8]
    var signature: SignatureAlgorithm
    /// Names in DER.
    var issuer: [UInt8]
    var subject: [UInt8]
    /// Unix seconds, both inclusive.
    var notBefore: Int64
    var notAfter: Int64
    /// SubjectPublicKeyInfo in DER.
    var publicKey: [UInt8]
    var extensions: [CertificateExtension]

    /// TBSCertificate of RFC 5280 §4.1: what is signed.
    var toBeSigned: [UInt8] {
        var parts: [[UInt8]] = version == 0 ? [] : [DER.explicit(0, DER.integer(version))]
        parts += [
            DER.integer(serial), signature.der, issuer, DER.sequence(DER.time(notBefore), DER.time(notAfter)),
            subject, publicKey,
        ]
        if !extensions.isEmpty { parts.append(DER.explicit(3, DER.sequence(extensions.map(\.der)))) }
        return DER.sequence(parts)
    }

    /// Signatures that are made to find one of a length. Half of ECDSA's have the usual length, a quarter each a byte more or less, one in
    /// five hundred two bytes less; what is shorter still is given up. Other curves than P-256 take ten times as long: a tenth of a
    /// second and a quarter of one are the most.
    private static func attempts(_ type: KeyType) -> Int { type == .p256 ? 4096 : 512 }

    /// - Parameters:
    ///   - change: the signature is changed afterwards, where it is to be corrupted or, with ECDSA, zeros, and
    ///     still looks like one.
    ///   - length: bytes of the certificate, if a signature can make it so: ECDSA's has one or two less now and then.
    func signed(
        by key: PrivateKey, changed change: Recipe.Signature = .sound, length: Int? = nil
    ) throws(OpenSSLError) -> Certificate {
        let tbs = toBeSigned
        var bytes = try key.sign(tbs, with: signature.digest)
        if case .ecdsa = signature, change == .sound, let length {
            // All of a curve's signatures are written with lengths of as many bytes, so that the rest is as long with each.
            let wanted = bytes.count + length - DER.sequence(tbs, signature.der, DER.bitString(bytes)).count
            // What else is different cannot be made up for.
            var left = abs(wanted - bytes.count) <= 4 ? Self.attempts(key.type) : 0
            while bytes.count != wanted, left > 0 {
                bytes = try key.sign(tbs, with: signature.digest)
                left -= 1
            }
        }
        // The last byte is the end of a number, in ECDSA's two as in RSA's one: the encoding stays as it has to be.
        if change == .corrupted, !bytes.isEmpty { bytes[bytes.count - 1] ^= 0x55 }
        if change == .zeros, case .ecdsa = signature { bytes = DER.sequence(DER.integer(0), DER.integer(0)) }
        return try Certificate(
            der: DER.sequence(tbs, signature.der, DER.bitString(bytes)), isForHandshakes: true)
    }

    /// Positive, 16 bytes, 126 of the bits random: the first is clear, so that it is positive, and the second set, so
    /// that every serial is written in as many bytes and twins are equally long.
    static func randomSerial() throws(OpenSSLError) -> [UInt8] {
        var bytes = try Random.bytes(16)
        bytes[0] = bytes[0] & 0x7f | 0x40
        return bytes
    }
}

/// How a certificate is signed: key type and digest.
enum SignatureAlgorithm: Hashable {
    case ecdsa(Digest)
    case rsa(Digest)
    /// It hashes for itself (RFC 8410).
    case ed25519

    enum Digest: String {
        case sha256 = "SHA2-256"
        case sha384 = "SHA2-384"
        case sha512 = "SHA2-512"
        /// These two for `weak-crypto` alone; ECDSA has no identifier for MD5.
        case sha1 = "SHA1"
        case md5 = "MD5"
    }

    var digest: Digest {
        switch self {
        case .ecdsa(let digest), .rsa(let digest): digest
        case .ed25519: .sha512
        }
    }

    /// The same kind of key with another digest.
    func with(_ digest: Digest) -> SignatureAlgorithm {
        switch self {
        case .ecdsa: .ecdsa(digest)
        case .rsa: .rsa(digest)
        case .ed25519: .ed25519
        }
    }

    /// AlgorithmIdentifier: without parameters for ECDSA (RFC 5758 §3.2) and Ed25519 (RFC 8410 §3), with NULL for RSA
    /// (RFC 4055 §5).
    var der: [UInt8] {
        switch self {
        case .ecdsa(let digest): DER.sequence(digest.ecdsaIdentifier)
        case .rsa(let digest): DER.sequence(DER.oid(1, 2, 840, 113549, 1, 1, digest.rsaArc), DER.null)
        case .ed25519: DER.sequence(DER.oid(1, 3, 101, 112))
        }
    }
}

extension SignatureAlgorithm.Digest {
    fileprivate var ecdsaIdentifier: [UInt8] {
        switch self {
        case .sha256: DER.oid(1, 2, 840, 10045, 4, 3, 2)
        case .sha384: DER.oid(1, 2, 840, 10045, 4, 3, 3)
        case .sha512: DER.oid(1, 2, 840, 10045, 4, 3, 4)
        // The digest's own identifier (RFC 3279 §2.2.1) stands in for one that nobody has defined.
        case .md5: DER.oid(1, 2, 840, 113549, 2, 5)
        case .sha1: DER.oid(1, 2, 840, 10045, 4, 1)
        }
    }
    fileprivate var rsaArc: UInt {
        switch self {
        case .sha256: 11
        case .sha384: 12
        case .sha512: 13
        case .sha1: 5
        case .md5: 4
        }
    }
}

/// Random bytes from OpenSSL's generator.
enum Random {
    static func bytes(_ count: Int) throws(OpenSSLError) -> [UInt8] {
        var out = [UInt8](repeating: 0, count: count)
        try OpenSSLError.requiring("get random bytes") { unsafe RAND_bytes(&out, Int32(count)) == 1 }
        return out
    }
}
