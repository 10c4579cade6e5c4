import Facts
import Loop
import Policy
import TLS
import Testing
import Wire

@testable import Proxy

@Suite("what origins are offered", .timeLimit(.minutes(15)))
struct OriginOfferTests {
    private let trust: TrustStore
    init() throws { trust = try TrustStore(systemRoots: false, roots: []) }

    /// The ClientHello that goes to an origin.
    private func hello(_ offer: OriginOffer?, highest: TLSVersion = .tls13) throws -> ClientHello {
        let name = try name("api.test")
        let workspace = TLSWorkspace()
        let contexts = try OriginContexts(trust: trust)
        let context = try offer.map { try contexts.context(following: $0) } ?? contexts.own
        let session = try context.session(
            sni: name, verifying: name, alpn: ["h2", "http/1.1"], maxVersion: highest, in: workspace)
        session.start()
        var bytes: [UInt8] = []
        session.takeOutput { bytes.append(copying: $0) }
        return try parsed(bytes)
    }

    private func parsed(_ bytes: [UInt8]) throws -> ClientHello {
        var parser = ClientHelloParser()
        guard case .complete(let hello) = parser.read(bytes) else { throw UnexpectedEnd(after: "\(bytes.count)") }
        return hello
    }

    @Test("suites, groups and algorithms come in the client's order, and what is unknown here is left out")
    func order() throws {
        let shown = try hello(
            OriginOffer(
                cipherSuites: [0xc030, 0x1303, 0x0a0a, 0x1301, 0xc02b, 0xfefe, 0x009c, 0xc030],
                groups: [0xfefe, 24, 30, 29], signatureAlgorithms: [0x0805, 0xfefe, 0x0403, 0x0401]))
        // OpenSSL has those of TLS 1.3 first, and the SCSV of RFC 5746 last.
        #expect(shown.cipherSuites == [0x1303, 0x1301, 0xc030, 0xc02b, 0x009c, 0x00ff])
        #expect(shown.supportedGroups == [24, 30, 29])
        #expect(shown.signatureAlgorithms == [0x0805, 0x0403, 0x0401])
        #expect(shown.alpn == ["h2", "http/1.1"] && shown.versions == [.tls13, .tls12])
    }

    @Test("behind the client's suites there are the proxy's own, where it is to be reached in any case")
    func goesOn() throws {
        let shown = try hello(OriginOffer(cipherSuites: [0xc030, 0x1301], goesOn: true)).cipherSuites
        let own = try hello(nil).cipherSuites
        #expect(shown.first == 0x1301 && shown.first { $0 >> 8 != 0x13 } == 0xc030)
        #expect(Set(shown) == Set(own) && shown.count == own.count)
    }

    @Test("versions follow at both ends")
    func versions() throws {
        let modern = try hello(OriginOffer(cipherSuites: [0x1302], lowest: .tls13))
        #expect(modern.versions == [.tls13] && modern.cipherSuites == [0x1302, 0x00ff])
        let old = try hello(OriginOffer(cipherSuites: [0xc02f]), highest: .tls12)
        #expect(old.versions.first == .tls12 && !old.cipherSuites.contains { $0 >> 8 == 0x13 })
        // A hello that contradicts itself is not the end of everything.
        #expect(try hello(OriginOffer(lowest: .tls13), highest: .tls12).versions.first == .tls12)
    }

    @Test("where nothing is in common, it is the proxy's own offer")
    func nothingInCommon() throws {
        let own = try hello(nil)
        for offer in [
            OriginOffer(), OriginOffer(cipherSuites: [0xfefe], groups: [0xfefe], signatureAlgorithms: [0xfefe]),
            // Without a certificate or without encryption, and what no origin proves itself with any more.
            OriginOffer(
                cipherSuites: [0x0034, 0xc018, 0x003b, 0x00ff], signatureAlgorithms: [0x0201, 0x0203, 0x0402]),
        ] {
            let shown = try hello(offer)
            #expect(shown.cipherSuites == own.cipherSuites && shown.supportedGroups == own.supportedGroups)
            #expect(shown.signatureAlgorithms == own.signatureAlgorithms && shown.versions == own.versions)
        }
    }

    @Test("any list of numbers makes a hello", arguments: 0..<20)
    func anything(seed: Int) throws {
        var values = (0..<2000).map { UInt16(truncatingIfNeeded: ($0 &+ 1) &* (seed &* 2654435 &+ 40503)) }
        values += [0x1301, 0xc02f]
        let shown = try hello(OriginOffer(cipherSuites: values, groups: values, signatureAlgorithms: values))
        #expect(!shown.cipherSuites.isEmpty && shown.supportedGroups?.isEmpty == false)
    }

    @Test(
        "the debugging proxy follows the client; the gate does so in its suites, and offers its own as well",
        arguments: [false, true])
    func followed(isDebugging: Bool) async throws {
        let pki = try TestPKI()
        let seen = Locked<[UInt8]>([])
        let origin = try ScriptedOrigin { socket in
            let first = try socket.receive()
            seen.withLock { $0 = first }
            try socket.send([21, 3, 3, 0, 2, 2, 40])
        }
        let bench = try ProxyBench(["api.test": origin.address], trusting: [pki.authority.root]) {
            if isDebugging { $0.plan = Plan(profile: $0.plan.profile, phase: .debugging) }
        }
        let offer = OriginOffer(
            cipherSuites: [0xc02b, 0xc02f], groups: [24, 23], signatureAlgorithms: [0x0403, 0x0804])
        let client = try TestTLS(
            bench.tunnel(), trusting: bench.installed, alpn: ["x", "http/1.1"], highest: .tls12, offering: offer)
        let flight = client.hello()
        let sent = try parsed(flight)
        try client.socket.send(flight)
        _ = try client.socket.readToEnd()
        client.socket.close()
        _ = try await bench.observation()
        let shown = try parsed(seen.withLock { $0 })
        let own = try hello(nil, highest: .tls12)
        if isDebugging {
            #expect(shown.cipherSuites == sent.cipherSuites)
        } else {
            #expect(shown.cipherSuites.starts(with: [0xc02b, 0xc02f]))
            #expect(Set(shown.cipherSuites) == Set(own.cipherSuites))
        }
        #expect(shown.supportedGroups == (isDebugging ? sent : own).supportedGroups)
        #expect(shown.signatureAlgorithms == (isDebugging ? sent : own).signatureAlgorithms)
        #expect(shown.alpn == sent.alpn && shown.versions.first == .tls12)
        withExtendedLifetime(origin) {}
    }
}
