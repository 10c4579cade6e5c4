import Facts
import Testing

@testable import Flows

@Suite("HTTP2Reader: faults")
struct HTTP2ReaderFaultTests {
    @Test("a header block that cannot be decoded makes its side raw, tells all, and the other side goes on")
    func compression() {
        var script = HTTP2Script()
        script.ask(1, "/1")
        script.ask(3, "/3", ends: false)
        script.ask(5, "/5", ends: false)
        script.frame(.down, 1, flags: 4, stream: 3, [0xc0])
        script.data(.down, 1, "x")
        script.data(.up, 3, "on", ends: true)
        script.data(.up, 5, "on", ends: true)
        script.ask(7, "/7")
        let why = "undecodable down 18: a header block that cannot be decoded: no field has index 64"
        let raw = "1 raw down: \0\0\u{1}\u{1}\u{4}\0\0\0\u{3}\u{fffd}"
        let lines = script.read()
        #expect(
            lines.dropFirst(4) == [
                "1 \(why)", raw, "0 \(why)", "0 ended down", "2 \(why)", "1 raw down: \0\0\u{1}\0\0\0\0\0\u{1}x",
                "1 content up: on", "1 ended up", "2 content up: on", "2 ended up", "2 ended down",
                "3 asked GET /7 h2 #7 https://a.test []", "3 \(why)", "3 ended up", "3 ended down", "1 ended down",
            ])
    }

    @Test("a request that cannot be decoded is an exchange, whose answer is read")
    func request() {
        var script = HTTP2Script()
        script.frame(.up, 1, flags: 5, stream: 1, [0xff])
        script.frame(.up, 1, flags: 5, stream: 3, [0])
        script.answer(1, ends: true)
        script.answer(3)
        script.data(.down, 3, "of a request that was not seen", ends: true)
        let why = "undecodable up 42: a header block that cannot be decoded: no field has index 127"
        #expect(
            script.read() == [
                "0 \(why)",
                "0 raw up: \0\0\u{1}\u{1}\u{5}\0\0\0\u{1}\u{fffd}\0\0\u{1}\u{1}\u{5}\0\0\0\u{3}\0",
                "0 answered 200 - h2 [x-a=b]", "0 ended down", "1 \(why)", "1 answered 200 - h2 [x-a=b]",
                "1 content down: of a request that was not seen", "1 ended down", "0 ended up",
            ])
    }

    @Test("what does not begin as HTTP/2 is raw from its first byte")
    func beginning() {
        var script = HTTP2Script(opened: false)
        script.raw(.up, Array("PRI * HTTP/3".utf8))
        script.raw(.down, Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8))
        #expect(
            script.read() == [
                "0 undecodable up 0: it does not begin as HTTP/2", "0 raw up: PRI * HTTP/3",
                "0 undecodable down 0: it does not begin with SETTINGS of HTTP/2",
                "0 raw down: HTTP/1.1 400 Bad Request\r\n\r\n", "0 ended up", "0 ended down",
            ])
        script = HTTP2Script(opened: false)
        script.raw(.up, HTTP2Reader.preface + HTTP2Script.frame(4, flags: 0, stream: 0, []))
        script.ask(1, "/")
        script.raw(.down, Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8))
        #expect(
            script.read().suffix(3) == [
                "0 undecodable down 0: it does not begin with SETTINGS of HTTP/2",
                "0 raw down: HTTP/1.1 400 Bad Request\r\n\r\n", "0 ended down",
            ])
    }

    @Test(
        "frames that make no sense are told, from their first byte",
        arguments: [
            ((0, 0, 0, [1]), "a frame of type 0 without a stream"), ((6, 0, 1, []), "a frame of type 6 on a stream"),
            ((4, 0, 0, [1]), "a frame of type 4 with 1 bytes"), ((4, 1, 0, [0, 1, 0, 0, 0, 0]), "with 6 bytes"),
            ((3, 0, 1, [1]), "a frame of type 3 with 1 bytes"), ((7, 0, 0, [1]), "a frame of type 7 with 1 bytes"),
            ((9, 4, 1, []), "CONTINUATION of nothing"), ((0, 0, 9, []), "on stream 9, which has not begun"),
            ((1, 4, 9, []), "on stream 9, which has not begun"), ((3, 0, 8, [0, 0, 0, 0]), "has not begun"),
            ((0, 8, 1, [3, 0]), "padding that is longer than its frame"),
            ((1, 12, 1, [3, 0]), "padding or a priority that does not fit into its frame"),
            ((1, 0x24, 1, [3, 0]), "padding or a priority that does not fit into its frame"),
            ((5, 4, 1, [0, 0]), "padding or a priority that does not fit into its frame"),
            ((5, 4, 1, [0, 0, 0, 3]), "a push on stream 3, which is none that may begin"),
        ] as [((UInt8, UInt8, Int, [UInt8]), String)])
    func frames(_ frame: (UInt8, UInt8, Int, [UInt8]), _ why: String) {
        var script = HTTP2Script()
        script.ask(1, "/")
        script.frame(.down, frame.0, flags: frame.1, stream: frame.2, frame.3)
        script.raw(.down, Array("more".utf8))
        let lines = script.read()
        #expect(lines.dropFirst(2).first?.hasPrefix("0 undecodable down ") == true, "\(lines)")
        #expect(lines.dropFirst(2).first?.hasSuffix(why) == true, "\(lines)")
        #expect(lines.dropFirst(3).first?.hasSuffix("more") == true && lines.last == "0 ended down", "\(lines)")
    }

    @Test("what stands where nothing may stand is told once a stream, and its bytes are kept")
    func misplaced() {
        var script = HTTP2Script()
        script.ask(1, "/1", ends: false)
        script.data(.down, 1, "early")
        script.answer(1, ends: true)
        script.data(.down, 1, "late")
        script.headers(.down, 1, [("x", "y")])
        script.data(.up, 1, "", ends: true)
        script.headers(.down, 1, [("x", "z")], ends: true)
        #expect(
            script.read().dropFirst() == [
                "0 misplaced down 27: DATA before the header fields (RFC 9113 §8.1)", "0 raw down: early",
                "0 answered 200 - h2 [x-a=b]", "0 ended down", "0 raw down: late", "0 trailers down [x=y]",
                "0 ended up",
                "1 misplaced down 88: a header block on stream 1, which is over (RFC 9113 §5.1)",
                "1 raw down: " + String(decoding: script.turns.last?.bytes ?? [], as: UTF8.self), "1 ended up",
                "1 ended down",
            ])
        script = HTTP2Script()
        script.ask(1, "/1")
        script.answer(1)
        script.headers(.down, 1, [(":status", "500"), ("x", "y")], ends: true)
        #expect(
            script.read().suffix(3) == [
                "0 misplaced down 47: :status in a second header block, which stands among the trailers here (RFC 9113 §8.1)",
                "0 trailers down [:status=500|x=y]", "0 ended down",
            ])
    }

    @Test("a header block is held up to a limit, and nothing may come in between")
    func blocks() {
        var script = HTTP2Script()
        script.frame(.up, 1, flags: 0, stream: 1, [UInt8](repeating: 0, count: 16384))
        var talk = Conversation(alpn: "h2", tools: TestHPACK.tools())
        for (direction, bytes) in script.turns { talk.say(direction, bytes) }
        for _ in 0..<16 {
            talk.say(.up, HTTP2Script.frame(9, flags: 0, stream: 1, [UInt8](repeating: 0, count: 16384)))
        }
        #expect(talk.lines.first == "0 undecodable up 42: a header block of more than 262144 bytes")
        #expect((talk.lines.last?.utf8.count ?? 0) == 17 * (16384 + 9) + "0 raw up: ".utf8.count)
        script = HTTP2Script()
        script.frame(.up, 1, flags: 0, stream: 1, [])
        script.data(.up, 1, "x")
        #expect(script.read()[0] == "0 undecodable up 42: a header block is interrupted by a frame of type 0")
    }

    @Test("more streams than anybody allows are not followed")
    func streams() {
        var talk = Conversation(alpn: "h2", tools: TestHPACK.tools())
        for (direction, bytes) in HTTP2Script().turns { talk.say(direction, bytes) }
        var all: [UInt8] = []
        for stream in 0...HTTP2Reader.streamLimit {
            all += HTTP2Script.frame(1, flags: 4, stream: 2 * stream + 1, [])
        }
        talk.say(.up, all)
        #expect(talk.lines.filter { $0.contains("asked") }.count == HTTP2Reader.streamLimit)
        #expect(talk.lines.contains { $0.hasSuffix("more than 10000 streams are open") })
    }

    @Test("nothing traps, whatever comes")
    func mutations() {
        var script = HTTP2Script()
        script.frame(.up, 4, [0, 1, 0, 0, 1, 0])
        script.ask(1, "/1", ends: false)
        script.frame(.down, 5, flags: 12, stream: 1, [1] + HTTP2Script.number(2) + TestHPACK.encode([("a", "b")]) + [0])
        script.frame(
            .up, 1, flags: 0x28 | 4, stream: 3, [1, 0, 0, 0, 0, 9] + TestHPACK.encode([(":method", "CONNECT")]) + [0])
        script.frame(.up, 0, flags: 8, stream: 1, [2, 65, 66, 0, 0])
        script.answer(3)
        script.frame(.down, 1, flags: 0, stream: 1, TestHPACK.encode([(":status", "200")], first: 0x40))
        script.frame(.down, 9, flags: 4, stream: 1, [0xbe])
        script.data(.down, 1, "hello", ends: true)
        script.frame(.down, 3, stream: 3, [0, 0, 0, 8])
        script.frame(.up, 7, HTTP2Script.number(2) + [0, 0, 0, 1])
        script.answer(2, ends: true)
        mutate(script.turns, alpn: "h2", TestHPACK.tools(), seed: 7)
    }
}
