import Facts
import Support
import Testing

@testable import Capture

/// Packets as they are captured, between two hosts.
private enum Packet {
    static let client = "192.0.2.1"
    static let server = "198.51.100.2"

    static func ip(_ number: UInt8, _ body: [UInt8], from: String = client, to: String = server) -> [UInt8] {
        let ends = [from, to].flatMap { IPAddress($0)?.bytes ?? [] }
        let length = 20 + body.count
        return [0x45, 0, UInt8(length >> 8), UInt8(length & 0xff), 0, 0, 0, 0, 64, number, 0, 0] + ends + body
    }

    static func ports(_ from: UInt16, _ to: UInt16) -> [UInt8] {
        [UInt8(from >> 8), UInt8(from & 0xff), UInt8(to >> 8), UInt8(to & 0xff)]
    }

    static func tcp(_ flags: UInt8, from: UInt16 = 50_000, to: UInt16 = 443, _ payload: [UInt8] = []) -> [UInt8] {
        ip(6, ports(from, to) + [0, 0, 0, 0, 0, 0, 0, 0, 0x50, flags, 0, 0, 0, 0, 0, 0] + payload)
    }

    static func udp(from: UInt16 = 50_000, to: UInt16 = 443, _ payload: [UInt8]) -> [UInt8] {
        let length = 8 + payload.count
        return ip(17, ports(from, to) + [UInt8(length >> 8), UInt8(length & 0xff), 0, 0] + payload)
    }

    static func answer(from: UInt16 = 443, to: UInt16 = 50_000, _ payload: [UInt8]) -> [UInt8] {
        let length = 8 + payload.count
        let body = ports(from, to) + [UInt8(length >> 8), UInt8(length & 0xff), 0, 0] + payload
        return ip(17, body, from: server, to: client)
    }
}

@Suite struct FlowTableTests {
    private var table = FlowTable(udpPorts: [443])

    private func flows(_ packets: [[UInt8]]) -> [FlowTable.Flow] {
        var table = table
        for (at, packet) in packets.enumerated() { table.take(packet.span, at: Double(at)) }
        return table.collect().flows
    }

    @Test("a SYN, and the same SYN again, are one flow without a name")
    func syn() throws {
        let flow = try #require(flows([Packet.tcp(0x02), Packet.tcp(0x02)]).first)
        #expect(flow.key.from == Endpoint("192.0.2.1:50000") && flow.key.to == Endpoint("198.51.100.2:443"))
        #expect(flow.transport == .tcp && flow.host == nil && flow.packets == 2 && flow.at == 0)
    }

    @Test("a ClientHello and a request give the flow its name, the first one for good")
    func names() {
        let hello = RecordedDatagrams.tlsHello
        let request = Array("GET / HTTP/1.1\r\nHost: other.test\r\n\r\n".utf8)
        let both = flows([Packet.tcp(0x02), Packet.tcp(0x18, hello), Packet.tcp(0x18, request)])
        #expect(both.map(\.host) == [HostName("api.test")])
        #expect(both.map(\.cleartext) == [false])
        let plain = flows([Packet.tcp(0x02, to: 80), Packet.tcp(0x18, to: 80, request)])
        #expect(plain.map(\.host) == [HostName("other.test")] && plain.map(\.cleartext) == [true])
    }

    @Test("a hello whose rest came in another segment has the name that is in its beginning, and may have another")
    func cutHello() {
        let hello = RecordedDatagrams.tlsHello
        let whole = flows([Packet.tcp(0x02), Packet.tcp(0x18, Array(hello.dropLast()))])
        #expect(whole.map(\.host) == [HostName("api.test")] && whole.map(\.hidesName) == [true])
        let beginning = flows([Packet.tcp(0x02), Packet.tcp(0x18, Array(hello.prefix(60)))])
        #expect(beginning.map(\.host) == [nil] && beginning.map(\.isCut) == [true])
        let again = flows([Packet.tcp(0x18, Array(hello.prefix(60))), Packet.tcp(0x18, hello)])
        #expect(again.map(\.host) == [HostName("api.test")] && again.map(\.isCut) == [false])
    }

    @Test("a connection that began earlier is a flow as soon as it names somebody, and not before")
    func earlier() {
        #expect(flows([Packet.tcp(0x18, [1, 2, 3])]).isEmpty)
        #expect(flows([Packet.tcp(0x18, RecordedDatagrams.tlsHello)]).map(\.host) == [HostName("api.test")])
    }

    @Test("the hello in a QUIC datagram names the host, in both versions and at any port")
    func quic() {
        for datagram in [RecordedDatagrams.v1, RecordedDatagrams.v2] {
            for port: UInt16 in [443, 9000] {
                let seen = flows([Packet.udp(to: port, datagram)])
                #expect(seen.map(\.transport) == [.quic] && seen.map(\.host) == [HostName("api.test")])
            }
        }
    }

    @Test("a hello over two datagrams is put together, in any order")
    func halves() {
        let halves = [RecordedDatagrams.firstHalf, RecordedDatagrams.secondHalf].map { Packet.udp($0) }
        #expect(flows(halves).map(\.host) == [HostName("api.test")])
        #expect(flows(halves.reversed()).map(\.host) == [HostName("api.test")])
        let half = flows([halves[0]])
        #expect(half.map(\.host) == [nil] && half.map(\.transport) == [.quic])
    }

    @Test("a hello with ECH says that its name may not be the one that is meant")
    func hidden() {
        let seen = flows([Packet.udp(RecordedDatagrams.ech)])
        #expect(seen.map(\.host) == [HostName("outer.test")] && seen.map(\.hidesName) == [true])
    }

    @Test("what cannot be read is QUIC by its looks or UDP by its port, and nothing at other ports")
    func unreadable() {
        let long: [UInt8] = [0xc3, 0, 0, 0, 1, 8, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0]
        #expect(flows([Packet.udp(long)]).map(\.transport) == [.quic])
        #expect(flows([Packet.udp([0x43, 1, 2, 3])]).map(\.transport) == [.udp])
        #expect(flows([Packet.udp([])]).map(\.transport) == [.udp])
        #expect(flows([Packet.udp(to: 9000, long), Packet.udp(to: 9000, [0x43])]).isEmpty)
    }

    @Test("a server's answer is no flow of its own, also when it comes after the trial")
    func answers() {
        var table = FlowTable(udpPorts: [443, 50_000])
        table.take(Packet.udp(RecordedDatagrams.v1).span, at: 0)
        table.take(Packet.answer(RecordedDatagrams.server).span, at: 1)
        #expect(table.collect().flows.count == 1)
        table.take(Packet.answer(RecordedDatagrams.server).span, at: 2)
        #expect(table.collect().flows.isEmpty)
        // Nobody began it, and no client's keys open it.
        #expect(flows([Packet.answer(RecordedDatagrams.server)]).isEmpty)
    }

    @Test("what is collected is gone, and flows beyond the limit are counted")
    func limit() {
        var table = FlowTable(udpPorts: [])
        for port in 1...(FlowTable.limit + 5) { table.take(Packet.tcp(0x02, from: UInt16(port)).span, at: 0) }
        let harvest = table.collect()
        #expect(harvest.flows.count == FlowTable.limit && harvest.untracked == 5)
        #expect(harvest.packets == FlowTable.limit + 5)
        let next = table.collect()
        #expect(next.flows.isEmpty && next.packets == 0 && next.untracked == 0)
    }

    @Test("with many hellos cut short no more is kept, and their flows stay")
    func pending() {
        var table = FlowTable(udpPorts: [443])
        for port in 0..<(FlowTable.pendingLimit + 10) {
            table.take(Packet.udp(from: UInt16(port + 1), RecordedDatagrams.firstHalf).span, at: 0)
        }
        for port in [1, FlowTable.pendingLimit + 10] {
            table.take(Packet.udp(from: UInt16(port), RecordedDatagrams.secondHalf).span, at: 0)
        }
        let flows = table.collect().flows
        #expect(flows.count == FlowTable.pendingLimit + 10)
        #expect(flows.count { $0.host == HostName("api.test") } == 1)
    }

    @Test("packets cut or scrambled anywhere never trap")
    func hostile() {
        var table = FlowTable(udpPorts: [443])
        let whole = [
            Packet.udp(RecordedDatagrams.v1), Packet.udp(RecordedDatagrams.v2),
            Packet.tcp(0x18, RecordedDatagrams.tlsHello),
        ]
        for packet in whole {
            for length in 0...packet.count { table.take(Array(packet.prefix(length)).span, at: 0) }
            for index in packet.indices {
                for bit in 0..<8 {
                    var changed = packet
                    changed[index] ^= 1 << UInt8(bit)
                    table.take(changed.span, at: 0)
                }
            }
        }
        #expect(table.collect().packets > 0)
    }
}
