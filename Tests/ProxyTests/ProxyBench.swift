import Authority
import Facts
import Foundation
import Loop
import Policy
import Proxy
import TLS
import TLSSupport
import Testing

/// A proxy before origins of a test's own, with what it observes, in order.
final class ProxyBench: Sendable {
    /// The proxy's CA.
    let authority: CertificateAuthority
    let proxy: ProxyServer
    /// A client that the CA was installed on.
    let installed: TrustStore
    /// The same, and it trusts the origins as well: one that is good in front of a tunnel and of the proxy.
    let either: TrustStore
    private let profile: Profile
    private let observed: AsyncStream<Observation>
    private let sink: AsyncStream<Observation>.Continuation

    /// - Parameters:
    ///   - origins: where each host's connections go; all of them are attacked.
    ///   - roots: what the proxy trusts of origins.
    ///   - attack: nil tunnels everything.
    ///   - variant: of the attack; nil is its first.
    ///   - accepted: those of `origins` that are intercepted on purpose.
    ///   - lent: hosts for which a key is lent, one for all of them.
    ///   - constrained: the CA is, to these hosts.
    ///   - clients: who is told apart; each with `listen` gets a port of its own.
    init(
        _ origins: [String: SocketAddress] = [:], trusting roots: [Certificate] = [], attack: Attack? = .trustedCA,
        variant: String? = nil, accepted: Set<String> = [], lent: Set<String> = [], at listen: String = "127.0.0.1",
        loops: Int = 2, through upstream: SocketAddress? = nil, clients: [ClientRule] = [],
        constrained: Bool = false, _ change: (inout ProxyConfiguration) -> Void = { _ in }
    ) throws {
        let (observed, sink) = AsyncStream<Observation>.makeStream()
        self.observed = observed
        self.sink = sink
        var profile = Profile(name: "bench")
        for (name, address) in origins.sorted(by: { $0.key < $1.key }) {
            let host = try #require(HostName(name))
            let expect = accepted.contains(name) ? HostExpectation.accept : .refuse
            profile.rules.append(HostRule(pattern: HostPattern(exactly: host), expect: expect))
            profile.resolve[host] = Destination(HostName(address.address), address.port)
        }
        authority =
            try constrained
            ? CertificateAuthority.constrained(to: profile, now: WallClock.now)
            : CertificateAuthority.general(now: WallClock.now)
        installed = try TrustStore(systemRoots: false, roots: [authority.root])
        either = try TrustStore(systemRoots: false, roots: roots + [authority.root])
        let material = try ForgeMaterial(authority, lent: try Self.lend(to: lent, &profile))
        profile.upstream.proxy = upstream?.endpoint
        profile.clients = clients
        self.profile = profile
        var configuration = ProxyConfiguration(
            listen: SocketAddress(try #require(IPAddress(listen)), 0),
            clientListens: clients.compactMap { client in
                client.listen.flatMap { listen in
                    listen.host.address.map { (client.name, SocketAddress($0, listen.port)) }
                }
            }, loops: loops, plan: Plan(profile: profile, phase: try Self.phase(attack, variant), trial: 1),
            trust: try TrustStore(systemRoots: false, roots: roots), material: material,
            observe: { sink.yield($0) })
        change(&configuration)
        proxy = try ProxyServer(configuration)
    }

    private static func lend(to hosts: Set<String>, _ profile: inout Profile) throws -> LentMaterials {
        guard !hosts.isEmpty else { return LentMaterials() }
        let file = FileManager.default.temporaryDirectory.appending(path: "pinproof-\(UUID().uuidString).key")
        try Data(PrivateKey.generate(.p256).pem()).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        for host in hosts { profile.lent[try #require(HostName(host))] = LentMaterial(backupKey: file.path) }
        return try LentReader.read(for: profile, now: WallClock.now)
    }

    private static func phase(_ attack: Attack?, _ variant: String?) throws -> Plan.Phase {
        guard let attack else { return .passthrough }
        let chosen = try #require(attack.variants.first { variant == nil || $0.name == variant })
        return .attack(attack, chosen, only: [])
    }

    /// Begins another trial.
    func apply(_ attack: Attack?, variant: String? = nil, trial: Int) async throws {
        try await proxy.apply(Plan(profile: profile, phase: try Self.phase(attack, variant), trial: trial))
    }

    deinit {
        let proxy = self.proxy
        Task { await proxy.stop() }
    }

    func connect(receiveBuffer: Int32? = nil) throws -> TestSocket {
        try TestSocket(to: proxy.address, receiveBuffer: receiveBuffer)
    }

    /// A socket behind whose CONNECT anything may follow.
    func tunnel(to target: String = "api.test:443", receiveBuffer: Int32? = nil) throws -> TestSocket {
        let socket = try connect(receiveBuffer: receiveBuffer)
        try socket.send("CONNECT \(target) HTTP/1.1\r\nHost: \(target)\r\n\r\n")
        let head = try socket.read(until: "\r\n\r\n")
        #expect(head.hasPrefix("HTTP/1.1 200 "))
        return socket
    }

    /// A client with the CA installed, its handshake done.
    func client(
        to target: String = "api.test:443", alpn: [String] = [], highest: TLSVersion = .tls13,
        receiveBuffer: Int32? = nil
    ) throws -> TestTLS {
        let tls = try TestTLS(
            tunnel(to: target, receiveBuffer: receiveBuffer), trusting: installed, alpn: alpn, highest: highest)
        try tls.handshake()
        return tls
    }

    /// A client that trusts origins and proxy alike, its handshake done; on the loops in turn.
    func visitor(
        to host: String = "api.test", alpn: [String] = [], highest: TLSVersion = .tls13,
        resuming kept: KeptSession? = nil,
        tickets: Bool = true
    ) throws -> TestTLS {
        let tls = try TestTLS(
            tunnel(to: "\(host):443"), sni: host, verifying: host, trusting: either, alpn: alpn, highest: highest)
        if let kept { tls.session.offer(kept) }
        if !tickets { tls.session.declineTickets() }
        try tls.handshake()
        return tls
    }

    /// As `visitor`, before its handshake.
    func beginner(to host: String = "api.test") throws -> TestTLS {
        try TestTLS(tunnel(to: "\(host):443"), sni: host, verifying: host, trusting: either)
    }

    /// The next connection that has ended.
    func observation() async throws -> Observation {
        var iterator = observed.makeAsyncIterator()
        return try #require(await iterator.next())
    }

    /// Stops the proxy; what had not been asked for yet.
    func rest() async -> [Observation] {
        await proxy.stop()
        sink.finish()
        var out: [Observation] = []
        for await one in observed { out.append(one) }
        return out
    }
}

let request = "GET / HTTP/1.1\r\nHost: api.test\r\n\r\n"
