import Facts

@testable import Formats

/// A pcapng file as a test reads it: its blocks, and packets taken apart.
struct PacketReader {
    struct Block {
        var type: UInt32
        var body: [UInt8]
    }

    struct Packet {
        var time: UInt64
        var source: IPAddress
        var destination: IPAddress
        var ports: [Int]
        var sequence: UInt32
        var acknowledgement: UInt32
        var flags: UInt8
        var payload: [UInt8]
        var comment: String?
        /// Both checksums are right, and all lengths.
        var isSound: Bool
    }

    var blocks: [Block] = []
    /// What stands behind the last whole block.
    var rest = 0

    init(_ bytes: [UInt8]) {
        var at = 0
        while at + 12 <= bytes.count {
            let length = Int(Self.little(bytes[(at + 4)...], 4))
            guard length >= 12, length % 4 == 0, at + length <= bytes.count,
                Int(Self.little(bytes[(at + length - 4)...], 4)) == length
            else { break }
            blocks.append(
                Block(
                    type: UInt32(Self.little(bytes[at...], 4)), body: Array(bytes[(at + 8)..<(at + length - 4)])))
            at += length
        }
        rest = bytes.count - at
    }

    var packets: [Packet] { blocks.filter { $0.type == 6 }.compactMap(Self.packet) }

    static func little(_ bytes: ArraySlice<UInt8>, _ count: Int) -> UInt64 {
        bytes.prefix(count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    static func big(_ bytes: ArraySlice<UInt8>, _ count: Int) -> UInt64 {
        bytes.prefix(count).reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func packet(_ block: Block) -> Packet? {
        let body = block.body
        let length = Int(little(body[12...], 4))
        let data = Array(body[20..<(20 + length)])
        let isIPv4 = data[0] >> 4 == 4
        let header = isIPv4 ? 20 : 40
        let tcp = data[header...]
        let offset = Int(data[header + 12] >> 4) * 4
        guard let source = IPAddress(bytes: Array(isIPv4 ? data[12..<16] : data[8..<24])),
            let destination = IPAddress(bytes: Array(isIPv4 ? data[16..<20] : data[24..<40]))
        else { return nil }
        let ipLength = Int(isIPv4 ? big(data[2...], 2) : big(data[4...], 2) + 40)
        let pseudo = source.bytes + destination.bytes + [0, 6, UInt8(tcp.count >> 8), UInt8(tcp.count & 0xff)]
        let options = body[(20 + (length + 3) / 4 * 4)...]
        return Packet(
            time: little(body[4...], 4) << 32 | little(body[8...], 4), source: source, destination: destination,
            ports: [Int(big(tcp, 2)), Int(big(tcp.dropFirst(2), 2))],
            sequence: UInt32(big(tcp.dropFirst(4), 4)), acknowledgement: UInt32(big(tcp.dropFirst(8), 4)),
            flags: data[header + 13], payload: Array(tcp.dropFirst(offset)),
            comment: options.isEmpty
                ? nil
                : String(decoding: options.dropFirst(4).prefix(Int(little(options.dropFirst(2), 2))), as: UTF8.self),
            isSound: ipLength == length && sum(pseudo + tcp) == 0xffff && (!isIPv4 || sum(Array(data[..<20])) == 0xffff)
        )
    }

    /// One's complement, written in the plainest way.
    private static func sum(_ bytes: [UInt8]) -> Int {
        var sum = 0
        for (index, byte) in bytes.enumerated() {
            sum += index % 2 == 0 ? Int(byte) << 8 : Int(byte)
            if sum > 0xffff { sum = (sum & 0xffff) + 1 }
        }
        return sum
    }
}
