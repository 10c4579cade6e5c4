import Facts
import Testing

@testable import Flows

/// Nonsense, too, is the same nonsense wherever its bytes are cut.
@Suite("Reading changed bytes in pieces")
struct CuttingTests {
    private typealias Turns = [(direction: ExchangeDirection, bytes: [UInt8])]

    private func lines(_ turns: Turns, alpn: String?, in piece: Int) -> [String] {
        var talk = Conversation(alpn: alpn, tools: TestHPACK.tools())
        for (direction, bytes) in turns { talk.say(direction, bytes, in: piece) }
        talk.end()
        return talk.lines
    }

    private func check(_ turns: Turns, alpn: String?, seed: UInt64) {
        var numbers = FixedNumbers(seed: seed)
        for round in 0..<150 {
            var changed = turns
            for _ in 0..<(1 + numbers.next(2)) {
                let turn = numbers.next(changed.count)
                guard !changed[turn].bytes.isEmpty else { continue }
                changed[turn].bytes[numbers.next(changed[turn].bytes.count)] = UInt8(numbers.next(256))
                if numbers.next(4) == 0 { changed[turn].bytes.remove(at: numbers.next(changed[turn].bytes.count)) }
            }
            let whole = lines(changed, alpn: alpn, in: .max)
            for piece in [1, 1 + numbers.next(30)] {
                let cut = lines(changed, alpn: alpn, in: piece)
                guard cut != whole else { continue }
                Issue.record("round \(round) in pieces of \(piece): \(cut), not \(whole)")
                return
            }
        }
    }

    @Test("HTTP/1")
    func http1() {
        let script: [(ExchangeDirection, String)] = [
            (.up, "POST /1 HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nT: u\r\n\r\n"),
            (.down, "HTTP/1.1 100 C\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody"),
            (.up, "GET /2 HTTP/1.1\r\nUpgrade: websocket\r\n\r\n"),
            (.down, "HTTP/1.1 101 S\r\nUpgrade: websocket\r\n\r\n\u{1}\u{2}ab\u{0}\u{1}c"), (.up, "\u{1}\u{2}ab"),
        ]
        check(script.map { ($0.0, Array($0.1.utf8)) }, alpn: nil, seed: 11)
        check(script.map { ($0.0, Array($0.1.utf8)) }, alpn: "http/1.1", seed: 12)
    }

    @Test("HTTP/2")
    func http2() {
        var script = HTTP2Script()
        script.frame(.up, 4, [0, 1, 0, 0, 1, 0])
        script.ask(1, "/1", ends: false)
        script.frame(.down, 5, flags: 12, stream: 1, [1] + HTTP2Script.number(2) + TestHPACK.encode([("a", "b")]) + [0])
        script.headers(.up, 3, [(":method", "CONNECT"), (":protocol", "websocket")])
        script.frame(.up, 0, flags: 8, stream: 1, [2, 65, 66, 0, 0])
        script.answer(3)
        script.frame(.up, 0, stream: 3, [0x81, 0x82, 1, 2, 3, 4, 5, 6])
        script.frame(.down, 1, flags: 0, stream: 1, TestHPACK.encode([(":status", "200")], first: 0x40))
        script.frame(.down, 9, flags: 4, stream: 1, [0xbe])
        script.data(.down, 1, "hello", ends: true)
        script.frame(.down, 3, stream: 3, [0, 0, 0, 8])
        script.frame(.up, 7, HTTP2Script.number(2) + [0, 0, 0, 1])
        script.answer(2, ends: true)
        check(script.turns, alpn: "h2", seed: 13)
        check(script.turns, alpn: nil, seed: 14)
    }
}
