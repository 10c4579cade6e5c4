import Testing

@testable import Flows

struct FlowURLTests {
    @Test(
        "the address of a request",
        arguments: [
            ("/a?b=1", "api.test", "https://api.test/a?b=1"), ("/", "api.test:443", "https://api.test/"),
            ("/", "api.test:8443", "https://api.test:8443/"), ("*", "api.test", "https://api.test"),
            ("http://other.test/x", "api.test", "http://other.test/x"), ("/", "a b/evil", "https://api.test:9443/"),
            ("/", "", "https://api.test:9443/"), ("/x://y", "api.test", "https://api.test/x://y"),
        ])
    func url(target: String, host: String, expected: String) {
        let head = RequestHead(
            method: "GET", target: target, version: "HTTP/1.1", fields: host.isEmpty ? [] : [HeaderField("Host", host)])
        #expect(FlowURL.text(head, scheme: "https", server: Flow.Server(host: "api.test", port: 9443)) == expected)
    }

    @Test("an address of HTTP/2 is made of its pseudo-header fields")
    func pseudo() {
        let head = RequestHead(
            method: "GET", target: "/a", scheme: "https", authority: "[::1]:8443", version: "h2", fields: [])
        #expect(FlowURL.text(head, scheme: "http", server: Flow.Server()) == "https://[::1]:8443/a")
    }

    @Test("bytes of a target that are no UTF-8 stand percent-encoded; those that are UTF-8 are text")
    func bytes() throws {
        func target(_ path: [UInt8]) -> String? {
            HTTP1Head.request((Array("GET /".utf8) + path + Array(" HTTP/1.1\r\n\r\n".utf8))[...])?.target
        }
        #expect(target([0x63, 0xe9]) == "/c%E9")
        #expect(target([0x63, 0xc3, 0xa9]) == "/cé")
        #expect(target([0xc3, 0xa9, 0x2f, 0xff]) == "/%C3%A9/%FF")
        let path = HeaderField(name: Array(":path".utf8), value: [0x2f, 0xe9])
        #expect(RequestHead(http2: [path], stream: 1).target == "/%E9")
        #expect(RequestHead(http2: [HeaderField(":path", "/é")], stream: 1).target == "/é")
        #expect(RequestTarget(beyondURLOf: RequestHead(http2: [path], stream: 1))?.bytes == [0x2f, 0xe9])
    }

    @Test(
        "a target is kept beside the address where that does not end with it",
        arguments: [
            ("GET", "/a?b#c", true), ("GET", "/a?b=://#", true), ("OPTIONS", "*", true), ("GET", "a", true),
            ("GET", "https://api.test/a", true), ("GET", "?a", true), ("GET", "/a?b", false), ("GET", "//a/é", false),
            ("CONNECT", "api.test:443", false), ("GET", "", false),
        ])
    func kept(method: String, target: String, isKept: Bool) {
        let head = RequestHead(method: method, target: target, version: "HTTP/1.1", fields: [])
        #expect(RequestTarget(beyondURLOf: head)?.bytes == (isKept ? Array(target.utf8) : nil))
    }

    @Test("a target whose bytes are no UTF-8 is kept as it is, escapes and all")
    func keptBytes() throws {
        let path: [UInt8] = [0x2f, 0x25, 0x46, 0x46, 0xff, 0x3f, 0xc3, 0xa9]
        let head = try #require(HTTP1Head.request((Array("GET ".utf8) + path + Array(" HTTP/1.1\r\n\r\n".utf8))[...]))
        #expect(RequestTarget(beyondURLOf: head)?.bytes == path)
    }
}
