import Facts
import Testing

@testable import Wire

@Suite("PlainRequest")
struct PlainRequestTests {
    private func request(
        _ line: String, _ fields: [String] = [], keepsConnections: Bool = false
    ) throws -> PlainRequest {
        let head = ([line] + fields).joined(separator: "\r\n") + "\r\n\r\n"
        var reader = ProxyRequestReader(keepsConnections: keepsConnections)
        guard case .complete(.http(let request), head.utf8.count) = reader.read(Array(head.utf8)) else {
            throw WireError.requestLine
        }
        return request
    }

    private func rewritten(
        _ line: String, _ fields: [String] = [], keepsConnections: Bool = false
    ) throws -> [String] {
        let request = try request(line, fields, keepsConnections: keepsConnections)
        let text = String(decoding: request.head, as: UTF8.self)
        #expect(text.hasSuffix("\r\n\r\n"))
        // CR LF is one character.
        return text.dropLast(2).split(separator: "\r\n", omittingEmptySubsequences: false).map(String.init)
    }

    @Test("becomes a request for the origin itself")
    func rewrite() throws {
        let fields = [
            "Host: a.example.com", "User-Agent: curl/8", "Accept: */*", "Proxy-Connection: Keep-Alive",
            "Proxy-Authorization: Basic c2VjcmV0", "Keep-Alive: timeout=5", "Connection: keep-alive, X-Hop, TE",
            "X-Hop: 1", "TE: trailers", "X-Stay: 2",
        ]
        #expect(
            try rewritten("GET http://a.example.com/path?q=1 HTTP/1.1", fields) == [
                "GET /path?q=1 HTTP/1.1", "Host: a.example.com", "User-Agent: curl/8", "Accept: */*", "X-Stay: 2",
                "Connection: close",
            ])
        let request = try request("GET http://a.example.com/path?q=1 HTTP/1.1", fields)
        #expect(request.target.description == "a.example.com:80")
        #expect(request.method == "GET" && !request.isWebSocket)
    }

    @Test("takes host and port of the URL, whatever the Host field says")
    func host() throws {
        #expect(
            try rewritten("GET http://a.example.com:8080/ HTTP/1.1", ["Host: evil.example"])[1]
                == "Host: a.example.com:8080")
        #expect(try rewritten("GET http://a.example.com:80/ HTTP/1.1")[1] == "Host: a.example.com")
        #expect(try rewritten("GET HTTP://A.Example.COM HTTP/1.1")[1] == "Host: a.example.com")
        #expect(
            try rewritten("GET http://a.example.com./ HTTP/1.1", ["host:  A.Example.com.:80 "])[1]
                == "Host: A.Example.com.:80")
        #expect(
            try rewritten("GET http://a.example.com/ HTTP/1.1", ["Host: A.example.com:81"])[1] == "Host: a.example.com")
        #expect(try rewritten("GET http://[::1]:81/ HTTP/1.1")[1] == "Host: [::1]:81")
        #expect(try rewritten("GET http://[::1]/ HTTP/1.1")[1] == "Host: [::1]")
        #expect(try request("GET http://[2001:db8::1]:81/ HTTP/1.1").target.description == "[2001:db8::1]:81")
    }

    @Test("never sends on credentials of the URL, and is not led astray by them")
    func userinfo() throws {
        #expect(
            try rewritten("GET http://user:pass@a.example.com/x HTTP/1.1") == [
                "GET /x HTTP/1.1", "Host: a.example.com", "Connection: close",
            ])
        #expect(try request("GET http://good.example@evil.example/ HTTP/1.1").target.host == HostName("evil.example"))
        #expect(try request("GET http://a@b@c.example/ HTTP/1.1").target.host == HostName("c.example"))
        #expect(try request("GET http://a.example/@evil.example HTTP/1.1").target.host == HostName("a.example"))
        #expect(try request("GET http://a.example?@evil.example HTTP/1.1").target.host == HostName("a.example"))
    }

    @Test("fills in what the URL leaves out")
    func paths() throws {
        #expect(try rewritten("GET http://a HTTP/1.1")[0] == "GET / HTTP/1.1")
        #expect(try rewritten("GET http://a?q HTTP/1.1")[0] == "GET /?q HTTP/1.1")
        #expect(try rewritten("OPTIONS http://a HTTP/1.1")[0] == "OPTIONS * HTTP/1.1")
        #expect(try rewritten("OPTIONS http://a/ HTTP/1.1")[0] == "OPTIONS / HTTP/1.1")
        #expect(try rewritten("GET http://a/b HTTP/1.0")[0] == "GET /b HTTP/1.0")
        #expect(try rewritten("GET http://a//b/../c%20d HTTP/1.1")[0] == "GET //b/../c%20d HTTP/1.1")
        #expect(try rewritten("M-SEARCH http://a/b HTTP/1.1")[0] == "M-SEARCH /b HTTP/1.1")
    }

    @Test("lets WebSocket through, and no other upgrade")
    func upgrade() throws {
        let socket = ["Connection: keep-alive, Upgrade", "Upgrade: WebSocket", "Sec-WebSocket-Key: x"]
        #expect(
            try rewritten("GET http://a/chat HTTP/1.1", socket) == [
                "GET /chat HTTP/1.1", "Host: a", "Upgrade: WebSocket", "Sec-WebSocket-Key: x", "Connection: Upgrade",
            ])
        #expect(try request("GET http://a/chat HTTP/1.1", socket).isWebSocket)
        for fields in [
            ["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABk"],
            ["Connection: Upgrade", "Upgrade: websocket, h2c"],
            ["Connection: Upgrade", "Upgrade: websocket", "Upgrade: h2c"],
            ["Upgrade: websocket"], ["Connection: Upgrade"],
        ] {
            #expect(
                try rewritten("GET http://a/ HTTP/1.1", fields) == ["GET / HTTP/1.1", "Host: a", "Connection: close"],
                "\(fields)")
        }
    }

    @Test("keeps the content's framing even where Connection names it")
    func framing() throws {
        let lines = try rewritten(
            "POST http://a/ HTTP/1.1", ["Connection: Content-Length, close, Host", "Content-Length: 5", "Host: b"])
        #expect(lines == ["POST / HTTP/1.1", "Host: a", "Content-Length: 5", "Connection: close"])
        let chunked = try rewritten(
            "POST http://a/ HTTP/1.1", ["Connection: transfer-encoding", "Transfer-Encoding: chunked"])
        #expect(chunked.contains("Transfer-Encoding: chunked"))
    }

    @Test("keeps repeated fields and odd values as they are")
    func values() throws {
        let lines = try rewritten(
            "GET http://a/ HTTP/1.1", ["Cookie:a=b", "cookie: \t c=d \t ", "X-Empty:", "X-Obs: \u{e9}\t|"])
        #expect(
            lines == [
                "GET / HTTP/1.1", "Host: a", "Cookie: a=b", "cookie: c=d", "X-Empty: ", "X-Obs: \u{e9}\t|",
                "Connection: close",
            ])
    }

    @Test("leaves the origin's connection open where the client leaves its own, and only then")
    func keeping() throws {
        func isKept(_ version: String, _ fields: [String]) throws -> Bool {
            let line = "GET http://a/ HTTP/\(version)"
            let wished = try request(line, fields).keepsConnection
            #expect(try request(line, fields, keepsConnections: true).keepsConnection == wished)
            // Who may keep none says so to every origin.
            #expect(try rewritten(line, fields).last == "Connection: close")
            let lines = try rewritten(line, fields, keepsConnections: true)
            #expect(lines.filter { $0.lowercased().hasPrefix("connection") } == (wished ? [] : ["Connection: close"]))
            return wished
        }
        #expect(try isKept("1.1", []))
        #expect(try isKept("1.1", ["Connection: keep-alive"]) && isKept("1.1", ["Proxy-Connection: Keep-Alive"]))
        #expect(try isKept("1.1", ["Connection: X-Hop", "X-Hop: 1", "Keep-Alive: timeout=5"]))
        #expect(try !isKept("1.1", ["Connection: close"]) && !isKept("1.1", ["Connection: x, CLOSE"]))
        #expect(try !isKept("1.1", ["Proxy-Connection: close"]))
        #expect(try !isKept("1.1", ["Connection: keep-alive, close"]))
        #expect(try !isKept("1.0", []) && !isKept("1.0", ["Connection: close"]))
        // RFC 9112 §9.3: not by a proxy.
        #expect(try !isKept("1.0", ["Connection: keep-alive"]) && !isKept("1.0", ["Proxy-Connection: keep-alive"]))
    }

    @Test("asks for WebSocket in the same words whether connections are kept or not")
    func keptUpgrade() throws {
        let fields = ["Connection: Upgrade", "Upgrade: websocket"]
        #expect(
            try rewritten("GET http://a/ HTTP/1.1", fields, keepsConnections: true)
                == rewritten("GET http://a/ HTTP/1.1", fields))
    }

    @Test("says how much content follows")
    func bodyLength() throws {
        func length(_ fields: [String]) throws -> HTTPBodyLength {
            try request("POST http://a/ HTTP/1.1", fields).bodyLength
        }
        #expect(try length([]) == .none && length(["Content-Length: 0"]) == .none)
        #expect(try length(["Content-Length: 17"]) == .length(17) && length(["Content-Length: 007"]) == .length(7))
        #expect(try length(["Content-Length: 999999999999999999"]) == .length(999_999_999_999_999_999))
        #expect(try length(["Transfer-Encoding: chunked"]) == .chunked)
    }

    @Test("cannot be asked for an origin that is none")
    func badTargets() {
        for target in [
            "http://", "http:///", "http://:80/", "http://a:0/", "http://a:x/", "http://user@/", "http://a b/",
            "http://[::1/", "http://::1/", "http:/a/", "http:a", "://a/", "http//a/", "1tp://a/", "http://a\\b/",
        ] {
            #expect(throws: WireError.self, "\(target)") { try request("GET \(target) HTTP/1.1") }
        }
    }

    @Test("thousands of options and of fields are told apart in no more than the time of their bytes")
    func manyOptions() throws {
        let options = Array(repeating: "a", count: 15_000).joined(separator: ",")
        let fields = ["Connection: X-Hop,\(options)", "x-HOP: 1", "X-Kept: 2"] + Array(repeating: "b:", count: 7_000)
        let took = try ContinuousClock().measure {
            let lines = try rewritten("GET http://api.test/ HTTP/1.1", fields)
            #expect(lines.contains("X-Kept: 2") && !lines.contains("x-HOP: 1") && lines.count > 7_000)
        }
        #expect(took < .seconds(3), "\(took)")
    }
}
