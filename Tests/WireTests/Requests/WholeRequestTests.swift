import Testing

@testable import Wire

@Suite("Whole requests")
struct WholeRequestTests {
    /// Fed byte by byte: the first progress that is none, and after how many bytes it came.
    private func read(_ text: String, limit: Int = 16) -> (WholeRequestReader.Progress, after: Int) {
        let bytes = Array(text.utf8)
        var reader = WholeRequestReader(bodyLimit: limit)
        for count in 1...bytes.count {
            let progress = reader.read(bytes.span.extracting(first: count))
            if progress != .needMore { return (progress, count) }
        }
        return (.needMore, bytes.count)
    }

    @Test("a request ends with its head or with its body")
    func ends() {
        let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
        #expect(read(get + "GET") == (.complete(length: get.utf8.count, wantsUpgrade: false), get.utf8.count))
        let post = "POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc"
        #expect(read(post + "d") == (.complete(length: post.utf8.count, wantsUpgrade: false), post.utf8.count))
        #expect(read(String(post.dropLast())).0 == .needMore)
        let events = "GET /api/events HTTP/1.1\r\nUpgrade: websocket\r\n\r\n"
        #expect(read(events).0 == .complete(length: events.utf8.count, wantsUpgrade: true))
    }

    @Test("a line that is too long for its server is refused, and one that is not is no matter")
    func lines() {
        for (head, status) in [
            ("GET /\(String(repeating: "a", count: 100)) HTTP/1.1\r\n\r\n", 414),
            ("GET / HTTP/1.1\r\nX: \(String(repeating: "a", count: 100))\r\n\r\n", 431),
        ] {
            var short = WholeRequestReader(bodyLimit: 16, lineLimit: 100)
            var long = WholeRequestReader(bodyLimit: 16, lineLimit: 101)
            let bytes = Array(head.utf8)
            let (refused, taken) = (short.read(bytes.span), long.read(bytes.span))
            guard case .refused(status, _) = refused else {
                Issue.record("\(refused)")
                continue
            }
            #expect(taken == .complete(length: bytes.count, wantsUpgrade: false))
        }
    }

    @Test(
        "what is too long, or two requests to some readers, is refused as soon as that is known",
        arguments: [
            ("POST / HTTP/1.1\r\nContent-Length: 17\r\n\r\n", 413),
            ("POST / HTTP/1.1\r\nContent-Length: 999999999999999999999\r\n\r\n", 400),
            ("POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n", 400),
            ("POST / HTTP/1.1\r\nContent-Length: +1\r\n\r\n", 400),
            ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", 411),
            ("GET / HTTP/1.1\r\nHost: a\n\n", 400), ("GET / HTTP/1.1\r\n folded\r\n\r\n", 400),
            ("GET / HTTP/2.0\r\n\r\n", 505), ("\u{16}\u{3}\u{1}\r\n\r\n", 400), ("GET /\r\n\r\n", 400),
            ("GET /" + String(repeating: "a", count: 40_000), 414),
            (
                "GET / HTTP/1.1\r\n"
                    + String(repeating: "X: " + String(repeating: "y", count: 997) + "\r\n", count: 100), 431
            ),
        ])
    func refused(text: String, status: Int) {
        guard case .refused(let found, let reason) = read(text).0 else {
            return #expect(Bool(false), "\(text.prefix(60))")
        }
        #expect(found == status && !reason.isEmpty)
    }
}
