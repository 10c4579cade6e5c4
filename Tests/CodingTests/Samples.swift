import Flows

/// The bytes of hexadecimal digits, blanks let be.
func hex(_ digits: String) -> [UInt8] {
    let digits = digits.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

/// SplitMix64: the same sequence for the same seed, so that a failure can be repeated.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ z >> 30) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ z >> 27) &* 0x94d0_49bb_1331_11eb
        return z ^ z >> 31
    }

    /// The bytes with one to four changes: a byte replaced, taken out, or put in.
    mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &self) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &self)
            let byte = UInt8.random(in: 0...255, using: &self)
            switch Int.random(in: 0..<4, using: &self) {
            case 0: bytes.remove(at: place)
            case 1: bytes.insert(byte, at: place)
            default: bytes[place] = byte
            }
        }
        return bytes
    }
}

/// A deflate stream of zeros as short as it can be: 13 bits for 258 of them.
///
/// Fixed Huffman codes (RFC 1951 §3.2.6): the literal 0, then copies of 258 bytes at distance 1. It never ends.
func deflatedZeros(_ count: Int) -> [UInt8] {
    // BFINAL 1, BTYPE 01, literal 00110000, and then 11000101 00000 for each copy. Eight copies are 13 whole bytes.
    let copy: [UInt8] = [1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0]
    var bits: [UInt8] = [1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0]
    while bits.count < 8 * 13 * 3 { bits += copy }
    let packed = stride(from: 0, to: 8 * 13 * 2, by: 8).map { at -> UInt8 in
        bits[at..<at + 8].reversed().reduce(0) { byte, bit in byte << 1 | bit }
    }
    var copies = Array(packed[13...])
    let wanted = count / 258 / 8 * 13
    while copies.count < wanted { copies += copies }
    return Array(packed[..<13]) + copies.prefix(wanted)
}

/// What a decoder gave for bytes that came in pieces of one size.
struct Decoded: Equatable {
    var content: [UInt8] = []
    var fault: DecodingFault?
    var isCut = false
    var isWhole = false

    init(_ bytes: [UInt8], _ decoder: any ContentDecoder, pieces: Int = .max) {
        do throws(DecodingFault) {
            var rest = bytes[...]
            while !rest.isEmpty {
                content += try decoder.decode(rest.prefix(pieces))
                rest = rest.dropFirst(pieces)
            }
            content += try decoder.decode([])
        } catch {
            fault = error
        }
        isCut = decoder.isCut
        isWhole = decoder.isWhole
    }
}
