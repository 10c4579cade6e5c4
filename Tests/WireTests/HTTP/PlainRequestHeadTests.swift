import Facts
import Testing

@testable import Wire

private func plain(_ text: String) -> PlainRequestHead? { PlainRequestHead(Array(text.utf8).span) }

private func field(_ text: String) -> String? {
    let bytes = Array(text.utf8)
    return PlainRequestHead(bytes.span)?.host.map { String(decoding: bytes[$0], as: UTF8.self) }
}

@Test("a request's head as nearly all are is read to its end, and no further")
func plainHeads() {
    let head = "GET /a?b=c HTTP/1.1\r\nUser-Agent: x\r\nhOST: \t a.test:443 \r\nAccept: */*\r\n\r\n"
    #expect(plain(head)?.count == head.utf8.count && field(head) == "a.test:443")
    #expect(plain(head + "GET / HT")?.count == head.utf8.count)
    #expect(field("GET / HTTP/1.1\r\nHost:a\r\nHost: b\r\n\r\n") == "a")
    #expect(field("GET / HTTP/1.1\r\nHost:\r\n\r\n") == "")
    #expect(plain("GET / HTTP/1.1\r\n\r\n") == PlainRequestHead(Array("PUT / HTTP/1.1\r\n\r\n".utf8).span))
    #expect(plain("GET / HTTP/1.1\r\n\r\n") != nil && field("GET / HTTP/1.1\r\n\r\n") == nil)
    #expect(
        plain("GET / HTTP/1.1\r\nConnection: Keep-Alive\r\nCookie: a\r\nTE: x\r\nUpgrade-Insecure-Requests: 1\r\n\r\n")
            != nil)
    for end in head.indices { #expect(plain(String(head[..<end])) == nil) }
}

@Test(
    "what may be anything else is read byte by byte",
    arguments: [
        "GET http://a.test/ HTTP/1.1\r\n\r\n", "OPTIONS * HTTP/1.1\r\n\r\n", "CONNECT /a HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.0\r\n\r\n", "GET / HTTP/1.1\n\n", "GET / HTTP/1.1\r\nA: b\n\r\n",
        "GET / HTTP/1.1\r\nA: \rb\r\n\r\n",
        "GET / HTTP/1.1\r\nA: b\r\n c\r\n\r\n", "GET / HTTP/1.1\r\nContent-Length: 1\r\n\r\n",
        "GET / HTTP/1.1\r\nCONTENT-length : 1\r\n\r\n", "GET / HTTP/1.1\r\n\u{1}Content-Length: 1\r\n\r\n",
        "GET / HTTP/1.1\r\nContent\u{1}-Length: 1\r\n\r\n", "GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n",
        "GET / HTTP/1.1\r\nConnection: close\r\n\r\n", "GET / HTTP/1.1\r\nConnection: keep-alive, x\r\n\r\n",
        "GET / HTTP/1.1\r\nUpgrade: websocket\r\n\r\n", "GET / HTTP/1.1\r\ncookie\r\n\r\n",
        "\r\nGET / HTTP/1.1\r\n\r\n",
        "get / HTTP/1.1\r\n\r\n", "GET  / HTTP/1.1\r\n\r\n", "GET /HTTP/1.1\r\n\r\n", " / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nA: " + String(repeating: "b", count: 9000) + "\r\n\r\n",
    ])
func notPlain(head: String) {
    #expect(plain(head) == nil)
}

@Test("read at once or byte by byte, every request is asked for the same")
func plainAsOthers() {
    let lines = [
        "GET / HTTP/1.1\r\n", "POST /x HTTP/1.1\r\n", "GET /a b HTTP/1.1\r\n", "Host: a.test\r\n", "Host: b.test\r\n",
        "hosT:a.test:80\r\n", "Host: not a host\r\n", "Content-Length: 3\r\n", "Content-Length: 3, 3\r\n",
        " folded\r\n",
        "Connection: keep-alive\r\n", "Connection: close\r\n", "X: y\r\n", "X: y\n", "Upgrade: h2c\r\n",
        "Transfer-Encoding: chunked\r\n", "0\r\n\r\n", "abc", "\r\n", "\r\n", "\r\n",
    ]
    var state: UInt64 = 11
    func next(_ limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % limit
    }
    var plainOnes = 0
    for _ in 0..<20_000 {
        var text = next(4) == 0 ? "" : lines[next(3)]
        for _ in 0..<(1 + next(9)) { text += lines[next(lines.count)] }
        var bytes = Array(text.utf8)
        if next(4) == 0, !bytes.isEmpty { bytes[next(bytes.count)] = UInt8(truncatingIfNeeded: next(256)) }
        if PlainRequestHead(bytes.span) != nil { plainOnes += 1 }
        var (whole, bytewise) = (RequestHosts(), RequestHosts())
        whole.read(bytes.span)
        for byte in bytes { bytewise.read([byte].span) }
        #expect(
            whole.hosts == bytewise.hosts && whole.isIncomplete == bytewise.isIncomplete
                && whole.isInHead == bytewise.isInHead, "\(String(decoding: bytes, as: UTF8.self).debugDescription)")
    }
    // Enough of both kinds.
    #expect((2_000...18_000).contains(plainOnes))
}
