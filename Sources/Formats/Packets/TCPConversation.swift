import Facts

/// One TCP connection laid out as IP packets, from what its two ends have said.
///
///     var conversation = TCPConversation(client: client, server: server, number: 1)
///     conversation.open(at: time, into: &blocks)
///     conversation.send(request[...], .up, at: time, into: &blocks)
///     conversation.end(.up, at: time, into: &blocks)
///
/// Its bytes are real; handshake, sequence numbers, acknowledgements and the borders of segments are made up, as nobody below
/// the socket was asked. Checksums are right (RFC 791, RFC 8200, RFC 9293).
package struct TCPConversation: Hashable, Sendable {
    package struct End: Hashable, Sendable {
        package var address: IPAddress
        package var port: UInt16

        package init(_ address: IPAddress, _ port: UInt16) {
            self.address = address
            self.port = port
        }

        /// An IPv4 address as IPv6 writes it, `::ffff:203.0.113.7`.
        fileprivate var mapped: End {
            guard address.isIPv4 else { return self }
            let bytes = [UInt8](repeating: 0, count: 10) + [0xff, 0xff] + address.bytes
            return End(IPAddress(bytes: bytes) ?? address, port)
        }
    }

    private struct Side: Hashable {
        let end: End
        /// The sequence number of its next byte.
        var next: UInt32
        /// What it has acknowledged of the other one's.
        var acknowledged: UInt32
        var hasEnded = false
    }

    /// Of a segment's payload: with both headers it fits into IP's 16 bits of length.
    static let segmentLimit = 60_000
    /// Unacknowledged bytes after which the other side acknowledges them: far less than the window.
    private static let acknowledgedAfter: UInt32 = 256 * 1024
    /// In units of 2⁷, as both SYNs say (RFC 7323): 8 MB.
    private static let window: UInt16 = 0xffff
    private static let windowShift: UInt8 = 7

    private var client: Side
    private var server: Side
    package private(set) var isOpen = false

    /// - Parameter number: what tells it from others on the same ports: its sequence numbers begin elsewhere.
    package init(client: End, server: End, number: UInt64) {
        let isSameFamily = client.address.isIPv4 == server.address.isIPv4
        // All bits of the number have a part in both.
        let mixed = (number &+ 1) &* 0x9e37_79b9_7f4a_7c15
        let first = UInt32(truncatingIfNeeded: mixed >> 32)
        let second = UInt32(truncatingIfNeeded: mixed) ^ first
        self.client = Side(end: isSameFamily ? client : client.mapped, next: first, acknowledged: second)
        self.server = Side(end: isSameFamily ? server : server.mapped, next: second, acknowledged: first)
    }

    /// The three packets of the handshake.
    package mutating func open(at time: UInt64, comment: String? = nil, into blocks: inout PcapngBlocks) {
        guard !isOpen else { return }
        isOpen = true
        segment(.up, Flags.syn, at: time, comment: comment, into: &blocks)
        client.next &+= 1
        segment(.down, [Flags.syn, Flags.ack], at: time, into: &blocks)
        server.next &+= 1
        segment(.up, Flags.ack, at: time, into: &blocks)
    }

    /// In as many segments as they need.
    package mutating func send(
        _ bytes: ArraySlice<UInt8>, _ direction: ExchangeDirection, at time: UInt64, comment: String? = nil,
        into blocks: inout PcapngBlocks
    ) {
        var (rest, comment) = (bytes, comment)
        while !rest.isEmpty {
            let part = rest.prefix(Self.segmentLimit)
            rest = rest.dropFirst(part.count)
            segment(direction, [Flags.ack, Flags.push], part, at: time, comment: comment, into: &blocks)
            comment = nil
            self[direction].next &+= UInt32(truncatingIfNeeded: part.count)
            let other = direction.opposite
            if self[direction].next &- self[other].acknowledged >= Self.acknowledgedAfter {
                segment(other, Flags.ack, at: time, into: &blocks)
            }
        }
    }

    /// So many bytes are missing here: the numbers go on behind them.
    package mutating func skip(_ count: Int, _ direction: ExchangeDirection) {
        self[direction].next &+= UInt32(truncatingIfNeeded: count)
    }

    /// A side says that it is done (FIN), and is heard.
    package mutating func end(
        _ direction: ExchangeDirection, at time: UInt64, comment: String? = nil, into blocks: inout PcapngBlocks
    ) {
        guard isOpen, !self[direction].hasEnded else { return }
        self[direction].hasEnded = true
        segment(direction, [Flags.ack, Flags.fin], at: time, comment: comment, into: &blocks)
        self[direction].next &+= 1
        segment(direction.opposite, Flags.ack, at: time, into: &blocks)
    }

    /// A side ends it as a fault.
    package mutating func reset(
        by direction: ExchangeDirection, at time: UInt64, comment: String? = nil, into blocks: inout PcapngBlocks
    ) {
        guard isOpen, !client.hasEnded || !server.hasEnded else { return }
        client.hasEnded = true
        server.hasEnded = true
        segment(direction, [Flags.ack, Flags.rst], at: time, comment: comment, into: &blocks)
    }

    private subscript(_ direction: ExchangeDirection) -> Side {
        get { direction == .up ? client : server }
        set { if direction == .up { client = newValue } else { server = newValue } }
    }

    // MARK: One packet

    private struct Flags: OptionSet {
        let rawValue: UInt8
        static let fin = Flags(rawValue: 1)
        static let syn = Flags(rawValue: 2)
        static let rst = Flags(rawValue: 4)
        static let push = Flags(rawValue: 8)
        static let ack = Flags(rawValue: 16)
    }

    private mutating func segment(
        _ direction: ExchangeDirection, _ flags: Flags, _ payload: ArraySlice<UInt8> = [], at time: UInt64,
        comment: String? = nil, into blocks: inout PcapngBlocks
    ) {
        let other = self[direction.opposite]
        if flags.contains(.ack) { self[direction].acknowledged = other.next }
        let side = self[direction]
        let acknowledgement = flags.contains(.ack) ? other.next : 0
        blocks.packet(at: time, comment: comment) { out in
            // Both SYNs: maximum segment size, window scale.
            let options: [UInt8] =
                flags.contains(.syn)
                ? [2, 4] + Self.segmentLimit.big16 + [1, 3, 3, Self.windowShift] : []
            let length = 20 + options.count + payload.count
            Self.appendIP(from: side.end.address, to: other.end.address, length: length, to: &out)
            let start = out.count
            out += side.end.port.big + other.end.port.big + side.next.big + acknowledgement.big
            out += [UInt8(20 + options.count) << 2, flags.rawValue] + Self.window.big + [0, 0, 0, 0] + options
            var sum = InternetChecksum()
            sum.add(side.end.address.bytes[...])
            sum.add(other.end.address.bytes[...])
            sum.add([0, 6] + length.big16)
            sum.add(out[start...])
            sum.add(payload)
            (out[start + 16], out[start + 17]) = sum.value
            out += payload
        }
    }

    private static func appendIP(
        from source: IPAddress, to destination: IPAddress, length: Int, to out: inout [UInt8]
    ) {
        let start = out.count
        guard source.isIPv4 else {
            out += [0x60, 0, 0, 0] + length.big16 + [6, 64] + source.bytes + destination.bytes
            return
        }
        // Not to be fragmented, 64 hops.
        out += [0x45, 0] + (length + 20).big16 + [0, 0, 0x40, 0, 64, 6, 0, 0] + source.bytes + destination.bytes
        var sum = InternetChecksum()
        sum.add(out[start...])
        (out[start + 10], out[start + 11]) = sum.value
    }
}

/// The checksum of IP and TCP (RFC 1071), over parts of an even length but for the last.
struct InternetChecksum: Hashable, Sendable {
    private var sum: UInt64 = 0

    mutating func add(_ bytes: ArraySlice<UInt8>) {
        let span = bytes.span
        var at = 0
        // Words of 16 bits in a sum of 64 cannot overflow before 2⁴⁸ of them.
        while at + 4 <= span.count {
            sum &+= UInt64(span[at]) << 8 | UInt64(span[at + 1])
            sum &+= UInt64(span[at + 2]) << 8 | UInt64(span[at + 3])
            at += 4
        }
        while at < span.count {
            sum &+= at % 2 == 0 ? UInt64(span[at]) << 8 : UInt64(span[at])
            at += 1
        }
    }

    var value: (UInt8, UInt8) {
        var folded = sum
        while folded > 0xffff { folded = (folded & 0xffff) + (folded >> 16) }
        let check = ~UInt16(truncatingIfNeeded: folded)
        return (UInt8(check >> 8), UInt8(check & 0xff))
    }
}

extension ExchangeDirection {
    fileprivate var opposite: ExchangeDirection { self == .up ? .down : .up }
}

extension FixedWidthInteger {
    fileprivate var big: [UInt8] {
        (0..<(bitWidth / 8)).reversed().map { UInt8(truncatingIfNeeded: self >> (8 * $0)) }
    }
    /// The lower 16 bits.
    fileprivate var big16: [UInt8] { UInt16(truncatingIfNeeded: self).big }
}
