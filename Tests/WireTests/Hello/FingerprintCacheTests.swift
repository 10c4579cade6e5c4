import Testing

@testable import Wire

@Suite("FingerprintCache")
struct FingerprintCacheTests {
    @Test("hashes a client once, whatever changes from connection to connection")
    func hits() throws {
        var cache = FingerprintCache()
        var hashes = 0
        let counting = { (bytes: [UInt8]) -> [UInt8] in
            hashes += 1
            return sha256(bytes)
        }
        let first = cache.fingerprint(of: try parsed(RecordedHello.chromium), sha256: counting)
        #expect(hashes == 3)
        let second = cache.fingerprint(of: try parsed(RecordedHello.chromiumAgain), sha256: counting)
        #expect(hashes == 3)
        #expect(first == second)
        #expect(first == Fingerprint(of: try parsed(RecordedHello.chromiumAgain), sha256: sha256))
    }

    @Test("gives each hello its own, in any order")
    func agrees() throws {
        var cache = FingerprintCache()
        for _ in 0..<2 {
            for (name, bytes) in ClientHelloParserTests.recorded {
                let hello = try parsed(bytes)
                let expected = Fingerprint(of: hello, sha256: sha256)
                #expect(cache.fingerprint(of: hello, sha256: sha256) == expected, "\(name)")
            }
        }
        #expect(cache.count == ClientHelloParserTests.recorded.count)
    }

    /// Each differs from the first in something that only one of the two digests shows.
    @Test("keeps apart what differs in JA4 alone")
    func distinguishes() throws {
        var base = HelloBuilder()
        base.extensions = [
            HelloBuilder.sni("a.example.com"), HelloBuilder.alpn(["h2"]), HelloBuilder.algorithms([1, 2]),
        ]
        let changes: [(inout HelloBuilder) -> Void] = [
            { _ in },
            { $0.extensions.removeFirst() },
            { $0.extensions[1] = HelloBuilder.alpn(["http/1.1"]) },
            { $0.extensions[2] = HelloBuilder.algorithms([2, 1]) },
            { $0.extensions.append(HelloBuilder.padding(3)) },
            { $0.extensions.append((type: 41, body: [])) },
        ]
        var cache = FingerprintCache()
        for (index, change) in changes.enumerated() {
            var builder = base
            change(&builder)
            let hello = try parsed(builder.records())
            #expect(cache.fingerprint(of: hello, sha256: sha256) == Fingerprint(of: hello, sha256: sha256), "\(index)")
        }
        #expect(cache.count == changes.count)
    }

    @Test("never grows beyond its limits")
    func bounded() throws {
        var cache = FingerprintCache()
        var builder = HelloBuilder()
        for index in 0..<(FingerprintCache.entryLimit * 2 + 10) {
            builder.cipherSuites = [UInt16(index)]
            _ = cache.fingerprint(of: try parsed(builder.records())) { $0 }
            #expect(cache.count <= FingerprintCache.entryLimit)
        }
        var small = FingerprintCache()
        builder.cipherSuites = (0..<2000).map { UInt16($0) }
        let hello = try parsed(builder.records())
        #expect(small.fingerprint(of: hello, sha256: sha256) == Fingerprint(of: hello, sha256: sha256))
        #expect(small.count == 0)
    }

    @Test("survives a hash function that returns too little")
    func shortHash() throws {
        let fingerprint = Fingerprint(of: try parsed(RecordedHello.go)) { _ in [0xab] }
        #expect(fingerprint.stack == "ab")
    }
}
