import Embedded
import Facts
import Loop
import Policy
import TLS
import Testing

@testable import Proxy

/// A proxy before an embedded origin, and what it has observed.
private final class Rig: Sendable {
    let origin: EmbeddedOrigin
    let authority: CertificateAuthority
    let proxy: ProxyServer
    let seen: Locked<[Observation]>
    /// The proxy's ends of its connections.
    let ends: Locked<[ProxyEnd]>
    let originTrust: TrustStore
    /// A client that the CA was installed on.
    let bothTrust: TrustStore

    init(others: Others = .tunnel, proxyTrustsOrigin: Bool = true, lastConnection: UInt64 = 0) throws {
        let now = WallClock.now
        origin = try EmbeddedOrigin(now: now)
        authority = try CertificateAuthority.general(now: now)
        originTrust = try TrustStore(systemRoots: false, roots: [origin.root])
        bothTrust = try TrustStore(systemRoots: false, roots: [origin.root, authority.root])
        let seen = Locked<[Observation]>([])
        self.seen = seen
        let ends = Locked<[ProxyEnd]>([])
        self.ends = ends
        let trust = proxyTrustsOrigin ? originTrust : try TrustStore(systemRoots: false, roots: [])
        var configuration = ProxyConfiguration(
            listen: SocketAddress(try #require(IPAddress("127.0.0.1")), 0), loops: 2,
            plan: Plan(profile: try Self.profile(others, origin.address), phase: .passthrough), trust: trust,
            material: try ForgeMaterial(authority), observe: { one in seen.withLock { $0.append(one) } },
            ends: { end in ends.withLock { $0.append(end) } })
        configuration.lastConnection = lastConnection
        proxy = try ProxyServer(configuration)
    }

    static func profile(_ others: Others, _ origin: SocketAddress) throws -> Profile {
        let names = try ["api.test", "cdn.test", "else.test"].map { try #require(HostName($0)) }
        return Profile(
            name: "rig",
            rules: [
                HostRule(pattern: HostPattern(exactly: names[0]), expect: .refuse),
                HostRule(pattern: HostPattern(exactly: names[1]), expect: .accept),
            ],
            others: others,
            resolve: Dictionary(
                uniqueKeysWithValues: names.map { ($0, Destination(HostName(origin.address), origin.port)) }))
    }

    func apply(_ attack: Attack?, variant: Int = 0, trial: Int = 1) async throws {
        let phase: Plan.Phase = attack.map { .attack($0, $0.variants[variant], only: []) } ?? .passthrough
        try await proxy.apply(
            Plan(profile: try Self.profile(.tunnel, origin.address), phase: phase, trial: trial))
    }

    func client(_ host: String = "api.test", trusting trust: TrustStore, pinned: Bool = false) throws -> EmbeddedClient
    {
        EmbeddedClient(
            proxy: proxy.address, target: Endpoint(try #require(HostName(host)), 443), trust: trust,
            pin: pinned ? origin.pin : nil)
    }

    /// What was observed once everything has come to rest.
    func observations() async -> [Observation] {
        await proxy.settle()
        await proxy.endConnections()
        return seen.withLock { $0 }
    }

    func only() async throws -> Observation {
        let all = await observations()
        #expect(all.count == 1)
        return try #require(all.first)
    }

    deinit {
        let proxy = self.proxy
        Task { await proxy.stop() }
    }
}

@Test("in passthrough the genuine origin is reached, and the request and its answer are seen in the records")
func passthrough() async throws {
    let rig = try Rig()
    #expect(try await rig.client(trusting: rig.originTrust, pinned: true).get() == .answered(200))
    let one = try await rig.only()
    #expect(one.action == .tunnelled)
    #expect(one.passthroughData && one.serverAnswered)
    #expect(one.host?.text == "api.test" && one.hello?.sni?.text == "api.test")
    #expect(one.via == .connect && one.target?.description == "api.test:443")
    #expect(one.presented.isEmpty && one.upstream == nil)
}

@Test("connections are numbered behind those that a store has, each with a number of its own")
func numbers() async throws {
    let rig = try Rig(lastConnection: 317)
    for _ in 0..<3 { #expect(try await rig.client(trusting: rig.originTrust).get() == .answered(200)) }
    let numbers = await rig.observations().map(\.connection)
    #expect(Set(numbers).count == 3 && numbers.allSatisfy { $0 > 317 })
}

@Test("an unpinned client that trusts the CA sends its request under the forged chain, and gets the answer")
func unpinned() async throws {
    let rig = try Rig()
    try await rig.apply(.trustedCA, trial: 7)
    #expect(try await rig.client(trusting: rig.bothTrust).get() == .answered(200))
    let one = try await rig.only()
    #expect(one.action == .intercepted && one.attack == .trustedCA && one.trial == 7)
    #expect(one.bytesUp > 20 && one.bytesDown > 20)
    #expect(one.first?.shape == "http/1 GET")
    #expect(one.finishedMS != nil && one.flight?.delivered == true && !one.resumed)
    #expect(one.negotiated?.version == .tls13 && one.negotiated?.alpn == "http/1.1")
    #expect(one.upstream?.verified == true && one.upstream?.spki.first == rig.origin.pin.base64)
    #expect(one.presented.count == 1)
    // The origin shows its leaf alone; the root that it verified under counts as well, as a profile may pin that.
    #expect(one.upstream?.chain.count == 1)
    #expect(one.upstream?.spki.last == rig.origin.root.spkiSHA256Base64)
    #expect(one.close?.by == .client && one.close?.how == .closeNotify)
}

@Test("a client pinned after the handshake finishes, sends nothing and says good-bye")
func pinned() async throws {
    let rig = try Rig()
    try await rig.apply(.trustedCA)
    #expect(try await rig.client(trusting: rig.bothTrust, pinned: true).get() == .refused("pin mismatch"))
    let one = try await rig.only()
    #expect(one.finishedMS != nil && one.bytesUp == 0)
    #expect(one.flight?.delivered == true)
    #expect(one.close?.by == .client)
    #expect(one.alerts.allSatisfy { !$0.isFatal })
}

@Test("an OpenSSL client that does not know the CA refuses with unknown_ca, in the clear and after our flight")
func untrusted() async throws {
    let rig = try Rig()
    try await rig.apply(.untrustedCA)
    guard case .refused = try await rig.client(trusting: rig.bothTrust).get() else {
        Issue.record("not refused")
        return
    }
    let one = try await rig.only()
    let alert = try #require(one.alerts.first { $0.from == .client })
    #expect(alert.code == 48 && alert.level == 2 && alert.epoch == .plaintext)
    #expect(one.flight?.delivered == true && one.finishedMS == nil && one.bytesUp == 0)
    #expect(one.records.first == Observation.Record(type: 21, length: 2) || one.records.contains { $0.type == 21 })
}

@Test(
    "a client without any flaw refuses every chain, from the first connection on",
    arguments: AttackCatalogue.all.filter { $0.variants.allSatisfy { $0.conduct == Conduct() && $0.needs == nil } })
func sound(attack: Attack) async throws {
    let rig = try Rig()
    // What needs something lent is tried where something is.
    let variants = attack.variants.indices.filter { attack.variants[$0].needs == nil }
    for variant in variants {
        try await rig.apply(attack, variant: variant)
        let ending = try await rig.client(trusting: rig.bothTrust, pinned: true).get()
        guard case .refused = ending else {
            Issue.record("\(attack.id): \(ending)")
            continue
        }
    }
    let all = await rig.observations()
    #expect(all.count == variants.count)
    for one in all {
        #expect(one.bytesUp == 0 && one.attack == attack.id && one.flight?.delivered == true && one.error == nil)
    }
}

@Test("the genuine chain with another key passes the certificate stage and fails at the signature")
func wrongKey() async throws {
    let rig = try Rig()
    try await rig.apply(.wrongKey)
    _ = try await rig.client(trusting: rig.originTrust, pinned: true).get()
    let one = try await rig.only()
    #expect(one.presented == one.upstream?.chain)
    #expect(one.alerts.first?.code == 51)
}

@Test("accept hosts meet trusted-ca under every attack, hosts that nobody names are left alone")
func others() async throws {
    let rig = try Rig()
    try await rig.apply(.expired)
    #expect(try await rig.client("cdn.test", trusting: rig.bothTrust).get() == .answered(200))
    #expect(try await rig.client("else.test", trusting: rig.originTrust).get() == .answered(200))
    let all = await rig.observations()
    #expect(all.map(\.attack) == [.trustedCA, .passthrough])
}

@Test("an origin whose chain does not verify is never presented as if it did")
func unverifiedOrigin() async throws {
    let rig = try Rig(proxyTrustsOrigin: false)
    try await rig.apply(.trustedCA)
    let ending = try await rig.client(trusting: rig.bothTrust).get()
    #expect(ending != .answered(200))
    let one = try await rig.only()
    #expect(one.upstream?.verified == false && one.upstream?.error?.contains("certificate") == true)
    #expect(one.presented.isEmpty && one.flight == nil && one.bytesUp == 0)
    #expect(one.alerts.first?.from == .proxy)
}

@Test("a connection that finished and says nothing is ended by the gate, and noted so")
func idle() async throws {
    let rig = try Rig()
    try await rig.apply(.trustedCA)
    let socket = try TestSocket(to: rig.proxy.address)
    try socket.send("CONNECT api.test:443 HTTP/1.1\r\n\r\n")
    _ = try socket.read(until: "\r\n\r\n")
    // TLS 1.2: the server's Finished comes last, so the proxy has ours.
    let idler = try TestTLS(socket, trusting: rig.bothTrust, highest: .tls12)
    try idler.handshake()
    defer { withExtendedLifetime(idler) {} }
    await rig.proxy.endConnections()
    let one = try #require(rig.seen.withLock { $0.first })
    #expect(one.finishedMS != nil && one.bytesUp == 0 && one.flight?.delivered == true)
    #expect(one.close?.by == .gate && one.close?.how == .aborted)
}

@Test("an origin that cannot be reached is a 502 before any tunnel stands")
func unreachable() async throws {
    let rig = try Rig()
    let client = EmbeddedClient(
        proxy: rig.proxy.address, target: Endpoint(try #require(HostName("localhost")), 1), trust: rig.originTrust,
        pin: nil)
    #expect(await client.get() == .failed("the proxy refused"))
    let one = try await rig.only()
    #expect(one.upstream?.error?.contains("connection refused") == true)
}

@Test("the proxy tells both of its ends of a connection: where the client came in, and from where it calls whom")
func ends() async throws {
    let rig = try Rig()
    _ = await (try rig.client(trusting: rig.originTrust)).get()
    _ = await rig.observations()
    let ends = rig.ends.withLock { $0 }
    #expect(ends.count == 2 && ends.first == .accepted(at: rig.proxy.address.endpoint))
    guard case .dialed(let host, let from, let to) = try #require(ends.last) else {
        Issue.record("no dialing was told")
        return
    }
    #expect(host == HostName("api.test") && to == rig.origin.address.endpoint)
    #expect(from.host == HostName("127.0.0.1") && from.port != 0 && from != to)
}

@Test("a proxy that finds one of its ports taken lets go of everything, the ports that it had included")
func letsGo() async throws {
    /// Says when nobody holds it any more.
    final class Held: Sendable {
        let gone: Gate
        init(_ gone: Gate) { self.gone = gone }
        deinit { gone.open() }
    }
    let rig = try Rig()
    let gone = Gate()
    #expect(throws: ListenError.self) {
        let held = Held(gone)
        _ = try ProxyServer(
            ProxyConfiguration(
                listen: SocketAddress(try #require(IPAddress("127.0.0.1")), 0),
                clientListens: [(client: "tablet", listen: rig.proxy.address)], loops: 2,
                plan: Plan(profile: Profile(name: "p"), phase: .passthrough), trust: rig.originTrust,
                material: try ForgeMaterial(rig.authority), observe: { _ in withExtendedLifetime(held) {} }))
    }
    await withCheckedContinuation { continuation in
        onThread {
            gone.wait()
            continuation.resume()
        }
    }
}

@Test("two proxies cannot share a port")
func usedPort() async throws {
    let rig = try Rig()
    #expect(throws: ListenError.self) {
        _ = try ProxyServer(
            ProxyConfiguration(
                listen: rig.proxy.address, loops: 1,
                plan: Plan(profile: Profile(name: "p"), phase: .passthrough), trust: rig.originTrust,
                material: try ForgeMaterial(rig.authority), observe: { _ in }))
    }
}

@Test("many connections over several loops are each observed once, under numbers of their own")
func many() async throws {
    let rig = try Rig()
    try await rig.apply(.trustedCA)
    try await withThrowingTaskGroup(of: EmbeddedClient.Ending.self) { group in
        for _ in 0..<40 {
            let client = try rig.client(trusting: rig.bothTrust)
            group.addTask { await client.get() }
        }
        for try await ending in group { #expect(ending == .answered(200)) }
    }
    let all = await rig.observations()
    #expect(all.count == 40)
    #expect(Set(all.map(\.connection)).count == 40)
}
