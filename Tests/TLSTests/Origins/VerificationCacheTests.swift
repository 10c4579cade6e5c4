import Facts
import Support
import TLSSupport
import Testing

@testable import TLS

private func key(_ name: String, _ digest: UInt8) throws -> VerificationCache.Key {
    VerificationCache.Key(host: try host(name), digest: [digest])
}

@Test("a chain is known for the host it verified for, and for no other chain")
func known() throws {
    var cache = VerificationCache()
    let chain = GenuineChain([try Origin().leaf])
    cache.insert(chain, for: try key("a.test", 1))
    #expect(cache.chain(for: try key("a.test", 1)) === chain)
    #expect(cache.chain(for: try key("b.test", 1)) == nil)
    #expect(cache.chain(for: try key("a.test", 2)) == nil)
}

@Test("a scan over many hosts does not make the cache grow")
func scan() throws {
    var cache = VerificationCache()
    let chain = GenuineChain([try Origin().leaf])
    for number in 0..<3000 { cache.insert(chain, for: try key("h\(number).test", 0)) }
    let kept = try (0..<3000).count { cache.chain(for: try key("h\($0).test", 0)) != nil }
    #expect((1...1024).contains(kept))
    #expect(cache.chain(for: try key("h2999.test", 0)) === chain)
}
