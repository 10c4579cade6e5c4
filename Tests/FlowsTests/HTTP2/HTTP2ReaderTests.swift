import Facts
import Testing

@testable import Flows

@Suite("HTTP2Reader")
struct HTTP2ReaderTests {
    @Test("reads interleaved streams of both sides, full duplex")
    func interleaved() {
        var script = HTTP2Script()
        script.ask(1, "/1", method: "POST", ends: false)
        script.ask(3, "/3")
        script.data(.up, 1, "one ")
        script.answer(1)
        script.data(.down, 1, "uno ")
        script.answer(3, 204, ends: true)
        script.data(.up, 1, "two", ends: true)
        script.data(.down, 1, "due", ends: true)
        #expect(
            script.read() == [
                "0 asked POST /1 h2 #1 https://a.test []", "1 asked GET /3 h2 #3 https://a.test []", "1 ended up",
                "0 content up: one ", "0 answered 200 - h2 [x-a=b]", "0 content down: uno ",
                "1 answered 204 - h2 [x-a=b]", "1 ended down", "0 content up: two", "0 ended up", "0 content down: due",
                "0 ended down",
            ])
    }

    @Test("takes padding and priority off, and joins CONTINUATION")
    func padded() {
        var script = HTTP2Script()
        let block = TestHPACK.encode([(":method", "GET"), (":path", "/p"), ("X-Upper", "1"), ("a", "b"), ("a", "c")])
        script.frame(
            .up, 1, flags: 0x28 | 1, stream: 1, [3] + [0x80, 0, 0, 0, 9] + Array(block.prefix(10)) + [0, 0, 0])
        script.frame(.up, 9, stream: 1, Array(block[10..<20]))
        script.frame(.up, 9, stream: 1)
        script.frame(.up, 9, flags: 4, stream: 1, Array(block[20...]))
        script.answer(1)
        script.frame(.down, 0, flags: 8, stream: 1, [4] + Array("body".utf8) + [9, 9, 9, 9])
        script.frame(.down, 0, flags: 8, stream: 1, [0] + Array("!".utf8))
        script.frame(.down, 0, flags: 9, stream: 1, [2, 0, 0])
        #expect(
            script.read() == [
                "0 asked GET /p h2 #1 -://- [X-Upper=1|a=b|a=c]", "0 ended up", "0 answered 200 - h2 [x-a=b]",
                "0 content down: body!", "0 ended down",
            ])
    }

    @Test("shows interim answers and trailers of both sides")
    func trailers() {
        var script = HTTP2Script()
        script.ask(1, "/", method: "POST", ends: false)
        script.answer(1, 100)
        script.data(.up, 1, "x")
        script.headers(.up, 1, [("t", "1")], ends: true)
        script.answer(1, 103)
        script.answer(1)
        script.headers(.down, 1, [("grpc-status", "0"), ("grpc-status", "1")], ends: true)
        #expect(
            script.read() == [
                "0 asked POST / h2 #1 https://a.test []", "0 informed 100 [x-a=b]", "0 content up: x",
                "0 trailers up [t=1]", "0 ended up", "0 informed 103 [x-a=b]", "0 answered 200 - h2 [x-a=b]",
                "0 trailers down [grpc-status=0|grpc-status=1]", "0 ended down",
            ])
    }

    @Test("an interim answer that ends its stream is said to be the only one")
    func interimEnd() {
        var script = HTTP2Script()
        script.ask(1, "/")
        script.answer(1, 103, ends: true)
        let lines = script.read()
        #expect(lines.contains { $0.hasPrefix("0 misplaced down") && $0.contains("there is no other") }, "\(lines)")
        #expect(lines.suffix(2) == ["0 informed 103 [x-a=b]", "0 ended down"], "\(lines)")
    }

    @Test("frames that say nothing of exchanges are passed over, unknown ones too")
    func silent() {
        var script = HTTP2Script()
        script.frame(.up, 6, [1, 2, 3, 4, 5, 6, 7, 8])
        script.frame(.up, 8, [0, 0, 1, 0])
        script.frame(.up, 2, stream: 9, [0, 0, 0, 0, 1])
        script.frame(.down, 6, flags: 1, [1, 2, 3, 4, 5, 6, 7, 8])
        script.frame(.down, 0xbe, flags: 0xff, stream: 77, Array(repeating: 5, count: 300))
        script.frame(.down, 8, stream: 5, [0, 0, 1, 0])
        #expect(script.read() == [])
    }

    @Test("a stream that is reset is aborted, with the error's name, and what follows on it is ignored")
    func reset() {
        var script = HTTP2Script()
        script.ask(1, "/1")
        script.ask(3, "/3", ends: false)
        script.ask(5, "/5", ends: false)
        script.ask(7, "/7")
        script.frame(.up, 3, stream: 1, [0, 0, 0, 8])
        script.answer(1)
        script.data(.down, 1, "late", ends: true)
        script.frame(.down, 3, stream: 3, [0, 0, 0, 7])
        script.data(.up, 3, "late", ends: true)
        script.answer(5, ends: true)
        script.frame(.down, 3, stream: 5, [0, 0, 0, 0])
        script.frame(.down, 3, stream: 7, [0, 0, 1, 0])
        let lines = script.read()
        #expect(lines.filter { $0.contains("late") } == [])
        #expect(
            lines.suffix(7) == [
                "0 aborted: the client reset the stream: CANCEL",
                "1 aborted: the origin reset the stream: REFUSED_STREAM",
                "2 answered 200 - h2 [x-a=b]", "2 ended down", "2 cut short up", "2 ended up",
                "3 aborted: the origin reset the stream: error 0x100",
            ])
    }

    @Test(
        "a client that was refused before it sent its content is not cut off when it lets go", arguments: [true, false])
    func refused(isSilent: Bool) {
        var script = HTTP2Script()
        script.headers(.up, 1, [(":method", "PUT"), (":scheme", "https"), (":path", "/"), ("expect", "100-continue")])
        script.answer(1, 417, ends: true)
        if !isSilent { script.data(.up, 1, "some") }
        script.frame(.up, 3, stream: 1, [0, 0, 0, 8])
        #expect(script.read().last == (isSilent ? "0 ended up" : "0 aborted: the client reset the stream: CANCEL"))
    }

    @Test("GOAWAY aborts what is not going to be answered, and says why the rest is cut off")
    func goAway() {
        var script = HTTP2Script()
        script.ask(1, "/1")
        script.ask(3, "/3")
        script.frame(.down, 7, HTTP2Script.number(1) + [0, 0, 0, 11] + Array("too many".utf8))
        script.answer(1)
        let why = "the origin ended the connection: ENHANCE_YOUR_CALM (too many)"
        #expect(
            script.read().suffix(3) == [
                "1 aborted: \(why)", "0 answered 200 - h2 [x-a=b]", "0 aborted: \(why)",
            ])
        script = HTTP2Script()
        script.ask(1, "/1")
        script.frame(.down, 7, HTTP2Script.number(0x7fff_ffff) + [0, 0, 0, 0])
        script.answer(1, ends: true)
        #expect(script.read().suffix(2) == ["0 answered 200 - h2 [x-a=b]", "0 ended down"])
    }

    @Test("a push is an exchange of its own, whether it is taken or refused")
    func push() {
        let promise = { (stream: Int, path: String) in
            HTTP2Script.number(stream)
                + TestHPACK.encode([(":method", "GET"), (":path", path), (":authority", "a.test")])
        }
        var script = HTTP2Script()
        script.ask(1, "/")
        script.frame(.down, 5, flags: 4, stream: 1, promise(2, "/style"))
        script.frame(.down, 5, flags: 12, stream: 1, [2] + promise(4, "/script") + [0, 0])
        script.frame(.up, 3, stream: 4, [0, 0, 0, 8])
        script.answer(1, ends: true)
        script.answer(2)
        script.data(.down, 2, "css", ends: true)
        script.answer(4, ends: true)
        #expect(
            script.read().dropFirst(2) == [
                "1 asked GET /style h2 #2 -://a.test []", "1 ended up", "2 asked GET /script h2 #4 -://a.test []",
                "2 ended up", "2 aborted: the client refused the push: CANCEL", "0 answered 200 - h2 [x-a=b]",
                "0 ended down", "1 answered 200 - h2 [x-a=b]", "1 content down: css", "1 ended down",
            ])
    }

    @Test("messages that no receiver would take are shown as they came")
    func malformed() {
        var script = HTTP2Script()
        script.headers(.up, 1, [("Cookie", "a"), (":path", "/"), (":path", "/2"), (":odd", "x")], ends: true)
        script.headers(.down, 1, [("server", "x")])
        script.headers(.down, 1, [(":status", "200")], ends: true)
        script.data(.down, 1, "after the end")
        #expect(
            script.read() == [
                "0 asked  / h2 #1 -://- [Cookie=a|:path=/2|:odd=x]", "0 ended up",
                "0 misplaced down 18: an answer without :status (RFC 9113 §8.3.2)", "0 answered 0 - h2 [server=x]",
                "0 trailers down [:status=200]", "0 ended down",
                "1 misplaced down 68: DATA on stream 1, which is over (RFC 9113 §5.1)", "1 raw down: after the end",
                "1 ended up", "1 ended down",
            ])
    }

    @Test("what is open when the connection ends is cut off, with the bytes of a head that is not whole")
    func cut() {
        var script = HTTP2Script()
        script.ask(1, "/1")
        script.ask(3, "/3", ends: false)
        script.data(.up, 3, "half")
        script.raw(.up, [0, 0, 9, 1, 4, 0, 0, 0, 5, 65])
        #expect(
            script.read().suffix(4) == [
                "2 raw up: \0\0\t\u{1}\u{4}\0\0\0\u{5}A", "2 aborted: closed", "0 aborted: closed", "1 aborted: closed",
            ])
        #expect(HTTP2Script().read() == [])
    }

    @Test("SETTINGS of one side bound the table of the other: more at once, less when it is accepted")
    func settings() {
        let log = TestHPACK.Log()
        var script = HTTP2Script()
        script.frame(.up, 4, [0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0x20, 0])
        script.frame(.up, 4, [0, 1, 0, 0, 1, 0, 0, 3, 0, 0, 0, 1])
        script.frame(.down, 4, [0, 1, 0, 0, 0x40, 0])
        script.frame(.down, 4, flags: 1)
        script.frame(.down, 4, flags: 1)
        script.frame(.up, 4, flags: 1)
        var talk = Conversation(alpn: "h2", tools: TestHPACK.tools(log))
        for (direction, bytes) in script.turns { talk.say(direction, bytes, in: 4) }
        #expect(log.tables == [[0x4000, 0x4000], [0x2000, 0, 0x2000, 0x100]])
    }

    @Test("a frame may be as long as the other side has said")
    func frameLimit() {
        var script = HTTP2Script()
        script.frame(.down, 4, [0, 5, 0, 0, 0x80, 0])
        script.ask(1, "/", method: "PUT", ends: false)
        script.data(.up, 1, String(repeating: "a", count: 0x8000))
        script.data(.up, 1, String(repeating: "b", count: 0x8001))
        var talk = Conversation(alpn: "h2", tools: TestHPACK.tools())
        for (direction, bytes) in script.turns { talk.say(direction, bytes) }
        #expect(talk.lines[1].utf8.count == 0x8000 + "0 content up: ".utf8.count)
        #expect(talk.lines[2].hasSuffix("a frame of 32769 bytes, where the other side takes 32768"))
    }

    @Test("content that was left out is counted without its padding, and what follows is read")
    func shed() {
        var talk = Conversation(alpn: "h2", tools: TestHPACK.tools())
        var script = HTTP2Script()
        script.ask(1, "/")
        script.answer(1)
        script.raw(.down, [0, 0, 10, 0, 0, 0, 0, 0, 1] + Array("ab".utf8))
        for (direction, bytes) in script.turns { talk.say(direction, bytes) }
        talk.shed(8, .down)
        talk.say(.down, [0, 0, 10, 0, 9, 0, 0, 0, 1, 3])
        talk.shed(9, .down)
        #expect(
            talk.lines.suffix(5) == [
                "0 answered 200 - h2 [x-a=b]", "0 content down: ab", "0 shed down 8", "0 shed down 6", "0 ended down",
            ])
    }

    @Test("h2c: prior knowledge is told by the preface, or by a server that speaks first")
    func priorKnowledge() {
        var script = HTTP2Script()
        script.ask(1, "/")
        script.answer(1, ends: true)
        let lines = script.read(alpn: nil)
        #expect(lines == script.read() && lines.count == 4)
        script.turns.swapAt(0, 1)
        #expect(script.read(alpn: nil) == lines)
        script = HTTP2Script(opened: false)
        script.raw(.up, Array("PRI /x HTTP/1.1\r\n\r\n".utf8))
        #expect(script.read(alpn: nil, ends: false) == ["0 asked PRI /x HTTP/1.1 []", "0 ended up"])
        script = HTTP2Script(opened: false)
        script.raw(.up, Array("PR".utf8))
        #expect(script.read(alpn: nil) == ["0 raw up: PR", "0 aborted: closed"])
    }

    @Test("h2c: an upgrade answers the request that asked for it as stream 1")
    func upgrade() {
        let log = TestHPACK.Log()
        var script = HTTP2Script(opened: false)
        script.raw(
            .up,
            Array(
                "GET /up HTTP/1.1\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAACAA\r\nConnection: Upgrade, HTTP2-Settings\r\n\r\n"
                    .utf8))
        script.raw(.down, Array("HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n".utf8))
        script.turns += HTTP2Script().turns
        script.answer(1)
        script.data(.down, 1, "body", ends: true)
        script.ask(3, "/3")
        let lines = script.read(alpn: nil) { TestHPACK.tools(log) }
        #expect(
            lines.dropFirst() == [
                "0 ended up", "0 informed 101 [Upgrade=h2c]", "0 answered 200 - h2 [x-a=b]", "0 content down: body",
                "0 ended down", "1 asked GET /3 h2 #3 https://a.test []", "1 ended up", "1 aborted: closed",
            ])
        #expect(log.tables.prefix(2) == [[], [0x2000, 0x2000]])
    }
}
