import Facts

/// Finds what is written like a SHA-256 in text that comes in pieces.
///
/// 43 characters of base64 (of either alphabet, padding or not), or 64 hexadecimal digits with colons between them or without;
/// a word before it (`sha256/`) belongs to no digest.
struct DigestSearch {
    /// The word that is being read; longer ones are no digest.
    private var word: [UInt8] = []
    private var isTooLong = false
    private var isEscaped = false

    /// 64 digits, the colons between them left out, and what may stand before a digest (`pin-sha256/`).
    private static let wordLimit = 80

    mutating func read(_ bytes: ArraySlice<UInt8>, _ found: ([UInt8]) -> Void) {
        for byte in bytes {
            // JSON may write `\/`.
            let wasEscaped = isEscaped
            isEscaped = false
            switch byte {
            case UInt8(ascii: "/") where wasEscaped: add(byte)
            case UInt8(ascii: "-"): add(UInt8(ascii: "+"))
            case UInt8(ascii: "_"): add(UInt8(ascii: "/"))
            case UInt8(ascii: ":"): break
            case UInt8(ascii: "\\"): isEscaped = true
            case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"):
                // The letter of an escape (`\n`, `\u003d`) is no part of a word.
                if wasEscaped { end(found) } else { add(byte) }
            default: end(found)
            }
        }
    }

    /// Nothing more comes.
    mutating func end(_ found: ([UInt8]) -> Void) {
        defer {
            word.removeAll(keepingCapacity: true)
            isTooLong = false
        }
        guard !isTooLong else { return }
        if let digest = Self.hexadecimal(word.suffix(64)) { found(digest) }
        let text = word.suffix(43)
        // 43 characters carry 258 bits: unless the last two are zero, it is not what 32 bytes are written as.
        if text.count == 43, let digest = Base64.decoded(text),
            Base64.encode(digest).utf8.dropLast().elementsEqual(text)
        {
            found(digest)
        }
    }

    private mutating func add(_ byte: UInt8) {
        if word.count < Self.wordLimit { word.append(byte) } else { isTooLong = true }
    }

    private static func hexadecimal(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        guard text.count == 64 else { return nil }
        var digest: [UInt8] = []
        var high: UInt8?
        for byte in text {
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
            default: return nil
            }
            if let first = high {
                digest.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        return digest
    }
}
