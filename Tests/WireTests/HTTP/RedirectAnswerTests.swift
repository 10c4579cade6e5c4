import Facts
import Testing

@testable import Wire

@Suite("RedirectAnswer")
struct RedirectAnswerTests {
    private func answer(_ request: String, to host: String = "api.test", pieces size: Int = .max) throws -> String? {
        var redirect = RedirectAnswer(to: host)
        let bytes = Array(request.utf8)
        var at = 0
        while at < bytes.count {
            let end = min(bytes.count, at + min(size, bytes.count))
            redirect.feed(Array(bytes[at..<end]).span)
            at = end
        }
        return redirect.answer.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("sends a client to the same path of the other host, and ends the connection", arguments: [1, 7, 1000])
    func path(size: Int) throws {
        let got = try answer("POST /a/b?c=d HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}", pieces: size)
        #expect(
            got == "HTTP/1.1 302 Found\r\nLocation: https://api.test/a/b?c=d\r\n"
                + "Content-Length: 0\r\nConnection: close\r\n\r\n")
    }

    @Test(
        "knows the other forms of a target",
        arguments: [
            ("GET http://x.test/a HTTP/1.1", "https://api.test/a"),
            ("GET https://x.test HTTP/1.1", "https://api.test/"),
            ("OPTIONS * HTTP/1.1", "https://api.test/"), ("GET / HTTP/1.0", "https://api.test/"),
        ])
    func forms(line: String, location: String) throws {
        #expect(try answer("\(line)\r\nHost: x\r\n\r\n")?.contains("\r\nLocation: \(location)\r\n") == true)
    }

    @Test("waits for the whole head, and answers what is none with an error")
    func incomplete() throws {
        #expect(try answer("GET / HTTP/1.1\r\nHost: x\r\n") == nil)
        #expect(try answer("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")?.hasPrefix("HTTP/1.1 505 ") == true)
        #expect(try answer("\u{1}\u{2}\u{3}\r\n")?.hasPrefix("HTTP/1.1 400 ") == true)
        #expect(try answer("GET /a\u{7f} HTTP/1.1\r\n\r\n")?.hasPrefix("HTTP/1.1 400 ") == true)
        #expect(
            try answer("GET / HTTP/1.1\r\n" + String(repeating: "A: b\r\n", count: 20_000))?.hasPrefix("HTTP/1.1 431 ")
                == true)
    }

    @Test("a plain request of a proxy's client is sent to https")
    func plain() throws {
        var reader = ProxyRequestReader()
        let bytes = Array("GET http://api.test/a?b HTTP/1.1\r\n\r\n".utf8)
        guard case .complete(.http(let request), _) = reader.read(bytes) else {
            Issue.record("no request")
            return
        }
        let got = RedirectAnswer.redirect(to: "api.test", request)
        #expect(String(decoding: got, as: UTF8.self).contains("\r\nLocation: https://api.test/a?b\r\n"))
    }

    @Test("without a host to send it to, a client is told that there is nothing")
    func notFound() {
        var nothing = RedirectAnswer(to: nil)
        nothing.feed(Array("GET /settings HTTP/1.1\r\nHost: x\r\n".utf8).span)
        #expect(nothing.answer == nil)
        nothing.feed(Array("\r\n".utf8).span)
        let answer = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        #expect(nothing.answer.map { String(decoding: $0, as: UTF8.self) } == answer)
    }
}
