import Facts
import Testing

@testable import Formats

@Suite("Packets")
struct PacketTests {
    static let ends: [(TCPConversation.End, TCPConversation.End)] = {
        let texts = [("127.0.0.1", "192.0.2.7"), ("::1", "2001:db8::7"), ("127.0.0.1", "::1")]
        return texts.compactMap { client, server in
            guard let client = IPAddress(client), let server = IPAddress(server) else { return nil }
            return (TCPConversation.End(client, 50_123), TCPConversation.End(server, 40_443))
        }
    }()

    private func blocks(_ fill: (inout PcapngBlocks) -> Void) -> PacketReader {
        var blocks = PcapngBlocks()
        fill(&blocks)
        return PacketReader(blocks.take())
    }

    private func areSound(_ packets: [PacketReader.Packet]) -> Bool { packets.count { !$0.isSound } == 0 }
    private func flags(_ packets: [PacketReader.Packet]) -> [UInt8] { packets.map(\.flags) }

    @Test("a section says who wrote it, an interface that packets are raw IP with times in nanoseconds")
    func beginning() {
        var blocks = PcapngBlocks()
        blocks.begin(application: "pinproof", interface: "x")
        #expect(
            blocks.bytes == [
                0x0a, 0x0d, 0x0d, 0x0a, 44, 0, 0, 0, 0x4d, 0x3c, 0x2b, 0x1a, 1, 0, 0, 0,
                0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 4, 0, 8, 0, 0x70, 0x69, 0x6e, 0x70, 0x72, 0x6f, 0x6f,
                0x66,
                0, 0, 0, 0, 44, 0, 0, 0,
                1, 0, 0, 0, 40, 0, 0, 0, 101, 0, 0, 0, 0, 0, 0, 0, 2, 0, 1, 0, 0x78, 0, 0, 0, 9, 0, 1, 0, 9, 0, 0, 0,
                0, 0, 0, 0, 40, 0, 0, 0,
            ])
    }

    @Test("secrets and statistics are blocks as the standard has them")
    func otherBlocks() {
        let reader = blocks {
            $0.secrets(Array("CLIENT_RANDOM aa bb\n".utf8))
            $0.statistics(at: 1 << 32 | 5, received: 7, dropped: 9)
        }
        #expect(reader.rest == 0 && reader.blocks.map(\.type) == [10, 5])
        #expect(reader.blocks[0].body == [0x4b, 0x53, 0x4c, 0x54, 20, 0, 0, 0] + Array("CLIENT_RANDOM aa bb\n".utf8))
        #expect(
            reader.blocks[1].body == [
                0, 0, 0, 0, 1, 0, 0, 0, 5, 0, 0, 0, 4, 0, 8, 0, 7, 0, 0, 0, 0, 0, 0, 0, 5, 0, 8, 0, 9, 0, 0, 0, 0, 0, 0,
                0, 0, 0, 0, 0,
            ])
    }

    @Test("a comment is cut between letters, and no packet is harmed by its length")
    func comments() {
        for odd in 0..<4 {
            let text = String(repeating: "a", count: odd) + String(repeating: "é✕", count: 2000)
            let reader = blocks { $0.packet(at: 1, comment: text) { $0 += [0x60, 1, 2] } }
            #expect(reader.rest == 0 && reader.blocks.count == 1)
            let body = reader.blocks[0].body
            let length = Int(PacketReader.little(body[26...], 2))
            let comment = String(validating: body[28..<(28 + length)], as: UTF8.self)
            #expect(comment.map { text.hasPrefix($0) } == true && length > PcapngBlocks.commentLimit - 4)
        }
    }

    @Test("a conversation shakes hands, counts, is acknowledged and ends, over IPv4, IPv6 and between the two")
    func conversation() {
        for (client, server) in Self.ends {
            var conversation = TCPConversation(client: client, server: server, number: 3)
            let request = Array("GET / HTTP/1.1\r\n\r\n".utf8)
            let answer = (0..<200_001).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            let reader = blocks { out in
                conversation.open(at: 10, into: &out)
                conversation.send(request[...], .up, at: 20, into: &out)
                conversation.end(.up, at: 30, into: &out)
                conversation.send(answer[...], .down, at: 40, into: &out)
                conversation.send(answer[...], .down, at: 45, into: &out)
                conversation.end(.down, at: 50, into: &out)
                conversation.reset(by: .up, at: 60, into: &out)
            }
            let packets = reader.packets
            #expect(reader.rest == 0 && areSound(packets))
            #expect(Array(flags(packets).prefix(3)) == [2, 18, 16])
            let up = packets.filter { $0.ports[0] == 50_123 }
            let down = packets.filter { $0.ports[0] == 40_443 }
            #expect(up.flatMap(\.payload) == request && down.flatMap(\.payload) == answer + answer)
            // Every number follows from the one before it, and nothing is acknowledged that was not sent.
            var next: [Int: UInt32] = [:]
            for packet in packets {
                if let expected = next[packet.ports[0]] { #expect(packet.sequence == expected) }
                let counted = packet.flags & 3 == 0 ? 0 : 1
                next[packet.ports[0]] = packet.sequence &+ UInt32(packet.payload.count + counted)
                if packet.flags & 16 != 0 { #expect(packet.acknowledgement == next[packet.ports[1]]) }
                #expect(packet.payload.count <= TCPConversation.segmentLimit)
            }
            #expect(packets.filter { $0.flags & 1 != 0 }.count == 2 && !packets.contains { $0.flags & 4 != 0 })
            #expect(packets.map(\.time) == packets.map(\.time).sorted())
            // The 400 KB were acknowledged on the way, and the last FIN.
            #expect(packets.filter { $0.flags == 16 && $0.ports[0] == 50_123 }.count >= 3)
        }
    }

    @Test("sequence numbers go on past their end, and behind what is missing")
    func numbers() {
        let (client, server) = Self.ends[0]
        var conversation = CapturedConversation(client: client, proxy: server, number: 0)
        let reader = blocks { out in
            conversation.begin(at: 1, into: &out)
            conversation.pass([1, 2, 3], .up, at: 2, into: &out)
            conversation.miss(Int(UInt32.max), .up)
            conversation.miss(100, .up)
            conversation.pass([4], .up, at: 3, into: &out)
            conversation.miss(.max, .down)
            conversation.miss(.max, .down)
            conversation.end(.down, at: 4, into: &out)
        }
        let packets = reader.packets
        let sent = packets.filter { !$0.payload.isEmpty }
        #expect(areSound(packets) && sent.count == 2)
        #expect(sent[1].sequence == sent[0].sequence &+ 3 &+ 99)
        #expect(sent[0].comment == nil && sent[1].comment?.hasPrefix("4294967395 bytes before this packet") == true)
    }

    @Test(
        "where Wireshark reads something else on the proxy's port, another one is written and said",
        arguments: [
            (8080, 0x16, 443), (8080, 0x05, 1080), (8080, 0x47, 8080), (3128, 0x16, 443), (40_123, 0x16, 40_123),
            (40_123, 0x05, 40_123), (1080, 0x47, 80), (6006, 0x47, 80), (443, 0x16, 443), (22, 0x05, 1080),
        ])
    func ports(real: Int, first: Int, written: Int) throws {
        let client = Self.ends[0].0
        let proxy = TCPConversation.End(try #require(IPAddress("127.0.0.1")), UInt16(real))
        var conversation = CapturedConversation(client: client, proxy: proxy, number: 1)
        let reader = blocks { out in
            conversation.begin(at: 1, into: &out)
            conversation.pass([UInt8(first), 1, 2], .up, at: 2, into: &out)
            conversation.pass([3], .down, at: 3, into: &out)
        }
        let packets = reader.packets
        #expect(Set(packets.flatMap(\.ports)) == [50_123, written] && packets.first?.time == 1)
        #expect(packets.flatMap(\.payload) == [UInt8(first), 1, 2, 3])
        #expect((packets.first?.comment?.contains("port is \(real)") == true) == (real != written))
    }

    @Test(
        "a tunnel that Wireshark would not look into is a connection of its own, behind the CONNECT",
        arguments: [
            (443, [0x16, 3], nil), (12_345, [0x16, 3], nil), (80, [0x47], 80), (8080, [0x16], 443), (443, [0x47], 443),
            (12_345, [0x47], 12_345), (40_443, [0x47], 80),
        ] as [(Int, [UInt8], Int?)])
    func tunnels(target: Int, first: [UInt8], moved: Int?) {
        let (client, proxy) = Self.ends[0]
        var conversation = CapturedConversation(client: client, proxy: proxy, number: 1)
        let connect = Array("CONNECT h:\(target) HTTP/1.1\r\nHost: h\r\n\r\n".utf8)
        let reader = blocks { out in
            conversation.begin(at: 1, into: &out)
            conversation.pass(connect[...], .up, at: 2, into: &out)
            conversation.pass(Array("HTTP/1.1 407 No\r\n\r\n".utf8)[...], .down, at: 3, into: &out)
            conversation.pass(connect[...], .up, at: 4, into: &out)
            conversation.pass(Array("HTTP/1.1 200 OK\r\n\r\n".utf8)[...], .down, at: 5, into: &out)
            conversation.pass(first[...], .up, at: 6, into: &out)
            conversation.end(.up, at: 7, into: &out)
        }
        let packets = reader.packets
        #expect(packets.filter { $0.flags == 2 }.map { $0.ports[1] } == [40_443] + (moved.map { [$0] } ?? []))
        #expect(packets.last { !$0.payload.isEmpty }?.ports == [50_123, moved ?? 40_443])
        #expect(packets.filter { $0.flags & 1 != 0 }.map { $0.ports[1] } == [moved ?? 40_443])
        #expect(areSound(packets))
    }

    @Test("a connection that carried nothing has its handshake and its end, whatever the port")
    func silent() throws {
        for port in [8080, 40_443] as [UInt16] {
            let proxy = TCPConversation.End(try #require(IPAddress("::1")), port)
            var conversation = CapturedConversation(client: Self.ends[1].0, proxy: proxy, number: 1)
            let reader = blocks { out in
                conversation.begin(at: 1, into: &out)
                conversation.reset(by: .up, at: 9, into: &out)
                conversation.end(.down, at: 9, into: &out)
            }
            #expect(flags(reader.packets) == [2, 18, 16, 20])
            #expect(reader.packets.map(\.time) == [1, 1, 1, 9])
        }
    }
}
