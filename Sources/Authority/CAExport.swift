import Facts
import TLS

/// A root certificate in the forms that devices and tools install; none holds a key.
package struct CAExport: Sendable {
    package let certificate: Certificate
    /// It bears a genuine root's name.
    package let isNamesake: Bool

    package init(_ certificate: Certificate, isNamesake: Bool = false) {
        self.certificate = certificate
        self.isNamesake = isNamesake
    }

    package var pem: String { certificate.pem }
    package var der: [UInt8] { certificate.der }

    /// A store of Java's, with the certificate as a trusted entry; the password is that of its integrity check.
    package func pkcs12(password: String = "pinproof") throws(OpenSSLError) -> [UInt8] {
        try certificate.trustStore(password: password)
    }

    /// The file name under which Android's system store looks for it: OpenSSL's old (MD5) hash of the subject, and a
    /// number that tells certificates with an equal hash apart.
    ///
    /// A namesake has the second place: in the first one it would overwrite the genuine root.
    package var androidFileName: String {
        let digits = String(certificate.oldSubjectHash, radix: 16)
        return String(repeating: "0", count: max(0, 8 - digits.count)) + digits + (isNamesake ? ".1" : ".0")
    }

    /// What the file under that name holds.
    package var androidFile: String { pem }

    /// A configuration profile for iOS, iPadOS and macOS, not signed, that installs the root.
    ///
    /// Its UUIDs come from the certificate's hash: exporting it again makes the same file, and installing it again
    /// replaces the profile instead of adding one.
    package var mobileConfig: String {
        let name = Self.escaped(certificate.commonName ?? certificate.subject)
        let identifier = "pinproof.root.\(certificate.sha256.prefix(16))"
        let text = Array(Base64.encode(certificate.der).utf8)
        let lines = stride(from: 0, to: text.count, by: 64).map {
            "\t\t\t" + String(decoding: text[$0..<min($0 + 64, text.count)], as: UTF8.self)
        }.joined(separator: "\n")
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            <dict>
            \t<key>PayloadContent</key>
            \t<array>
            \t\t<dict>
            \t\t\t<key>PayloadCertificateFileName</key>
            \t\t\t<string>pinproof-root.cer</string>
            \t\t\t<key>PayloadContent</key>
            \t\t\t<data>
            \(lines)
            \t\t\t</data>
            \t\t\t<key>PayloadDescription</key>
            \t\t\t<string>Adds the root certificate that pinproof signs test certificates with.</string>
            \t\t\t<key>PayloadDisplayName</key>
            \t\t\t<string>\(name)</string>
            \t\t\t<key>PayloadIdentifier</key>
            \t\t\t<string>\(identifier).certificate</string>
            \t\t\t<key>PayloadType</key>
            \t\t\t<string>com.apple.security.root</string>
            \t\t\t<key>PayloadUUID</key>
            \t\t\t<string>\(uuid("certificate"))</string>
            \t\t\t<key>PayloadVersion</key>
            \t\t\t<integer>1</integer>
            \t\t</dict>
            \t</array>
            \t<key>PayloadDescription</key>
            \t<string>Lets pinproof test which apps refuse an interceptor. Remove it after testing.</string>
            \t<key>PayloadDisplayName</key>
            \t<string>pinproof test CA: \(name)</string>
            \t<key>PayloadIdentifier</key>
            \t<string>\(identifier)</string>
            \t<key>PayloadOrganization</key>
            \t<string>pinproof</string>
            \t<key>PayloadRemovalDisallowed</key>
            \t<false/>
            \t<key>PayloadType</key>
            \t<string>Configuration</string>
            \t<key>PayloadUUID</key>
            \t<string>\(uuid("profile"))</string>
            \t<key>PayloadVersion</key>
            \t<integer>1</integer>
            </dict>
            </plist>

            """
    }

    /// A UUID of version 8 (RFC 9562 §5.8): bits of a hash, always the same for the same certificate and role.
    private func uuid(_ role: String) -> String {
        var bytes = Array(SHA256.digest(Array(role.utf8) + certificate.der).prefix(16))
        bytes[6] = bytes[6] & 0x0f | 0x80
        bytes[8] = bytes[8] & 0x3f | 0x80
        let digits = Array(Hex.encode(bytes).uppercased())
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
    }

    /// XML text; control characters, which XML 1.0 cannot hold at all, are left out.
    private static func escaped(_ text: String) -> String {
        var out = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": out += "&amp;"
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case _ where scalar.value < 0x20 || scalar.value == 0xfffe || scalar.value == 0xffff: continue
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }
}
