import Facts
import Loop
import Policy
import TLS
import Testing

@testable import Proxy

@Suite("Connection+Reach", .timeLimit(.minutes(15)))
struct ConnectionReachTests {
    private func bench(_ profile: Profile = Profile(name: "p"), limit: Int? = nil) throws
        -> (ProxyServer, @Sendable () -> [Observation])
    {
        let seen = Locked<[Observation]>([])
        let authority = try CertificateAuthority.general(now: WallClock.now)
        var configuration = ProxyConfiguration(
            listen: SocketAddress(try #require(IPAddress("127.0.0.1")), 0), loops: 2,
            plan: Plan(profile: profile, phase: .debugging), trust: try TrustStore(systemRoots: false, roots: []),
            material: try ForgeMaterial(authority), observe: { one in seen.withLock { $0.append(one) } })
        configuration.connectionLimit = limit
        return (try ProxyServer(configuration), { seen.withLock { $0 } })
    }

    @Test("CONNECT, SOCKS and plain HTTP to the proxy itself are told so, once")
    func ownAddress() async throws {
        let (proxy, seen) = try bench()
        let port = proxy.address.port
        let connect = try TestSocket(to: proxy.address)
        try connect.send("CONNECT 127.0.0.1:\(port) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
        #expect(String(decoding: try connect.readToEnd(), as: UTF8.self).hasPrefix("HTTP/1.1 508 "))
        let plain = try TestSocket(to: proxy.address)
        try plain.send("GET http://localhost:\(port)/ HTTP/1.1\r\n\r\n")
        #expect(String(decoding: try plain.readToEnd(), as: UTF8.self).hasPrefix("HTTP/1.1 508 "))
        let socks = try TestSocket(to: proxy.address)
        try socks.send([5, 1, 0, 5, 1, 0, 1, 127, 0, 0, 1, UInt8(port >> 8), UInt8(port & 255)])
        #expect(try Array(socks.readToEnd().prefix(4)) == [5, 0, 5, 2])
        for socket in [connect, plain, socks] { socket.close() }
        await proxy.stop()
        #expect(seen().count == 3)
        #expect(seen().allSatisfy { $0.error?.hasPrefix("leads back to the proxy: ") == true })
    }

    @Test("a client that asks by SOCKS5 is told whether the origin refused it or was not reached (RFC 1928 §6)")
    func socksReplies() async throws {
        let (proxy, _) = try bench()
        // A port that was free a moment ago: connections to it are refused.
        let port = try ScriptedOrigin { _ in }.address.port
        for (request, reply) in [
            ([1, 127, 0, 0, 1, UInt8(port >> 8), UInt8(port & 255)], UInt8(5)),
            ([3, 9] + Array("a.invalid".utf8) + [1, 187], 4),
        ] {
            let socket = try TestSocket(to: proxy.address)
            try socket.send([5, 1, 0, 5, 1, 0] + request)
            #expect(try Array(socket.readToEnd().prefix(4)) == [5, 0, 5, reply])
            socket.close()
        }
        await proxy.stop()
    }

    @Test("one ClientHello whose name leads back to the proxy makes one connection, not ten thousand")
    func resolvedToItself() async throws {
        // Any name will do: a server's port is not known before it listens, so the second profile names the first's.
        let (target, targetSeen) = try bench(Profile(name: "target", others: .accept))
        let host = try #require(HostName("api.test"))
        let plan = Plan(
            profile: Profile(
                name: "loop", others: .accept,
                resolve: [host: Destination(HostName(target.address.address), target.address.port)]),
            phase: .debugging)
        try await target.apply(plan)
        let socket = try TestSocket(to: target.address)
        let tls = try TestTLS(socket, trusting: try TrustStore(systemRoots: false, roots: []))
        #expect(throws: (any Error).self) { try tls.handshake() }
        socket.close()
        await target.stop()
        #expect(targetSeen().count == 1)
        #expect(targetSeen().first?.error?.hasPrefix("leads back to the proxy: ") == true)
    }

    @Test(
        "a call of our own that comes back by an upstream proxy is noticed by its ClientHello",
        arguments: [true, false])
    func throughUpstream(intercepted: Bool) async throws {
        let (proxy, seen) = try bench()
        let back = proxy.address
        // An upstream proxy that takes every CONNECT to where it came from, as one would that our name resolves to us for.
        let upstream = try ScriptedOrigin { socket in
            _ = try socket.read(until: "\r\n\r\n")
            try socket.send("HTTP/1.1 200 OK\r\n\r\n")
            let forth = try TestSocket(to: back)
            Pump(forth, socket).start()
            Pump(socket, forth).run()
        }
        var profile = Profile(name: "loop", others: intercepted ? .accept : .tunnel)
        profile.upstream.proxy = upstream.address.endpoint
        try await proxy.apply(Plan(profile: profile, phase: .debugging))
        let socket = try TestSocket(to: back)
        let tls = try TestTLS(socket, trusting: try TrustStore(systemRoots: false, roots: []))
        #expect(throws: (any Error).self) { try tls.handshake() }
        socket.close()
        await proxy.stop()
        #expect(seen().count == 2)
        #expect(seen().contains { $0.error?.hasPrefix("leads back to the proxy: ") == true })
        withExtendedLifetime(upstream) {}
    }

    @Test("clients beyond the limit wait and are served, none is turned away")
    func waiting() async throws {
        let echo = try ScriptedOrigin { socket in try socket.send(try socket.receive()) }
        let (proxy, seen) = try bench(limit: 4)
        let target = echo.address
        let count = 40
        let served = Locked(0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<count {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        onThread {
                            defer { continuation.resume() }
                            guard let socket = try? TestSocket(to: proxy.address),
                                (try? socket.send("CONNECT \(target.endpoint) HTTP/1.1\r\n\r\n")) != nil,
                                let head = try? socket.read(until: "\r\n\r\n"), head.hasPrefix("HTTP/1.1 200 "),
                                (try? socket.send("ping")) != nil, (try? socket.receive()) == Array("ping".utf8)
                            else { return }
                            socket.close()
                            served.withLock { $0 += 1 }
                        }
                    }
                }
            }
        }
        #expect(served.withLock { $0 } == count)
        await proxy.stop()
        #expect(seen().count == count && seen().allSatisfy { $0.error == nil })
        withExtendedLifetime(echo) {}
    }

    @Test("sockets that ask for nothing keep nobody out: the oldest makes room")
    func unasked() async throws {
        let (proxy, seen) = try bench(limit: 100)
        var idle: [TestSocket] = []
        for _ in 0..<90 { idle.append(try TestSocket(to: proxy.address)) }
        // 100 at once over two loops: 25 unasked ones on each.
        #expect(try idle[0].readToEnd().isEmpty)
        let socket = try TestSocket(to: proxy.address)
        try socket.send("GET http://127.0.0.1:1/ HTTP/1.1\r\n\r\n")
        #expect(!(try socket.readToEnd().isEmpty))
        #expect(await proxy.connectionCount() <= 51)
        for socket in idle { socket.close() }
        socket.close()
        await proxy.stop()
        #expect(seen().count == 91)
    }

    @Test("a client from elsewhere reaches what the profile names, and nothing else of this machine")
    func elsewhere() throws {
        let origin = try ScriptedOrigin { _ in }
        let here = HostName(origin.address.address)
        for (isNamed, source) in [(true, "192.168.1.7"), (false, "192.168.1.7"), (false, "127.0.0.1")] {
            var profile = Profile(name: "p")
            if isNamed { profile.rules = [HostRule(pattern: HostPattern(exactly: here), expect: .tunnel)] }
            let address = SocketAddress(try #require(IPAddress(source)), 5000)
            let said = try worker(profile).call { worker in
                let stream = ScriptedStream(from: address)
                worker.take(Arrival(stream: stream))
                stream.say("CONNECT \(origin.address.endpoint) HTTP/1.1\r\n\r\n")
                defer { worker.close() }
                return String(decoding: stream.written, as: UTF8.self)
            }
            // Who may is not answered before the origin is.
            let isRefused = !isNamed && source != "127.0.0.1"
            #expect(said.hasPrefix("HTTP/1.1 403 ") == isRefused && said.isEmpty != isRefused)
        }
    }

    @Test("a link-local address, and localhost of an upstream proxy, are not for clients from elsewhere")
    func linkLocal() throws {
        var behind = Profile(name: "p")
        behind.upstream.proxy = try endpoint("127.0.0.1:1")
        for (profile, target) in [
            (Profile(name: "p"), "169.254.169.254:80"), (behind, "localhost:80"), (behind, "127.0.0.1:80"),
        ] {
            let address = SocketAddress(try #require(IPAddress("10.0.0.7")), 5000)
            let said = try worker(profile).call { worker in
                let stream = ScriptedStream(from: address)
                worker.take(Arrival(stream: stream))
                stream.say("CONNECT \(target) HTTP/1.1\r\n\r\n")
                defer { worker.close() }
                return String(decoding: stream.written, as: UTF8.self)
            }
            #expect(said.hasPrefix("HTTP/1.1 403 "), "\(target)")
        }
    }

    private func worker(_ profile: Profile) throws -> LoopThread<Worker> {
        let authority = try CertificateAuthority.general(now: WallClock.now)
        let configuration = ProxyConfiguration(
            listen: SocketAddress(try #require(IPAddress("127.0.0.1")), 0), loops: 1,
            plan: Plan(profile: profile, phase: .debugging), trust: try TrustStore(systemRoots: false, roots: []),
            material: try ForgeMaterial(authority), observe: { _ in })
        let trial = try TrialMemory(configuration.plan)
        let shared = Worker.Shared(budget: ConnectionBudget(limit: 10))
        return try LoopThread(name: "worker") { loop in
            try Worker(loop: loop, configuration: configuration, trial: trial, shared, index: 0)
        }
    }
}
