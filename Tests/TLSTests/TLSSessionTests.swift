import Facts
import Foundation
import Policy
import Support
import TLSSupport
import Testing

@testable import TLS

/// A client and a server session with nothing between them but two arrays.
private struct Wires {
    let client: TLSSession
    let server: TLSSession
    var atClient: [UInt8] = []
    var atServer: [UInt8] = []

    init(
        trust: TrustStore, chain: PresentedChain, host: String = "api.example.com", version: TLSVersion? = nil,
        highest: TLSVersion = .tls13, offered: [String] = [], alpn: String? = nil, workspace: TLSWorkspace = .init()
    ) throws {
        let name = try Support.host(host)
        // The contexts go at once: sessions have to hold what they need.
        client = try ClientContext(trust: trust).session(
            sni: name, verifying: name, alpn: offered, maxVersion: highest, in: workspace)
        server = try ServerContext().session(presenting: chain, version: version, alpn: alpn, in: workspace)
    }

    /// Carries bytes in pieces of `size` until nobody has anything to say.
    mutating func settle(pieces size: Int = .max) {
        client.start()
        while true {
            let toServer = taken(client)
            for piece in cut(toServer, size) { server.receive(piece.span) { atServer.append(copying: $0) } }
            let toClient = taken(server)
            for piece in cut(toClient, size) { client.receive(piece.span) { atClient.append(copying: $0) } }
            if toServer.isEmpty && toClient.isEmpty { return }
        }
    }

    func taken(_ session: TLSSession) -> [UInt8] {
        var out: [UInt8] = []
        session.takeOutput { out.append(copying: $0) }
        return out
    }

    private func cut(_ bytes: [UInt8], _ size: Int) -> [[UInt8]] {
        stride(from: 0, to: bytes.count, by: min(size, max(1, bytes.count))).map {
            Array(bytes[$0..<min(bytes.count, $0 + min(size, bytes.count))])
        }
    }
}

extension [UInt8] {
    fileprivate mutating func append(copying bytes: Span<UInt8>) {
        for index in bytes.indices { append(bytes[index]) }
    }
}

/// A chain for api.example.com under a CA that `trust` knows, made now: sessions look at the clock.
private struct Fixture {
    let trust: TrustStore
    let chain: PresentedChain
    let stranger: PresentedChain

    init() throws {
        let now = Date().timeIntervalSince1970
        let authority = try CertificateAuthority.general(now: now)
        try self.init(authority, trust: TrustStore(systemRoots: false, roots: [authority.root]), now: now)
    }

    init(_ authority: CertificateAuthority, trust: TrustStore, now: Double) throws {
        self.trust = trust
        let forge = Forge(try ForgeMaterial(authority))
        func make(_ attack: Attack) throws -> PresentedChain {
            try forge.chain(
                for: try host("api.example.com"), attack: attack, variant: attack.plain, rsaLeaf: false,
                genuine: nil, now: now)
        }
        chain = try make(.trustedCA)
        stranger = try make(.untrustedCA)
    }
}

@Test("a handshake and its data survive any cut of the bytes", arguments: [TLSVersion.tls12, .tls13], [1, 7, 4096])
func cutAnywhere(version: TLSVersion, size: Int) throws {
    let fixture = try Fixture()
    var wires = try Wires(trust: fixture.trust, chain: fixture.chain, version: version)
    wires.settle(pieces: size)
    #expect(wires.client.isFinished && wires.server.isFinished && wires.client.originVerified)
    #expect(wires.server.negotiated == wires.client.negotiated && wires.server.negotiated?.version == version)
    let text = (0..<40_000).map { UInt8(truncatingIfNeeded: $0) }
    let wentUp = wires.client.write(text.span)
    wires.settle(pieces: size)
    let wentDown = wires.server.write(text.span)
    wires.settle(pieces: size)
    #expect(wentUp && wentDown && wires.atServer == text && wires.atClient == text)
    wires.client.closeNotify()
    wires.settle(pieces: size)
    #expect(wires.server.status == .closeNotified)
    // The other direction goes on.
    wires.server.write([1, 2, 3].span)
    wires.settle()
    #expect(wires.atClient.suffix(3) == [1, 2, 3])
}

@Test("whoever wants to renegotiate is refused, and that is known of an origin as of a client")
func renegotiation() throws {
    let fixture = try Fixture()
    for byOrigin in [true, false] {
        var wires = try Wires(trust: fixture.trust, chain: fixture.chain, version: .tls12)
        wires.settle()
        #expect(!wires.client.refusedRenegotiation)
        #expect((byOrigin ? wires.server : wires.client).renegotiate())
        wires.settle()
        #expect(wires.client.refusedRenegotiation == byOrigin && wires.server.refusedRenegotiation != byOrigin)
        let refusals = wires.server.trace.alerts.filter { $0.code == AlertCode.noRenegotiation.rawValue }
        #expect(refusals.map(\.from) == [byOrigin ? .client : .proxy])
    }
    // A peer that goes on after that has got over it.
    var over = try Wires(trust: fixture.trust, chain: fixture.chain, version: .tls12)
    over.settle()
    over.client.refusedRenegotiation = true
    over.server.write([1].span)
    over.settle()
    #expect(over.atClient == [1] && !over.client.refusedRenegotiation)
    var newer = try Wires(trust: fixture.trust, chain: fixture.chain, version: .tls13)
    newer.settle()
    #expect(!newer.server.renegotiate() && !newer.client.refusedRenegotiation)
}

@Test("after the client's Finished a server says nothing of its own: no tickets")
func noTickets() throws {
    let fixture = try Fixture()
    var wires = try Wires(trust: fixture.trust, chain: fixture.chain, version: .tls13)
    wires.client.start()
    wires.server.receive(wires.taken(wires.client).span) { _ in }
    wires.client.receive(wires.taken(wires.server).span) { _ in }
    wires.server.receive(wires.taken(wires.client).span) { _ in }
    #expect(wires.server.isFinished && wires.taken(wires.server).isEmpty && !wires.server.isResumed)
    wires.settle()
}

@Test("a protocol is selected only when the client offered it", arguments: ["h2", "http/1.1", "spdy/1", nil])
func selection(alpn: String?) throws {
    let fixture = try Fixture()
    var wires = try Wires(trust: fixture.trust, chain: fixture.chain, offered: ["h2", "http/1.1"], alpn: alpn)
    wires.settle()
    #expect(wires.client.isFinished)
    #expect(wires.client.alpn == (alpn == "spdy/1" ? nil : alpn) && wires.client.alpn == wires.server.alpn)
}

@Test(
    "a refused chain is a failure with its reason, and the refusal's alert is traced",
    arguments: [TLSVersion.tls12, .tls13])
func refused(version: TLSVersion) throws {
    let fixture = try Fixture()
    var wires = try Wires(trust: fixture.trust, chain: fixture.stranger, version: version)
    wires.settle()
    #expect(!wires.client.originVerified && wires.client.originRefusal == "unable to get local issuer certificate")
    #expect(!wires.server.isFinished)
    let alert = try #require(wires.server.trace.alerts.first)
    #expect(alert == .init(from: .client, level: 2, code: 48, epoch: .plaintext))
    #expect(wires.server.trace.flightSent && wires.server.trace.records.last?.type == 21)
}

@Test("an origin that shows too many certificates is told as such", arguments: [32, 33])
func longChain(count: Int) throws {
    let fixture = try Fixture()
    // Its own issuers over and over: clients ignore what they have no use for.
    let extra = fixture.chain.certificates[0]
    let certificates =
        fixture.chain.certificates + Array(repeating: extra, count: count - fixture.chain.certificates.count)
    var wires = try Wires(
        trust: fixture.trust, chain: PresentedChain(certificates: certificates, key: fixture.chain.key))
    wires.settle()
    #expect(wires.client.originVerified == (count == 32))
    #expect(wires.client.originRefusal == (count == 32 ? nil : "the origin showed more than 32 certificates"))
}

#if os(Linux)
    @Test("roots that could not be read for want of descriptors say nothing against a chain")
    func rootsUnread() async {
        await #expect(processExitsWith: .exitCode(7)) {
            // A folder as the place for roots: they are read when they are asked for.
            let scratch = try TemporaryFolder()
            let now = Date().timeIntervalSince1970
            let authority = try CertificateAuthority.general(now: now)
            let root = try scratch.write("root.pem", Array(authority.root.pem.utf8))
            let hash = try await Command.run("openssl", ["x509", "-noout", "-hash", "-in", root]).output
            _ = try scratch.write("\(hash.prefix(8)).0", Array(authority.root.pem.utf8))
            unsafe setenv("SSL_CERT_DIR", scratch.path, 1)
            unsafe setenv("SSL_CERT_FILE", "/nowhere", 1)
            let fixture = try Fixture(authority, trust: TrustStore(systemRoots: true, roots: []), now: now)
            var wires = try Wires(trust: fixture.trust, chain: fixture.chain)
            // Below what is open already: nothing more can be opened.
            let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
            var usual = rlimit()
            unsafe getrlimit(files, &usual)
            var none = rlimit(rlim_cur: 3, rlim_max: usual.rlim_max)
            unsafe setrlimit(files, &none)
            wires.settle()
            unsafe setrlimit(files, &usual)
            let reason = wires.client.originRefusal
            try FileManager.default.removeItem(atPath: scratch.path)
            exit(
                reason == "too many open files: the system's roots could not be read" && wires.client.originChain == nil
                    ? 7 : 8)
        }
    }
#endif

@Test("a chain for another name is refused though its CA is trusted")
func otherName() throws {
    let fixture = try Fixture()
    var wires = try Wires(trust: fixture.trust, chain: fixture.chain, host: "www.example.com")
    wires.settle()
    #expect(wires.client.originRefusal == "hostname mismatch" && !wires.server.isFinished)
}

@Test("an alert of ours before any key is noted as one in the clear")
func ownAlert() throws {
    let fixture = try Fixture()
    var wires = try Wires(trust: fixture.trust, chain: fixture.chain, version: .tls13, highest: .tls12)
    wires.settle()
    guard case .failed = wires.server.status else {
        Issue.record("\(wires.server.status)")
        return
    }
    #expect(wires.server.trace.alerts == [.init(from: .proxy, level: 2, code: 70, epoch: .plaintext)])
    #expect(!wires.server.trace.flightSent && wires.server.trace.records.isEmpty)
}

@Test(
    "garbage fails a session and leaves nothing behind for the next one on its thread and workspace", arguments: 0..<8)
func garbage(seed: Int) throws {
    let fixture = try Fixture()
    let workspace = TLSWorkspace()
    let broken = try Wires(trust: fixture.trust, chain: fixture.chain, workspace: workspace)
    broken.client.start()
    var hello = broken.taken(broken.client)
    let at = 9 + seed * (hello.count - 10) / 8
    hello[at] ^= 0xff
    hello += [22, 3, 3, 0, 1, 99, 23, 3, 3, 0, 4, 1, 2, 3, 4]
    broken.server.receive(hello.span) { _ in Issue.record("data out of garbage") }
    #expect(!broken.server.isFinished)
    _ = broken.taken(broken.server)
    broken.server.closeNotify()
    #expect(broken.taken(broken.server).isEmpty)
    // A stale error would be this one's failure, stale output its first bytes.
    var next = try Wires(trust: fixture.trust, chain: fixture.chain, workspace: workspace)
    next.settle()
    #expect(next.client.isFinished && next.server.isFinished)
}

@Test(
    "what could not be read after the handshake is known by OpenSSL's word for it, and a peer's alert is no such thing")
func unreadable() throws {
    let fixture = try Fixture()
    for version in [TLSVersion.tls12, .tls13] {
        for toServer in [true, false] {
            var wires = try Wires(trust: fixture.trust, chain: fixture.chain, version: version)
            wires.settle()
            let (sender, reader) = toServer ? (wires.client, wires.server) : (wires.server, wires.client)
            sender.write([1, 2, 3].span)
            var record = wires.taken(sender)
            record[record.count - 1] ^= 1
            reader.receive(record.span) { _ in Issue.record("data out of a broken record") }
            #expect(reader.unreadable == "decryption failed or bad record mac")
            // It has said so, and ended it.
            sender.receive(wires.taken(reader).span) { _ in Issue.record("data out of an alert") }
            #expect(sender.peerAlert == 20 && sender.unreadable == nil)
        }
    }
}

@Test("what comes after a failure is ignored, and writing says no")
func afterFailure() throws {
    let fixture = try Fixture()
    var wires = try Wires(trust: fixture.trust, chain: fixture.chain)
    wires.settle()
    wires.server.receive(([23, 3, 3, 0, 20] + [UInt8](repeating: 0, count: 20)).span) { _ in Issue.record("data") }
    guard case .failed(let reason) = wires.server.status else {
        Issue.record("not failed")
        return
    }
    #expect(!reason.isEmpty)
    let isTaken = wires.server.write([1].span)
    #expect(!isTaken)
    _ = wires.taken(wires.server)
    wires.client.write([1, 2, 3].span)
    wires.server.receive(wires.taken(wires.client).span) { _ in Issue.record("data") }
}

@Test("a session may go at any point of its handshake")
func released() throws {
    let fixture = try Fixture()
    for step in 0..<4 {
        let wires = try Wires(trust: fixture.trust, chain: fixture.chain)
        if step > 0 { wires.client.start() }
        if step > 1 { wires.server.receive(wires.taken(wires.client).span) { _ in } }
        if step > 2 { wires.client.receive(wires.taken(wires.server).span) { _ in } }
    }
}
