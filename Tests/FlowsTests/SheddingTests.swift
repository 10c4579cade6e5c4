import Facts
import Testing
import Wire

@testable import Flows

/// Under load the relay leaves out bytes that `BodyFinder` calls body: all else must be read as before.
@Suite("Reading what was left out of")
struct SheddingTests {
    private typealias Turns = [(direction: ExchangeDirection, bytes: [UInt8])]

    /// - Parameter shedding: which runs of body are left out; nil: none.
    private func read(_ turns: Turns, alpn: String?, shedding: UInt64?) -> (lines: [String], size: Int) {
        var numbers = FixedNumbers(seed: shedding ?? 0)
        var finder = BodyFinder(alpn: alpn)
        var talk = Conversation(alpn: alpn, tools: TestHPACK.tools())
        for (direction, bytes) in turns {
            var rest = bytes[...]
            while !rest.isEmpty {
                let piece = Array(rest.prefix(1 + numbers.next(30)))
                rest = rest.dropFirst(piece.count)
                var at = 0
                while at < piece.count {
                    let run = finder.next(piece.span.extracting(at...), direction)
                    if run.isBody, shedding != nil, numbers.next(2) == 0 {
                        talk.shed(run.count, direction)
                    } else {
                        talk.say(direction, Array(piece[at..<(at + run.count)]))
                    }
                    at += run.count
                }
            }
        }
        talk.end()
        var size = 0
        var lines: [String] = []
        for line in talk.lines {
            let words = line.split(separator: " ")
            switch words.dropFirst().first {
            case "content": size += line.utf8.count - (words[2].utf8.count + words[0].utf8.count + 10)
            case "shed": size += words.last.flatMap { Int($0) } ?? 0
            case "message":
                let kept = words.prefix(5).filter { $0 != "cut:" }.joined(separator: " ")
                lines.append(kept.hasSuffix(":") ? String(kept.dropLast()) : kept)
            default: lines.append(line)
            }
        }
        return (lines, size)
    }

    private func check(_ turns: Turns, alpn: String?, sourceLocation: SourceLocation = #_sourceLocation) {
        let whole = read(turns, alpn: alpn, shedding: nil)
        for seed in 1...300 as ClosedRange<UInt64> {
            let some = read(turns, alpn: alpn, shedding: seed)
            // A message counts what it lacks by itself.
            guard some.lines != whole.lines || whole.size > 0 && some.size != whole.size else { continue }
            Issue.record("\(seed): \(some), not \(whole)", sourceLocation: sourceLocation)
            return
        }
        #expect(whole.lines.count > 5 && !whole.lines.contains { $0.contains("undecodable") }, "\(whole.lines)")
    }

    private let text = String(repeating: "0123456789", count: 12)

    @Test("HTTP/1 keeps its heads, trailers and ends")
    func http1() {
        let script: [(ExchangeDirection, String)] = [
            (
                .up,
                "POST /1 HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n78\r\n\(text)\r\n3\r\nabc\r\n0\r\nT: u\r\n\r\n"
            ),
            (.up, "PUT /2 HTTP/1.1\r\nContent-Length: 120\r\n\r\n\(text)GET /3 HTTP/1.1\r\n\r\n"),
            (.down, "HTTP/1.1 100 C\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 120\r\n\r\n\(text)"),
            (.down, "HTTP/1.1 204 N\r\n\r\nHTTP/1.1 200 OK\r\n\r\n\(text)"),
        ]
        check(script.map { ($0.0, Array($0.1.utf8)) }, alpn: nil)
    }

    @Test("HTTP/2 keeps its heads, trailers and ends, and no padding becomes content")
    func http2() {
        var script = HTTP2Script()
        script.ask(1, "/1", method: "POST", ends: false)
        script.ask(3, "/3")
        script.data(.up, 1, text)
        script.answer(3)
        script.frame(.down, 0, flags: 8, stream: 3, [200] + Array(text.utf8) + [UInt8](repeating: 0, count: 200))
        script.frame(.down, 0, flags: 8, stream: 3, [0] + Array(text.utf8))
        script.frame(.down, 0, flags: 9, stream: 3, [5, 0, 0, 0, 0, 0])
        script.headers(.up, 1, [("t", "u")], ends: true)
        script.answer(1)
        script.data(.down, 1, text, ends: true)
        check(script.turns, alpn: "h2")
        check(script.turns, alpn: nil)
    }

    @Test("a WebSocket keeps its messages' number, kinds and sizes")
    func webSocket() {
        let payload = Array(text.utf8)
        var turns: Turns = [
            (.up, Array("GET /ws HTTP/1.1\r\nUpgrade: websocket\r\n\r\n".utf8)),
            (.down, Array("HTTP/1.1 101 S\r\nUpgrade: websocket\r\n\r\n".utf8)),
        ]
        turns.append((.up, [0x02, 0xf8, 1, 2, 3, 4] + payload + [0x89, 0x83, 1, 2, 3, 4, 5, 6, 7]))
        turns.append((.up, [0x80, 0xf8, 4, 3, 2, 1] + payload + [0x81, 0x80, 0, 0, 0, 0]))
        turns.append((.down, [0x81, 120] + payload + [0x82, 120] + payload + [0x88, 2, 3, 0xe8]))
        check(turns, alpn: "http/1.1")
    }
}
