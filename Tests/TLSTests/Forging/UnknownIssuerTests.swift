import Facts
import Policy
import Support
import TLSSupport
import Testing

@testable import TLS

/// The shapes in which a chain of an unknown CA is shown, and what OpenSSL calls each.
@Suite("chains of an unknown issuer")
struct UnknownIssuerTests {
    static let material = Result { try ForgeMaterial(.general(now: testNow)) }

    private func chain(_ form: String?, _ shape: GenuineShape) throws -> PresentedChain {
        let variant = try #require(Attack.untrustedCA.variants.first { $0.name == form })
        return try Forge(Self.material.get()).chain(
            for: host("api.example.com"), attack: .untrustedCA, variant: variant, rsaLeaf: false,
            genuine: shape.chain(),
            now: testNow)
    }

    @Test(
        "without root, with it, and the leaf alone: each has an error of its own, for a client that goes on after it",
        arguments: [
            (nil as String?, 2, [20]), ("with-root", 3, [19]), ("leaf-alone", 1, [20, 21]),
        ])
    func errors(form: String?, length: Int, codes: [Int]) throws {
        let material = try Self.material.get()
        let made = try chain(form, GenuineShape(title: ""))
        #expect(made.certificates.count == length)
        #expect((made.certificates.last == material.untrusted.root) == (form == "with-root"))
        let target = try host("api.example.com")
        let strict = try HandshakeTrial(
            made, to: target, trusting: [material.trusted.root], version: .tls13, now: testNow)
        #expect(!strict.completed && strict.verification == codes.first, "\(strict.verdict)")
        // Node.js lets every error pass, and tells the app the last one.
        let sloppy = try HandshakeTrial(
            made, to: target, trusting: [material.trusted.root], version: .tls13, tolerating: [19, 20, 21], now: testNow
        )
        #expect(sloppy.completed && sloppy.verification == codes.last, "\(sloppy.verdict)")
    }

    @Test("the leaf is like the genuine one in each, for an app that forgives an error to its own names alone")
    func likeness() throws {
        let shape = GenuineShape(title: "", leaf: .p384, names: ["www.example.com", "api.example.com"])
        let genuine = try shape.chain().certificates[0]
        for form in [nil, "with-root", "leaf-alone"] {
            let leaf = try chain(form, shape).certificates[0]
            #expect(leaf.subjectDER == genuine.subjectDER && leaf.dnsNames == genuine.dnsNames)
            #expect(leaf.keyType == .p384 && leaf.notAfter == genuine.notAfter)
        }
    }
}
