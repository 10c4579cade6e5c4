import Facts
import Loop
import Policy
import TLS
import TLSSupport
import Testing

@testable import Proxy

/// What the forged server does as the origin does it, beside its chain.
@Suite("Connection+Manners", .timeLimit(.minutes(15)))
struct ConnectionMannersTests {
    private let pki: TestPKI
    init() throws { pki = try TestPKI() }

    /// An origin that staples, and leaves its clients with sessions.
    private func origin(
        _ version: TLSVersion, _ kind: ServerContext.Kind = .standard, staples: Bool = false
    ) throws -> ScriptedOrigin {
        let chain = try pki.chain()
        let staple = try staples ? chain.genuineStaple(now: WallClock.now) : nil
        return try ScriptedOrigin { socket in
            let tls = try TestTLS(socket, presenting: chain, version: version, kind, stapling: staple)
            try tls.handshake()
            try ScriptedOrigin.answer(tls)
        }
    }

    private func bench(
        _ origin: ScriptedOrigin, _ attack: Attack? = .trustedCA, isDebugging: Bool = false, accepted: Set<String> = []
    ) throws -> ProxyBench {
        try ProxyBench(
            ["api.test": origin.address], trusting: [pki.authority.root], attack: attack, accepted: accepted
        ) { if isDebugging { $0.plan = Plan(profile: $0.plan.profile, phase: .debugging) } }
    }

    /// A client that asks for an answer, served.
    private func served(
        _ bench: ProxyBench, asks: Bool = true, resuming kept: KeptSession? = nil, tickets: Bool = true
    ) throws -> TLSSession {
        let client = try TestTLS(bench.tunnel(), trusting: bench.either, asksForStatus: asks)
        if let kept { client.session.offer(kept) }
        if !tickets { client.session.declineTickets() }
        try client.handshake()
        try client.write(request)
        #expect(String(decoding: try client.readToCloseNotify(), as: UTF8.self).hasSuffix("genuine\n"))
        client.socket.close()
        return client.session
    }

    // MARK: OCSP

    @Test("where the origin staples, so does the forged server", arguments: [TLSVersion.tls12, .tls13], [false, true])
    func stapled(version: TLSVersion, isControl: Bool) async throws {
        let origin = try origin(version, staples: true)
        let bench = try bench(origin, accepted: isControl ? ["api.test"] : [])
        let session = try served(bench)
        let chain = try #require(session.originChain).certificates
        let answer = try #require(session.shownStaple)
        let root = bench.authority.root
        let check = StapleCheck(answer, for: chain, issuedBy: chain.dropFirst().first ?? root, trusting: root)
        #expect(check?.isTrusted == true && check?.status == 0 && check?.isCurrent == true)
        let one = try await bench.observation()
        #expect(one.attack == .trustedCA && !one.unlike.contains("staple"))
        withExtendedLifetime(origin) {}
    }

    @Test(
        "no answer where the client asks for none, or the origin has none; debugging, none is asked for",
        arguments: [(true, false, false), (false, true, false), (true, true, true)])
    func nothingStapled(staples: Bool, asks: Bool, isDebugging: Bool) async throws {
        let origin = try origin(.tls13, staples: staples)
        let bench = try bench(origin, isDebugging: isDebugging, accepted: isDebugging ? ["api.test"] : [])
        #expect(try served(bench, asks: asks).shownStaple == nil)
        #expect(try await !bench.observation().unlike.contains("staple"))
        withExtendedLifetime(origin) {}
    }

    // MARK: sessions

    @Test(
        "TLS 1.2: tickets and ids as the origin gives them, and none is good for anything",
        arguments: [TLSSession.Keepsake.nothing, .id, .ticket])
    func oldSessions(keepsake: TLSSession.Keepsake) async throws {
        let origin = try origin(.tls12, .forgetful(leaves: keepsake))
        let bench = try bench(origin)
        let first = try served(bench)
        #expect(first.keepsake == keepsake)
        let second = try served(bench, resuming: first.kept)
        #expect(!second.isResumed && second.keepsake == keepsake)
        for _ in 0..<2 {
            let one = try await bench.observation()
            #expect(!one.resumed && one.presented.count == 1 && one.bytesUp > 0)
        }
        withExtendedLifetime(origin) {}
    }

    @Test("TLS 1.3: as many tickets as the origin gives, and none is good for anything", arguments: [true, false])
    func tickets(gives: Bool) async throws {
        let origin = try origin(.tls13, gives ? .resumable : .standard)
        let bench = try bench(origin)
        let first = try served(bench)
        #expect(first.keptCount == (gives ? 2 : 0))
        let second = try served(bench, resuming: first.kept)
        #expect(!second.isResumed && second.keptCount == first.keptCount)
        for _ in 0..<2 {
            let one = try await bench.observation()
            #expect(!one.resumed && one.presented.count == 1 && one.bytesUp > 0)
        }
        withExtendedLifetime(origin) {}
    }

    @Test("the debugging proxy hands out none")
    func debugging() async throws {
        let origin = try origin(.tls13, .resumable)
        let bench = try bench(origin, isDebugging: true, accepted: ["api.test"])
        #expect(try served(bench).keptCount == 0)
        _ = try await bench.observation()
        withExtendedLifetime(origin) {}
    }

    // MARK: What the origin can do nothing with

    @Test(
        "an origin's alert on what was offered is told to the client as such, and no other",
        arguments: [UInt8(120): UInt8(120), 40: 40, 70: 70, 71: 71, 80: 80, 49: 80, 112: 80, 0: 80])
    func noOffer(code: UInt8, told: UInt8) async throws {
        let origin = try ScriptedOrigin { socket in
            _ = try socket.receive()
            try socket.send([21, 3, 3, 0, 2, 2, code])
            socket.end()
            _ = try socket.readToEnd()
        }
        let bench = try bench(origin)
        let client = try TestTLS(bench.tunnel(), trusting: bench.installed, alpn: ["h2"])
        #expect(throws: Refused.self) { try client.handshake() }
        #expect(client.session.peerAlert == told)
        client.socket.close()
        let one = try await bench.observation()
        #expect(one.alerts.first?.code == client.session.peerAlert && one.upstream?.error != nil)
        withExtendedLifetime(origin) {}
    }
}
