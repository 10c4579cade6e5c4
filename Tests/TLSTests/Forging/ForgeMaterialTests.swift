import Facts
import Foundation
import Policy
import Support
import TLSSupport
import Testing

@testable import TLS

@Suite("ForgeMaterial")
struct ForgeMaterialTests {
    private let material: ForgeMaterial
    init() throws { material = try ForgeMaterial(.general(now: testNow)) }

    @Test("keys are made once, whoever comes first, for leaves and issuers apart")
    func once() async throws {
        let types = [KeyType.rsa(bits: 2048), .p384, .ed25519]
        let all = try await withThrowingTaskGroup(of: [[UInt8]].self) { group in
            for _ in 0..<8 {
                group.addTask { [material] in
                    try types.flatMap { type in
                        [
                            try material.leafKey(type), try material.issuerKey(type, under: material.trusted),
                            try material.issuerKey(type, under: material.untrusted),
                        ].map(\.key.publicKeyDER)
                    }
                }
            }
            return try await group.reduce(into: Set<[[UInt8]]>()) { $0.insert($1) }
        }
        #expect(all.count == 1 && Set(all.joined()).count == 9)
    }

    @Test("what was made ahead is what is used, and making it again makes nothing")
    func ahead() throws {
        var asked = 0
        material.makeKeysAhead {
            asked += 1
            return asked <= 1
        }
        // For each key, and no further one is made.
        #expect(asked == 3)
        let first = try material.leafKey(.rsa(bits: 2048))
        material.makeKeysAhead { false }
        #expect(try material.leafKey(.rsa(bits: 2048)).key === first.key)
    }

    @Test("of genuine chains that are known the sizes of their keys are made, and no others")
    func likeTheGenuine() throws {
        var genuine = GenuineKeys()
        let shape = try GenuineShape(title: "", leaf: .p256, issuers: [.rsa(bits: 3072), .p384]).chain()
        genuine.add(leaf: shape.certificates[0], issuers: shape.issuers)
        var asked = 0
        material.makeKeys(like: genuine) {
            asked += 1
            return true
        }
        #expect(asked == 1)
        genuine.add(GenuineKeys())
        material.makeKeys(like: GenuineKeys()) {
            Issue.record("a key that nobody needs")
            return false
        }
        // Of hosts that are not known: an issuer's and a leaf's.
        var usual = 0
        material.makeKeys(like: nil) {
            usual += 1
            return false
        }
        #expect(usual == 2)
    }

    @Test("no chain of a usual one waits for a key, if they were made ahead")
    func ready() throws {
        material.makeKeysAhead()
        material.makeKeys(like: nil)
        let before = try [
            material.leafKey(.rsa(bits: 4096)), material.issuerKey(.rsa(bits: 4096), under: material.trusted),
        ]
        #expect(try chain(.trustedCA).map(\.publicKeyDER) == before.map(\.key.publicKeyDER))
    }

    @Test("what the trusted CA was asked for is made ahead for the untrusted one, and nothing twice")
    func twins() throws {
        let recipe = Attack.untrustedCA.variants[0].recipe
        #expect(!material.lacksKeys(for: recipe) && !material.lacksKeys(for: Attack.trustedCA.variants[0].recipe))
        _ = try chain(.trustedCA)
        #expect(material.lacksKeys(for: recipe) && !material.lacksKeys(for: Attack.trustedCA.variants[0].recipe))
        material.makeKeys(for: recipe) { false }
        #expect(material.lacksKeys(for: recipe))
        material.makeKeys(for: recipe)
        #expect(!material.lacksKeys(for: recipe))
        let before = try material.issuerKey(.rsa(bits: 4096), under: material.untrusted)
        #expect(try chain(.untrustedCA).map(\.publicKeyDER).contains(before.key.publicKeyDER))
    }

    @Test("a leaf's unusual key is made ahead of the attack that shows it")
    func unusual() throws {
        let recipe = Recipe(key: .unusualSize)
        #expect(material.lacksKeys(for: recipe))
        material.makeKeys(for: recipe)
        #expect(!material.lacksKeys(for: recipe))
    }

    /// As it is shown for a leaf and an intermediate with RSA-4096, and a root with RSA-3072.
    private func chain(_ attack: Attack) throws -> [Certificate] {
        let genuine = try GenuineShape(
            title: "", leaf: .rsa(bits: 4096), issuers: [.rsa(bits: 4096), .rsa(bits: 3072)]
        ).chain()
        return try Forge(material).chain(
            for: try host("api.example.com"), attack: attack, variant: attack.variants[0], rsaLeaf: true,
            genuine: genuine, now: testNow
        ).certificates
    }
}
