/// Blocks of a pcapng file, in the order in which they are added.
///
///     var blocks = PcapngBlocks()
///     blocks.begin(application: "pinproof 0.1.0", interface: "proxy")
///     blocks.secrets(keyLogLines)
///     blocks.packet(at: 1_767_225_600_000_000_000) { $0 += ipPacket }
///     try file.write(blocks.take())
///
/// Little-endian, one section, one interface of raw IP packets, times in nanoseconds (draft-ietf-opsawg-pcapng). Secrets stand
/// before the packets that they open: whoever reads the file in order needs nothing else.
package struct PcapngBlocks: Hashable, Sendable {
    /// Packets begin with their IP header, of either version (LINKTYPE_RAW).
    static let linkType: UInt16 = 101
    /// Readers take no packet that is longer, and IP's lengths have 16 bits.
    package static let packetLimit = 65_535
    /// Of a comment, in bytes: its length has 16 bits, and nobody reads more of one.
    static let commentLimit = 4096

    package private(set) var bytes: [UInt8] = []
    /// All that were added.
    package private(set) var packetCount = 0

    package init() {}

    package var count: Int { bytes.count }

    /// What was added since this was called last.
    package mutating func take() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    /// A section, and its interface: every file begins with it.
    package mutating func begin(application: String, interface: String, comment: String? = nil) {
        block(0x0a0d_0d0a) { out in
            out.append(little: 0x1a2b_3c4d as UInt32)
            out.append(little: 1 as UInt16)
            out.append(little: 0 as UInt16)
            // Nobody knows yet how long it will be.
            out.append(little: UInt64.max)
            if let comment { out.append(option: 1, text: comment) }
            out.append(option: 4, text: application)
            out.append(option: 0, [])
        }
        block(1) { out in
            out.append(little: Self.linkType)
            out.append(little: 0 as UInt16)
            // No limit: every packet is whole.
            out.append(little: 0 as UInt32)
            out.append(option: 2, text: interface)
            // Times in 10⁻⁹ s.
            out.append(option: 9, [9])
            out.append(option: 0, [])
        }
    }

    /// - Parameters:
    ///   - time: nanoseconds since 1970.
    ///   - comment: shown beside it.
    ///   - fill: appends the packet, at most `packetLimit` bytes of it.
    package mutating func packet(at time: UInt64, comment: String? = nil, _ fill: (inout [UInt8]) -> Void) {
        packetCount += 1
        block(6) { out in
            out.append(little: 0 as UInt32)
            out.append(little: UInt32(truncatingIfNeeded: time >> 32))
            out.append(little: UInt32(truncatingIfNeeded: time))
            let lengths = out.count
            out.append(little: 0 as UInt64)
            let start = out.count
            fill(&out)
            let length = UInt32(truncatingIfNeeded: out.count - start)
            out.replace(at: lengths, little: length)
            out.replace(at: lengths + 4, little: length)
            out.pad()
            guard let comment else { return }
            out.append(option: 1, text: comment)
            out.append(option: 0, [])
        }
    }

    /// Secrets of TLS sessions, lines of NSS's key log with their newlines.
    package mutating func secrets(_ lines: [UInt8]) {
        block(10) { out in
            out.append(little: 0x544c_534b as UInt32)
            out.append(little: UInt32(truncatingIfNeeded: lines.count))
            out += lines
        }
    }

    /// What was captured, and what was not: the last block.
    package mutating func statistics(at time: UInt64, received: UInt64, dropped: UInt64) {
        block(5) { out in
            out.append(little: 0 as UInt32)
            out.append(little: UInt32(truncatingIfNeeded: time >> 32))
            out.append(little: UInt32(truncatingIfNeeded: time))
            for (code, value) in [(4, received), (5, dropped)] as [(UInt16, UInt64)] {
                var number: [UInt8] = []
                number.append(little: value)
                out.append(option: code, number)
            }
            out.append(option: 0, [])
        }
    }

    /// Type, length, content to a multiple of four, and the length again (§3.1).
    private mutating func block(_ type: UInt32, _ fill: (inout [UInt8]) -> Void) {
        let start = bytes.count
        bytes.append(little: type)
        bytes.append(little: 0 as UInt32)
        fill(&bytes)
        // Blocks are whole multiples, so that this pads the block and nothing before it.
        bytes.pad()
        let length = UInt32(truncatingIfNeeded: bytes.count - start + 4)
        bytes.append(little: length)
        bytes.replace(at: start + 4, little: length)
    }
}

extension [UInt8] {
    fileprivate mutating func append(little value: some FixedWidthInteger) {
        for index in 0..<(value.bitWidth / 8) { append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
    }

    fileprivate mutating func replace(at place: Int, little value: UInt32) {
        for index in 0..<4 { self[place + index] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
    }

    fileprivate mutating func append(option code: UInt16, _ value: [UInt8]) {
        append(little: code)
        append(little: UInt16(truncatingIfNeeded: value.count))
        self += value
        pad()
    }

    fileprivate mutating func append(option code: UInt16, text: String) {
        var value = Array(text.utf8.prefix(PcapngBlocks.commentLimit))
        // Not in the middle of a letter.
        if value.count < text.utf8.count {
            while let last = value.last, last & 0xc0 == 0x80 { value.removeLast() }
            if let last = value.last, last >= 0xc0 { value.removeLast() }
        }
        append(option: code, value)
    }

    fileprivate mutating func pad() { while count % 4 != 0 { append(0) } }
}
