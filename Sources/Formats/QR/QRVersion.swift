/// How large a code is, and how its bytes are protected.
///
/// ISO/IEC 18004, table 9, the rows of level M.
struct QRVersion: Hashable, Sendable {
    let number: Int
    /// Codewords of 8 bits, those of error correction included.
    let total: Int
    /// Blocks that are protected each for itself.
    let blocks: Int
    /// Codewords of error correction in each block.
    let correction: Int
    /// Centres of the alignment patterns, in both directions (annex E).
    let alignment: [Int]

    var size: Int { 17 + 4 * number }
    private var dataCount: Int { total - blocks * correction }
    /// Bits of the number of bytes.
    private var countBits: Int { number < 10 ? 8 : 16 }
    var byteCapacity: Int { (dataCount * 8 - 4 - countBits) / 8 }

    static let all = [
        QRVersion(number: 1, total: 26, blocks: 1, correction: 10, alignment: []),
        QRVersion(number: 2, total: 44, blocks: 1, correction: 16, alignment: [6, 18]),
        QRVersion(number: 3, total: 70, blocks: 1, correction: 26, alignment: [6, 22]),
        QRVersion(number: 4, total: 100, blocks: 2, correction: 18, alignment: [6, 26]),
        QRVersion(number: 5, total: 134, blocks: 2, correction: 24, alignment: [6, 30]),
        QRVersion(number: 6, total: 172, blocks: 4, correction: 16, alignment: [6, 34]),
        QRVersion(number: 7, total: 196, blocks: 4, correction: 18, alignment: [6, 22, 38]),
        QRVersion(number: 8, total: 242, blocks: 4, correction: 22, alignment: [6, 24, 42]),
        QRVersion(number: 9, total: 292, blocks: 5, correction: 22, alignment: [6, 26, 46]),
        QRVersion(number: 10, total: 346, blocks: 5, correction: 26, alignment: [6, 28, 50]),
    ]

    /// Data and error correction, block by block, interleaved (§7.4 to §7.6).
    ///
    /// - Parameter bytes: at most `byteCapacity`.
    func codewords(of bytes: [UInt8]) -> [UInt8] {
        let data = self.data(bytes)
        let short = dataCount / blocks
        // The last blocks have one byte more where it does not come out even.
        let longer = dataCount % blocks
        var parts: [[UInt8]] = []
        var start = 0
        for block in 0..<blocks {
            let end = start + short + (block >= blocks - longer ? 1 : 0)
            parts.append(Array(data[start..<end]))
            start = end
        }
        let code = ReedSolomon(degree: correction)
        let protection = parts.map(code.remainder)
        return interleaved(parts) + interleaved(protection)
    }

    private func interleaved(_ parts: [[UInt8]]) -> [UInt8] {
        let longest = parts.map(\.count).max() ?? 0
        return (0..<longest).flatMap { index in parts.compactMap { index < $0.count ? $0[index] : nil } }
    }

    private func data(_ bytes: [UInt8]) -> [UInt8] {
        var bits: [Bool] = []
        func append(_ value: Int, _ count: Int) {
            for bit in (0..<count).reversed() { bits.append(value >> bit & 1 == 1) }
        }
        append(0b0100, 4)
        append(bytes.count, countBits)
        for byte in bytes { append(Int(byte), 8) }
        append(0, min(4, dataCount * 8 - bits.count))
        append(0, (8 - bits.count % 8) % 8)
        var data = stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
        }
        var pad: UInt8 = 0xec
        while data.count < dataCount {
            data.append(pad)
            pad = pad == 0xec ? 0x11 : 0xec
        }
        return data
    }
}

/// Error correction over GF(2^8) by x^8 + x^4 + x^3 + x^2 + 1 (§7.5.2).
struct ReedSolomon: Sendable {
    /// Of the generator polynomial, the highest power's left out, which is 1.
    private let generator: [UInt8]

    init(degree: Int) {
        var generator = [UInt8](repeating: 0, count: degree - 1) + [1]
        var root: UInt8 = 1
        for _ in 0..<degree {
            for index in generator.indices {
                generator[index] = Self.product(generator[index], root)
                if index + 1 < generator.count { generator[index] ^= generator[index + 1] }
            }
            root = Self.product(root, 2)
        }
        self.generator = generator
    }

    func remainder(of data: [UInt8]) -> [UInt8] {
        var remainder = [UInt8](repeating: 0, count: generator.count)
        for byte in data {
            let factor = byte ^ remainder.removeFirst()
            remainder.append(0)
            for index in remainder.indices { remainder[index] ^= Self.product(generator[index], factor) }
        }
        return remainder
    }

    static func product(_ a: UInt8, _ b: UInt8) -> UInt8 {
        var product: UInt8 = 0
        for bit in (0..<8).reversed() {
            product = product << 1 ^ (product & 0x80 == 0 ? 0 : 0x1d)
            if b >> bit & 1 == 1 { product ^= a }
        }
        return product
    }
}
