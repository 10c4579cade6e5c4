import Facts
import Testing

@testable import Inspector

@Suite("ShellChecks")
struct ShellChecksTests {
    private func checks(_ environment: [String: String]) throws -> [DoctorCheck] {
        ShellChecks(environment: environment, proxy: try #require(Endpoint("127.0.0.1:8080"))).checks
    }

    @Test("a shell without a proxy is no fault, and how to name one is said")
    func none() throws {
        let check = try #require(checks(["https_proxy": "", "NO_PROXY": "*"]).first)
        #expect(check.status == .skipped && check.todo?.contains("https_proxy=http://127.0.0.1:8080") == true)
    }

    @Test(
        "the proxy is known by all names of this machine",
        arguments: ["http://127.0.0.1:8080", "127.0.0.1:8080", "http://localhost:8080/", "socks5h://[::1]:8080"])
    func right(value: String) throws {
        let all = try checks(["https_proxy": value, "no_proxy": "localhost,127.0.0.1, ::1,.localhost"])
        #expect(all == [DoctorCheck("environment", .ok, "https_proxy leads to the proxy")])
    }

    @Test("one that leads elsewhere is named by host and port, and never with its password")
    func astray() throws {
        let all = try checks([
            "HTTPS_PROXY": "http://me:secret@proxy.example.com:3128/", "http_proxy": "127.0.0.1:8080",
        ])
        let check = try #require(all.first)
        #expect(
            check.status == .warning && check.what.hasPrefix("HTTPS_PROXY (proxy.example.com:3128) leads elsewhere"))
        #expect(!"\(all)".contains("secret") && check.todo?.contains("--upstream-proxy") == true)
    }

    @Test("a proxy for plain HTTP alone is a note")
    func plainAlone() throws {
        #expect(try checks(["http_proxy": "127.0.0.1:8080"]).first?.what.contains("nothing does for HTTPS") == true)
    }

    @Test("hosts that go past the proxy are named, a star is all of them")
    func exceptions() throws {
        let some = try checks(["https_proxy": "localhost:8080", "NO_PROXY": "localhost,.corp.example, api.test"])
        #expect(some.last?.what == "NO_PROXY lets hosts go past the proxy: .corp.example and api.test")
        let all = try checks(["https_proxy": "localhost:8080", "no_proxy": "*"])
        #expect(all.last?.what == "no_proxy lets every host go past the proxy")
    }

    @Test("Node.js that verifies nothing says nothing of trust")
    func careless() throws {
        #expect(try checks(["NODE_TLS_REJECT_UNAUTHORIZED": "0"]).last?.status == .warning)
        #expect(try checks(["NODE_TLS_REJECT_UNAUTHORIZED": "1"]).count == 1)
    }

    @Test(
        "a proxy's address is read as programs write it",
        arguments: [
            ("http://a:b@c.test:1/x", "c.test:1"), ("c.test", "c.test:80"), ("https://c.test", "c.test:443"),
            ("socks5://c.test", "c.test:1080"), ("http://[2001:db8::1]:9", "[2001:db8::1]:9"), ("http://", nil),
            ("http://c.test:99999", nil),
        ])
    func endpoint(value: String, expected: String?) {
        #expect(ShellChecks.endpoint(value)?.description == expected)
    }
}
