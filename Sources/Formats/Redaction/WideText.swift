/// Text in UTF-16, which begins with a byte order mark.
struct WideText {
    let utf8: [UInt8]
    private let isLittleEndian: Bool

    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 4, bytes.count.isMultiple(of: 2) else { return nil }
        switch (bytes[0], bytes[1]) {
        case (0xff, 0xfe): isLittleEndian = true
        case (0xfe, 0xff): isLittleEndian = false
        default: return nil
        }
        let little = isLittleEndian
        let units = stride(from: 2, to: bytes.count, by: 2).map { place in
            let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
            return little ? second << 8 | first : first << 8 | second
        }
        utf8 = Array(String(decoding: units, as: UTF16.self).utf8)
    }

    /// In the same form as what was read.
    func encoded(_ text: [UInt8]) -> [UInt8] {
        let units = [0xfeff] + Array(String(decoding: text, as: UTF8.self).utf16)
        return units.flatMap { unit in
            let (high, low) = (UInt8(unit >> 8), UInt8(truncatingIfNeeded: unit))
            return isLittleEndian ? [low, high] : [high, low]
        }
    }
}
