import Facts
import Support
import TLSSupport
import Testing

@testable import Authority
@testable import TLS

@Suite("a chain that is about to be deployed")
struct RehearsedChainTests {
    let scratch: TemporaryFolder
    let origin: Origin
    init() throws {
        scratch = try TemporaryFolder()
        origin = try Origin()
    }

    private func chain(_ key: PrivateKey?, trusting roots: [Certificate], _ certificates: Certificate...) throws
        -> RehearsedChain
    {
        let file = try scratch.write("chain.pem", certificates.map(\.pem).joined().utf8)
        let keyFile = try key.map { try scratch.write("key.pem", $0.pem()) }
        return try RehearsedChain(
            name: "next", chain: file, key: keyFile, trust: TrustStore(systemRoots: false, roots: roots))
    }

    @Test("it is followed up to a root that is trusted here, whenever it is valid")
    func path() throws {
        let known = try chain(origin.key, trusting: [origin.root], origin.leaf)
        #expect(known.path == [origin.leaf, origin.root])
        #expect(known.longest.count == 2 && known.lacksIssuer)
        let unknown = try chain(nil, trusting: [try Origin().root], origin.leaf, origin.root)
        #expect(unknown.path == nil)
        #expect(unknown.longest == [origin.leaf, origin.root] && !unknown.lacksIssuer)
    }

    @Test("it is presented with its key, or without one under a signature that no client takes")
    func presented() throws {
        let signed = try #require(try chain(origin.key, trusting: [], origin.leaf).presented)
        #expect(signed.key.publicKeyDER == origin.key.publicKeyDER && !signed.key.signsWhatItsCertificateRefuses)
        let unsigned = try #require(try chain(nil, trusting: [], origin.leaf).presented)
        #expect(unsigned.certificates == [origin.leaf] && unsigned.key.signsWhatItsCertificateRefuses)
    }

    @Test("a key that is not its leaf's, and a chain that begins with an issuer, are told")
    func faults() throws {
        let other = try PrivateKey.generate(.p256)
        let mismatch = #expect(throws: CAError.self) { try chain(other, trusting: [], origin.leaf) }
        #expect(mismatch?.code == .mismatch)
        let order = #expect(throws: CAError.self) { try chain(nil, trusting: [], origin.root, origin.leaf) }
        #expect(order?.message.contains("issued another one in it") == true)
    }
}
