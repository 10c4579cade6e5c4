import Facts

/// A pin as people write one by itself.
///
/// `sha256/BASE64`, `certificate-sha256/HEX`, or a digest alone.
enum PinText {
    /// What is named before the slash, as `DeclaredPin.name` writes it.
    private static let prefixes: [(String, DeclaredPin.Kind)] = [
        ("sha256/", .spkiSHA256), ("sha1/", .spkiSHA1), ("certificate-sha256/", .certificateSHA256),
        ("certificate-sha1/", .certificateSHA1), ("certificate-md5/", .certificateMD5),
    ]

    /// By its prefix; nil without one. Digests of keys are in base64, those of certificates in hexadecimal digits.
    static func prefixed(_ text: String, part: DeclaredPin.Part = .any, line: Int) -> DeclaredPin? {
        guard let (prefix, kind) = prefixes.first(where: { text.hasPrefix($0.0) }) else { return nil }
        let value = String(text.dropFirst(prefix.count))
        return kind.isOfKey
            ? DeclaredPin(base64: value, kind, part: part, line: line)
            : fingerprint(value, kind, part: part, line: line)
    }

    /// The SHA-256 of a key, with or without its prefix, or the fingerprint of a certificate; nil for what is neither.
    static func any(_ text: String, line: Int) -> DeclaredPin? {
        if let pin = prefixed(text, line: line) { return pin }
        if let digest = bytes(ofHex: text), digest.count == 32 {
            return DeclaredPin(.certificateSHA256, text: text, digest: digest, line: line)
        }
        let pin = DeclaredPin(base64: text, line: line)
        return pin.digest == nil ? nil : pin
    }

    static func fingerprint(
        _ text: String, _ kind: DeclaredPin.Kind = .certificateSHA256, part: DeclaredPin.Part = .any, line: Int
    ) -> DeclaredPin {
        let digest = bytes(ofHex: text)
        return DeclaredPin(kind, part: part, text: text, digest: digest?.count == kind.size ? digest : nil, line: line)
    }

    /// Pairs of digits, with colons or blanks between them or without.
    static func bytes(ofHex text: String) -> [UInt8]? {
        let digits = text.utf8.filter { $0 != UInt8(ascii: ":") && $0 != 32 }.map {
            Character(Unicode.Scalar($0)).hexDigitValue
        }
        guard digits.count % 2 == 0, !digits.isEmpty else { return nil }
        var bytes: [UInt8] = []
        for at in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[at], let low = digits[at + 1] else { return nil }
            bytes.append(UInt8(high << 4 | low))
        }
        return bytes
    }
}
