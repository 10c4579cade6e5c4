import Facts
import Testing

@testable import Wire

@Suite struct RefusedRequestTests {
    private func host(_ text: String) -> String? { RefusedRequest.endpoint(in: Array(text.utf8))?.host.text }

    @Test(
        "whoever is named in a request that is refused is named",
        arguments: [
            "GET https://api.test/secret HTTP/1.1\r\nHost: other.test\r\n\r\n",
            "GET /secret HTTP/1.1\r\nAccept: */*\r\nhOsT:  API.test:8080\r\n\r\n",
            "GET ws://user:word@api.test:80?a HTTP/1.1\r\n\r\n", "get http://api.test/ HTTP/1.1\r\n\r\n",
            "POST http://api.test#here HTTP/1.1\r\n", "GET / HTTP/1.1\nHost: api.test\nHost: b.test\n\n",
            "GET http://api.test", "NONSENSE\r\nHost: api.test\r\n",
        ])
    func named(text: String) { #expect(host(text) == "api.test") }

    @Test(
        "nobody is made up",
        arguments: [
            "", "\n", "GET / HTTP/1.1\r\n\r\nHost: api.test\r\n", "CONNECT api.test:443 HTTP/1.1\r\nHost: api.test\r\n",
            "GET http:///x HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost:\r\n\r\n", "://", "\u{0}\u{1}\u{2}",
            "GET / HTTP/1.1\r\nHost: not a name\r\n\r\n",
        ])
    func nobody(text: String) { #expect(host(text) == nil) }

    @Test("a request that never came to its end names whom it was for, once the name is whole")
    func unfinished() {
        for (text, host) in [
            ("GET http://api.test/x?token=secret\r\n", "api.test"), ("GET http://api.test/x?tok", "api.test"),
            ("POST /x HTTP/1.1\r\nHost: api.test\r\nX-Token: sec", "api.test"), ("GET http://api.te", nil),
            ("POST /x HTTP/1.1\r\nHost: api.te", nil), ("CONNECT api.test:443 HTTP/1.1\r\nHost: api.test", nil),
            ("Error loading https://api.test/x: no\n", nil),
            ("GET /t?u=https://api.test/ HTTP/1.1\r\nHost: ads.test\r\n", "ads.test"),
            ("\u{16}\u{3}\u{1} http://api.test/", nil), ("", nil), ("GET", nil),
        ] {
            #expect(RefusedRequest.endpoint(inUnfinished: Array(text.utf8))?.host.text == host, "\(text)")
        }
    }

    @Test("the content of a CONNECT is for the host that it names")
    func contentOfConnect() {
        #expect(host("CONNECT api.test:443 HTTP/1.1\r\nContent-Length: 6\r\n\r\nsecret") == "api.test")
        #expect(host("CONNECT api.test:443 HTTP/1.1\r\nContent-Length: 6\r\n\r\n") == nil)
        #expect(host("CONNECT api.test:443 HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n\u{16}\u{3}\u{1}") == nil)
    }

    @Test("no bytes are too many or too odd")
    func anything() {
        #expect(RefusedRequest.endpoint(in: Array(repeating: 0x3a, count: 1 << 20)) == nil)
        var random = SystemRandomNumberGenerator()
        for _ in 0..<500 {
            let bytes = (0..<Int.random(in: 0...80, using: &random)).map { _ in
                [10, 13, 32, 47, 58, 64, 72, 104, 111, 115, 116, UInt8.random(in: 0...255, using: &random)]
                    .randomElement(using: &random) ?? 0
            }
            _ = RefusedRequest.endpoint(in: bytes)
        }
    }

    @Test("the URL's port is told as well, 80 where it says none")
    func ports() {
        let cases = [
            ("GET http://a.test:8443/x HTTP/1.1\n", 8443), ("GET http://a.test/x HTTP/1.1\n", 80),
            ("GET /x HTTP/1.1\nHost: a.test\n", 80),
        ]
        for (text, port) in cases {
            #expect(RefusedRequest.endpoint(in: Array(text.utf8))?.port == UInt16(port), "\(text)")
        }
    }
}
