import Facts
import Support
import Testing

@testable import Wire

@Suite("ProxyRequestReader")
struct ProxyRequestTests {
    private func read(_ bytes: [UInt8]) -> ProxyRequestReader.Progress {
        var reader = ProxyRequestReader()
        return reader.read(bytes)
    }

    private func read(_ text: String) -> ProxyRequestReader.Progress { read(Array(text.utf8)) }

    private func refusal(_ text: String) -> WireError? {
        if case .refused(let error, _) = read(text) { error } else { nil }
    }

    private func target(_ authority: String) -> Endpoint? {
        let text = "CONNECT \(authority) HTTP/1.1\r\n\r\n"
        guard case .complete(.connect(let endpoint), text.utf8.count) = read(text) else { return nil }
        return endpoint
    }

    // MARK: CONNECT

    @Test("the proxies that a CONNECT has come through are one list")
    func via() throws {
        var reader = ProxyRequestReader()
        let head = "CONNECT a.test:443 HTTP/1.1\r\nVia: 1.1 a, 1.0 b\r\nx: y\r\nvia:  1.1 c \r\n\r\n"
        let target = try #require(Endpoint("a.test:443"))
        let progress = reader.read(Array(head.utf8))
        #expect(progress == .complete(.connect(target), consumed: head.utf8.count))
        #expect(String(decoding: reader.via, as: UTF8.self) == "1.1 a, 1.0 b, 1.1 c")
    }

    @Test("reads CONNECT, and leaves what follows to the tunnel")
    func connect() throws {
        let head =
            "CONNECT api.example.com:443 HTTP/1.1\r\nHost: api.example.com:443\r\nProxy-Connection: Keep-Alive\r\n\r\n"
        let expected = ProxyRequest.connect(Endpoint(try #require(HostName("api.example.com")), 443))
        #expect(read(head) == .complete(expected, consumed: head.utf8.count))
        #expect(read(Array(head.utf8) + RecordedHello.go) == .complete(expected, consumed: head.utf8.count))
        #expect(read("CONNECT api.example.com:443 HTTP/1.0\r\n\r\n") == .complete(expected, consumed: 40))
        #expect(expected.via == .connect && expected.target?.port == 443)
    }

    @Test("reads it byte by byte, and asks for more at every prefix")
    func prefixes() throws {
        let head = Array("CONNECT [::1]:8443 HTTP/1.1\r\nHost: [::1]:8443\r\nUser-Agent: x\r\n\r\n".utf8)
        var reader = ProxyRequestReader()
        for end in 0..<head.count {
            #expect(reader.read(Array(head[..<end])) == .needMore)
            #expect(read(Array(head[..<end])) == .needMore)
        }
        #expect(reader.read(head) == read(head))
        #expect(read(head) == .complete(.connect(Endpoint(try #require(HostName("::1")), 8443)), consumed: head.count))
    }

    @Test(
        "takes every form of an authority",
        arguments: [
            ("api.example.com:8443", "api.example.com:8443"), ("API.Example.com.:443", "api.example.com:443"),
            ("api.example.com", "api.example.com:443"), ("api.example.com:", "api.example.com:443"),
            ("127.0.0.1:1", "127.0.0.1:1"), ("[2001:DB8::1]:443", "[2001:db8::1]:443"), ("[::1]", "[::1]:443"),
            ("a_b.example.com:65535", "a_b.example.com:65535"), ("localhost:00443", "localhost:443"),
        ])
    func authorities(text: String, expected: String) {
        #expect(target(text)?.description == expected)
    }

    @Test(
        "refuses what is no authority",
        arguments: [
            ":443", "::1:443", "::1", "[::1", "[::1]443", "[127.0.0.1]:443", "[a]:443", "a:0", "a:65536", "a:+80",
            "a:-1",
            "a:80a", "a:8 0", "a:123456", "user@a:443", "a/b:443", "a:443/", "http://a/", "a%2eb:443",
            "[fe80::1%25eth0]:443",
            "a..b:443", "*", "/", "[]:443", "a:443:443", "[[::1]]:443",
        ])
    func badAuthorities(text: String) {
        #expect(target(text) == nil)
        guard case .refused(_, let answer) = read("CONNECT \(text) HTTP/1.1\r\n\r\n") else {
            Issue.record("not refused")
            return
        }
        #expect(answer.starts(with: Array("HTTP/1.1 400 ".utf8)))
    }

    @Test("a CONNECT has no content")
    func connectContent() {
        let line = "CONNECT a:443 HTTP/1.1\r\n"
        #expect(refusal(line + "Content-Length: 5\r\n\r\n") == .contentWithConnect)
        #expect(refusal(line + "Transfer-Encoding: chunked\r\n\r\n") == .contentWithConnect)
        #expect(refusal(line + "Content-Length: 0\r\n\r\n") == nil)
    }

    // MARK: sniffing

    @Test("tells the protocol from the first byte")
    func sniff() {
        #expect(read([22]) == .complete(.tls, consumed: 0))
        #expect(read(RecordedHello.chromium) == .complete(.tls, consumed: 0))
        #expect(read([5]) == .needMore)
        #expect(read([4, 1]) == .refused(.socks4, answer: []))
        #expect(read([]) == .needMore)
        #expect(read([13]) == .needMore && read("get htt") == .needMore)
        for byte in [0, 10, 32, 0x31, 0x80, 0xff] as [UInt8] {
            #expect(read([byte]) == .refused(.unknownProtocol(firstByte: byte), answer: []))
        }
    }

    @Test("tells a lost client what it talks to")
    func notForAProxy() {
        for text in [
            "GET / HTTP/1.1\r\nHost: a\r\n\r\n", "OPTIONS * HTTP/1.1\r\n\r\n", "GET /u?x=http://a/ HTTP/1.1\r\n\r\n",
        ] {
            #expect(refusal(text) == .notForAProxy)
        }
        #expect(refusal("GET https://a/ HTTP/1.1\r\n\r\n") == .scheme("https"))
        #expect(refusal("GET ftp://a/ HTTP/1.1\r\n\r\n") == .scheme("ftp"))
        #expect(refusal("PRI * HTTP/2.0\r\n\r\n") == .httpVersion("HTTP/2.0"))
    }

    // MARK: request smuggling

    @Test("refuses lines that two readers could see differently")
    func lines() {
        let line = "GET http://a/ HTTP/1.1"
        #expect(refusal("\(line)\n\n") == .lineEnd)
        #expect(refusal("\(line)\r\nA: b\nC: d\r\n\r\n") == .lineEnd)
        #expect(refusal("\(line)\r\nA: b\rC: d\r\n\r\n") == .lineEnd)
        #expect(refusal("\(line)\r\nA: b\r\r\n\r\n") == .lineEnd)
        #expect(refusal("\(line)\r\nA: b\0\r\n\r\n") == .controlCharacter(0))
        #expect(refusal("\(line)\r\nA: b\u{7f}\r\n\r\n") == .controlCharacter(0x7f))
        #expect(refusal("\(line)\r\nA: b\u{b}\r\n\r\n") == .controlCharacter(11))
        #expect(refusal("\(line)\r\nA: b\r\n c\r\n\r\n") == .foldedField(number: 2))
        #expect(refusal("\(line)\r\nA: b\r\n\tc\r\n\r\n") == .foldedField(number: 2))
        #expect(refusal("\(line)\r\nA : b\r\n\r\n") == .fieldLine(number: 1))
        #expect(refusal("\(line)\r\n: b\r\n\r\n") == .fieldLine(number: 1))
        #expect(refusal("\(line)\r\nA\r\n\r\n") == .fieldLine(number: 1))
        #expect(refusal("\(line)\r\nA(b): c\r\n\r\n") == .fieldLine(number: 1))
        // As soon as it shows, not at the head's end.
        #expect(refusal("GET http://a/ HTTP/1.1\n") == .lineEnd)
        #expect(refusal("GET\0") == .controlCharacter(0))
    }

    @Test("refuses request lines that are not three words")
    func requestLines() {
        for line in [
            "GET  http://a/ HTTP/1.1", "GET http://a/", "GET /a b HTTP/1.1", "GET\thttp://a/ HTTP/1.1",
            "GET http://a/\tHTTP/1.1", "GET http://a/ HTTP/1.1 ", "G(T http://a/ HTTP/1.1",
            "GET http://a/\tx HTTP/1.1",
        ] {
            #expect(refusal(line + "\r\n\r\n") == .requestLine, "\(line)")
        }
        for line in ["GET http://a/ b HTTP/1.1", "GET http://a/b c d HTTP/1.0"] {
            #expect(refusal(line + "\r\n\r\n") == .requestTarget(0x20), "\(line)")
        }
        #expect(refusal("GET http://a/#b HTTP/1.1\r\n\r\n") == .requestTarget(0x23))
        for version in ["HTTP/1.2", "HTTP/2.0", "HTTP/0.9", "http/1.1", "HTTP/1.10", "HTTP/1.1x", ""] {
            #expect(refusal("GET http://a/ \(version)\r\n\r\n") == .httpVersion(version), "\(version)")
        }
    }

    @Test("refuses content whose end two readers could see differently")
    func framing() {
        func framing(_ fields: String, version: String = "1.1") -> WireError? {
            refusal("POST http://a/ HTTP/\(version)\r\n\(fields)\r\n\r\n")
        }
        #expect(framing("Content-Length: 5") == nil)
        #expect(framing("transfer-encoding: Chunked") == nil)
        #expect(framing("Content-Length: 5\r\nTransfer-Encoding: chunked") == .contentLengthAndTransferEncoding)
        #expect(framing("Content-Length: 5\r\nContent-Length: 6") == .contentLength)
        #expect(framing("Content-Length: 5\r\ncontent-length: 5") == .contentLength)
        for value in ["5, 5", "+5", "-5", "0x5", "5a", "", "5 5", "9999999999999999999"] {
            #expect(framing("Content-Length: \(value)") == .contentLength, "\(value)")
        }
        for value in ["gzip, chunked", "chunked, chunked", "xchunked", "identity", "", "chunked;q=1"] {
            #expect(framing("Transfer-Encoding: \(value)") == .transferCoding, "\(value)")
        }
        #expect(framing("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked") == .transferCoding)
        #expect(framing("Transfer-Encoding: chunked", version: "1.0") == .transferCoding)
        #expect(framing("Host: a\r\nHost: b") == .repeatedHost)
        #expect(framing("Host: a\r\nhost: a") == .repeatedHost)
    }

    @Test("bounds the request line and the head")
    func bounds() {
        let long = String(repeating: "a", count: 9000)
        let address = String(repeating: "a", count: 33_000)
        #expect(refusal("GET http://a/\(address)") == .requestLineTooLong(limit: 32_768))
        #expect(refusal("GET http://a/\(address) HTTP/1.1\r\n\r\n") == .requestLineTooLong(limit: 32_768))
        let fields = String(repeating: "X-A: \(long)\r\n", count: 8)
        #expect(refusal("GET http://a/ HTTP/1.1\r\n\(fields)") == .headTooLong(limit: 65536))
        let fitting = String(repeating: "X-A: \(long)\r\n", count: 7)
        #expect(refusal("GET http://a/ HTTP/1.1\r\n\(fitting)\r\n") == nil)
    }

    // MARK: further requests

    @Test("reads one plain request after the other, whatever host each is for")
    func further() {
        var reader = ProxyRequestReader(keepsConnections: true)
        for host in ["a", "b", "a"] {
            let head = Array("GET http://\(host)/ HTTP/1.1\r\n\r\n".utf8)
            for end in 1..<head.count { #expect(reader.read(Array(head[..<end])) == .needMore) }
            guard case .complete(.http(let request), head.count) = reader.read(head) else {
                Issue.record("no request for \(host)")
                return
            }
            #expect(request.target.host.text == host)
            reader.expectNext()
        }
    }

    @Test("skips an empty line or two before a further request, and no more")
    func emptyLines() {
        func next(_ text: String) -> (ProxyRequestReader.Progress, Int) {
            var reader = ProxyRequestReader()
            reader.expectNext()
            var bytes = Array(text.utf8)
            var skipped = 0
            while case .answer([], let count) = reader.read(bytes) {
                bytes.removeFirst(count)
                skipped += count
            }
            return (reader.read(bytes), skipped)
        }
        for count in 0...2 {
            let (progress, skipped) = next(String(repeating: "\r\n", count: count) + "CONNECT a:1 HTTP/1.1\r\n\r\n")
            guard case .complete(.connect, consumed: 24) = progress else {
                Issue.record("\(progress)")
                return
            }
            #expect(skipped == 2 * count)
        }
        #expect(next("\r").0 == .needMore)
        for text in ["\r\n\r\n\r\nCONNECT a:1 HTTP/1.1\r\n\r\n", "\rGET", "\n"] {
            guard case .refused = next(text).0 else {
                Issue.record("taken: \(text.utf8.map(\.self))")
                return
            }
        }
    }

    @Test("takes no other protocol once HTTP has been spoken")
    func noOther() {
        for bytes: [UInt8] in [[5, 1, 0], [0x16, 3, 1], [4, 1]] {
            var reader = ProxyRequestReader()
            reader.expectNext()
            guard case .refused = reader.read(bytes) else {
                Issue.record("taken: \(bytes)")
                return
            }
        }
    }

    // MARK: answers

    @Test("answers a refused request in HTTP, and with a status that fits")
    func answers() {
        for (text, status) in [
            ("GET / HTTP/1.1\r\n\r\n", 400), ("GET https://a/ HTTP/1.1\r\n\r\n", 501), ("PRI * HTTP/2.0\r\n\r\n", 505),
            ("GET http://a/" + String(repeating: "a", count: 33_000), 414),
            ("GET http://a/ HTTP/1.1\r\n" + String(repeating: "A: b\r\n", count: 20000), 431),
        ] {
            guard case .refused(_, let answer) = read(text) else {
                Issue.record("not refused: \(text.prefix(30))")
                continue
            }
            #expect(String(decoding: answer.prefix(13), as: UTF8.self) == "HTTP/1.1 \(status) ")
        }
    }

    @Test("survives random heads and mutations")
    func mutations() {
        var generator = SeededGenerator(seed: 1234)
        let seeds =
            [
                "CONNECT a.example.com:443 HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET http://u:p@a.example.com:80/p?q HTTP/1.1\r\nHost: b\r\nConnection: upgrade, x\r\nUpgrade: websocket\r\nX: y\r\n\r\n",
                "POST http://[::1]/ HTTP/1.0\r\nContent-Length: 3\r\n\r\nabc",
            ].map { Array($0.utf8) } + [
                [5, 2, 0, 2, 5, 1, 0, 3, 3, 97, 46, 98, 0, 80],
                [5, 1, 2, 1, 1, 97, 1, 98, 5, 1, 0, 1, 1, 2, 3, 4, 0, 1],
            ]
        let interesting = Array("\r\n \t:/@[]#?,\0".utf8)
        for seed in seeds {
            for _ in 0..<1500 {
                var bytes = seed
                for _ in 0..<Int.random(in: 1...3, using: &generator) {
                    let index = Int.random(in: 0..<bytes.count, using: &generator)
                    switch Int.random(in: 0...3, using: &generator) {
                    case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
                    case 1: bytes.insert(interesting.randomElement(using: &generator) ?? 0, at: index)
                    case 2: bytes.removeSubrange(index..<min(bytes.count, index + 3))
                    default: bytes[index] = interesting.randomElement(using: &generator) ?? 0
                    }
                    if bytes.isEmpty { bytes = [5] }
                }
                var reader = ProxyRequestReader()
                var steps = 0
                while case .answer(_, let consumed) = reader.read(bytes), steps < 5 {
                    #expect(consumed > 0 && consumed <= bytes.count)
                    bytes.removeFirst(min(consumed, bytes.count))
                    steps += 1
                }
            }
        }
    }
}
