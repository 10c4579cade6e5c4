import Facts

/// A certificate request (PKCS #10, RFC 2986) for a server, with its names in a SAN.
///
/// CAs read names from the SAN alone (CA/Browser Forum Baseline Requirements §7.1.2.7.12); the common name is there for
/// people, and left out where it would be too long for it (64 characters, RFC 5280 appendix A).
package struct CertificateRequest: Sendable {
    private static let commonNameLimit = 64

    package let names: [HostName]
    private let key: PrivateKey

    /// - Parameter names: at least one.
    package init(for names: [HostName], key: PrivateKey) {
        self.names = names
        self.key = key
    }

    /// - Throws: where the key cannot sign.
    package func der() throws(OpenSSLError) -> [UInt8] {
        let info = DER.sequence(DER.integer(UInt(0)), subject, key.publicKeyDER, attributes)
        let algorithm =
            switch key.type {
            case .rsa: DER.sequence(DER.oid(1, 2, 840, 113_549, 1, 1, 11), DER.null)
            case .ec: DER.sequence(DER.oid(1, 2, 840, 10_045, 4, 3, 2))
            default: DER.sequence(DER.oid(1, 3, 101, key.type == .ed25519 ? 112 : 113))
            }
        return DER.sequence(info, algorithm, DER.bitString(try key.sign(info, with: .sha256)))
    }

    package func pem() throws(OpenSSLError) -> String {
        let text = Array(Base64.encode(try der()).utf8)
        var out = "-----BEGIN CERTIFICATE REQUEST-----\n"
        for start in stride(from: 0, to: text.count, by: 64) {
            out += String(decoding: text[start..<min(start + 64, text.count)], as: UTF8.self) + "\n"
        }
        return out + "-----END CERTIFICATE REQUEST-----\n"
    }

    private var subject: [UInt8] {
        guard let name = names.first?.text, name.utf8.count <= Self.commonNameLimit else { return DER.sequence([]) }
        return DER.sequence(DER.set(DER.sequence(DER.oid(2, 5, 4, 3), DER.utf8String(name))))
    }

    /// `[0] IMPLICIT SET OF Attribute`, of which there is one: extensionRequest (RFC 2985 §5.4.2), with the SAN.
    private var attributes: [UInt8] {
        let general = names.map { name in
            name.address.map { DER.implicit(7, $0.bytes) } ?? DER.implicit(2, Array(name.text.utf8))
        }
        let san = DER.sequence(DER.oid(2, 5, 29, 17), DER.octetString(DER.sequence(general)))
        let request = DER.sequence(DER.oid(1, 2, 840, 113_549, 1, 9, 14), DER.set(DER.sequence(san)))
        return DER.implicit(0, constructed: true, request)
    }
}
