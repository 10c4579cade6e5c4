import Facts
import Policy
import Support
import TLSSupport
import Testing

@testable import TLS

/// Keys that a table of kinds may not have.
@Suite("keys of unusual kinds")
struct UnusualKeysTests {
    static let material = Result { try ForgeMaterial(.general(now: testNow)) }

    private func leaf(
        _ form: String, genuine: KeyType, takes: LeafKeyTypes = .all, rsaLeaf: Bool = false
    ) throws -> KeyType {
        let material = try Self.material.get()
        let variant = try #require(Attack.trustedCA.variants.first { $0.name == form })
        let target = try host("api.example.com")
        let made = try Forge(material).chain(
            for: target, attack: .trustedCA, variant: variant, rsaLeaf: rsaLeaf, takes: takes,
            genuine: GenuineShape(title: "", leaf: genuine).chain(), now: testNow)
        #expect(made.certificates.count == 1)
        let trial = try HandshakeTrial(
            made, to: target, trusting: [material.trusted.root], version: .tls13, now: testNow)
        #expect(trial.completed, "\(trial.verdict)")
        return made.certificates[0].keyType
    }

    @Test("another size and another curve than common tables have, and than the genuine leaf has")
    func besidesTheGenuine() throws {
        for genuine in [KeyType.p256, .rsa(bits: 2048)] {
            #expect(try leaf("other-key", genuine: genuine) == .rsa(bits: 3072))
            #expect(try leaf("other-curve", genuine: genuine) == .p384)
        }
        #expect(try leaf("other-key", genuine: .rsa(bits: 3072)) == .p384)
        #expect(try leaf("other-curve", genuine: .p384) == .p521)
    }

    @Test("a client is shown what it can verify")
    func onlyWhatIsTaken() throws {
        #expect(try leaf("other-key", genuine: .p256, takes: [.p384]) == .p384)
        #expect(try leaf("other-curve", genuine: .p256, takes: [.p521]) == .p521)
        #expect(try leaf("other-key", genuine: .p256, takes: []) == .p256)
        #expect(try leaf("other-key", genuine: .p256, takes: [], rsaLeaf: true) == .rsa(bits: 3072))
        #expect(try leaf("other-curve", genuine: .p256, rsaLeaf: true) == .rsa(bits: 2048))
    }
}
