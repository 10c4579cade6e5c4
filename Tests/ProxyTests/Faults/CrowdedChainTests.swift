import Facts
import Loop
import Policy
import Testing

@testable import Proxy
@testable import TLS

@Suite("Faults: chains", .timeLimit(.minutes(15)))
struct CrowdedChainTests {
    /// A leaf for api.test and so many other names.
    private func crowded(_ count: Int, _ authority: CertificateAuthority) throws -> PresentedChain {
        let key = try PrivateKey.generate(.p256)
        let now = Int64(WallClock.now)
        let names = ["api.test"] + (1..<count).map { String($0, radix: 36) + ".x" }
        let leaf = try CertificateBuilder(
            serial: CertificateBuilder.randomSerial(), signature: authority.signature, issuer: authority.issuerDER,
            subject: DistinguishedName(organization: "Example", commonName: "api.test").der,
            notBefore: now - 86_400, notAfter: now + 86_400 * 30, publicKey: key.publicKeyDER,
            extensions: [
                .keyUsage(.digitalSignature), .serverAuth, .endEntity,
                .subjectKeyIdentifier(CertificateAuthority.keyIdentifier(of: key.publicKeyDER)),
                .authorityKeyIdentifier(authority.keyIdentifier),
                CertificateExtension(
                    oid: OID.subjectAltName, critical: false,
                    value: DER.sequence(names.map { DER.implicit(2, $0.utf8) })),
            ]
        ).signed(by: authority.key)
        return PresentedChain(certificates: [leaf], key: key)
    }

    @Test(
        "an origin of a hundred certificates is told as such, and not stood in for",
        arguments: [FaultWay.gate, .debugging])
    func hundred(way: FaultWay) async throws {
        let pki = try TestPKI()
        let genuine = try pki.chain()
        let origin = try ScriptedOrigin(
            PresentedChain(
                certificates: genuine.certificates + Array(repeating: pki.authority.root, count: 99), key: genuine.key))
        let bench = try way.bench(origin, pki)
        let socket = try bench.tunnel()
        try socket.send(TestTLS(socket, trusting: bench.either).hello())
        #expect(try socket.readToEnd() == [21, 3, 3, 0, 2, 2, 80])
        socket.close()
        let one = try await bench.observation()
        #expect(one.upstream?.error?.contains("more than 32 certificates") == true && one.presented.isEmpty, "\(one)")
        withExtendedLifetime(origin) {}
    }

    @Test("a leaf of 10,000 names is imitated, name for name", arguments: [FaultWay.gate, .debugging])
    func manyNames(way: FaultWay) async throws {
        let pki = try TestPKI()
        let origin = try ScriptedOrigin(crowded(10_000, pki.authority))
        let bench = try way.bench(origin, pki)
        let began = ContinuousClock.now
        try bench.expectService()
        #expect(ContinuousClock.now - began < .seconds(30))
        let one = try await bench.observation()
        #expect(one.upstream?.verified == true && one.bytesUp > 0 && one.error == nil, "\(one)")
        #expect(!one.unlike.contains("names"), "\(one.unlike)")
        withExtendedLifetime(origin) {}
    }

    @Test(
        "a leaf that is too large for a handshake is told as the origin's fault",
        arguments: [FaultWay.gate, .debugging])
    func tooLarge(way: FaultWay) async throws {
        let pki = try TestPKI()
        let origin = try ScriptedOrigin(crowded(40_000, pki.authority))
        let bench = try way.bench(origin, pki)
        let socket = try bench.tunnel()
        try socket.send(TestTLS(socket, trusting: bench.either).hello())
        #expect(try socket.readToEnd() == [21, 3, 3, 0, 2, 2, 80])
        socket.close()
        let one = try await bench.observation()
        #expect(one.upstream?.error?.isEmpty == false && one.presented.isEmpty, "\(one)")
        withExtendedLifetime(origin) {}
    }
}
