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
        #expect(asked == 9)
        let first = try material.leafKey(.rsa(bits: 2048))
        material.makeKeysAhead { false }
        #expect(try material.leafKey(.rsa(bits: 2048)).key === first.key)
    }

    @Test("no chain of a genuine one waits for a key that was made ahead")
    func ready() throws {
        material.makeKeysAhead()
        let genuine = try GenuineShape(
            title: "", leaf: .rsa(bits: 4096), issuers: [.rsa(bits: 4096), .rsa(bits: 3072)]
        ).chain()
        let before = try [
            material.leafKey(.rsa(bits: 4096)), material.issuerKey(.rsa(bits: 4096), under: material.trusted),
        ]
        let made = try Forge(material).chain(
            for: try host("api.example.com"), attack: .trustedCA, variant: Attack.trustedCA.variants[0], rsaLeaf: true,
            genuine: genuine, now: testNow)
        #expect(made.certificates.map(\.publicKeyDER) == before.map(\.key.publicKeyDER))
    }
}
