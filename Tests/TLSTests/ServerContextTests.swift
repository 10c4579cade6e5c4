import Facts
import Foundation
import Policy
import Support
import TLSSupport
import Testing

@testable import TLS

/// One handshake between a client and a server context, a request and an answer.
private struct Exchange {
    let client: TLSSession
    let server: TLSSession
    var received: [UInt8] = []

    init(
        _ context: ServerContext, _ chain: PresentedChain, trusting trust: TrustStore, version: TLSVersion,
        resuming kept: KeptSession? = nil, tickets: Bool = true, host: String = "api.example.com"
    ) throws {
        let workspace = TLSWorkspace()
        let name = try Support.host(host)
        client = try ClientContext(trust: trust).session(
            sni: name, verifying: name, alpn: [], maxVersion: version, in: workspace)
        server = try context.session(
            presenting: chain, version: version, alpn: nil, for: name, in: workspace)
        if !tickets { client.declineTickets() }
        if let kept { client.offer(kept) }
        client.start()
        run()
        client.write([1, 2, 3].span)
        run()
        server.write([4].span)
        run()
    }

    mutating func run() {
        while true {
            var (up, down): ([UInt8], [UInt8]) = ([], [])
            client.takeOutput { up += copied($0) }
            server.receive(up.span) { received += copied($0) }
            server.takeOutput { down += copied($0) }
            client.receive(down.span) { _ in }
            if up.isEmpty && down.isEmpty { return }
        }
    }

    private func copied(_ bytes: Span<UInt8>) -> [UInt8] { bytes.indices.map { bytes[$0] } }
}

private struct Fixture {
    let trust: TrustStore
    let chain: PresentedChain
    /// The same name under another key, from a CA that the client does not know.
    let stranger: PresentedChain
    let rsa: PresentedChain

    init() throws {
        let now = Date().timeIntervalSince1970
        let authority = try CertificateAuthority.general(now: now)
        let forge = Forge(try ForgeMaterial(authority))
        func make(_ attack: Attack, rsa: Bool = false) throws -> PresentedChain {
            try forge.chain(
                for: try host("api.example.com"), attack: attack, variant: attack.plain, rsaLeaf: rsa,
                genuine: nil, now: now)
        }
        trust = try TrustStore(systemRoots: false, roots: [authority.root])
        chain = try make(.trustedCA)
        stranger = try make(.untrustedCA)
        rsa = try make(.trustedCA, rsa: true)
    }
}

/// In TLS 1.2 by ticket and by id.
private let ways: [(TLSVersion, tickets: Bool)] = [(.tls12, true), (.tls12, false), (.tls13, true)]

@Test("a session is resumed by ticket and by id, whatever the certificate has become", arguments: ways)
func resumed(version: TLSVersion, tickets: Bool) throws {
    let fixture = try Fixture()
    let context = try ServerContext(.resumable)
    let first = try Exchange(context, fixture.chain, trusting: fixture.trust, version: version, tickets: tickets)
    #expect(first.server.isFinished && !first.server.isResumed && first.received == [1, 2, 3])
    let kept = try #require(first.client.kept)
    let second = try Exchange(
        context, fixture.stranger, trusting: fixture.trust, version: version, resuming: kept, tickets: tickets)
    #expect(second.server.isResumed && second.client.isResumed && second.received == [1, 2, 3])
    #expect(second.server.trace.flightSent)
}

@Test("sessions outlive connections that only break off, in their order of release", arguments: ways)
func brokenOff(version: TLSVersion, tickets: Bool) throws {
    let fixture = try Fixture()
    let context = try ServerContext(.resumable)
    func begin() throws -> KeptSession {
        try #require(
            try Exchange(context, fixture.chain, trusting: fixture.trust, version: version, tickets: tickets)
                .client.kept)
    }
    let kept = try begin()
    let next = try Exchange(
        context, fixture.chain, trusting: fixture.trust, version: version, resuming: kept, tickets: tickets)
    #expect(next.server.isResumed)
}

@Test("another trial's context, another host and the usual context resume nothing", arguments: ways)
func notResumed(version: TLSVersion, tickets: Bool) throws {
    let fixture = try Fixture()
    let context = try ServerContext(.resumable)
    let first = try Exchange(context, fixture.chain, trusting: fixture.trust, version: version, tickets: tickets)
    let kept = try #require(first.client.kept)
    for (other, name) in [
        (try ServerContext(.resumable), "api.example.com"), (try ServerContext(), "api.example.com"),
        (context, "www.example.com"),
    ] {
        let next = try Exchange(
            other, fixture.chain, trusting: fixture.trust, version: version, resuming: kept, tickets: tickets,
            host: name)
        #expect(!next.server.isResumed)
    }
}

@Test("the usual context gives out nothing that could be resumed", arguments: ways)
func nothingToKeep(version: TLSVersion, tickets: Bool) throws {
    let fixture = try Fixture()
    let context = try ServerContext()
    let first = try Exchange(context, fixture.chain, trusting: fixture.trust, version: version, tickets: tickets)
    let kept = try #require(first.client.kept)
    let next = try Exchange(
        context, fixture.chain, trusting: fixture.trust, version: version, resuming: kept, tickets: tickets)
    #expect(next.server.isFinished && !next.server.isResumed)
}

@Test(
    "a forgetful server leaves ids and tickets as it is told, and never takes one back",
    arguments: [
        (TLSVersion.tls12, TLSSession.Keepsake.ticket), (.tls12, .id), (.tls12, .nothing), (.tls13, .ticket),
    ])
func forgetful(version: TLSVersion, keepsake: TLSSession.Keepsake) throws {
    let fixture = try Fixture()
    let context = try ServerContext(.forgetful(leaves: keepsake))
    var kept: KeptSession?
    let left = version == .tls13 ? .nothing : keepsake
    // The second offers what the first was left with, and is left with something again.
    for _ in 0..<3 {
        let met = try Exchange(
            context, fixture.chain, trusting: fixture.trust, version: version, resuming: kept)
        #expect(met.server.isFinished && !met.server.isResumed && !met.client.isResumed && met.received == [1, 2, 3])
        #expect(met.client.keepsake == left && met.client.sessionsGiven == (left == .nothing ? 0 : 1))
        kept = met.client.kept
    }
    // Nor what another server has handed out.
    let other = try Exchange(
        ServerContext(.resumable), fixture.chain, trusting: fixture.trust, version: version)
    let met = try Exchange(
        context, fixture.chain, trusting: fixture.trust, version: version, resuming: other.client.kept)
    #expect(met.server.isFinished && !met.server.isResumed && met.client.keepsake == left)
}

@Test("tickets of TLS 1.3 are handed out as the origin does, and never taken back", arguments: [0, 1, 2, 16, 40])
func tickets(count: Int) throws {
    let fixture = try Fixture()
    let origin = try Exchange(ServerContext(.resumable), fixture.chain, trusting: fixture.trust, version: .tls13)
    // OpenSSL's own number.
    #expect(origin.client.sessionsGiven == 2)
    origin.client.sessionsGiven = count
    let context = try ServerContext(.forgetful(leaves: .ticket))
    var kept: KeptSession?
    for _ in 0..<2 {
        var met = try Exchange(context, fixture.chain, trusting: fixture.trust, version: .tls13, resuming: kept)
        #expect(!met.server.isResumed && met.client.sessionsGiven == 0)
        for _ in 0..<2 { met.server.handOutTickets(like: origin.client) }
        met.run()
        #expect(met.client.sessionsGiven == min(count, 16) && met.client.status == .open && met.server.status == .open)
        met.client.write([7].span)
        met.run()
        #expect(met.received == [1, 2, 3, 7])
        kept = met.client.kept
    }
    // In TLS 1.2 there are none after the handshake.
    let old = try Exchange(context, fixture.chain, trusting: fixture.trust, version: .tls12)
    old.server.handOutTickets(like: origin.client)
    #expect(old.server.status == .open)
}

@Test(
    "a client that does not offer what an old server wants is told so by an alert",
    arguments: [
        (ServerContext.Kind.legacy, TLSVersion.tls10, UInt8(70)), (.legacy, .tls11, 70), (.unencrypted, .tls12, 40),
        (.anonymous, .tls12, 40),
    ])
func notOffered(kind: ServerContext.Kind, version: TLSVersion, code: UInt8) throws {
    let fixture = try Fixture()
    let workspace = TLSWorkspace()
    let name = try host("api.example.com")
    let client = try ClientContext(trust: fixture.trust).session(
        sni: name, verifying: name, alpn: [], maxVersion: .tls13, in: workspace)
    let server = try ServerContext(kind).session(
        presenting: fixture.rsa, version: version, alpn: nil, in: workspace)
    var hello: [UInt8] = []
    client.start()
    client.takeOutput { bytes in hello = bytes.indices.map { bytes[$0] } }
    server.receive(hello.span) { _ in }
    #expect(server.trace.alerts == [.init(from: .proxy, level: 2, code: code, epoch: .plaintext)])
    #expect(!server.isFinished && !server.trace.flightSent)
    server.takeOutput { _ in }
}
