import Facts

extension ClientHello {
    /// Whether only an RSA leaf can serve this client at the version that will be negotiated: true when a P-256 one
    /// is impossible. A client whose offer is silent on the question gets the default, P-256.
    package func prefersRSALeaf(for version: TLSVersion) -> Bool {
        if let signatureAlgorithms, version >= .tls12, !signatureAlgorithms.contains(Self.ecdsaP256SHA256) {
            return true
        }
        if version >= .tls13 { return false }
        if let supportedGroups, !supportedGroups.contains(Self.secp256r1) { return true }
        return !cipherSuites.contains(
            where: version == .tls12 ? Self.isECDHEWithECDSA : Self.isOldECDHEWithECDSA)
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
