import Facts

/// A captured IP packet as far as flows need it: ends, transport, and the payload's place.
package struct NetworkPacket: Hashable, Sendable {
    package enum Transport: Hashable, Sendable {
        /// `opens`: SYN without ACK, which only the side that begins sends.
        case tcp(opens: Bool)
        case udp
    }

    package enum Reading: Hashable, Sendable {
        case packet(NetworkPacket)
        /// Not the first piece of a packet: it has no ports. The first piece is seen as well.
        case fragment
        /// Neither TCP nor UDP, or not to be read.
        case other
    }

    package var from: Endpoint
    package var to: Endpoint
    package var transport: Transport
    /// What was captured of it: it may go on.
    package var payload: Range<Int>

    /// What was captured of the payload.
    package func content(of bytes: Span<UInt8>) -> [UInt8] { [UInt8](copying: bytes, payload) }

    /// RFC 8200 lets every extension header appear once, destination options twice; hosts send one or two.
    private static let extensionLimit = 8

    /// - Parameter bytes: from the first byte of the IP header on.
    package static func read(_ bytes: Span<UInt8>) -> Reading {
        guard bytes.count > 0 else { return .other }
        switch bytes[0] >> 4 {
        case 4: return readIPv4(bytes)
        case 6: return readIPv6(bytes)
        default: return .other
        }
    }

    private static func readIPv4(_ bytes: Span<UInt8>) -> Reading {
        let header = Int(bytes[0] & 0x0f) * 4
        var cursor = ByteCursor(0..<bytes.count, in: bytes)
        guard header >= 20, cursor.block(2) != nil, let total = cursor.uint16(bytes), cursor.block(2) != nil,
            let offset = cursor.uint16(bytes), cursor.uint8(bytes) != nil, let next = cursor.uint8(bytes),
            cursor.block(2) != nil, let source = address(&cursor, 4, bytes),
            let destination = address(&cursor, 4, bytes), header <= bytes.count
        else { return .other }
        guard offset & 0x1fff == 0 else { return .fragment }
        // What the sender leaves to its network card to cut up may be too long for the field, and says 0.
        let end = total == 0 ? bytes.count : min(Int(total), bytes.count)
        guard header <= end else { return .other }
        return transport(next, header..<end, from: source, to: destination, bytes)
    }

    private static func readIPv6(_ bytes: Span<UInt8>) -> Reading {
        var cursor = ByteCursor(0..<bytes.count, in: bytes)
        guard cursor.block(4) != nil, let length = cursor.uint16(bytes), var next = cursor.uint8(bytes),
            cursor.uint8(bytes) != nil, let source = address(&cursor, 16, bytes),
            let destination = address(&cursor, 16, bytes)
        else { return .other }
        let end = length == 0 ? bytes.count : min(cursor.at + Int(length), bytes.count)
        cursor = ByteCursor(cursor.at..<end, in: bytes)
        for _ in 0..<extensionLimit {
            switch next {
            case 0, 43, 60, 51:  // hop-by-hop, routing, destination options; authentication
                let start = cursor.at
                guard let following = cursor.uint8(bytes), let units = cursor.uint8(bytes) else { return .other }
                let size = next == 51 ? (Int(units) + 2) * 4 : (Int(units) + 1) * 8
                guard cursor.block(size - (cursor.at - start)) != nil else { return .other }
                next = following
            case 44:
                guard let following = cursor.uint8(bytes), cursor.uint8(bytes) != nil,
                    let offset = cursor.uint16(bytes), cursor.block(4) != nil
                else { return .other }
                guard offset & 0xfff8 == 0 else { return .fragment }
                next = following
            default: return transport(next, cursor.at..<end, from: source, to: destination, bytes)
            }
        }
        return .other
    }

    private static func address(_ cursor: inout ByteCursor, _ count: Int, _ bytes: Span<UInt8>) -> HostName? {
        guard let range = cursor.block(count) else { return nil }
        return IPAddress(bytes: [UInt8](copying: bytes, range)).map { HostName($0) }
    }

    private static func transport(
        _ number: UInt8, _ range: Range<Int>, from source: HostName, to destination: HostName, _ bytes: Span<UInt8>
    ) -> Reading {
        var cursor = ByteCursor(range, in: bytes)
        guard let sourcePort = cursor.uint16(bytes), let destinationPort = cursor.uint16(bytes) else { return .other }
        let (from, to) = (Endpoint(source, sourcePort), Endpoint(destination, destinationPort))
        switch number {
        case 6:
            guard cursor.block(8) != nil, let offset = cursor.uint8(bytes), let flags = cursor.uint8(bytes) else {
                return .other
            }
            let header = Int(offset >> 4) * 4
            guard header >= 20 else { return .other }
            let start = min(range.lowerBound + header, range.upperBound)
            return .packet(
                NetworkPacket(
                    from: from, to: to, transport: .tcp(opens: flags & 0x12 == 0x02), payload: start..<range.upperBound)
            )
        case 17:
            guard let length = cursor.uint16(bytes), cursor.block(2) != nil else { return .other }
            let end = length < 8 ? range.upperBound : min(range.lowerBound + Int(length), range.upperBound)
            return .packet(
                NetworkPacket(from: from, to: to, transport: .udp, payload: cursor.at..<max(cursor.at, end)))
        default: return .other
        }
    }
}
