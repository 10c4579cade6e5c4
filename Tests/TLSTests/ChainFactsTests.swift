import Facts
import TLSSupport
import Testing

@testable import TLS

@Test("an origin's chain as people want to see it, the same each time it is asked for")
func chainFacts() throws {
    let origin = try Origin("api.example.com")
    let chain = GenuineChain([origin.leaf, origin.root])
    var cache = ChainFacts()
    let facts = cache.facts(of: chain)
    #expect(facts == cache.facts(of: GenuineChain([origin.leaf, origin.root])))
    #expect(facts.map(\.sha256) == chain.sha256)
    let leaf = try #require(facts.first)
    #expect(leaf.subject == "CN=api.example.com,O=Example" && leaf.issuer == origin.root.subject)
    // 300 days after 2026-01-01.
    #expect(leaf.notAfter == "2026-10-28T00:00:00Z")
    #expect(leaf.spkiSHA256 == SHA256.hex(origin.leaf.publicKeyDER))
    #expect(facts.count == 2 && facts[1].subject == facts[1].issuer)
}
