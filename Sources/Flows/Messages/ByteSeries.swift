/// Finds 32 bytes that are written one by one, in text that comes in pieces.
///
/// In hexadecimal digits with blanks, commas or dashes between them (`AB-CD`, `0xab, 0xcd`, groups of more), or as decimal numbers
/// from -128 to 255 (`[18, -52]`). A list of more or fewer bytes is none.
struct ByteSeries {
    private var hexadecimal: [UInt8] = []
    /// Groups of digits that those came in: one alone is a word.
    private var groups = 0
    private var decimal: [UInt8] = []
    /// The group that is being read.
    private var word: [UInt8] = []
    private var isNegative = false

    private static let length = 32

    mutating func read(_ byte: UInt8, _ found: ([UInt8]) -> Void) {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            // Two digits for each byte, and one more: that is too long for a list.
            if word.count <= 2 * Self.length { word.append(byte) }
        case UInt8(ascii: "-") where word.isEmpty: isNegative = true
        case UInt8(ascii: "-"), UInt8(ascii: ","), UInt8(ascii: ";"), 0x20, 0x09, 0x0a, 0x0d: endWord(found)
        default: end(found)
        }
    }

    /// Nothing more of the list comes.
    mutating func end(_ found: ([UInt8]) -> Void) {
        endWord(found)
        endHexadecimal(found)
        endDecimal(found)
    }

    private mutating func endWord(_ found: ([UInt8]) -> Void) {
        defer {
            word.removeAll(keepingCapacity: true)
            isNegative = false
        }
        guard !word.isEmpty else { return }
        if let bytes = Self.bytes(of: word[...]), hexadecimal.count <= Self.length {
            hexadecimal += bytes
            groups += 1
        } else {
            endHexadecimal(found)
        }
        if let byte = Self.byte(of: word, isNegative), decimal.count <= Self.length {
            decimal.append(byte)
        } else {
            endDecimal(found)
        }
    }

    private mutating func endHexadecimal(_ found: ([UInt8]) -> Void) {
        if hexadecimal.count == Self.length, groups > 1 { found(hexadecimal) }
        hexadecimal.removeAll(keepingCapacity: true)
        groups = 0
    }

    private mutating func endDecimal(_ found: ([UInt8]) -> Void) {
        if decimal.count == Self.length { found(decimal) }
        decimal.removeAll(keepingCapacity: true)
    }

    private static func bytes(of word: ArraySlice<UInt8>) -> [UInt8]? {
        var digits = word
        if word.count > 2, word.first == UInt8(ascii: "0"), word[word.startIndex + 1] | 0x20 == UInt8(ascii: "x") {
            digits = word.dropFirst(2)
            if digits.count == 1 { return digits.first?.hexValue.map { [$0] } }
        }
        guard digits.count.isMultiple(of: 2), digits.count < 2 * length else { return nil }
        var bytes: [UInt8] = []
        var high: UInt8?
        for digit in digits {
            guard let value = digit.hexValue else { return nil }
            if let first = high { bytes.append(first << 4 | value) }
            high = high == nil ? value : nil
        }
        return bytes
    }

    private static func byte(of word: [UInt8], _ isNegative: Bool) -> UInt8? {
        guard word.count <= 3 else { return nil }
        var value = 0
        for digit in word {
            guard let number = digit.hexValue, number < 10 else { return nil }
            value = 10 * value + Int(number)
        }
        return isNegative ? Int8(exactly: -value).map { UInt8(bitPattern: $0) } : UInt8(exactly: value)
    }
}
