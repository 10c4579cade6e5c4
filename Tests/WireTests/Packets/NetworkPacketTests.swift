import Facts
import Testing

@testable import Wire

private func ipv4(
    protocol number: UInt8 = 6, fragment: UInt16 = 0, options: Int = 0, total: Int? = nil, _ body: [UInt8]
) -> [UInt8] {
    let length = total ?? 20 + options + body.count
    var packet: [UInt8] = [0x45 + UInt8(options / 4), 0, UInt8(length >> 8), UInt8(length & 0xff), 0, 0]
    packet += [UInt8(fragment >> 8), UInt8(fragment & 0xff), 64, number, 0, 0, 192, 0, 2, 1, 198, 51, 100, 2]
    return packet + [UInt8](repeating: 1, count: options) + body
}

private func ipv6(next: UInt8 = 6, _ body: [UInt8]) -> [UInt8] {
    let source: [UInt8] = [0x20, 1, 0xd, 0xb8] + [UInt8](repeating: 0, count: 11) + [1]
    let destination: [UInt8] = [0x20, 1, 0xd, 0xb8] + [UInt8](repeating: 0, count: 11) + [2]
    return [0x60, 0, 0, 0, UInt8(body.count >> 8), UInt8(body.count & 0xff), next, 64] + source + destination + body
}

/// From port 50000 to port 443.
private func tcp(flags: UInt8, options: Int = 0, _ payload: [UInt8] = []) -> [UInt8] {
    [0xc3, 0x50, 0x01, 0xbb, 0, 0, 0, 1, 0, 0, 0, 0, UInt8((20 + options) / 4) << 4, flags, 1, 0, 0, 0, 0, 0]
        + [UInt8](repeating: 1, count: options) + payload
}

private func udp(_ payload: [UInt8], length: Int? = nil) -> [UInt8] {
    let length = length ?? 8 + payload.count
    return [0xc3, 0x50, 0x01, 0xbb, UInt8(length >> 8), UInt8(length & 0xff), 0, 0] + payload
}

@Suite struct NetworkPacketTests {
    private func packet(_ bytes: [UInt8]) -> NetworkPacket? {
        guard case .packet(let packet) = read(bytes) else { return nil }
        return packet
    }

    private static let v4 = (from: Endpoint("192.0.2.1:50000"), to: Endpoint("198.51.100.2:443"))
    private static let v6 = (from: Endpoint("[2001:db8::1]:50000"), to: Endpoint("[2001:db8::2]:443"))

    @Test(
        "a SYN opens, a SYN-ACK and data do not", arguments: [(0x02, true), (0x12, false), (0x18, false), (0xc2, true)])
    func flags(_ flags: Int, _ opens: Bool) {
        for bytes in [ipv4(tcp(flags: UInt8(flags))), ipv6(tcp(flags: UInt8(flags)))] {
            #expect(packet(bytes)?.transport == .tcp(opens: opens))
        }
    }

    @Test("ends and payload are found behind options of both headers")
    func options() {
        let bytes = ipv4(options: 8, tcp(flags: 0x18, options: 12, [7, 8, 9]))
        let seen = packet(bytes)
        #expect(seen?.from == Self.v4.from && seen?.to == Self.v4.to)
        #expect(seen.map { Array(bytes[$0.payload]) } == [7, 8, 9])
        let six = ipv6(tcp(flags: 0x18, options: 12, [7, 8, 9]))
        #expect(packet(six)?.from == Self.v6.from && packet(six)?.to == Self.v6.to)
        #expect(packet(six).map { Array(six[$0.payload]) } == [7, 8, 9])
    }

    @Test("extension headers of IPv6 are passed over, as many as hosts send")
    func extensions() {
        let behind = udp([5])
        let hop: [UInt8] = [17, 0, 1, 4, 0, 0, 0, 0]
        #expect(packet(ipv6(next: 0, hop + behind))?.transport == .udp)
        let authentication: [UInt8] = [17, 1] + [UInt8](repeating: 0, count: 10)
        #expect(packet(ipv6(next: 51, authentication + behind))?.transport == .udp)
        let many = [[UInt8]](repeating: [60, 0, 1, 4, 0, 0, 0, 0], count: 9).flatMap(\.self)
        #expect(read(ipv6(next: 60, many + behind)) == .other)
    }

    @Test("of a fragmented packet the first piece is read and the others are known for what they are")
    func fragments() {
        #expect(packet(ipv4(protocol: 17, fragment: 0x2000, udp([1, 2], length: 900)))?.payload == 28..<30)
        #expect(read(ipv4(protocol: 17, fragment: 0x2001, udp([1]))) == .fragment)
        let first: [UInt8] = [17, 0, 0, 1, 0, 0, 0, 9]
        let later: [UInt8] = [17, 0, 0, 9, 0, 0, 0, 9]
        #expect(packet(ipv6(next: 44, first + udp([1])))?.transport == .udp)
        #expect(read(ipv6(next: 44, later + udp([1]))) == .fragment)
    }

    @Test("a length of 0, as large sends have it, means all there is; padding behind the packet is none of it")
    func lengths() {
        let body = tcp(flags: 0x18, [1, 2, 3])
        #expect(packet(ipv4(total: 0, body))?.payload.count == 3)
        #expect(packet(ipv4(body) + [0, 0, 0])?.payload.count == 3)
        #expect(packet(ipv4(protocol: 17, udp([1, 2, 3], length: 10)))?.payload.count == 2)
        #expect(packet(ipv4(protocol: 17, udp([1, 2, 3], length: 0)))?.payload.count == 3)
    }

    @Test("what is neither TCP nor UDP over IP is something else")
    func others() {
        for bytes in [[], [0], [0x50], ipv4(protocol: 1, tcp(flags: 2)), ipv6(next: 58, tcp(flags: 2))] {
            #expect(read(bytes) == .other)
        }
        #expect(read([0x41] + ipv4(tcp(flags: 2)).dropFirst()) == .other, "a header too short")
        var short = tcp(flags: 2)
        short[12] = 0x40
        #expect(read(ipv4(short)) == .other)
    }

    @Test("packets cut or scrambled anywhere never trap, and payloads lie inside of them")
    func hostile() {
        let whole = [
            ipv4(options: 8, tcp(flags: 0x18, options: 12, [1, 2, 3])), ipv4(protocol: 17, udp([1, 2])),
            ipv6(next: 0, [60, 0, 0, 0, 0, 0, 0, 0] + [17, 0, 0, 0, 0, 0, 0, 0] + udp([1, 2])),
            ipv6(next: 44, [6, 0, 0, 0, 0, 0, 0, 9] + tcp(flags: 2)),
        ]
        for bytes in whole {
            for length in 0...bytes.count { check(Array(bytes.prefix(length))) }
            for index in bytes.indices {
                for value in [UInt8(0), 0xff, bytes[index] ^ 0x10] {
                    var changed = bytes
                    changed[index] = value
                    check(changed)
                }
            }
        }
    }

    private func check(_ bytes: [UInt8]) {
        guard let packet = packet(bytes) else { return }
        #expect(packet.payload.lowerBound <= packet.payload.upperBound && packet.payload.upperBound <= bytes.count)
    }
}

/// A span cannot go through an expectation.
private func read(_ bytes: [UInt8]) -> NetworkPacket.Reading { NetworkPacket.read(bytes.span) }
