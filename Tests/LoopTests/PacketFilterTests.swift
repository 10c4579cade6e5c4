import Testing

@testable import Loop

/// Runs a filter as the kernel does, and returns how much of the packet it would hand over.
private func run(
    _ filter: PacketFilter, _ packet: [UInt8], protocolNumber: UInt32? = nil, interface: UInt32 = 2, type: UInt32 = 4
) -> UInt32 {
    var (a, x, at) = (UInt32(0), UInt32(0), 0)
    let version = packet.first.map { $0 >> 4 } ?? 0
    let number = protocolNumber ?? (version == 4 ? 0x0800 : version == 6 ? 0x86dd : 0x0806)
    func load(_ offset: UInt32, _ count: Int) -> UInt32? {
        switch Int32(bitPattern: offset) {
        case -0x1000: return number
        case -0x1000 + 4: return type
        case -0x1000 + 8: return interface
        default: break
        }
        guard offset < 1 << 20, Int(offset) + count <= packet.count else { return nil }
        return packet[Int(offset)..<(Int(offset) + count)].reduce(0) { $0 << 8 | UInt32($1) }
    }
    while at < filter.instructions.count {
        let one = filter.instructions[at]
        at += 1
        let sizes: [UInt16: Int] = [0x00: 4, 0x08: 2, 0x10: 1]
        switch one.code {
        case 0x20, 0x28, 0x30:
            guard let value = load(one.operand, sizes[one.code & 0x18] ?? 0) else { return 0 }
            a = value
        case 0x40, 0x48, 0x50:
            guard let value = load(x &+ one.operand, sizes[one.code & 0x18] ?? 0) else { return 0 }
            a = value
        case 0xb1:
            guard let value = load(one.operand, 1) else { return 0 }
            x = (value & 15) * 4
        case 0x01: x = one.operand
        case 0x54: a &= one.operand
        case 0x74: a >>= one.operand
        case 0x0c: a &+= x
        case 0x07: x = a
        case 0x15: at += Int(a == one.operand ? one.ifTrue : one.ifFalse)
        case 0x45: at += Int(a & one.operand != 0 ? one.ifTrue : one.ifFalse)
        case 0x06: return one.operand
        default:
            Issue.record("unknown instruction \(one.code)")
            return 0
        }
    }
    Issue.record("the program has no end")
    return 0
}

private func ip(_ version: Int, _ number: UInt8, options: Int = 0, fragment: UInt8 = 0, _ body: [UInt8]) -> [UInt8] {
    if version == 6 { return [0x60, 0, 0, 0, 0, 0, number, 64] + [UInt8](repeating: 1, count: 32) + body }
    let start: [UInt8] = [0x45 + UInt8(options / 4), 0, 0, 0, 0, 0, 0, fragment, 64, number, 0, 0]
    return start + [UInt8](repeating: 1, count: 8 + options) + body
}

private func tcp(_ flags: UInt8, options: Int = 0, _ payload: some Collection<UInt8> = [UInt8]()) -> [UInt8] {
    [200, 0, 1, 187, 0, 0, 0, 0, 0, 0, 0, 0, UInt8((20 + options) / 4) << 4, flags, 0, 0, 0, 0, 0, 0]
        + [UInt8](repeating: 1, count: options) + payload
}

private func udp(to port: UInt16, _ payload: [UInt8] = [0]) -> [UInt8] {
    [200, 0, UInt8(port >> 8), UInt8(port & 0xff), 0, 0, 0, 0] + payload
}

@Suite struct PacketFilterTests {
    private let filter = PacketFilter(udpPorts: [443, 8443], loopback: 1)

    @Test("the beginning of a TCP connection passes, what answers it and carries it does not", arguments: [4, 6])
    func beginnings(version: Int) {
        #expect(run(filter, ip(version, 6, tcp(0x02))) > 0)
        #expect(run(filter, ip(version, 6, tcp(0xc2, options: 20))) > 0)
        for flags: UInt8 in [0x12, 0x10, 0x11, 0x04, 0x18] { #expect(run(filter, ip(version, 6, tcp(flags))) == 0) }
        #expect(run(filter, ip(version, 6, tcp(0x18, [0x17, 3, 3, 0, 1, 1, 1, 1]))) == 0)
    }

    @Test("what names a host passes: a ClientHello, and a request in the clear", arguments: [4, 6])
    func names(version: Int) {
        #expect(run(filter, ip(version, 6, tcp(0x18, options: 12, [0x16, 3, 1, 2, 0, 1, 0]))) > 0)
        #expect(run(filter, ip(version, 6, tcp(0x18, [0x16, 3, 3, 0, 80, 2, 0]))) == 0, "a ServerHello")
        for method in ["GET / ", "POST /", "PUT / ", "PRI * ", "DELETE ", "OPTIONS", "PATCH "] {
            #expect(run(filter, ip(version, 6, tcp(0x18, options: 12, method.utf8))) > 0, "\(method)")
        }
        for method in ["HTTP/1.1", "CONNECT ", "SSH-"] {
            #expect(run(filter, ip(version, 6, tcp(0x18, method.utf8))) == 0, "\(method)")
        }
    }

    @Test("datagrams pass to the given ports, and to others if they may begin QUIC", arguments: [4, 6])
    func datagrams(version: Int) {
        for port: UInt16 in [443, 8443] { #expect(run(filter, ip(version, 17, udp(to: port))) > 0) }
        #expect(run(filter, ip(version, 17, udp(to: 53))) == 0)
        #expect(run(filter, ip(version, 17, udp(to: 9000, [0xc3, 0, 0, 0, 1, 8]))) > 0)
        #expect(run(filter, ip(version, 17, udp(to: 9000, [0xd3, 0x6b, 0x33, 0x43, 0xcf, 8]))) > 0)
        #expect(run(filter, ip(version, 17, udp(to: 9000, [0x43, 0, 0, 0, 1, 8]))) == 0)
        #expect(run(filter, ip(version, 17, udp(to: 9000, [0xc3, 0, 0, 0, 2, 8]))) == 0)
    }

    @Test("headers with options are passed over, and IPv6's extension headers left to the reader")
    func headers() {
        #expect(run(filter, ip(4, 6, options: 16, tcp(0x02))) > 0)
        for number: UInt8 in [0, 43, 44, 51, 60] { #expect(run(filter, ip(6, number, [])) > 0) }
        #expect(run(filter, ip(6, 58, [])) == 0)
        #expect(run(filter, ip(4, 1, tcp(0x02))) == 0)
    }

    @Test("later fragments and other protocols do not pass")
    func others() {
        #expect(run(filter, ip(4, 17, fragment: 1, udp(to: 443))) == 0)
        #expect(run(filter, ip(4, 6, tcp(0x02)), protocolNumber: 0x0806) == 0)
    }

    @Test("on loopback each packet passes twice, and is taken once")
    func loopback() {
        let syn = ip(4, 6, tcp(0x02))
        #expect(run(filter, syn, interface: 1, type: 4) > 0)
        #expect(run(filter, syn, interface: 1, type: 0) == 0)
        #expect(run(filter, syn, interface: 2, type: 0) > 0, "what comes in elsewhere is a guest's")
    }

    @Test("cut packets never pass by a byte that is not there, and never trap")
    func cut() {
        for whole in [ip(4, 6, tcp(0x18, options: 12, "GET / ".utf8)), ip(6, 17, udp(to: 9000, [0xc3, 0, 0, 0, 1]))] {
            for length in 1..<whole.count { _ = run(filter, Array(whole.prefix(length))) }
        }
        #expect(run(filter, Array(ip(6, 17, udp(to: 9000, [0xc3, 0, 0, 0, 1])).dropLast())) == 0)
    }

    @Test("with as many ports as it may have every jump still reaches; with more, every datagram passes")
    func manyPorts() {
        let ports = (1...PacketFilter.portLimit).map { UInt16($0 + 1000) }
        let full = PacketFilter(udpPorts: Set(ports), loopback: 1)
        #expect(full.instructions.count <= 255)
        for port in ports { #expect(run(full, ip(6, 17, udp(to: port))) > 0) }
        #expect(run(full, ip(4, 17, udp(to: 999))) == 0)
        #expect(run(full, ip(4, 6, tcp(0x02))) > 0)
        #expect(run(full, ip(4, 1, tcp(0x02))) == 0)
        let over = PacketFilter(udpPorts: Set(ports + [9]), loopback: 1)
        #expect(run(over, ip(4, 17, udp(to: 999))) > 0)
    }
}
