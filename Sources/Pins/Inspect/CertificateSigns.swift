/// What tells a file with certificates, or a key store, from the rest of an app.
enum CertificateSigns {
    /// Of certificates, their bundles, and stores for them and their keys.
    private static let endings = [
        "pem", "cer", "crt", "der", "p7b", "p7c", "p12", "pfx", "jks", "jceks", "bks", "keystore", "truststore",
    ]

    /// By its name alone.
    static func isNamed(_ name: String) -> Bool {
        guard let dot = name.lastIndex(of: ".") else { return false }
        return endings.contains(name[name.index(after: dot)...].lowercased())
    }

    /// Bytes that are enough to tell.
    static let length = 64

    /// By how it begins, whatever it is called: shrinkers take names away.
    static func begins(_ bytes: [UInt8]) -> Bool {
        if bytes.starts(with: Array("-----BEGIN CERTIFICATE".utf8)) { return true }
        // Java's stores, and Bouncy Castle's with its version and its salt of 20 bytes.
        if bytes.starts(with: [0xfe, 0xed, 0xfe, 0xed]) || bytes.starts(with: [0xce, 0xce, 0xce, 0xce]) {
            return true
        }
        if bytes.count > 8, bytes[..<3].elementsEqual([0, 0, 0]), bytes[3] <= 2 {
            return bytes[4..<8].elementsEqual([0, 0, 0, 20])
        }
        guard bytes.count > 24, bytes.starts(with: [0x30, 0x82]) else { return false }
        // X.509: a sequence in a sequence, its version, and a serial number (RFC 5280 §4.1).
        if bytes[4] == 0x30, bytes[5] == 0x82, bytes[8..<14].elementsEqual([0xa0, 3, 2, 1, 2, 2]) { return true }
        // PKCS#12: version 3, and a sequence (RFC 7292 §4).
        return bytes[4..<8].elementsEqual([2, 1, 3, 0x30])
    }
}
