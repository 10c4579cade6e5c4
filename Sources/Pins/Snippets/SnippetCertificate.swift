import Facts

/// A certificate, a key or a request as a snippet names it.
package struct SnippetCertificate: Hashable, Sendable {
    /// The contract's words.
    package enum Role: String, Hashable, Sendable, CaseIterable {
        case leaf, intermediate, root, key, request

        /// Its key is the server's own, now or one day.
        package var isServers: Bool { self != .intermediate && self != .root }
    }

    package var role: Role
    /// 32 bytes in base64.
    package var spkiSHA256: String
    /// Of the whole certificate; nil for keys and requests.
    package var certificateSHA256Hex: String?
    /// RFC 4514.
    package var subject: String?
    /// RFC 3339.
    package var notAfter: String?

    package init(
        role: Role, spkiSHA256: String, certificateSHA256Hex: String? = nil, subject: String? = nil,
        notAfter: String? = nil
    ) {
        self.role = role
        self.spkiSHA256 = spkiSHA256
        self.certificateSHA256Hex = certificateSHA256Hex
        self.subject = subject
        self.notAfter = notAfter
    }

    /// `sha256/…: leaf CN=api.example.com, until 2027-01-31`
    var remark: String {
        var words = "sha256/\(spkiSHA256): \(role.rawValue)"
        if let subject, !subject.isEmpty { words += " " + Printable.excerpt(subject) }
        if let notAfter { words += ", until \(Printable.excerpt(String(notAfter.prefix(10))))" }
        return words
    }

    var keyPin: DeclaredPin { DeclaredPin(base64: spkiSHA256, part: role.isServers ? .leaf : .ca, line: 1) }

    var certificatePin: DeclaredPin? {
        guard let hex = certificateSHA256Hex, let digest = Self.bytes(hex), digest.count == 32 else { return nil }
        return DeclaredPin(.certificateSHA256, part: .leaf, text: hex, digest: digest, line: 1)
    }

    private static func bytes(_ hex: String) -> [UInt8]? {
        let letters = Array(hex.filter { $0 != ":" && $0 != " " }.utf8)
        guard letters.count % 2 == 0 else { return nil }
        var out: [UInt8] = []
        for place in stride(from: 0, to: letters.count, by: 2) {
            guard let high = digit(letters[place]), let low = digit(letters[place + 1]) else { return nil }
            out.append(high << 4 | low)
        }
        return out
    }

    private static func digit(_ letter: UInt8) -> UInt8? {
        switch letter {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): letter - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): letter - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): letter - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
