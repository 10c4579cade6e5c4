import Facts

extension ClientHello {
    /// Whether only an RSA leaf can serve this client at the version that will be negotiated: true when a P-256 one
    /// is impossible. A client whose offer is silent on the question gets the default, P-256.
    package func prefersRSALeaf(for version: TLSVersion) -> Bool {
        if let signatureAlgorithms, version >= .tls12, !signatureAlgorithms.contains(Self.ecdsaP256SHA256) {
            guard version == .tls12, signatureAlgorithms.contains(where: Self.isECDSA),
                hasNoUse(forRSA: signatureAlgorithms)
            else { return true }
        }
        if version >= .tls13 { return false }
        if let supportedGroups, !supportedGroups.contains(Self.secp256r1) { return true }
        return !cipherSuites.contains(
            where: version == .tls12 ? Self.isECDHEWithECDSA : Self.isOldECDHEWithECDSA)
    }

    /// Whether an RSA leaf is of no use in TLS 1.2: nothing is offered that it could sign with or decrypt. TLS 1.2 binds no curve
    /// to a hash (RFC 5246 §7.4.1.4.1): a P-256 leaf serves such a client whichever hash it takes, and nothing else does.
    private func hasNoUse(forRSA algorithms: [UInt16]) -> Bool {
        if cipherSuites.contains(where: Self.isRSAKeyExchange) { return false }
        return !algorithms.contains(where: Self.isRSA)
            || !cipherSuites.contains { suite in
                // Signalling (RFC 5746 and 7507), TLS 1.3 and GREASE choose no key.
                let isSilent = suite == 0x00ff || suite == 0x5600 || suite >> 8 == 0x13 || suite & 0x0f0f == 0x0a0a
                return !isSilent && !Self.isECDHEWithECDSA(suite)
            }
    }

    /// Suites in which the client encrypts to the leaf's key, and nothing is signed (RFC 5246 §7.4.7.1).
    private static func isRSAKeyExchange(_ suite: UInt16) -> Bool {
        switch suite {
        case 0x0001...0x000a, 0x002f, 0x0035, 0x003b...0x003d, 0x0041, 0x0084, 0x0096, 0x009c, 0x009d, 0x00ba, 0x00c0:
            true
        case 0xc03c, 0xc03d, 0xc050, 0xc051, 0xc07a, 0xc07b, 0xc09c, 0xc09d, 0xc0a0, 0xc0a1: true
        default: false
        }
    }

    /// RSA with PKCS #1 v1.5 (any hash), or RSASSA-PSS.
    private static func isRSA(_ algorithm: UInt16) -> Bool {
        algorithm & 0xff == 1 || (0x0804...0x0806).contains(algorithm) || (0x0809...0x080b).contains(algorithm)
    }

    /// ECDSA with SHA-1 to SHA-512 (RFC 5246 §7.4.1.4.1): hash, then 3.
    private static func isECDSA(_ algorithm: UInt16) -> Bool {
        algorithm & 0xff == 3 && (2...6).contains(algorithm >> 8)
    }

    /// The same question for suites without encryption, of which only one works with a P-256 leaf.
    package var prefersRSALeafUnencrypted: Bool {
        !cipherSuites.contains(Self.ecdheECDSANull) || prefersRSALeafForSignature
    }

    private var prefersRSALeafForSignature: Bool {
        signatureAlgorithms.map { !$0.contains(Self.ecdsaP256SHA256) } ?? false
            || supportedGroups.map { !$0.contains(Self.secp256r1) } ?? false
    }

    /// Whether a P-384 leaf can serve this client, in any version, where a P-256 one can.
    package var takesP384Leaf: Bool {
        signatureAlgorithms.map { $0.contains(Self.ecdsaP384SHA384) } ?? false
            && supportedGroups.map { $0.contains(Self.secp384r1) } ?? false
    }

    /// The same of a P-521 leaf.
    package var takesP521Leaf: Bool {
        signatureAlgorithms.map { $0.contains(Self.ecdsaP521SHA512) } ?? false
            && supportedGroups.map { $0.contains(Self.secp521r1) } ?? false
    }

    /// Whether an Ed25519 leaf can serve this client: in TLS 1.2 it signs for the suites of ECDSA (RFC 8422 §5.10).
    package func takesEd25519Leaf(for version: TLSVersion) -> Bool {
        guard let signatureAlgorithms, signatureAlgorithms.contains(Self.ed25519) else { return false }
        return version >= .tls13 || version == .tls12 && cipherSuites.contains(where: Self.isECDHEWithECDSA)
    }

    /// Whether an RSA leaf can serve this client: TLS 1.3 signs with RSASSA-PSS alone (RFC 8446 §4.2.3).
    package func takesRSALeaf(for version: TLSVersion) -> Bool {
        let pss: ClosedRange<UInt16> = 0x0804...0x0806
        guard let signatureAlgorithms else {
            return version < .tls13 && cipherSuites.contains(where: Self.isECDHEWithRSA)
        }
        if version >= .tls13 { return signatureAlgorithms.contains(where: pss.contains) }
        let pkcs1: Set<UInt16> = [0x0401, 0x0501, 0x0601]
        return cipherSuites.contains(where: Self.isECDHEWithRSA)
            && signatureAlgorithms.contains { pss.contains($0) || pkcs1.contains($0) }
    }

    /// ECDHE_RSA suites that a server of today still speaks.
    private static func isECDHEWithRSA(_ suite: UInt16) -> Bool {
        switch suite {
        case 0xc013, 0xc014, 0xc027, 0xc028, 0xc02f, 0xc030: true  // AES with CBC and GCM
        case 0xcca8: true  // ChaCha20-Poly1305
        case 0xc060, 0xc061, 0xc076, 0xc077: true  // ARIA, Camellia
        default: false
        }
    }

    private static let ecdsaP256SHA256: UInt16 = 0x0403
    private static let ecdsaP384SHA384: UInt16 = 0x0503
    private static let ecdsaP521SHA512: UInt16 = 0x0603
    private static let ed25519: UInt16 = 0x0807
    private static let secp521r1: UInt16 = 0x0019
    private static let secp256r1: UInt16 = 0x0017
    private static let secp384r1: UInt16 = 0x0018
    private static let ecdheECDSANull: UInt16 = 0xc006

    /// Before TLS 1.2 there are no suites with SHA-256 or GCM.
    private static func isOldECDHEWithECDSA(_ suite: UInt16) -> Bool { suite == 0xc009 || suite == 0xc00a }

    /// ECDHE_ECDSA suites that a server of today still speaks: none with NULL, RC4 or 3DES.
    private static func isECDHEWithECDSA(_ suite: UInt16) -> Bool {
        switch suite {
        case 0xc009, 0xc00a, 0xc023, 0xc024, 0xc02b, 0xc02c: true  // AES with CBC and GCM
        case 0xc0ac...0xc0af: true  // AES with CCM
        case 0xcca9: true  // ChaCha20-Poly1305
        case 0xc05c, 0xc05d, 0xc072, 0xc073: true  // ARIA, Camellia
        default: false
        }
    }
}
