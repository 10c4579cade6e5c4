/// Text that is looked for within other text, prepared so that looking is fast.
///
/// Never slower than the length of both texts, whatever they are: whose bodies are searched is not ours to say.
/// An object, as a copy of it costs less than of its arrays.
final class Needle: Sendable {
    /// In the form in which they are compared: folded, unless case matters.
    let bytes: [UInt8]
    /// The text that is searched has to be folded before; else ASCII letters are folded while they are compared.
    let needsFoldedText: Bool
    /// Letters' case makes a difference, or was taken away before.
    private let isExact: Bool
    /// For each prefix of the needle, how much of its end is its beginning (Knuth, Morris, Pratt).
    private let borders: [Int]
    /// By how much the needle may move on, by the byte under its end (Horspool). Empty for a short one.
    private let skips: [UInt8]

    /// How much more than the text's length may be compared in great steps before small ones take over.
    private static let patience = 4

    init(_ text: String, isCaseSensitive: Bool) {
        let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
        let bytes = isCaseSensitive ? Array(text.utf8) : CaseFolding.folded(text.utf8)
        self.bytes = bytes
        needsFoldedText = !isCaseSensitive && !isASCII
        isExact = isCaseSensitive || !isASCII
        borders = Self.borders(of: bytes)
        skips = bytes.count < 3 ? [] : Self.skips(of: bytes, isExact: isExact)
    }

    private static func borders(of bytes: [UInt8]) -> [Int] {
        var borders = [Int](repeating: 0, count: bytes.count)
        var length = 0
        for index in bytes.indices.dropFirst() {
            while length > 0, bytes[index] != bytes[length] { length = borders[length - 1] }
            if bytes[index] == bytes[length] { length += 1 }
            borders[index] = length
        }
        return borders
    }

    private static func skips(of bytes: [UInt8], isExact: Bool) -> [UInt8] {
        let most = UInt8(clamping: bytes.count)
        var skips = [UInt8](repeating: most, count: 256)
        for (index, byte) in bytes.dropLast().enumerated() {
            let skip = UInt8(clamping: bytes.count - 1 - index)
            skips[Int(byte)] = skip
            if !isExact, byte &- 0x61 < 26 { skips[Int(byte & ~0x20)] = skip }
        }
        return skips
    }

    /// Where the leftmost one ends that begins at `start` or later.
    ///
    /// - Parameter text: folded, where `needsFoldedText`.
    func end(in text: [UInt8], from start: Int) -> Int? {
        guard !bytes.isEmpty else { return start }
        guard start >= 0, text.count - start >= bytes.count else { return nil }
        guard !skips.isEmpty else { return walk(text[start...]).map { start + $0 } }
        let last = bytes.count - 1
        var position = start
        var compared = 0
        while position + last < text.count {
            var index = last
            while index >= 0, equal(text[position + index], bytes[index]) { index -= 1 }
            if index < 0 { return position + bytes.count }
            compared += bytes.count - index
            // What is known of the text so far is that no needle begins before `position`.
            guard compared <= Self.patience * (position - start) + 4096 else {
                return walk(text[position...]).map { position + $0 }
            }
            position += Int(skips[Int(text[position + last])])
        }
        return nil
    }

    /// How many bytes have to be read to have seen the needle, byte after byte.
    func walk(_ text: some Sequence<UInt8>) -> Int? {
        let bytes = bytes
        guard let first = bytes.first else { return 0 }
        // Most bytes are neither form of the first one.
        let other = !isExact && first &- 0x61 < 26 ? first & ~0x20 : first
        var matched = 0
        var read = 0
        for byte in text {
            read += 1
            if matched == 0, byte != first, byte != other { continue }
            let byte = isExact ? byte : CaseFolding.ascii(byte)
            while matched > 0, byte != bytes[matched] { matched = borders[matched - 1] }
            if byte == bytes[matched] { matched += 1 }
            if matched == bytes.count { return read }
        }
        return nil
    }

    @inline(__always)
    private func equal(_ byte: UInt8, _ other: UInt8) -> Bool {
        byte == other || !isExact && CaseFolding.ascii(byte) == other
    }
}
