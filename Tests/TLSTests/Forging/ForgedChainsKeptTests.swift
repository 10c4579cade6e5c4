import Facts
import Policy
import Support
import TLSSupport
import Testing

@testable import TLS

@Suite("forged chains that are kept")
struct ForgedChainsKeptTests {
    let material: ForgeMaterial
    let forge: Forge
    init() throws {
        material = try ForgeMaterial(CertificateAuthority.general(now: testNow))
        forge = Forge(material)
    }

    private func chain(_ number: Int, _ attack: Attack = .trustedCA, now: Double = testNow) throws -> PresentedChain {
        try forge.chain(
            for: try host("h\(number).test"), attack: attack, variant: attack.plain, rsaLeaf: false, genuine: nil,
            now: now)
    }

    @Test("hundreds of hosts later a host is shown the same chain, with the CA's own certificates")
    func same() throws {
        let hosts = 0..<ForgedChains<Int>.latest * 3
        let first = try hosts.map { try chain($0) }
        for (number, was) in zip(hosts, first) {
            let again = try chain(number)
            #expect(again.sha256s == was.sha256s && again.unlike == was.unlike && again.key === was.key)
            #expect(zip(again.certificates, was.certificates).dropFirst().allSatisfy { $0 === $1 })
        }
        // The latest is not decoded each time.
        #expect(try chain(hosts.upperBound - 1) === chain(hosts.upperBound - 1))
        // What is kept as DER serves a handshake as well as what was just made.
        let leaf = try #require(try chain(0).certificates.first)
        #expect(leaf.isFor(try host("h0.test")) && first[0].key.matches(leaf))
    }

    @Test("what is kept as DER gets old as well")
    func old() throws {
        let was = try chain(0)
        for number in 1...ForgedChains<Int>.latest { _ = try chain(number) }
        let later = testNow + 86_400 * 88
        #expect(try chain(0, now: later).sha256s != was.sha256s)
    }

    @Test(
        "a clock that was set back by more than a day is shown a chain that is valid there", arguments: [false, true])
    func setBack(isDecoded: Bool) throws {
        let was = try chain(0)
        if !isDecoded { for number in 1...ForgedChains<Int>.latest { _ = try chain(number) } }
        #expect(try chain(0, now: testNow - 3600).sha256s == was.sha256s)
        let before = testNow - 86_400 * 5
        let chain = try chain(0, now: before)
        #expect(chain.sha256s != was.sha256s)
        #expect(try #require(chain.certificates.first).notBefore <= Int64(before))
    }

    @Test("what more than the leaf was made for one host is kept as well")
    func whole() throws {
        let origin = try Origin()
        let genuine = GenuineChain([origin.leaf, origin.root])
        func chains() throws -> [PresentedChain] {
            try (Attack.trustedCA.variants + Attack.clonedIdentity.variants).map {
                try forge.chain(
                    for: try host("api.example.com"), attack: .clonedIdentity, variant: $0, rsaLeaf: false,
                    genuine: genuine,
                    now: testNow)
            }
        }
        let first = try chains()
        #expect(first.contains { $0.certificates.count > 1 })
        for number in 0...ForgedChains<Int>.latest { _ = try chain(number + 10) }
        #expect(try chains().map(\.sha256s) == first.map(\.sha256s))
    }
}
