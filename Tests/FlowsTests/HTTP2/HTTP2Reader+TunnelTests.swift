import Facts
import Testing

@testable import Flows

@Suite("HTTP2Reader: CONNECT")
struct HTTP2ReaderTunnelTests {
    private func opened(_ fields: [(String, String)]) -> HTTP2Script {
        var script = HTTP2Script()
        script.headers(.up, 1, [(":method", "CONNECT"), (":authority", "a.test:443")] + fields)
        script.answer(1)
        return script
    }

    @Test("extended CONNECT becomes a WebSocket, whose frames are cut by DATA anywhere (RFC 8441)")
    func webSocket() {
        var script = opened([(":protocol", "websocket"), (":path", "/chat"), (":scheme", "https")])
        script.frame(.up, 0, stream: 1, [0x81, 0x85, 1, 2, 3])
        script.frame(.up, 0, stream: 1, [4] + zip(Array("hello".utf8), [1, 2, 3, 4, 1]).map { $0 ^ $1 })
        script.frame(.down, 0, stream: 1, [0x82, 2, 0x61])
        script.frame(.down, 0, flags: 1, stream: 1, [0x62, 0x88, 0])
        script.frame(.up, 0, flags: 1, stream: 1)
        #expect(
            script.read() == [
                "0 asked CONNECT /chat h2 #1 https://a.test:443 []", "0 answered 200 - h2 [x-a=b]",
                "0 upgraded websocket", "0 message up text 5: hello", "0 message down binary 2: ab",
                "0 message down close 0: ", "0 ended down", "0 ended up",
            ])
    }

    @Test("a reset behind both sides' Close is an end, before it an abortion")
    func reset() {
        var script = opened([(":protocol", "WebSocket"), (":path", "/")])
        script.frame(.up, 0, stream: 1, [0x88, 0])
        var other = script
        other.frame(.up, 3, stream: 1, [0, 0, 0, 8])
        #expect(other.read().last == "0 aborted: the client reset the stream: CANCEL")
        script.frame(.down, 0, stream: 1, [0x88, 0])
        script.frame(.up, 3, stream: 1, [0, 0, 0, 8])
        #expect(script.read().suffix(3) == ["0 message down close 0: ", "0 ended up", "0 ended down"])
    }

    @Test("a WebSocket in HTTP/2 that ends in the middle of a message is cut off, with its stream or the connection")
    func cut() {
        var script = opened([(":protocol", "websocket"), (":path", "/")])
        script.frame(.down, 0, flags: 1, stream: 1, [0x82, 2, 0x61])
        script.frame(.up, 0, flags: 1, stream: 1)
        #expect(
            script.read().suffix(3) == [
                "0 ended up", "0 message down binary 1 cut: a",
                "0 aborted: the stream ended in the middle of a message",
            ])
        script = opened([(":protocol", "websocket"), (":path", "/")])
        script.frame(.down, 0, stream: 1, [0x82, 1, 0x61])
        #expect(script.read().last == "0 aborted: closed")
        script.frame(.down, 0, stream: 1, [0x88, 0])
        #expect(script.read().suffix(2) == ["0 ended up", "0 ended down"])
        script.frame(.down, 0, stream: 1, [0x82])
        #expect(script.read().last == "0 aborted: closed")
    }

    @Test("where bytes of a WebSocket in HTTP/2 are left out in a frame's head, the rest of its side is raw")
    func shed() {
        var talk = Conversation(alpn: "h2", tools: TestHPACK.tools())
        for (direction, bytes) in opened([(":protocol", "websocket"), (":path", "/")]).turns {
            talk.say(direction, bytes)
        }
        talk.say(.down, [0, 0, 6, 0, 0, 0, 0, 0, 1])
        talk.shed(4, .down)
        talk.say(.down, Array("ab".utf8))
        talk.say(.up, HTTP2Script.frame(0, flags: 0, stream: 1, [0x81, 1, 0x61]))
        #expect(
            talk.lines.suffix(4) == [
                "0 undecodable down 0: a frame's head is missing: the recorder could not keep up", "0 shed down 4",
                "0 raw down: ab", "0 message up text 1: a",
            ])
    }

    @Test(
        "what goes through a plain CONNECT is its content, and through one for an unknown protocol too; so has a refused one"
    )
    func raw() {
        var script = opened([])
        script.data(.up, 1, "hello")
        script.data(.down, 1, "you", ends: true)
        script.data(.up, 1, " there", ends: true)
        #expect(
            script.read().dropFirst(2) == [
                "0 upgraded CONNECT", "0 content up: hello", "0 content down: you", "0 ended down",
                "0 content up:  there", "0 ended up",
            ])
        #expect(script.read()[0] == "0 asked CONNECT a.test:443 h2 #1 -://a.test:443 []")
        script = opened([(":protocol", "connect-udp"), (":path", "/")])
        script.data(.down, 1, "x")
        #expect(script.read().dropFirst(2).prefix(2) == ["0 upgraded connect-udp", "0 content down: x"])
        script = HTTP2Script()
        script.headers(.up, 1, [(":method", "CONNECT"), (":authority", "a.test:443")])
        script.answer(1, 403)
        script.data(.down, 1, "no", ends: true)
        #expect(script.read().dropFirst(2) == ["0 content down: no", "0 ended down", "0 aborted: closed"])
    }
}
