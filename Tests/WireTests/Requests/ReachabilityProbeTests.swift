import Testing

@testable import Wire

@Suite("ReachabilityProbe")
struct ReachabilityProbeTests {
    private func isProbe(_ line: String, _ fields: [String] = [], host: String = "a.test") throws -> Bool {
        let head = ([line, "Host: \(host)"] + fields).joined(separator: "\r\n") + "\r\n\r\n"
        var reader = ProxyRequestReader(keepsConnections: true)
        guard case .complete(.http(let request), _) = reader.read(Array(head.utf8)) else {
            throw WireError.requestLine
        }
        return request.isProbe
    }

    @Test("a well-known path, asked with what every client sends, is one")
    func probes() throws {
        for path in ["/generate_204", "/gen_204", "/hotspot-detect.html", "/connecttest.txt", "/success.txt"] {
            #expect(try isProbe("GET http://a.test\(path) HTTP/1.1"))
        }
        #expect(
            try isProbe(
                "HEAD http://a.test:8080/generate_204 HTTP/1.1",
                [
                    "User-Agent: Dalvik/2.1.0 (Linux; U; Android 14)", "Accept-Encoding: gzip",
                    "Proxy-Connection: close", "Pragma: no-cache", "Accept: text/html, */*;q=0.8",
                    "Accept-Language: de-DE,de;q=0.9, *;q=0.1",
                ], host: "a.test:8080")
        )
        #expect(try isProbe("GET http://a.test:80/generate_204 HTTP/1.1"))
        #expect(
            try isProbe(
                "GET http://a.test/generate_204 HTTP/1.1",
                [
                    "Connection: keep-alive, Close", "Keep-Alive: timeout=5, max=100", "Upgrade-Insecure-Requests: 1",
                    "Accept-Encoding: gzip;q=1.0, deflate, br, zstd, *;q=0",
                ]))
    }

    @Test("what could carry something of the app's is none")
    func others() throws {
        let probe = "GET http://a.test/generate_204 HTTP/1.1"
        for line in [
            "POST http://a.test/generate_204 HTTP/1.1", "GET http://a.test/generate_204?user=7 HTTP/1.1",
            "GET http://a.test/ HTTP/1.1", "GET http://a.test/generate_204/7 HTTP/1.1",
            "GET http://a.test/v1/account HTTP/1.1", "GET http://a.test HTTP/1.1",
            "GET http://token@a.test/generate_204 HTTP/1.1",
        ] {
            #expect(try !isProbe(line))
        }
        for field in [
            "Cookie: session=1", "Authorization: Bearer x", "X-Device: 7", "Content-Length: 1",
            "User-Agent: " + String(repeating: "a", count: 161),
            "Pragma: a-token-of-the-app", "Cache-Control: secret=7", "Accept: secret/token",
            "Accept-Language: password-hunter2", "Accept-Encoding: secret", "Accept-Encoding: gzip;q=secret",
            "Connection: secret", "Proxy-Connection: secret", "Keep-Alive: timeout=12345678", "Keep-Alive: secret",
            "Upgrade-Insecure-Requests: 12345",
        ] {
            #expect(try !isProbe(probe, [field]))
        }
        #expect(try !isProbe(probe, host: "token.a.test"))
    }
}
