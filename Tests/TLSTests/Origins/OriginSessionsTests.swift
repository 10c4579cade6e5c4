import Facts
import Foundation
import Policy
import Support
import TLSSupport
import Testing

@testable import TLS

/// A client context whose sessions are kept, and servers for it.
private struct Fixture {
    let client: ClientContext
    let chain: PresentedChain
    /// The same name under another key, from a CA that the client does not know.
    let stranger: PresentedChain
    let name: HostName
    let workspace = TLSWorkspace()

    init(identities: ClientIdentities = ClientIdentities()) throws {
        let now = Date().timeIntervalSince1970
        let authority = try CertificateAuthority.general(now: now)
        let forge = Forge(try ForgeMaterial(authority))
        let name = try host("api.example.com")
        self.name = name
        func make(_ attack: Attack) throws -> PresentedChain {
            try forge.chain(for: name, attack: attack, variant: attack.plain, rsaLeaf: false, genuine: nil, now: now)
        }
        chain = try make(.trustedCA)
        stranger = try make(.untrustedCA)
        client = try ClientContext(
            trust: try TrustStore(systemRoots: false, roots: [authority.root]), identities: identities)
    }

    /// One connection: a request and its answer, by which tickets have come too.
    func meet(
        _ server: ServerContext, _ version: TLSVersion, chain: PresentedChain? = nil, port: UInt16? = 443,
        alpn: [String] = [], asking: Bool = false
    ) throws -> TLSSession {
        let client = try self.client.session(
            sni: name, verifying: name, alpn: alpn, maxVersion: version,
            resumingAt: port.map { Endpoint(name, $0) }, in: workspace)
        let server = try server.session(
            presenting: chain ?? self.chain, version: version, alpn: nil, for: name, in: workspace)
        if asking { server.askForCertificate() }
        client.start()
        run(client, server)
        client.write([1, 2, 3].span)
        run(client, server)
        return client
    }

    private func run(_ client: TLSSession, _ server: TLSSession) {
        while true {
            var (up, down): ([UInt8], [UInt8]) = ([], [])
            client.takeOutput { bytes in up += bytes.indices.map { bytes[$0] } }
            server.receive(up.span) { _ in }
            server.takeOutput { bytes in down += bytes.indices.map { bytes[$0] } }
            client.receive(down.span) { _ in }
            if up.isEmpty && down.isEmpty { return }
        }
    }
}

@Test(
    "an origin that is willing is resumed, and its chain is known by the handshake before",
    arguments: [TLSVersion.tls12, .tls13])
func originResumed(version: TLSVersion) throws {
    let fixture = try Fixture()
    let server = try ServerContext(.resumable)
    let first = try fixture.meet(server, version)
    #expect(!first.isResumed && first.originVerified)
    for _ in 0..<5 {
        let next = try fixture.meet(server, version)
        #expect(next.isResumed && next.originVerified && next.originRefusal == nil)
        #expect(next.originChain === first.originChain)
        #expect(next.verifiedUntil == first.verifiedUntil)
    }
}

@Test("a session is for its own place and offer alone", arguments: [TLSVersion.tls12, .tls13])
func ownPlace(version: TLSVersion) throws {
    let fixture = try Fixture()
    let server = try ServerContext(.resumable)
    _ = try fixture.meet(server, version)
    #expect(try !fixture.meet(server, version, port: 8443).isResumed)
    #expect(try !fixture.meet(server, version, alpn: ["h2"]).isResumed)
    #expect(try !fixture.meet(server, version, port: nil).isResumed)
    // Whole handshakes are not in its way.
    #expect(try fixture.meet(server, version).isResumed)
}

@Test(
    "an origin that resumes nothing meets whole handshakes, and each chain is verified",
    arguments: [TLSVersion.tls12, .tls13])
func unwilling(version: TLSVersion) throws {
    let fixture = try Fixture()
    let willing = try ServerContext(.resumable)
    _ = try fixture.meet(willing, version)
    let other = try fixture.meet(try ServerContext(), version)
    #expect(!other.isResumed && other.originVerified)
    // Whoever stands there now and cannot resume has to show what verifies.
    _ = try fixture.meet(willing, version)
    let stranger = try fixture.meet(try ServerContext(.resumable), version, chain: fixture.stranger)
    #expect(!stranger.isFinished && !stranger.originVerified && stranger.originRefusal != nil)
}

@Test("after a handshake that failed with a session, the next one is whole", arguments: [TLSVersion.tls12, .tls13])
func wholeAfterFailure(version: TLSVersion) throws {
    let fixture = try Fixture()
    let willing = try ServerContext(.resumable)
    // In TLS 1.2 one session is all there is, in 1.3 there are several.
    for _ in 0..<2 { _ = try fixture.meet(willing, version) }
    _ = try fixture.meet(try ServerContext(.resumable), version, chain: fixture.stranger)
    #expect(try !fixture.meet(willing, version).isResumed)
    #expect(try fixture.meet(willing, version).isResumed)
}

@Test("after a handshake that broke off without a word, the next one is whole", arguments: [TLSVersion.tls12, .tls13])
func wholeAfterSilence(version: TLSVersion) throws {
    let fixture = try Fixture()
    let willing = try ServerContext(.resumable)
    for _ in 0..<3 { _ = try fixture.meet(willing, version) }
    do {
        let left = try fixture.client.session(
            sni: fixture.name, verifying: fixture.name, alpn: [], maxVersion: version,
            resumingAt: Endpoint(fixture.name, 443), in: fixture.workspace)
        left.start()
        left.takeOutput { _ in }
    }
    #expect(try !fixture.meet(willing, version).isResumed)
    #expect(try fixture.meet(willing, version).isResumed)
}

@Test("nothing is kept of an origin that asks who is there", arguments: [TLSVersion.tls12, .tls13])
func askedFor(version: TLSVersion) throws {
    let fixture = try Fixture()
    let server = try ServerContext(.resumable)
    #expect(try fixture.meet(server, version, asking: true).wasAskedForCertificate)
    #expect(try !fixture.meet(server, version).isResumed)
}

@Test("a ticket is offered once, one that is out of date never, and few are kept of many")
func takenOnce() throws {
    let fixture = try Fixture()
    let server = try ServerContext(.resumable)
    let key = OriginSessions.Key(
        place: Endpoint(fixture.name, 443), sni: fixture.name, host: fixture.name, alpn: [],
        maxVersion: .tls13)
    let until = try fixture.meet(server, .tls13).verifiedUntil
    var sessions = fixture.client.sessions
    #expect(sessions.take(for: key, now: until - 1) != nil)
    #expect(sessions.take(for: key, now: until - 1) != nil)
    #expect(sessions.take(for: key, now: until - 1) == nil)
    sessions = fixture.client.sessions
    #expect(sessions.take(for: key, now: until) == nil)
    #expect(sessions.take(for: key, now: until - 1) == nil)
    // Side by side: each is given two, and offers none.
    for _ in 0..<40 {
        _ = fixture.client.sessions.take(for: key)
        _ = fixture.client.sessions.take(for: key)
        _ = try fixture.meet(server, .tls13)
    }
    sessions = fixture.client.sessions
    var count = 0
    while sessions.take(for: key) != nil { count += 1 }
    #expect(count <= 6)
    let session = try fixture.meet(server, .tls13)
    #expect(session.isResumed)
}

@Test(
    "of an origin that gives sessions and takes none, none is kept for a while", arguments: [TLSVersion.tls12, .tls13])
func givesForNothing(version: TLSVersion) throws {
    let fixture = try Fixture()
    var offers = 0
    for _ in 0..<30 {
        // Each time another one that knows nothing of what the last one gave.
        let session = try fixture.meet(try ServerContext(.resumable), version)
        #expect(!session.isResumed && session.originVerified)
        if session.resumption?.offered != nil { offers += 1 }
    }
    #expect(offers == 8)
    // In between one that takes them, and all begins anew.
    let other = try Fixture()
    let willing = try ServerContext(.resumable)
    for round in 0..<3 {
        for _ in 0..<6 { _ = try other.meet(try ServerContext(.resumable), version) }
        _ = try other.meet(willing, version)
        #expect(try other.meet(willing, version).isResumed, "round \(round)")
    }
}

@Test("a minute after an origin had taken none, its sessions are kept again")
func givesAgain() throws {
    let fixture = try Fixture()
    let key = OriginSessions.Key(
        place: Endpoint(fixture.name, 443), sni: fixture.name, host: fixture.name, alpn: [], maxVersion: .tls13)
    _ = try fixture.meet(try ServerContext(.resumable), .tls13)
    var sessions = fixture.client.sessions
    for _ in 0..<7 { sessions.note(key, isTaken: false, now: 1_000_000) }
    #expect(sessions.isKept(key, now: 1_000_000))
    sessions.note(key, isTaken: false, now: 1_000_000)
    #expect(!sessions.isKept(key, now: 1_000_059) && sessions.take(for: key) == nil)
    #expect(sessions.isKept(key, now: 1_000_060))
}

@Test("more origins than are kept push out the oldest")
func manyOrigins() throws {
    let fixture = try Fixture()
    let server = try ServerContext(.resumable)
    for port in 1...80 { _ = try fixture.meet(server, .tls13, port: UInt16(port)) }
    #expect(try fixture.meet(server, .tls13, port: 80).isResumed)
    #expect(try !fixture.meet(server, .tls13, port: 1).isResumed)
}
