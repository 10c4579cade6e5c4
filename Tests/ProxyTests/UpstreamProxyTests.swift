import Facts
import Loop
import Testing

@testable import Proxy

@Suite("UpstreamProxy", .timeLimit(.minutes(15)))
struct UpstreamProxyTests {
    @Test(
        "reads a proxy's URL, with and without user and password",
        arguments: [
            ("http://proxy.test:3128", "proxy.test:3128", nil), ("proxy.test:3128", "proxy.test:3128", nil),
            ("HTTP://proxy.test:3128/", "proxy.test:3128", nil), ("http://[::1]:8080", "[::1]:8080", nil),
            ("http://a:b@proxy.test:3128", "proxy.test:3128", "a:b"),
            ("a@proxy.test:3128", "proxy.test:3128", "a:"), ("http://a:b:c@proxy.test:1", "proxy.test:1", "a:b:c"),
            ("http://a:p@ss@proxy.test:1", "proxy.test:1", "a:p@ss"),
            ("http://a%40b:%C3%A9%25@proxy.test:1", "proxy.test:1", "a@b:é%"),
        ] as [(String, String, String?)])
    func read(url: String, endpoint: String, credentials: String?) throws {
        let proxy = try UpstreamProxy(url: url)
        #expect(proxy.endpoint == Endpoint(endpoint))
        #expect(proxy.authorization == credentials.map { "Basic " + Base64.encode(Array($0.utf8)) })
    }

    @Test(
        "what is none is refused, by what is wrong with it",
        arguments: [
            ("https://proxy.test:3128", UpstreamProxy.Fault.scheme("https")), ("socks5://a:1", .scheme("socks5")),
            ("bob:se://cret@proxy.test:x", .notAnEndpoint), ("http://proxy.test", .noPort), ("http://", .notAnEndpoint),
            ("", .notAnEndpoint),
            ("a:b:c", .notAnEndpoint),
            ("http://proxy.test:0", .notAnEndpoint), ("http://:b@proxy.test:1", .credentials),
            ("http://@proxy.test:1", .credentials), ("http://a:%4@proxy.test:1", .credentials),
            ("http://a:%0d%0aX@proxy.test:1", .credentials), ("http://a%3Ab:c@proxy.test:1", .credentials),
        ])
    func refused(url: String, fault: UpstreamProxy.Fault) {
        #expect(throws: fault) { try UpstreamProxy(url: url) }
    }

    @Test("nothing that is printed of it shows the password")
    func secret() throws {
        let proxy = try UpstreamProxy(url: "http://user:hidden@proxy.test:3128")
        #expect("\(proxy)" == "proxy.test:3128" && String(reflecting: proxy) == "proxy.test:3128")
        #expect("\([proxy])" == "[proxy.test:3128]")
    }

    @Test("the proxy is asked with the credentials; without good ones its refusal is told, and no password")
    func asked() async throws {
        let heads = Locked<[String]>([])
        let between = try ScriptedOrigin { socket in
            let head = try socket.read(until: "\r\n\r\n")
            heads.withLock { $0.append(head) }
            try socket.send("HTTP/1.1 407 Who are you?\r\n\r\n")
            _ = try socket.readToEnd()
        }
        let endpoint = between.address.endpoint
        let upstream = try UpstreamProxy(url: "http://user:hidden@\(endpoint)")
        let bench = try ProxyBench(["api.test": between.address]) { $0.upstreamProxy = upstream }
        let socket = try bench.connect()
        try socket.send("CONNECT api.test:443 HTTP/1.1\r\n\r\n")
        let answer = String(decoding: try socket.readToEnd(), as: UTF8.self)
        #expect(answer.hasPrefix("HTTP/1.1 502 ") && answer.contains("407 Who are you?"))
        let one = try await bench.observation()
        #expect(one.error?.contains("407") == true)
        for text in [answer, one.error ?? ""] { #expect(!text.contains("hidden") && !text.contains("dXNlc")) }
        let expected = "\r\nProxy-Authorization: Basic dXNlcjpoaWRkZW4=\r\n\r\n"
        #expect(heads.withLock { $0 }.allSatisfy { $0.hasSuffix(expected) } && !heads.withLock { $0.isEmpty })
        withExtendedLifetime(between) {}
    }
}
