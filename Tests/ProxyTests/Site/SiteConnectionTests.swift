import Facts
import Loop
import Policy
import TLS
import Testing
import Wire

@testable import Proxy

/// A proxy whose site answers with what it was asked.
private func bench(
    _ origins: [String: SocketAddress] = [:], attack: Attack? = nil, constrained: Bool = false
) throws -> ProxyBench {
    try ProxyBench(origins, attack: attack, constrained: constrained) { configuration in
        configuration.site = OwnSite { visit in
            let request = visit.request
            let words = "\(request.method) \(request.host?.text ?? "-") \(request.path) \(visit.isChecked)"
            return SiteAnswer(type: "text/plain", Array(words.utf8))
        }
    }
}

private func body(_ answer: [UInt8]) -> String {
    String(decoding: answer, as: UTF8.self).split(separator: "\r\n\r\n").last.map(String.init) ?? ""
}

@Suite("What the proxy answers itself", .timeLimit(.minutes(15)))
struct SiteConnectionTests {
    /// One request on a connection of its own, and all that is answered.
    private func ask(_ bench: ProxyBench, _ text: String) throws -> String {
        let socket = try bench.connect()
        defer { socket.close() }
        try socket.send(text)
        return String(decoding: try socket.readToEnd(), as: UTF8.self)
    }

    @Test(
        "its name is asked for as by a proxy's clients, its address as by a browser; nobody is called or observed",
        arguments: [false, true])
    func asked(underAttack: Bool) async throws {
        let bench = try bench(attack: underAttack ? .trustedCA : nil)
        let own = bench.proxy.endpoint
        let plain = try ask(bench, "GET http://pinproof.test/a?b HTTP/1.1\r\nHost: pinproof.test\r\n\r\n")
        #expect(plain.hasPrefix("HTTP/1.1 200 OK\r\n") && plain.hasSuffix("GET pinproof.test /a false"), "\(plain)")
        for host in ["127.0.0.1:1", "\(own)", "localhost:8080", "[::1]:8080", "192.168.1.5:80", "pinproof.test"] {
            let answer = try ask(bench, "GET /x HTTP/1.1\r\nHost: \(host)\r\n\r\n")
            #expect(answer.contains(" /x false"), "\(host): \(answer)")
        }
        // A browser that uses the proxy for its own address as well.
        #expect(try ask(bench, "GET http://\(own)/y HTTP/1.1\r\nHost: \(own)\r\n\r\n").contains(" /y false"))
        #expect(await bench.rest().isEmpty)
    }

    @Test("a page of the web does not come in by a name of its own, nor a request without one")
    func foreign() async throws {
        let bench = try bench()
        for host in ["Host: evil.test\r\n", "Host: pinproof.test.evil.test\r\n", ""] {
            let answer = try ask(bench, "GET / HTTP/1.1\r\n\(host)\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(answer)")
        }
        #expect(await bench.rest().count == 3)
    }

    @Test("in a trial what is said in the clear to a host of the profile's stays evidence, an address or not")
    func evidence() async throws {
        let nowhere = SocketAddress(try #require(IPAddress("127.0.0.3")), 1)
        let bench = try bench(["192.0.2.7": nowhere], attack: .trustedCA)
        #expect(try ask(bench, "GET /secret HTTP/1.1\r\nHost: 192.0.2.7\r\n\r\n").hasPrefix("HTTP/1.1 400 "))
        let one = try await bench.observation()
        #expect(one.host?.text == "192.0.2.7" && one.bytesUp > 0)
    }

    @Test("without a site, as in a gate that runs COMMAND, its names are names like any other")
    func absent() async throws {
        let bench = try ProxyBench(attack: nil)
        #expect(try ask(bench, "GET / HTTP/1.1\r\nHost: \(bench.proxy.endpoint)\r\n\r\n").hasPrefix("HTTP/1.1 400 "))
        let own = bench.proxy.endpoint
        #expect(try ask(bench, "GET http://\(own)/ HTTP/1.1\r\nHost: \(own)\r\n\r\n").hasPrefix("HTTP/1.1 508 "))
        #expect(await bench.rest().count == 2)
    }

    @Test("through a tunnel, in the clear, byte by byte")
    func tunnelled() async throws {
        let bench = try bench()
        let socket = try bench.tunnel(to: "pinproof.test:80")
        for byte in Array("GET /in HTTP/1.1\r\nHost: other.test\r\n\r\n".utf8) { try socket.send([byte]) }
        #expect(body(try socket.readToEnd()) == "GET pinproof.test /in false")
        socket.close()
        #expect(await bench.rest().isEmpty)
    }

    @Test("SOCKS5, by name")
    func socks() async throws {
        let bench = try bench()
        let socket = try bench.connect()
        try socket.send([5, 1, 0])
        #expect(try socket.receive() == [5, 0])
        try socket.send([5, 1, 0, 3, 13] + Array("pinproof.test".utf8) + [0, 80])
        #expect(try socket.receive().starts(with: [5, 0]))
        try socket.send("GET /s HTTP/1.1\r\nHost: pinproof.test\r\n\r\n")
        #expect(body(try socket.readToEnd()) == "GET pinproof.test /s false")
        socket.close()
        #expect(await bench.rest().isEmpty)
    }

    @Test("the check is made by who trusts the CA, and by nobody else", arguments: [TLSVersion.tls12, .tls13])
    func check(version: TLSVersion) async throws {
        let bench = try bench()
        let name = OwnSite.checkName
        let tls = try TestTLS(
            bench.tunnel(to: "\(name):443"), sni: name, verifying: name, trusting: bench.installed,
            alpn: ["h2", "http/1.1"], highest: version)
        try tls.handshake()
        try tls.write("GET / HTTP/1.1\r\nHost: \(name)\r\n\r\n")
        #expect(body(try tls.readToCloseNotify()) == "GET \(name) / true")
        let stranger = try TestTLS(
            bench.tunnel(to: "\(name):443"), sni: name, verifying: name,
            trusting: try TrustStore(systemRoots: false, roots: []), highest: version)
        #expect(throws: Refused.self) { try stranger.handshake() }
        // Over TLS the page is no check, and in the clear neither is the check.
        let page = try TestTLS(
            bench.tunnel(to: "pinproof.test:443"), sni: "pinproof.test", verifying: "pinproof.test",
            trusting: bench.installed)
        try page.handshake()
        try page.write("GET / HTTP/1.1\r\nHost: \(name)\r\n\r\n")
        #expect(body(try page.readToCloseNotify()) == "GET pinproof.test / false")
        #expect(try ask(bench, "GET http://\(name)/ HTTP/1.1\r\nHost: \(name)\r\n\r\n").hasSuffix(" / false"))
        #expect(await bench.rest().isEmpty)
    }

    @Test("a client that begins with TLS, by its server name")
    func transparent() async throws {
        let bench = try bench()
        let name = OwnSite.checkName
        let tls = try TestTLS(bench.connect(), sni: name, verifying: name, trusting: bench.installed)
        try tls.handshake()
        try tls.write("GET / HTTP/1.1\r\nHost: \(name)\r\n\r\n")
        #expect(body(try tls.readToCloseNotify()) == "GET \(name) / true")
        #expect(await bench.rest().isEmpty)
    }

    @Test("a CA for some hosts alone ends the check by an alert, and the page is there all the same")
    func constrained() async throws {
        let bench = try bench(["api.test": SocketAddress(try #require(IPAddress("127.0.0.1")), 1)], constrained: true)
        let name = OwnSite.checkName
        let tls = try TestTLS(
            bench.tunnel(to: "\(name):443"), sni: name, verifying: name, trusting: bench.installed)
        #expect(throws: Refused.self) { try tls.handshake() }
        #expect(try ask(bench, "GET http://pinproof.test/ HTTP/1.1\r\n\r\n").hasSuffix("pinproof.test / false"))
    }

    @Test("on a connection that was kept after another request, and the other one is observed")
    func kept() async throws {
        let origin = try ScriptedOrigin { socket in
            _ = try socket.read(until: "\r\n\r\n")
            try socket.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
            _ = try socket.readToEnd()
        }
        let bench = try bench(["one.test": origin.address])
        let socket = try bench.connect()
        try socket.send("GET http://one.test/ HTTP/1.1\r\nHost: one.test\r\n\r\n")
        _ = try socket.read(until: "hi")
        try socket.send("GET http://pinproof.test/k HTTP/1.1\r\nHost: pinproof.test\r\n\r\n")
        #expect(body(try socket.readToEnd()) == "GET pinproof.test /k false")
        socket.close()
        #expect(await bench.rest().map(\.host?.text) == ["one.test"])
    }

    @Test("who says goodbye before it has said anything, or talks nonsense, leaves nothing behind")
    func nonsense() async throws {
        let bench = try bench()
        for text in ["", "\u{16}\u{3}\u{1}\u{0}\u{4}nope", "GET", "\u{0}\u{0}"] {
            let socket = try bench.tunnel(to: "pinproof.test:443")
            try socket.send(text)
            socket.end()
            _ = try socket.readToEnd()
            socket.close()
        }
        #expect(await bench.rest().isEmpty)
    }
}

@Suite struct ConnectionMachineSiteTests {
    @Test("a client of the proxy's own site is left to that at once, before anything is called or noted")
    func machine() throws {
        var play = try Playbook(.debugging)
        play.on(.siteAsked, expect: [.visitSite])
        play = try Playbook(.debugging)
        play.on(.helloCame, expect: [.readHello])
        play.on(.siteAsked, expect: [.visitSite])
    }
}
