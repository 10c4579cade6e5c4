import Facts
import Testing

@testable import Wire

@Suite("SiteRequest")
struct SiteRequestTests {
    private func read(_ text: String) -> SiteRequestReader.Progress {
        var reader = SiteRequestReader()
        return reader.read(Array(text.utf8))
    }

    @Test("method, path without query, host, and what the answer hangs on")
    func whole() {
        let text =
            "GET /ca.pem?x=1 HTTP/1.1\r\nHost: 192.168.1.5:8080\r\nAccept: text/html\r\nUser-Agent: iPhone\r\n\r\n"
        #expect(
            read(text + "more")
                == .complete(
                    SiteRequest(
                        method: "GET", path: "/ca.pem", host: HostName("192.168.1.5"), accept: "text/html",
                        userAgent: "iPhone")))
        #expect(read("HEAD / HTTP/1.0\r\n\r\n") == .complete(SiteRequest(method: "HEAD", path: "/")))
    }

    @Test("cut anywhere it waits for the rest")
    func pieces() {
        let bytes = Array("GET / HTTP/1.1\r\nHost: pinproof.test\r\n\r\n".utf8)
        var reader = SiteRequestReader()
        for count in 0..<bytes.count { #expect(reader.read(Array(bytes.prefix(count))) == .needMore) }
        #expect(reader.read(bytes) == .complete(SiteRequest(method: "GET", path: "/", host: HostName("pinproof.test"))))
    }

    @Test(
        "what is no request is answered as the proxy answers it",
        arguments: ["GET /\r\n\r\n", "GET / HTTP/2.0\r\n\r\n", "\u{1}\u{2}\r\n\r\n", "GET / HTTP/1.1\nHost: a\n\n"])
    func malformed(text: String) throws {
        guard case .refused(let answer) = read(text) else {
            Issue.record("\(text) was read")
            return
        }
        #expect(answer.starts(with: Array("HTTP/1.1 ".utf8)))
    }

    @Test("a head without an end is given up")
    func endless() {
        guard case .refused = read("GET / HTTP/1.1\r\nX: " + String(repeating: "a", count: 70_000)) else {
            Issue.record("it waits for ever")
            return
        }
    }

    @Test("an answer says its length, ends the connection, and to HEAD has no body")
    func answers() {
        let answer = SiteAnswer(.notFound, type: "text/plain", Array("none".utf8)).with("X-A", "b")
        let head =
            "HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\nContent-Length: 4\r\nConnection: close\r\nX-A: b\r\n\r\n"
        #expect(String(decoding: answer.bytes(isHead: false), as: UTF8.self) == head + "none")
        #expect(String(decoding: answer.bytes(isHead: true), as: UTF8.self) == head)
    }
}
