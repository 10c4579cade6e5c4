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
}
