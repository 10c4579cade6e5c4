import Facts

/// Finds what is written like a SHA-256 in text that comes in pieces.
///
/// 43 characters of base64 (of either alphabet, padding or not), or 64 hexadecimal digits with colons between them or without;
/// or its bytes one by one; a word before it (`sha256/`) belongs to no digest. A character may be written as JSON (`\u002b`) or a URL (`%2B`) can.
struct DigestSearch {
    /// The word that is being read; longer ones are no digest.
    private var word: [UInt8] = []
    private var series = ByteSeries()
    private var isTooLong = false
    private var isEscaped = false
    private var escape: Escape?

    /// A character that is written as its number, in so many hexadecimal digits.
    private struct Escape {
        var length: Int
        var digits: [UInt8] = []
        var value: UInt32 = 0
    }

    /// 64 digits, the colons between them left out, and what may stand before a digest (`pin-sha256/`).
    private static let wordLimit = 80

    mutating func read(_ bytes: ArraySlice<UInt8>, _ found: ([UInt8]) -> Void) {
        for byte in bytes {
            if var reading = escape {
                if let digit = byte.hexValue {
                    reading.value = reading.value << 4 | UInt32(digit)
                    reading.digits.append(byte)
                    if reading.digits.count < reading.length { escape = reading } else { settle(reading, found) }
                    continue
                }
                settle(reading, found)
            }
            // JSON may write `\/`, and some write `+` as `\u002b`; property lists of Java write `\:`.
            let wasEscaped = isEscaped
            isEscaped = false
            switch byte {
            case UInt8(ascii: "\\"): isEscaped = true
            case UInt8(ascii: "u") where wasEscaped: escape = Escape(length: 4)
            case UInt8(ascii: "%"): escape = Escape(length: 2)
            // The letter of any other escape (`\n`) is no part of a word.
            case _ where wasEscaped && !"/:-_".utf8.contains(byte):
                series.read(UInt8(ascii: " "), found)
                endWord(found)
            default: take(byte, found)
            }
        }
    }

    /// What is no character of a word ends it; behind a percent sign that means nothing, the digits begin another one.
    private mutating func settle(_ escape: Escape, _ found: ([UInt8]) -> Void) {
        self.escape = nil
        let isWhole = escape.digits.count == escape.length
        if isWhole, let byte = UInt8(exactly: escape.value), byte >= 0x20, byte < 0x7f { return take(byte, found) }
        series.read(UInt8(ascii: " "), found)
        endWord(found)
        if escape.length == 2 { for digit in escape.digits { take(digit, found) } }
    }

    private mutating func take(_ byte: UInt8, _ found: ([UInt8]) -> Void) {
        series.read(byte, found)
        switch byte {
        case UInt8(ascii: "-"): add(UInt8(ascii: "+"))
        case UInt8(ascii: "_"): add(UInt8(ascii: "/"))
        case UInt8(ascii: ":"): break
        case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"):
            add(byte)
        default: endWord(found)
        }
    }

    /// Nothing more comes.
    mutating func end(_ found: ([UInt8]) -> Void) {
        series.end(found)
        endWord(found)
    }

    private mutating func endWord(_ found: ([UInt8]) -> Void) {
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
            guard let digit = byte.hexValue else { return nil }
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

extension UInt8 {
    /// Of a hexadecimal digit, 0 to 15.
    package var hexValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
