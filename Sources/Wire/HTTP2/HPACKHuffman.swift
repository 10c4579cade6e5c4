/// The Huffman code of HPACK (RFC 7541, appendix B), as far as a reader needs it.
///
/// The code is canonical: its lengths say all of it. A string is decoded bit by bit; names of hosts are short.
enum HPACKHuffman {
    /// nil for what is no string of this code: EOS in it, or padding that is not the beginning of EOS (§5.2).
    static func decoded(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        var out: [UInt8] = []
        // One symbol takes five bits at the least.
        out.reserveCapacity(bytes.count * 8 / 5)
        var (code, length) = (0, 0)
        var isOnes = true
        for byte in bytes {
            for shift in (0..<8).reversed() {
                let bit = Int(byte >> UInt8(shift)) & 1
                (code, length) = (code << 1 | bit, length + 1)
                isOnes = isOnes && bit == 1
                guard length <= longest else { return nil }
                let offset = code - first[length]
                guard offset >= 0, offset < counts[length] else { continue }
                let symbol = symbols[starts[length] + offset]
                guard symbol < 256 else { return nil }
                out.append(UInt8(symbol))
                (code, length, isOnes) = (0, 0, true)
            }
        }
        return length < 8 && isOnes ? out : nil
    }

    private static let longest = 30
    /// Symbols by length, and then by value.
    private static let symbols = lengths.indices.sorted { (lengths[$0], $0) < (lengths[$1], $1) }
    private static let counts = lengths.reduce(into: [Int](repeating: 0, count: longest + 1)) { $0[Int($1)] += 1 }
    /// Where the symbols of a length begin in `symbols`.
    private static let starts = counts.indices.map { counts[..<$0].reduce(0, +) }
    /// The first code of each length.
    private static let first = counts.indices.reduce(into: [Int]()) { first, length in
        first.append(length == 0 ? 0 : (first[length - 1] + counts[length - 1]) << 1)
    }

    /// Bits of each symbol's code; the last is EOS.
    private static let lengths: [UInt8] = [
        13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28,
        28, 28, 28, 28, 6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15,
        6, 12, 10, 13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6,
        15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5, 6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28, 20, 22,
        20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23, 24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23,
        23, 24, 22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23, 21, 21, 22, 21, 23, 22, 23, 23, 20, 22,
        22, 22, 23, 22, 22, 23, 26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25, 19, 21, 26, 27, 27, 26,
        27, 24, 21, 21, 26, 26, 28, 27, 27, 27, 20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23, 26, 27,
        26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26, 30,
    ]
}
