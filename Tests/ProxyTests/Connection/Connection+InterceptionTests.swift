import Facts
import Loop
import Policy
import TLS
import Testing

@testable import Proxy

@Suite("Connection+Interception", .timeLimit(.minutes(15)))
struct ConnectionInterceptionTests {
    private func bench(
        version: TLSVersion? = nil, _ serve: @escaping @Sendable (TestTLS) throws -> Void = ScriptedOrigin.answer
    ) throws -> (ProxyBench, ScriptedOrigin) {
        let pki = try TestPKI()
        let origin = try ScriptedOrigin(pki.chain(), version: version, serve)
        return (try ProxyBench(["api.test": origin.address], trusting: [pki.authority.root]), origin)
    }

    // MARK: Clients that wait for an acknowledgement

    // macOS has no way to give one at once.
    #if os(Linux)

        /// The shortest of several times until what `speak` sends last is acknowledged. Delayed, that takes 40 ms each time; at once, it
        /// takes as long on a busy machine alone, and hardly each time.
        private func shortestDelay(_ speak: (ProxyBench, TestSocket) throws -> Void) throws -> Duration {
            let (bench, origin) = try bench(version: .tls13)
            defer { withExtendedLifetime(origin) {} }
            var shortest = Duration.seconds(240)
            for _ in 0..<20 where shortest > .milliseconds(20) {
                let socket = try bench.tunnel()
                defer { socket.close() }
                try speak(bench, socket)
                let start = ContinuousClock.now
                try socket.waitUntilArrived()
                shortest = min(shortest, ContinuousClock.now - start)
            }
            return shortest
        }

        @Test("a Finished is acknowledged at once: a client's request may wait for that")
        func acknowledgesFinished() throws {
            let delay = try shortestDelay { bench, socket in try TestTLS(socket, trusting: bench.installed).handshake()
            }
            #expect(delay < .milliseconds(20))
        }

        @Test("the beginning of a ClientHello is acknowledged at once: its end may wait for that")
        func acknowledgesBeginning() throws {
            let delay = try shortestDelay { bench, socket in
                try socket.send(Array(TestTLS(socket, trusting: bench.installed).hello().prefix(100)))
            }
            #expect(delay < .milliseconds(20))
        }
    #endif

    // MARK: How clients go

    @Test("a client that resets in the middle of the handshake has read our flight, and refused without a word")
    func resetAfterFlight() async throws {
        let (bench, origin) = try bench()
        defer { withExtendedLifetime(origin) {} }
        let socket = try bench.tunnel()
        try socket.send(TestTLS(socket, trusting: bench.installed).hello())
        // Of a flight in one segment the kernel delays the acknowledgement, and a reset overtakes it.
        _ = try socket.receive(atLeast: 9)
        socket.reset()
        let one = try await bench.observation()
        #expect(one.close?.by == .client && one.close?.how == .rst)
        #expect(one.flight?.delivered == true && one.finishedMS == nil && one.bytesUp == 0)
    }

    @Test(
        "a client that leaves the handshake by a close_notify has ended it, as GnuTLS and s2n do when they refuse",
        arguments: [TLSVersion.tls12, .tls13])
    func closeNotifyInHandshake(version: TLSVersion) async throws {
        let (bench, origin) = try bench(version: version)
        defer { withExtendedLifetime(origin) {} }
        let socket = try bench.tunnel()
        try socket.send(TestTLS(socket, trusting: bench.installed, highest: version).hello())
        // The first segment alone is no flight yet.
        _ = try socket.receive(atLeast: 9)
        // Alert, level warning, close_notify: in the clear, as long as the client has not changed its keys.
        try socket.send([21, 3, 3, 0, 2, 1, 0])
        _ = try socket.readToEnd()
        socket.close()
        let one = try await bench.observation()
        #expect(one.close?.by == .client && one.close?.how == .closeNotify && one.error == nil)
        #expect(one.flight?.delivered == true && one.finishedMS == nil && one.bytesUp == 0)
        #expect(one.alerts.map(\.code) == [0] && one.alerts.map(\.from) == [.client])
    }

    @Test("a client that is gone before our flight can arrive has refused nothing", arguments: [true, false])
    func goneBeforeFlight(byReset: Bool) async throws {
        // There is nothing to send before the origin has shown its chain, which it does when the client is gone.
        let (pki, isGone) = (try TestPKI(), Gate())
        let chain = try pki.chain()
        let origin = try ScriptedOrigin { socket in
            isGone.wait()
            try TestTLS(socket, presenting: chain).handshake()
        }
        defer { withExtendedLifetime(origin) {} }
        let bench = try ProxyBench(["api.test": origin.address], trusting: [pki.authority.root])
        let socket = try bench.tunnel()
        try socket.send(TestTLS(socket, trusting: bench.installed).hello())
        if byReset { socket.reset() } else { socket.close() }
        isGone.open()
        let one = try await bench.observation()
        #expect(one.close?.by == .client && one.flight?.delivered != true && one.finishedMS == nil)
    }

    @Test("what the CA may not sign for a host is not presented, and noted so")
    func leftOut() async throws {
        let pki = try TestPKI()
        let origin = try ScriptedOrigin(pki.chain())
        defer { withExtendedLifetime(origin) {} }
        for variant in ["parent-domain", "client-auth"] {
            let bench = try ProxyBench(
                ["api.test": origin.address], trusting: [pki.authority.root], attack: .wrongUsage, variant: variant,
                constrained: true)
            #expect(throws: (any Error).self) { try bench.visitor() }
            let one = try await bench.observation()
            #expect(one.attack == "wrong-usage" && one.variant == variant)
            #expect(one.leftOut == (variant == "parent-domain") && one.presented.isEmpty == one.leftOut)
        }
    }

    @Test("a FIN without close_notify is told from one with it", arguments: [true, false])
    func finOrCloseNotify(says: Bool) async throws {
        let (bench, origin) = try bench()
        defer { withExtendedLifetime(origin) {} }
        let client = try bench.client()
        if says { try client.closeNotify() }
        client.socket.close()
        let one = try await bench.observation()
        #expect(one.close?.by == .client && one.close?.how == (says ? .closeNotify : .fin))
        #expect(one.finishedMS != nil && one.flight?.delivered == true && !one.records.isEmpty)
        #expect(one.alerts.contains { $0.from == .client && $0.code == 0 } == says)
    }

    @Test(
        "a client that says good-bye without a request is answered at once, not when the origin's end is given up waiting for"
    )
    func orderlyRefusal() async throws {
        let (bench, origin) = try bench { tls in
            _ = try tls.readToCloseNotify()
            try tls.closeNotify()
            _ = try tls.socket.readToEnd()
        }
        defer { withExtendedLifetime(origin) {} }
        let client = try bench.client()
        try client.closeNotify()
        let said = ContinuousClock.now
        #expect(try client.readToCloseNotify().isEmpty)
        // Held back, it comes after ten seconds.
        #expect(ContinuousClock.now - said < .seconds(8))
        client.socket.close()
        let one = try await bench.observation()
        #expect(one.close?.by == .client && one.close?.how == .closeNotify && one.finishedMS != nil && one.bytesUp == 0)
    }

    @Test("an origin's good-bye is the origin's close, though the client answers it before the FIN comes")
    func originSaysGoodbye() async throws {
        let (bench, origin) = try bench { tls in
            try tls.closeNotify()
            _ = try tls.socket.readToEnd()
        }
        defer { withExtendedLifetime(origin) {} }
        let client = try bench.client()
        #expect(try client.readToCloseNotify().isEmpty)
        try client.closeNotify()
        client.socket.close()
        let one = try await bench.observation()
        #expect(one.close?.by == .origin && one.close?.how == .closeNotify && one.bytesUp == 0)
        #expect(one.alerts.contains { $0.from == .proxy && $0.code == 0 && $0.epoch == .application })
    }

    @Test("an origin that breaks off is not the client's refusal, and what the client still says counts")
    func originBreaks() async throws {
        let (bench, origin) = try bench { tls in
            // No record of any session: the proxy's end fails.
            try tls.socket.send([23, 3, 3, 0, 30] + [UInt8](repeating: 1, count: 30))
            _ = try tls.socket.readToEnd()
        }
        defer { withExtendedLifetime(origin) {} }
        let client = try bench.client()
        #expect(throws: UnexpectedEnd.self) { _ = try client.readToCloseNotify() }
        try client.write(request)
        client.socket.close()
        let one = try await bench.observation()
        #expect(one.close?.by == .origin && one.close?.how == .aborted && one.error?.hasPrefix("origin: ") == true)
        #expect(one.bytesUp == request.utf8.count)
    }

    @Test("an answer that was cut does not look whole to the client")
    func truncated() async throws {
        let (bench, origin) = try bench { tls in
            _ = try tls.read(until: "\r\n\r\n")
            try tls.write("HTTP/1.0 200 OK\r\n\r\nhalf of it")
            tls.socket.end()
            _ = try tls.socket.readToEnd()
        }
        defer { withExtendedLifetime(origin) {} }
        let client = try bench.client()
        try client.write(request)
        _ = try client.read(until: "half of it")
        #expect(throws: UnexpectedEnd.self) { _ = try client.readToCloseNotify() }
    }

    @Test(
        "records that we cannot read end the connection by us: no refusal of the client", arguments: [TLSVersion.tls13])
    func unreadable(version: TLSVersion) async throws {
        let (bench, origin) = try bench(version: version)
        defer { withExtendedLifetime(origin) {} }
        let socket = try bench.tunnel()
        try socket.send(TestTLS(socket, trusting: bench.installed).hello())
        _ = try socket.receive()
        try socket.send([23, 3, 3, 0, 30] + [UInt8](repeating: 1, count: 30))
        _ = try? socket.readToEnd()
        socket.close()
        let one = try await bench.observation()
        #expect(one.close?.by == .proxy && one.close?.how == .aborted && one.error?.hasPrefix("client: ") == true)
        #expect(one.alerts.contains { $0.from == .proxy && $0.code == 20 && $0.epoch == .handshake })
    }

    @Test("user_canceled is noted as the warning it is, and what follows still counts")
    func warning() async throws {
        let (bench, origin) = try bench(version: .tls12)
        defer { withExtendedLifetime(origin) {} }
        let tls = try TestTLS(bench.tunnel(), trusting: bench.installed, highest: .tls12)
        try tls.socket.send(tls.hello())
        try tls.socket.send([21, 3, 3, 0, 2, 1, 90])
        try tls.handshake()
        try tls.write(request)
        _ = try tls.readToCloseNotify()
        tls.socket.close()
        let one = try await bench.observation()
        let alert = try #require(one.alerts.first)
        #expect(alert.code == 90 && alert.level == 1 && alert.epoch == .plaintext && !alert.isFatal)
        #expect(one.bytesUp > 0)
    }

    // MARK: Half-close and back-pressure

    @Test("a client that ends its side after its request gets the whole answer", arguments: [TLSVersion.tls12, .tls13])
    func clientHalfCloses(version: TLSVersion) async throws {
        let size = 1_000_000
        let (bench, origin) = try bench(version: version) { tls in
            let asked = try tls.readToCloseNotify()
            try tls.write([UInt8](repeating: 7, count: asked.count))
            try tls.closeNotify()
            tls.socket.end()
        }
        defer { withExtendedLifetime(origin) {} }
        let client = try bench.client()
        try client.write([UInt8](repeating: 9, count: size))
        try client.closeNotify()
        client.socket.end()
        #expect(try client.readToCloseNotify().count == size)
        let one = try await bench.observation()
        #expect(one.bytesUp == size && one.bytesDown == size)
        #expect(one.close?.by == .client && one.close?.how == .closeNotify)
    }

    @Test("an origin that ends its side first still gets the whole upload")
    func originHalfCloses() async throws {
        let size = 1_000_000
        let (bench, origin) = try bench { tls in
            try tls.write("greeting")
            try tls.closeNotify()
            tls.socket.end()
            #expect(try tls.readToCloseNotify().count == size)
        }
        defer { withExtendedLifetime(origin) {} }
        let client = try bench.client()
        #expect(try client.readToCloseNotify() == Array("greeting".utf8))
        try client.write([UInt8](repeating: 9, count: size))
        try client.closeNotify()
        client.socket.end()
        let one = try await bench.observation()
        #expect(one.bytesUp == size && one.close?.by == .origin)
    }

    @Test("64 MiB towards a client that does not read wait at the origin, not in the proxy", arguments: [true, false])
    func slowClient(intercepted: Bool) async throws {
        let size = 64 << 20
        let piece = [UInt8](repeating: 7, count: 1 << 20)
        let pki = try TestPKI()
        let origin = try ScriptedOrigin(pki.chain()) { tls in
            _ = try tls.read(until: "\r\n\r\n")
            for _ in 0..<64 { try tls.write(piece) }
            _ = try tls.socket.readToEnd()
        }
        let bench = try ProxyBench(
            ["api.test": origin.address], trusting: [pki.authority.root], attack: intercepted ? .trustedCA : nil)
        let trust = intercepted ? bench.installed : try TrustStore(systemRoots: false, roots: [pki.authority.root])
        let client = try TestTLS(bench.tunnel(receiveBuffer: 64 * 1024), trusting: trust)
        try client.handshake()
        try client.write(request)
        try await expectBoundedBacklog(bench)
        var got = 0
        while got < size { got += try client.read(count: min(1 << 20, size - got)).count }
        client.socket.close()
        #expect(try await bench.observation().bytesDown >= size)
    }

    @Test("64 MiB towards an origin that does not read wait at the client", arguments: [true, false])
    func slowOrigin(intercepted: Bool) async throws {
        let size = 64 << 20
        let gate = Gate()
        let pki = try TestPKI()
        let origin = try ScriptedOrigin(pki.chain()) { tls in
            gate.wait()
            var got = 0
            while got < size { got += try tls.read(count: min(1 << 20, size - got)).count }
            try tls.write("all")
            _ = try tls.socket.readToEnd()
        }
        let bench = try ProxyBench(
            ["api.test": origin.address], trusting: [pki.authority.root], attack: intercepted ? .trustedCA : nil)
        let trust = intercepted ? bench.installed : try TrustStore(systemRoots: false, roots: [pki.authority.root])
        let client = try TestTLS(bench.tunnel(), trusting: trust)
        try client.handshake()
        let uploading = Uploading(client, size)
        try await expectBoundedBacklog(bench)
        gate.open()
        uploading.join()
        #expect(try client.read(until: "all") == "all")
        client.socket.close()
        #expect(try await bench.observation().bytesUp >= size)
    }

    /// Waits until one side is held back, and looks at the backlog for many turns of the loops after that.
    private func expectBoundedBacklog(_ bench: ProxyBench) async throws {
        var heaviest = 0
        var turns = 0
        while turns < 2_000 {
            heaviest = max(heaviest, await bench.proxy.heaviestBacklog())
            if heaviest > ConnectionMachine.backlogLimit { turns += 1 }
            try Task.checkCancellation()
        }
        // Over the limit by one batch of reading, encrypted, at most.
        #expect(heaviest < ConnectionMachine.backlogLimit + 128 * 1024)
    }
}

/// Sends `size` bytes on a thread of its own.
private final class Uploading: Sendable {
    private let done = Gate()

    init(_ tls: TestTLS, _ size: Int) {
        let done = self.done
        onThread {
            for _ in 0..<(size >> 20) { try? tls.write([UInt8](repeating: 7, count: 1 << 20)) }
            done.open()
        }
    }

    func join() { done.wait() }
}
