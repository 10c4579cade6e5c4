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
    let same = cache.chain(for: try key("a.test", 1))
    #expect(same === chain)
    let (otherHost, otherChain) = (cache.chain(for: try key("b.test", 1)), cache.chain(for: try key("a.test", 2)))
    #expect(otherHost == nil && otherChain == nil)
}

@Test("a scan over many hosts does not make the cache grow")
func scan() throws {
    var cache = VerificationCache()
    let chain = GenuineChain([try Origin().leaf])
    for number in 0..<3000 { cache.insert(chain, for: try key("h\(number).test", 0)) }
    var kept = 0
    for number in 0..<3000 where cache.chain(for: try key("h\(number).test", 0)) != nil { kept += 1 }
    #expect((1...512).contains(kept))
    let last = cache.chain(for: try key("h2999.test", 0))
    #expect(last === chain)
}

@Test("hosts of one certificate share what is kept of it, hosts of one CA what is kept of that")
func shared() throws {
    let origin = try Origin()
    let (leaf, above) = (origin.leaf, origin.root)
    /// Decoded anew, as each handshake does.
    func chain(_ leaf: Certificate) throws -> GenuineChain {
        GenuineChain([try Certificate(der: leaf.der), try Certificate(der: above.der)])
    }
    var cache = VerificationCache()
    let first = cache.insert(try chain(leaf), for: try key("a.test", 1)).chain
    let second = cache.insert(try chain(leaf), for: try key("b.test", 1)).chain
    #expect(second === first)
    let again = cache.chain(for: try key("b.test", 1))
    #expect(again === first)

    let other = cache.insert(try chain(try Origin().leaf), for: try key("c.test", 2)).chain
    #expect(other !== first)
    #expect(other.certificates.last === first.certificates.last)
    #expect(other.issuers.last === first.issuers.last)
    #expect(other.certificates.first !== first.certificates.first)
}

@Test("where verification took another path, the chain is another one, whoever showed the same certificates")
func otherPath() throws {
    let origin = try Origin()
    let leaf = origin.leaf
    var cache = VerificationCache()
    let alone = cache.insert(GenuineChain([leaf]), for: try key("a.test", 1)).chain
    let below = GenuineChain([leaf], verifiedAs: [leaf, origin.root])
    let kept = cache.insert(below, for: try key("b.test", 1)).chain
    #expect(kept !== alone)
    #expect(kept.issuers == [origin.root])
    #expect(kept.spki == below.spki)
    let before = cache.chain(for: try key("a.test", 1))
    #expect(before?.issuers == [])
}

@Test("a clock that is set back makes no chain hold for longer than its minute")
func setBack() throws {
    var cache = VerificationCache()
    let chain = GenuineChain([try Origin().leaf])
    let known = try key("a.test", 1)
    cache.insert(chain, for: known, now: 1_000_000)
    for (now, holds) in [(1_000_059, true), (1_000_060, false), (999_999, false), (900_000, false), (0, false)] {
        let entry = cache.entry(for: known, now: now)
        #expect((entry != nil) == holds, "\(now)")
    }
}

@Test("of many chains the latest are decoded, and the others come back as they were")
func packed() throws {
    let (origin, root) = (try Origin().leaf, try Origin().root)
    var cache = VerificationCache()
    weak var first: GenuineChain?
    do {
        let chain = GenuineChain([try Certificate(der: origin.der), root])
        cache.insert(chain, for: try key("first.test", 0))
        first = chain
    }
    #expect(first != nil)
    for number in 1...VerificationCache.latest {
        let chain = GenuineChain([try Origin().leaf])
        cache.insert(chain, for: try key("h\(number).test", UInt8(number)))
    }
    #expect(first == nil)
    let found = cache.chain(for: try key("first.test", 0))
    #expect(found?.certificates.map(\.der) == [origin.der, root.der] && found?.issuers.first === root)
    #expect(found?.certificates.first?.spkiSHA256Base64 == origin.spkiSHA256Base64)
    let again = cache.chain(for: try key("first.test", 0))
    #expect(again === found)
}
