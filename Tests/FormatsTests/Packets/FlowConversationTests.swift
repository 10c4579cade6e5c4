import Facts
import Flows
import Testing

@testable import Formats

@Suite("FlowConversation")
struct FlowConversationTests {
    /// No cipher at all: what is said stays readable, behind a header and its type.
    private static var sealing: FlowConversation.Sealing {
        { secret in
            guard secret.count == 32 else { return nil }
            return { type, content in
                let length = content.count + 1
                return [23, 3, 3, UInt8(length >> 8), UInt8(length & 0xff)] + content + [type]
            }
        }
    }

    private struct Laid {
        var reader: PacketReader
        /// The bytes of each connection in turn, TLS taken off.
        var said: [(up: [UInt8], down: [UInt8])] = []

        func up(_ connection: Int = 0) -> String { String(decoding: said[connection].up, as: UTF8.self) }
        func down(_ connection: Int = 0) -> String { String(decoding: said[connection].down, as: UTF8.self) }
    }

    private func lay(
        _ flows: [RecordedFlow], parts: [FlowConversation.Part] = [.request, .requestBody, .response, .responseBody]
    ) -> Laid {
        var blocks = PcapngBlocks()
        var conversation = FlowConversation(flows[0].flow, number: 5, sealing: Self.sealing)
        for recorded in flows {
            for part in parts + recorded.messages.map({ .message($0) }) + [.rest] {
                conversation.add(part, of: recorded, at: 1000, into: &blocks)
            }
        }
        conversation.finish(at: 2000, into: &blocks)
        let reader = PacketReader(blocks.take())
        var laid = Laid(reader: reader)
        var client: [Int] = []
        for packet in reader.packets {
            #expect(packet.isSound)
            if packet.flags == 2 {
                client = packet.ports
                laid.said.append(([], []))
            }
            if packet.ports == client {
                laid.said[laid.said.count - 1].up += packet.payload
            } else {
                laid.said[laid.said.count - 1].down += packet.payload
            }
        }
        if FlowConversation.isTLS(flows[0].flow) {
            laid.said = laid.said.map { (Self.plaintext($0.up), Self.plaintext($0.down)) }
        }
        return laid
    }

    /// Of its records what is application data.
    private static func plaintext(_ records: [UInt8]) -> [UInt8] {
        var (rest, out) = (records[...], [UInt8]())
        while rest.count >= 5 {
            let header = Array(rest.prefix(5))
            let content = rest.dropFirst(5).prefix(Int(header[3]) << 8 | Int(header[4]))
            rest = rest.dropFirst(5 + content.count)
            #expect(content.count <= TLSLayout.contentLimit + 1)
            if header[0] == 23, content.last == 23 { out += content.dropLast() }
        }
        return out
    }

    @Test("an exchange over TLS is what was said, its secrets stand before the first record, and it is named")
    func exchange() {
        let recorded = Sample.get()
        let laid = lay([recorded, recorded])
        let asked = "GET /v1/items?page=2 HTTP/1.1\r\nHost: api.example.com\r\n\r\n"
        #expect(laid.up().hasPrefix(asked))
        // An answer without a length ends the connection, and the next request has another one.
        let answered = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{\"items\": []}"
        let numbers = laid.reader.packets.filter { $0.flags == 2 }.map(\.sequence)
        #expect(numbers.count == 2 && numbers.first != numbers.last)
        #expect(laid.said.count == 2 && laid.down(0) == answered && laid.down(1) == answered && laid.up(1) == asked)
        let types = laid.reader.blocks.map(\.type)
        #expect(types.prefix(4) == [6, 6, 6, 10] && types.count { $0 == 10 } == 2)
        let lines = String(decoding: laid.reader.blocks[3].body.dropFirst(8), as: UTF8.self).split(separator: "\n")
        #expect(lines.first?.hasPrefix("CLIENT_HANDSHAKE_TRAFFIC_SECRET ") == true)
        let packets = laid.reader.packets
        #expect(packets[0].comment == "laid out from pinproof's records, not captured; flow 7")
        #expect(packets[0].destination == IPAddress("203.0.113.7") && packets[0].ports[1] == 443)
        // The client's hello: server name, and words that nobody can take for chance.
        let hello = packets[3].payload
        #expect(Array(hello.prefix(3)) == [22, 3, 1])
        #expect(String(decoding: hello, as: UTF8.self).contains("made by pinproof, unreal"))
        #expect(String(decoding: hello, as: UTF8.self).contains("api.example.com"))
    }

    @Test("a connection that is kept carries one exchange after the other")
    func kept() {
        var recorded = Sample.get()
        recorded.flow.response?.headers.append(HeaderField("content-length", "13"))
        let laid = lay([recorded, recorded, recorded])
        #expect(laid.said.count == 1 && laid.down().split(separator: "HTTP/1.1 200 OK\r\n").count == 3)
    }

    @Test("chunks, trailers and interim answers are there again; an answer to HEAD has no body, whatever its length")
    func framing() {
        var recorded = Sample.get()
        recorded.flow.response?.headers.append(HeaderField("Transfer-Encoding", "chunked"))
        recorded.flow.response?.trailers = [HeaderField("X-T", "end")]
        recorded.flow.response?.informational = [.init(status: 103, headers: [HeaderField("Link", "</a>")])]
        #expect(
            lay([recorded]).down()
                == "HTTP/1.1 103 \r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: application/json"
                + "\r\nTransfer-Encoding: chunked\r\n\r\nd\r\n{\"items\": []}\r\n0\r\nX-T: end\r\n\r\n")
        recorded.response = RecordedBody(plain: [])
        #expect(lay([recorded]).down().hasSuffix("chunked\r\n\r\n0\r\nX-T: end\r\n\r\n"))
        let broken = Sample.brokenOff(Sample.bytes("abc"), HeaderField("Transfer-Encoding", "chunked"))
        #expect(lay([broken]).up().hasSuffix("chunked\r\n\r\n3\r\nabc\r\n"))
        var head = Sample.get()
        head.flow.method = "HEAD"
        head.flow.response?.headers.append(HeaderField("Content-Length", "500"))
        head.response = RecordedBody()
        let laid = lay([head, head])
        #expect(laid.said.count == 1 && laid.down().hasSuffix("Content-Length: 500\r\n\r\n"))
    }

    @Test("a body that was cut ends the connection and says how much there is of it")
    func cut() {
        var recorded = Sample.get()
        recorded.flow.response?.body?.size = 99
        recorded.flow.response?.headers.append(HeaderField("Content-Length", "99"))
        let laid = lay([recorded, recorded])
        #expect(laid.said.count == 2)
        #expect(laid.reader.packets.compactMap(\.comment).contains("13 of the body's 99 bytes are recorded"))
    }

    @Test("a body that is known decoded alone is not said to be compressed")
    func decoded() {
        var recorded = Sample.get()
        recorded.flow.response?.headers += [HeaderField("Content-Encoding", "br"), HeaderField("Content-Length", "9")]
        for wire in [nil, Sample.bytes("as it reads")] {
            recorded.response = RecordedBody(wire: wire, decoded: Sample.bytes("as it reads"))
            let down = lay([recorded]).down()
            #expect(!down.contains("br") && down.hasSuffix("Content-Length: 11\r\n\r\nas it reads"))
        }
    }

    @Test("HTTP/2 has its preface, its streams by their numbers, trailers, and ends where messages ended")
    func http2() throws {
        var recorded = Sample.post(Sample.bytes("abc"))
        recorded.flow.version = "h2"
        recorded.flow.stream = 7
        recorded.flow.response?.trailers = [HeaderField("grpc-status", "0")]
        let laid = lay([recorded])
        let frames = try #require(Self.frames(laid.said[0].up, preface: true))
        #expect(frames.map(\.type) == [4, 8, 1, 0] && frames.map(\.stream) == [0, 0, 7, 7])
        #expect(frames[2].flags == 4 && frames[3].flags == 1 && frames[3].payload == Sample.bytes("abc"))
        #expect(frames[2].payload.starts(with: [0, 7] + Sample.bytes(":method") + [4] + Sample.bytes("POST")))
        let answers = try #require(Self.frames(laid.said[0].down, preface: false))
        #expect(answers.map(\.type) == [4, 8, 1, 0, 1] && answers.map(\.flags) == [0, 0, 4, 0, 5])
    }

    @Test("header blocks and bodies of any size keep within HTTP/2's frames")
    func largeFrames() throws {
        var recorded = Sample.post(
            [UInt8](repeating: 1, count: 50_000), headers: [HeaderField("X", String(repeating: "v", count: 40_000))])
        recorded.flow.version = "h2"
        recorded.flow.stream = 1
        let frames = try #require(Self.frames(lay([recorded]).said[0].up, preface: true))
        #expect(frames.allSatisfy { $0.payload.count <= 16_384 })
        #expect(frames.map(\.type) == [4, 8, 1, 9, 9, 0, 0, 0, 0])
        #expect(frames.map(\.flags) == [0, 0, 0, 0, 4, 0, 0, 0, 1])
        #expect(frames.filter { $0.type == 0 }.map(\.payload.count).reduce(0, +) == 50_000)
    }

    private struct Frame {
        var type: UInt8
        var flags: UInt8
        var stream: Int
        var payload: [UInt8]
    }

    private static func frames(_ bytes: [UInt8], preface: Bool) -> [Frame]? {
        let start = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8
        guard bytes.starts(with: start) == preface else { return nil }
        var (rest, frames) = (bytes.dropFirst(preface ? start.count : 0), [Frame]())
        while rest.count >= 9 {
            let head = Array(rest.prefix(9))
            let length = Int(PacketReader.big(head[0...], 3))
            frames.append(
                Frame(
                    type: head[3], flags: head[4], stream: Int(PacketReader.big(head[5...], 4)),
                    payload: Array(rest.dropFirst(9).prefix(length))))
            rest = rest.dropFirst(9 + length)
        }
        return rest.isEmpty ? frames : nil
    }

    @Test("a WebSocket's messages are frames, masked where a client sends them, and one that was cut is said to be")
    func webSocket() {
        let laid = lay([Sample.webSocket()])
        let up = laid.said[0].up
        let hello = zip(Sample.bytes("hello"), [0x70, 0x69, 0x6e, 0x21, 0x70] as [UInt8]).map { $0 ^ $1 }
        let sent: [UInt8] = [0x81, 0x85, 0x70, 0x69, 0x6e, 0x21] + hello + [0x89, 0x81, 0x70, 0x69, 0x6e, 0x21, 0x00]
        #expect(Array(up.suffix(sent.count + 8).prefix(sent.count)) == sent)
        #expect(laid.said[0].down.suffix(9) == [0x82, 4, 0, 1, 2, 0xff, 0x81, 1, 0xc3])
        #expect(laid.reader.packets.compactMap(\.comment).contains("1 of this message's 9 bytes are recorded"))
        for size in [125, 126, 65_535, 65_536, 1_000_000] {
            let message = ExchangeMessage(from: .down, .binary, [UInt8](repeating: 1, count: size))
            let head = size < 126 ? 2 : size < 65_536 ? 4 : 10
            #expect(WebSocketLayout.frame(message)?.count == size + head)
        }
    }

    @Test("what failed has its words, and nothing that was not said")
    func failures() {
        let laid = lay([Sample.failed()])
        #expect(laid.said.count == 1 && laid.said[0].up.isEmpty && laid.said[0].down.isEmpty)
        #expect(!laid.reader.blocks.contains { $0.type == 10 })
        #expect(laid.reader.packets[0].comment?.contains("flow 9: ") == true)
    }

    @Test("of what is known least something can be laid out still")
    func leastKnown() {
        for kind in Flow.Kind.allCases {
            for state in Flow.State.allCases {
                var flow = Flow(id: 1, kind: kind, state: state, started: 0)
                #expect(!lay([RecordedFlow(flow)]).reader.packets.isEmpty)
                flow.method = "GET"
                flow.status = 200
                flow.version = "h2"
                flow.server.port = 70_000
                flow.client.address = "nonsense"
                flow.url = "::::"
                #expect(!lay([RecordedFlow(flow)]).reader.packets.isEmpty)
            }
        }
    }
}
