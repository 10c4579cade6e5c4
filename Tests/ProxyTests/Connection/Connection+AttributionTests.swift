import Facts
import Loop
import Policy
import TLS
import Testing

@testable import Proxy

/// Clients told apart over real sockets.
@Suite("Connection+Attribution", .timeLimit(.minutes(15)))
struct ConnectionAttributionTests {
    private static let phone = ClientRule(name: "phone", credentials: .init(user: "p", password: "a"))
    private static let tablet = ClientRule(name: "tablet", listen: Endpoint("127.0.0.1:0"))
    private static let watch = ClientRule(name: "watch", address: IPAddress("127.0.0.2"))
    private static let right = "Proxy-Authorization: Basic cDph\r\n"
    private static let wrong = "Proxy-Authorization: Basic cDpi\r\n"

    private func bench(
        _ clients: [ClientRule], attack: Attack? = .trustedCA
    ) throws -> (ProxyBench, ScriptedOrigin) {
        let pki = try TestPKI()
        let origin = try ScriptedOrigin(pki.chain())
        return (
            try ProxyBench(
                ["api.test": origin.address], trusting: [pki.authority.root], attack: attack, clients: clients),
            origin
        )
    }

    private func ask(_ socket: TestSocket, _ fields: String = "") throws -> String {
        try socket.send("CONNECT api.test:443 HTTP/1.1\r\nHost: api.test:443\r\n\(fields)\r\n")
        let head = try socket.read(until: "\r\n\r\n")
        guard head.hasPrefix("HTTP/1.1 407 "), let length = head.firstMatch(of: /Content-Length: (\d+)/)?.1 else {
            return head
        }
        _ = try socket.receive(exactly: Int(length) ?? 0)
        return head
    }

    /// A request inside of the tunnel, by a client with the CA installed.
    private func request(_ socket: TestSocket, _ bench: ProxyBench) throws {
        let tls = try TestTLS(socket, trusting: bench.installed)
        try tls.handshake()
        try tls.write("GET / HTTP/1.1\r\nHost: api.test\r\n\r\n")
        _ = try tls.read(until: "\r\n\r\n")
        socket.close()
    }

    @Test("a client that waits for the 407 shows its credentials on the same connection, and is attacked by name")
    func challenge() async throws {
        let (bench, origin) = try bench([Self.phone])
        defer { withExtendedLifetime(origin) {} }
        let socket = try bench.connect()
        let asked = try ask(socket)
        #expect(asked.hasPrefix("HTTP/1.1 407 ") && asked.contains("Proxy-Authenticate: Basic realm=\"pinproof\""))
        #expect(try ask(socket, Self.right).hasPrefix("HTTP/1.1 200 "))
        try request(socket, bench)
        let seen = try await bench.observation()
        #expect(seen.clientName == "phone" && seen.credentials == nil)
        #expect(seen.action == .intercepted && seen.attack == .trustedCA && seen.bytesUp > 0)
        #expect(seen.host?.text == "api.test" && seen.via == .connect)
    }

    @Test("one that shows them at once is told nothing")
    func atOnce() async throws {
        let (bench, origin) = try bench([Self.phone])
        defer { withExtendedLifetime(origin) {} }
        let socket = try bench.connect()
        #expect(try ask(socket, Self.right).hasPrefix("HTTP/1.1 200 "))
        try request(socket, bench)
        #expect(try await bench.observation().clientName == "phone")
    }

    @Test("one that never shows any is nobody, and what it asked for is noted")
    func nobody() async throws {
        let (bench, origin) = try bench([Self.phone])
        defer { withExtendedLifetime(origin) {} }
        let socket = try bench.connect()
        #expect(try ask(socket).hasPrefix("HTTP/1.1 407 "))
        socket.close()
        let seen = try await bench.observation()
        #expect(seen.clientName == nil && seen.credentials == .missing)
        #expect(seen.action == .none && seen.host?.text == "api.test" && seen.target?.port == 443)
    }

    @Test("wrong credentials are asked for again, and noted even when the right ones follow")
    func wrongCredentials() async throws {
        let (bench, origin) = try bench([Self.phone])
        defer { withExtendedLifetime(origin) {} }
        let socket = try bench.connect()
        #expect(try ask(socket, Self.wrong).hasPrefix("HTTP/1.1 407 "))
        #expect(try ask(socket, Self.right).hasPrefix("HTTP/1.1 200 "))
        socket.close()
        let seen = try await bench.observation()
        #expect(seen.clientName == "phone" && seen.credentials == .unknown)
    }

    @Test("SOCKS5 tells a client by user and password; wrong ones end it, and none make it nobody")
    func socks() async throws {
        let (bench, origin) = try bench([Self.phone])
        defer { withExtendedLifetime(origin) {} }
        let target = [5, 1, 0, 3, 8] + Array("api.test".utf8) + [1, 0xbb]
        for (password, client) in [("a", "phone"), ("b", nil)] as [(String, String?)] {
            let socket = try bench.connect()
            try socket.send([5, 2, 0, 2])
            #expect(try socket.receive(atMost: 2) == [5, 2])
            try socket.send([1, 1, UInt8(ascii: "p"), 1] + Array(password.utf8))
            #expect(try socket.receive(atMost: 2) == (client == nil ? [1, 1] : [1, 0]))
            if client != nil {
                try socket.send(target)
                #expect(try socket.receive(atMost: 10).prefix(2) == [5, 0])
                try request(socket, bench)
            } else {
                #expect(try socket.readToEnd().isEmpty)
                socket.close()
            }
            let seen = try await bench.observation()
            #expect(seen.clientName == client && seen.credentials == (client == nil ? .unknown : nil))
            #expect(seen.via == (client == nil ? .unknown : .socks5))
        }
        let plain = try bench.connect()
        try plain.send([5, 1, 0])
        #expect(try plain.receive(atMost: 2) == [5, 0])
        try plain.send(target)
        #expect(try plain.receive(atMost: 10).prefix(2) == [5, 0])
        plain.close()
        let seen = try await bench.observation()
        #expect(seen.clientName == nil && seen.via == .socks5)
    }

    @Test("a port of its own tells a client, and asks it for nothing")
    func port() async throws {
        let (bench, origin) = try bench([Self.phone, Self.tablet])
        defer { withExtendedLifetime(origin) {} }
        let address = try #require(bench.proxy.clientAddresses["tablet"])
        #expect(address.port != 0 && address.port != bench.proxy.address.port)
        #expect(bench.proxy.clientEndpoints["tablet"] == address.endpoint)
        let socket = try TestSocket(to: address)
        #expect(try ask(socket).hasPrefix("HTTP/1.1 200 "))
        try request(socket, bench)
        #expect(try await bench.observation().clientName == "tablet")
        // What it shows says more than where it came to.
        let other = try TestSocket(to: address)
        #expect(try ask(other, Self.right).hasPrefix("HTTP/1.1 200 "))
        other.close()
        #expect(try await bench.observation().clientName == "phone")
    }

    @Test("the address that a connection comes from tells a client; from any other it is nobody, and not attacked")
    func address() async throws {
        let (bench, origin) = try bench([Self.watch])
        defer { withExtendedLifetime(origin) {} }
        let source = SocketAddress(try #require(IPAddress("127.0.0.2")), 0)
        let socket = try TestSocket(to: bench.proxy.address, from: source)
        #expect(try ask(socket).hasPrefix("HTTP/1.1 200 "))
        try request(socket, bench)
        let seen = try await bench.observation()
        #expect(seen.clientName == "watch" && seen.action == .intercepted)

        let other = try bench.connect()
        #expect(try ask(other).hasPrefix("HTTP/1.1 200 "))
        let tls = try TestTLS(other, trusting: bench.installed)
        // Untouched, it meets the genuine chain, which it does not trust.
        #expect(throws: (any Error).self) { try tls.handshake() }
        other.close()
        let nobody = try await bench.observation()
        #expect(nobody.clientName == nil && nobody.action == .tunnelled && nobody.credentials == nil)
    }

    @Test("plain requests are asked for credentials too, and go on without them")
    func plainRequests() async throws {
        let (bench, origin) = try bench([Self.phone])
        defer { withExtendedLifetime(origin) {} }
        let socket = try bench.connect()
        try socket.send("GET http://127.0.0.1:1/ HTTP/1.1\r\nHost: 127.0.0.1:1\r\n\r\n")
        #expect(try socket.read(until: "\r\n").hasPrefix("HTTP/1.1 407 "))
        socket.close()
        let seen = try await bench.observation()
        #expect(seen.via == .http && seen.credentials == .missing && seen.target?.port == 1)
    }

    @Test("clients at once, on all loops, are never taken for one another")
    func many() async throws {
        let second = ClientRule(name: "second", credentials: .init(user: "p2"))
        let (bench, origin) = try bench([Self.phone, second, Self.tablet, Self.watch], attack: nil)
        defer { withExtendedLifetime(origin) {} }
        let tablet = try #require(bench.proxy.clientAddresses["tablet"])
        let source = SocketAddress(try #require(IPAddress("127.0.0.2")), 0)
        var sockets: [TestSocket] = []
        for _ in 0..<10 {
            for (fields, to, from) in [
                (Self.right, bench.proxy.address, nil),
                ("Proxy-Authorization: Basic cDI6\r\n", bench.proxy.address, nil),
                ("", tablet, nil), ("", bench.proxy.address, source),
            ] as [(String, SocketAddress, SocketAddress?)] {
                let socket = try TestSocket(to: to, from: from)
                #expect(try ask(socket, fields).hasPrefix("HTTP/1.1 200 "))
                sockets.append(socket)
            }
        }
        for socket in sockets { socket.close() }
        let counts = Dictionary(grouping: await bench.rest(), by: \.clientName).mapValues(\.count)
        #expect(counts == ["phone": 10, "second": 10, "tablet": 10, "watch": 10])
    }

    @Test("a plan without clients tells nobody apart, whatever port or credentials are used")
    func withoutClients() async throws {
        let (bench, origin) = try bench([Self.phone, Self.tablet])
        defer { withExtendedLifetime(origin) {} }
        try await bench.proxy.apply(Plan(profile: Profile(name: "self-test"), phase: .passthrough))
        for address in [bench.proxy.address, try #require(bench.proxy.clientAddresses["tablet"])] {
            let socket = try TestSocket(to: address)
            try socket.send("CONNECT \(origin.address) HTTP/1.1\r\n\(Self.wrong)\r\n")
            #expect(try socket.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200 "))
            socket.close()
            let seen = try await bench.observation()
            #expect(seen.clientName == nil && seen.credentials == nil)
        }
    }

    @Test("a client's address that cannot be listened at is named")
    func usedPort() throws {
        let (bench, origin) = try bench([])
        defer { withExtendedLifetime(origin) {} }
        let used = bench.proxy.address
        let client = ClientRule(name: "tablet", listen: used.endpoint)
        let error = #expect(throws: ListenError.self) { try self.bench([client]) }
        #expect(error?.address == used && error?.client == "tablet" && error?.reason.isAddressInUse == true)
    }
}
