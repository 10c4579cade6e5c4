import Facts
import Testing

@testable import Flows

@Suite("HTTP2Reader: floods", .timeLimit(.minutes(20)))
struct HTTP2ReaderFloodTests {
    private static let request: [(String, String)] = [
        (":method", "GET"), (":scheme", "https"), (":authority", "a.test"), (":path", "/"),
    ]

    private func talk(_ log: TestHPACK.Log? = nil) -> Conversation {
        var talk = Conversation(alpn: "h2", tools: TestHPACK.tools(log))
        for (direction, bytes) in HTTP2Script().turns { talk.say(direction, bytes) }
        return talk
    }

    @Test(
        "streams that are begun and reset without end leave no room taken (rapid reset, CVE-2023-44487)",
        arguments: [true, false])
    func rapidReset(byClient: Bool) {
        var talk = talk()
        let block = TestHPACK.encode(Self.request)
        let count = HTTP2Reader.streamLimit + 100
        for stream in 0..<count {
            let number = 2 * stream + 1
            talk.say(.up, HTTP2Script.frame(1, flags: 5, stream: number, block))
            talk.say(byClient ? .up : .down, HTTP2Script.frame(3, flags: 0, stream: number, [0, 0, 0, 8]))
        }
        #expect(talk.lines.count { $0.hasSuffix("reset the stream: CANCEL") } == count)
        #expect(!talk.lines.contains { $0.contains("undecodable") })
        // As many as ever may still be open.
        var more: [UInt8] = []
        for stream in count..<(count + HTTP2Reader.streamLimit) {
            more += HTTP2Script.frame(1, flags: 4, stream: 2 * stream + 1, [])
        }
        talk.say(.up, more)
        #expect(talk.lines.count { $0.contains("asked") } == count + HTTP2Reader.streamLimit)
        #expect(!talk.lines.contains { $0.contains("undecodable") })
    }

    @Test("CONTINUATION without end is bounded, also where each of them is empty (CVE-2024-27316)")
    func continuation() {
        var talk = talk()
        talk.say(.up, HTTP2Script.frame(1, flags: 0, stream: 1, []))
        let empty = Array(Array(repeating: HTTP2Script.frame(9, flags: 0, stream: 1, []), count: 1_000).joined())
        for _ in 0..<(HTTP2FrameReader.blockLimit / empty.count + 1) { talk.say(.up, empty) }
        #expect(
            talk.lines.first?.hasSuffix("a header block of more than 262144 bytes") == true, "\(talk.lines.prefix(1))")
    }

    @Test("SETTINGS that nobody accepts are kept up to a limit, and those that are accepted later cost no more")
    func settings() {
        let log = TestHPACK.Log()
        var talk = talk(log)
        let smaller = HTTP2Script.frame(4, flags: 0, stream: 0, [0, 1, 0, 0, 0, 100])
        let accepted = HTTP2Script.frame(4, flags: 1, stream: 0, [])
        let count = 20 * HTTP2Reader.settingsLimit
        talk.say(.down, Array(Array(repeating: smaller, count: count).joined()))
        talk.say(.up, Array(Array(repeating: accepted, count: count).joined()))
        #expect(log.tables.map(\.count).max() == HTTP2Reader.settingsLimit)
        talk.say(.up, HTTP2Script.frame(1, flags: 5, stream: 1, TestHPACK.encode(Self.request)))
        #expect(talk.lines.last?.hasSuffix("ended up") == true, "\(talk.lines.suffix(1))")
    }

    /// Each block is half a megabyte, whatever it says: a table of 64 KiB makes as much of some bytes.
    private final class Large: HeaderBlockDecoder {
        private let fields: [HeaderField]

        init(_ fields: [(String, String)]) {
            self.fields = (fields + [("x", String(repeating: "x", count: 128 * 1024))]).map { HeaderField($0.0, $0.1) }
        }

        func decode(_ block: [UInt8]) -> [HeaderField] { fields }
        func allowTable(of size: Int) {}
    }

    @Test("header fields that few bytes make large are held up to a limit, on one stream and on all of a connection")
    func largeHeads() {
        let tools = DecodingTools(headerBlocks: { Large([(":method", "GET"), (":status", "103")]) })
        var talk = Conversation(alpn: "h2", tools: tools)
        for (direction, bytes) in HTTP2Script().turns { talk.say(direction, bytes) }
        // Interim answers without end.
        talk.say(.up, HTTP2Script.frame(1, flags: 5, stream: 1, [0x80]))
        for _ in 0..<20 { talk.say(.down, HTTP2Script.frame(1, flags: 4, stream: 1, [0x80])) }
        #expect(talk.lines.count { $0.contains(" informed ") } == 6)
        #expect(talk.lines.contains { $0.hasSuffix("more than 1 MiB on one stream, or 16 on one connection") })
        // Requests that nobody answers.
        var open = Conversation(alpn: "h2", tools: tools)
        for (direction, bytes) in HTTP2Script().turns { open.say(direction, bytes) }
        for stream in 0..<200 { open.say(.up, HTTP2Script.frame(1, flags: 4, stream: 2 * stream + 1, [0x80])) }
        #expect((120..<164).contains(open.lines.count { $0.contains(" asked ") }))
        #expect(tools.budget.held <= HTTP2Reader.connectionHeadLimit)
        // What was answered holds nothing.
        var closed = Conversation(alpn: "h2", tools: tools)
        for (direction, bytes) in HTTP2Script().turns { closed.say(direction, bytes) }
        for stream in 0..<200 {
            closed.say(.up, HTTP2Script.frame(1, flags: 4, stream: 2 * stream + 1, [0x80]))
            closed.say(.up, HTTP2Script.frame(3, flags: 0, stream: 2 * stream + 1, [0, 0, 0, 8]))
        }
        #expect(closed.lines.count { $0.contains(" asked ") } == 200)
    }

    @Test("a GOAWAY that is said again and again ends each stream once, and one that says less ends more")
    func goAway() {
        var talk = talk()
        let block = TestHPACK.encode(Self.request)
        for stream in 0..<2_000 { talk.say(.up, HTTP2Script.frame(1, flags: 4, stream: 2 * stream + 1, block)) }
        let goAway = { (last: Int) in
            HTTP2Script.frame(7, flags: 0, stream: 0, HTTP2Script.number(last) + HTTP2Script.number(0))
        }
        for _ in 0..<5_000 { talk.say(.down, goAway(2_001)) }
        #expect(talk.lines.count { $0.contains("aborted") } == 999)
        talk.say(.down, goAway(1_001))
        #expect(talk.lines.count { $0.contains("aborted") } == 1_499)
    }

    @Test("PING, PRIORITY, WINDOW_UPDATE, empty DATA and unknown frames without end are passed over")
    func nothing() {
        var talk = talk()
        talk.say(.up, HTTP2Script.frame(1, flags: 4, stream: 1, TestHPACK.encode(Self.request)))
        let lines = talk.lines
        let frames =
            HTTP2Script.frame(6, flags: 0, stream: 0, [UInt8](repeating: 0, count: 8))
            + HTTP2Script.frame(2, flags: 0, stream: 1, [0, 0, 0, 0, 1])
            + HTTP2Script.frame(8, flags: 0, stream: 0, [0, 0, 0, 1]) + HTTP2Script.frame(0, flags: 0, stream: 1, [])
            + HTTP2Script.frame(0xbb, flags: 0, stream: 1, [1, 2, 3])
        for _ in 0..<200 { talk.say(.up, Array(Array(repeating: frames, count: 100).joined())) }
        #expect(talk.lines.filter { !$0.hasSuffix("content up: ") } == lines.filter { !$0.hasSuffix("content up: ") })
        talk.say(.up, HTTP2Script.frame(0, flags: 1, stream: 1, []))
        #expect(talk.lines.last?.hasSuffix("ended up") == true, "\(talk.lines.suffix(1))")
    }
}
