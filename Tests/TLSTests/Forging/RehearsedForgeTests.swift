import Facts
import Policy
import Support
import TLSSupport
import Testing

@testable import TLS

@Suite("what a rehearsal presents")
struct RehearsedForgeTests {
    private let target: HostName
    private let origin: Origin
    init() throws {
        target = try host("api.example.com")
        origin = try Origin()
    }

    private func chain(_ attack: Attack, _ material: ForgeMaterial) throws -> PresentedChain {
        try Forge(material).chain(
            for: target, attack: attack, variant: attack.variants[0], rsaLeaf: false,
            genuine: GenuineChain([origin.leaf], verifiedAs: [origin.leaf, origin.root]), now: testNow)
    }

    @Test("the genuine key in a new certificate is a sound chain under a wrong signature", arguments: [false, true])
    func genuineKey(isOver: Bool) throws {
        let material = try ForgeMaterial(.general(now: testNow))
        let chain = try chain(.rehearsedGenuineKey(isOver: isOver), material)
        #expect(chain.certificates[0].publicKeyDER == origin.leaf.publicKeyDER)
        #expect(chain.certificates[0] != origin.leaf)
        for version in [TLSVersion.tls12, .tls13] {
            let trial = try HandshakeTrial(
                chain, to: target, trusting: [material.trusted.root], version: version, now: testNow)
            #expect(!trial.completed)
            // X509_V_ERR_CERT_HAS_EXPIRED is 10.
            #expect(trial.verification == (isOver ? 10 : 0), "\(trial.verdict)")
        }
    }

    @Test("a lapsed certificate with a key of the forge's is refused for its dates alone")
    func lapsed() throws {
        let material = try ForgeMaterial(.general(now: testNow))
        let chain = try chain(.rehearsedLapse(withLentKey: false), material)
        let trial = try HandshakeTrial(
            chain, to: target, trusting: [material.trusted.root], version: .tls13, now: testNow)
        #expect(trial.verification == 10)
    }

    @Test("a chain of the team's own is presented as it is, and a name that it has not is told")
    func own() throws {
        var lent = LentMaterials()
        lent.rehearsed["next"] = PresentedChain(certificates: [origin.leaf], key: origin.key)
        let material = try ForgeMaterial(.general(now: testNow), lent: lent)
        let chain = try chain(.rehearsal(of: "next"), material)
        #expect(chain.certificates == [origin.leaf])
        let trial = try HandshakeTrial(chain, to: target, trusting: [origin.root], version: .tls13, now: testNow)
        #expect(trial.completed)
        #expect(throws: ForgeError.nothingRehearsed("other")) { try self.chain(.rehearsal(of: "other"), material) }
    }
}
