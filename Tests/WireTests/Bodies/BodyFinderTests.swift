import Facts
import Support
import Testing

@testable import Wire

/// What passed on a connection, in turn.
private struct Passage {
    var turns: [(direction: ExchangeDirection, bytes: MarkedBytes)] = []

    mutating func up(_ fill: (inout MarkedBytes) -> Void) { add(.up, fill) }
    mutating func down(_ fill: (inout MarkedBytes) -> Void) { add(.down, fill) }

    private mutating func add(_ direction: ExchangeDirection, _ fill: (inout MarkedBytes) -> Void) {
        var bytes = MarkedBytes()
        fill(&bytes)
        turns.append((direction, bytes))
    }

    /// What a finder makes of it in pieces, against what is known; nil where they agree.
    func fault(alpn: String?, pieces: (Int) -> [Int]) -> String? {
        var finder = BodyFinder(alpn: alpn)
        for (turn, (direction, marked)) in turns.enumerated() {
            var start = 0
            for end in pieces(marked.bytes.count) + [marked.bytes.count] where end > start {
                let piece = Array(marked.bytes[start..<end])
                var at = 0
                while at < piece.count {
                    let run = finder.next(piece.span.extracting(at...), direction)
                    guard run.count > 0, run.count <= piece.count - at else { return "turn \(turn): no progress" }
                    for index in (start + at)..<(start + at + run.count) where marked.isBody[index] != run.isBody {
                        return "turn \(turn), byte \(index): \(run.isBody ? "body" : "no body")"
                    }
                    at += run.count
                }
                start = end
            }
        }
        return nil
    }

    func check(alpn: String?..., sourceLocation: SourceLocation = #_sourceLocation) {
        let longest = turns.map(\.bytes.bytes.count).max() ?? 0
        for alpn in alpn {
            #expect(fault(alpn: alpn) { _ in [] } == nil, sourceLocation: sourceLocation)
            #expect(fault(alpn: alpn) { Array(0..<$0) } == nil, "in single bytes", sourceLocation: sourceLocation)
            for split in 0..<min(longest, 600) {
                #expect(fault(alpn: alpn) { [min(split, $0)] } == nil, "\(split)", sourceLocation: sourceLocation)
            }
        }
    }
}

@Suite("BodyFinder")
struct BodyFinderTests {
    private let body = (0..<200).map { UInt8($0) }

    @Test("HTTP/1: heads, chunk sizes and trailers are no bodies, in either direction")
    func http1() {
        var passage = Passage()
        passage.up { $0.message("POST /a HTTP/1.1", content: body) }
        passage.down {
            $0.framing("HTTP/1.1 100 Continue\r\n\r\n")
            $0.message("HTTP/1.1 200 OK", content: body, chunk: 60)
        }
        passage.up {
            $0.message("PUT /b HTTP/1.1", content: body, chunk: 100)
            $0.framing("HEAD /c HTTP/1.1\r\n\r\nGET /d HTTP/1.1\r\n\r\n")
        }
        passage.down {
            $0.message("HTTP/1.1 200 OK", content: [])
            $0.framing("HTTP/1.1 200 OK\r\nContent-Length: 200\r\n\r\n")
            $0.message("HTTP/1.1 404 No", content: body)
        }
        passage.up { $0.message("POST /e HTTP/1.1", content: body) }
        passage.down {
            $0.framing("HTTP/1.1 200 OK\r\n\r\n")
            $0.body(body + Array("HTTP/1.1 200 OK\r\n\r\n".utf8))
        }
        passage.check(alpn: "http/1.1", nil)
    }

    @Test("HTTP/1: an answer that comes before its request, or before all of it, is one all the same")
    func early() {
        var passage = Passage()
        passage.up { $0.framing("POST /a HTTP/1.1\r\nContent-Length: 4\r\n\r\n") }
        passage.down { $0.message("HTTP/1.1 413 Too large", content: body) }
        passage.up {
            $0.body("abcd")
            $0.framing("GET / HTTP/1.1\r\n\r\n")
        }
        passage.down {
            $0.message("HTTP/1.1 200 OK", content: body)
            $0.message("HTTP/1.1 408 Timeout", content: body)
        }
        passage.check(alpn: "http/1.1")
    }

    @Test("HTTP/2: only the payload of DATA frames is body, and the preface is none")
    func http2() {
        var passage = Passage()
        passage.up {
            $0.framing(MarkedBytes.preface)
            $0.frame(4, stream: 0, [0, 1, 0, 0, 0, 0])
            $0.frame(1, Array(body.prefix(90)))
            $0.frame(9, Array(body.prefix(40)))
            $0.frame(0, Array(body.prefix(100)))
        }
        passage.down {
            $0.frame(4, stream: 0, [])
            $0.frame(1, Array(body.prefix(50)))
            $0.frame(0, [])
            $0.frame(0, body)
            $0.frame(5, Array(body.prefix(30)))
            $0.frame(0x42, Array(body.prefix(30)))
        }
        passage.up { $0.frame(7, stream: 0, Array(body.prefix(8))) }
        passage.check(alpn: "h2", nil)
    }

    @Test("HTTP/2: what says how long the padding is belongs to no body")
    func padding() {
        var passage = Passage()
        passage.down {
            $0.frame(4, stream: 0, [])
            for length in [1, 2, 60] as [UInt8] {
                $0.framing([0, 0, length, 0, 8, 0, 0, 0, 1, 0])
                $0.body(Array(body.prefix(Int(length) - 1)))
            }
            $0.framing([0, 0, 0, 0, 8, 0, 0, 0, 1])
            $0.frame(0, Array(body.prefix(3)))
        }
        passage.check(alpn: "h2", nil)
    }

    @Test("HTTP/2: a frame longer than two bytes can say is followed to its end")
    func longFrame() {
        var passage = Passage()
        passage.down {
            $0.frame(4, stream: 0, [])
            $0.frame(0, [UInt8](repeating: 7, count: 0x1_2345))
            $0.frame(1, Array(body.prefix(30)))
        }
        for size in [1000, 16384] {
            #expect(passage.fault(alpn: "h2") { Array(stride(from: 0, to: $0, by: size)) } == nil)
        }
    }

    @Test("WebSocket: messages are bodies, their frames' headers and control frames are none")
    func webSocket() {
        var passage = Passage()
        passage.up { $0.framing("GET /chat HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n") }
        passage.down {
            $0.framing("HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n")
            $0.webSocket(1, body.prefix(125).map { $0 })
        }
        passage.up {
            $0.webSocket(2, isMasked: true, Array(body.prefix(100)))
            $0.webSocket(9, isMasked: true, Array("ping".utf8))
            $0.webSocket(0, isMasked: true, body)
            $0.webSocket(1, isMasked: true, [])
        }
        passage.down {
            $0.webSocket(10, [1, 2])
            $0.webSocket(2, [UInt8](repeating: 9, count: 300))
            $0.webSocket(8, [3, 232])
        }
        passage.check(alpn: "http/1.1", nil)
        var long = passage
        long.down { $0.webSocket(2, [UInt8](repeating: 9, count: 70_000)) }
        long.down { $0.webSocket(8, []) }
        #expect(long.fault(alpn: nil) { Array(stride(from: 0, to: $0, by: 1000)) } == nil)
    }

    @Test("WebSocket: a length that no frame has ends the telling apart")
    func badLength() {
        for header: [UInt8] in [[0x82, 127, 0x80, 0, 0, 0, 0, 0, 0, 0], [0x89, 126, 0, 126]] {
            var passage = Passage()
            passage.up { $0.framing("GET / HTTP/1.1\r\n\r\n") }
            passage.down {
                $0.framing("HTTP/1.1 101 x\r\nUpgrade: websocket\r\n\r\n")
                $0.framing(header)
                $0.body(body + [0x81, 1, 1])
            }
            passage.check(alpn: nil)
        }
    }

    @Test("another protocol is followed until it is recognised, and is a body from there")
    func unknown() {
        let long = [UInt8](repeating: 0x41, count: 3000)
        for (alpn, start) in [
            ("imap", "* OK IMAP ready\r\n"), (nil, "\u{1}\u{2}"), (nil, "* OK ready\r\n"),
            ("h2", "GET / HTTP/1.1\r\n\r\n"),
        ] {
            var passage = Passage()
            for direction in ExchangeDirection.allCases {
                var bytes = MarkedBytes()
                let framing = (Array(start.utf8) + long + long).prefix(BodyFinder.unknownLimit)
                bytes.framing(Array(framing))
                bytes.body(long)
                passage.turns.append((direction, bytes))
            }
            for size in [1, 100, 5000] {
                #expect(
                    passage.fault(alpn: alpn) { Array(stride(from: 0, to: $0, by: size)) } == nil, "\(start) \(size)")
            }
        }
    }

    @Test("after CONNECT and another upgrade everything is another protocol")
    func tunnels() {
        let long = [UInt8](repeating: 0x41, count: BodyFinder.unknownLimit)
        for (request, answer) in [
            ("CONNECT a:1 HTTP/1.1\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n"),
            ("GET / HTTP/1.1\r\n\r\n", "HTTP/1.1 101 OK\r\nUpgrade: x\r\n\r\n"),
        ] {
            var passage = Passage()
            passage.up { $0.framing(request) }
            passage.down {
                $0.framing(answer)
                $0.framing(long)
                $0.body(body)
            }
            passage.up {
                $0.framing(long)
                $0.body(body)
            }
            for size in [1, 7, 1000, 100_000] {
                #expect(passage.fault(alpn: nil) { Array(stride(from: 0, to: $0, by: size)) } == nil)
            }
        }
        var upgraded = Passage()
        upgraded.up { $0.framing("GET / HTTP/1.1\r\n\r\n") }
        upgraded.down {
            $0.framing("HTTP/1.1 101 OK\r\nUpgrade: h2c\r\n\r\n")
            $0.frame(4, stream: 0, [])
        }
        upgraded.up {
            $0.framing(MarkedBytes.preface)
            $0.frame(0, body)
        }
        upgraded.down { $0.frame(0, body) }
        upgraded.check(alpn: nil)
    }

    @Test("more requests than answers can be told apart for are the end of it")
    func pipelined() {
        var finder = BodyFinder(alpn: "http/1.1")
        let requests = Array(String(repeating: "GET / HTTP/1.1\r\n\r\n", count: BodyFinder.pipelineLimit + 1).utf8)
        var at = 0
        while at < requests.count { at += finder.next(requests.span.extracting(at...), .up).count }
        let answer = Array("HTTP/1.1 200 OK\r\n".utf8)
        let run = finder.next(answer.span, .down)
        #expect(run.isBody && run.count == answer.count)
    }

    @Test("no bytes whatever trap or stop it")
    func mutations() {
        var random = SeededGenerator(seed: 3)
        let words: [[UInt8]] =
            [
                "HTTP/1.1 200 OK\r\n", "GET / HTTP/1.1\r\n", "PRI * HTTP/2.0\r\n\r\nSM", "\r\n\r\n",
                "Content-Length: 9\r\n",
                "Transfer-Encoding: chunked\r\n", "Upgrade: websocket\r\n", "HTTP/1.1 101 x\r\n", "5\r\n",
                "CONNECT a:1 HTTP/1.1\r\n",
            ].map { Array($0.utf8) } + [[0, 0, 4, 4, 0, 0, 0, 0, 0], [0xff, 0xff, 0xff, 0], [0x82, 0xff], [0], []]
        for _ in 0..<3000 {
            var finder = BodyFinder(alpn: [nil, "h2", "http/1.1", "x"].randomElement(using: &random) ?? nil)
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                var bytes = words.randomElement(using: &random) ?? []
                if Bool.random(using: &random) { bytes += words.randomElement(using: &random) ?? [] }
                let direction: ExchangeDirection = Bool.random(using: &random) ? .up : .down
                var at = 0
                while at < bytes.count {
                    let run = finder.next(bytes.span.extracting(at...), direction)
                    guard run.count > 0, run.count <= bytes.count - at else {
                        Issue.record("no progress at \(at) of \(bytes)")
                        return
                    }
                    at += run.count
                }
                let none: [UInt8] = []
                #expect(finder.next(none.span, direction).count == 0)
            }
        }
    }
}
