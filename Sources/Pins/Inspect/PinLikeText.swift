import Facts

/// Text that has the form of a pin, as it is read at one place of a file.
///
/// The forms are those of OkHttp (`sha256/…`, `sha1/…`), curl (`sha256//…`), HPKP (`pin-sha256="…"`, RFC 7469 §2.1.1),
/// TrustKit and Apple (base64 alone), and of tools that print fingerprints (hexadecimal digits).
enum PinLikeText {
    enum Mark: CaseIterable {
        case sha256, sha1, hpkp

        var text: String {
            switch self {
            case .sha256: "sha256/"
            case .sha1: "sha1/"
            case .hpkp: "pin-sha256="
            }
        }

        var algorithm: String { self == .sha1 ? "sha1/" : "sha256/" }
        /// Base64 digits without padding: of 20 and of 32 bytes.
        var digits: Int { self == .sha1 ? 27 : 43 }
    }

    /// Bytes that have to be there behind a mark, where the file has as many.
    static let reach = 64

    /// What stands behind a mark, where it is base64 of the right length and ends there.
    static func value(_ mark: Mark, _ bytes: [UInt8], at start: Int) -> String? {
        var text = bytes[start...].prefix(mark.digits + 4)
        if mark == .hpkp {
            // In source code the quotation mark is escaped.
            if text.first == UInt8(ascii: "\\") { text = text.dropFirst() }
            if text.first == UInt8(ascii: "\"") || text.first == UInt8(ascii: "'") { text = text.dropFirst() }
        }
        let count = text.prefix(while: isDigit).count
        let body: ArraySlice<UInt8>
        if count == mark.digits {
            body = text.prefix(count)
        } else if mark == .sha256, count == mark.digits + 1, text.first == UInt8(ascii: "/"),
            text.dropFirst(count).first == UInt8(ascii: "=")
        {
            // curl writes a second slash.
            body = text.dropFirst().prefix(mark.digits)
        } else {
            return nil
        }
        return Base64.decoded(body).map { mark.algorithm + Base64.encode($0) }
    }

    /// Text without a mark, which is a pin only by what stands near it.
    ///
    /// - Parameters:
    ///   - text: all of the digits and colons that stand in a row.
    ///   - next: the byte behind.
    static func value(alone text: ArraySlice<UInt8>, next: UInt8?) -> (value: String, isBase64: Bool)? {
        if text.count == 95 {
            // A colon behind each pair but the last.
            let pairs = text.enumerated().filter { $0.offset % 3 != 2 }.map(\.element)
            let isDivided = text.enumerated().allSatisfy { ($0.offset % 3 == 2) == ($0.element == colon) }
            return isDivided ? hex(pairs[...]).map { ($0, false) } : nil
        }
        // A name may stand before it: `sha256:…`.
        let body = text.lastIndex(of: colon).map { text[($0 + 1)...] } ?? text
        if body.count == 64 { return hex(body).map { ($0, false) } }
        guard body.count == 43, next == UInt8(ascii: "="), let digest = Base64.decoded(body) else { return nil }
        return ("sha256/" + Base64.encode(digest), true)
    }

    private static let colon = UInt8(ascii: ":")

    /// In lower case, without colons; nil for what is none, and for a row of one digit.
    private static func hex(_ text: ArraySlice<UInt8>) -> String? {
        guard let digest = Hex.decoded(String(decoding: text, as: UTF8.self)), Set(digest).count > 4 else { return nil }
        return Hex.encode(digest)
    }

    static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
            true
        default: false
        }
    }

    /// By byte: what a pin without a mark is made of.
    static let isPart: [Bool] = (0...255).map { isDigit($0) || $0 == colon }

    /// What is near text that is a pin: names of settings, classes and functions.
    static let words = [
        "pinning", "Pinning", "PINNING", "pinned", "Pinned", "PINNED", "pinset", "pinSet", "PinSet", "pin_set",
        "pin-set", "PIN_SET", "Pinner", "ublicKeyHash", "UBLIC_KEY_HASH", "ublic_key_hash", "ublicKeyPin",
        "ertificatePin", "ertificate_pin", "ERTIFICATE_PIN", "certPin", "CertPin", "cert_pin", "CERT_PIN", "sslPin",
        "SSLPin", "SslPin", "ssl_pin", "SSL_PIN", "ackupPin", "ackup_pin", "ACKUP_PIN", "\"pins\"", "'pins'",
        "\"pin\"", "'pin'", "<pin", "spki", "SPKI", "Spki", "ingerprint", "INGERPRINT",
    ]
}
