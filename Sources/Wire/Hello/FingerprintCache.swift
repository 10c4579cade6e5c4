/// The two digests of a ClientHello.
package struct Fingerprint: Hashable, Sendable {
    package var ja4: String
    package var stack: String

    package init(ja4: String, stack: String) {
        self.ja4 = ja4
        self.stack = stack
    }

    package init(of hello: ClientHello, sha256: ([UInt8]) -> [UInt8]) {
        ja4 = JA4.fingerprint(of: hello, sha256: sha256)
        stack = StackFingerprint.digest(of: hello, sha256: sha256)
    }
}

/// Fingerprints of the clients met lately, so that one that comes again costs no hash.
///
/// For one thread.
package struct FingerprintCache {
    /// Clients of one proxy are a few stacks with a few ALPN lists each.
    static let entryLimit = 256
    /// A real client's key has about 300 bytes; a hostile one must not make the cache large.
    static let keyLimit = 2048

    private var entries: [[UInt8]: Fingerprint] = [:]

    package init() {}

    package mutating func fingerprint(of hello: ClientHello, sha256: ([UInt8]) -> [UInt8]) -> Fingerprint {
        let key = Self.key(hello)
        if let known = entries[key] { return known }
        let fresh = Fingerprint(of: hello, sha256: sha256)
        guard key.count <= Self.keyLimit else { return fresh }
        // Starting anew is simpler than keeping an order, and as good: what is in use is back at once.
        if entries.count >= Self.entryLimit { entries.removeAll(keepingCapacity: true) }
        entries[key] = fresh
        return fresh
    }

    var count: Int { entries.count }

    /// All that the two digests depend on, and nothing that changes between connections of a client that shuffles its
    /// extensions.
    private static func key(_ hello: ClientHello) -> [UInt8] {
        var key = StackFingerprint.canonical(hello)
        key += JA4.alpn(hello)
        // Besides the canonical bytes: every extension for JA4's count and list, and the algorithms' order.
        for type in hello.extensionTypes.sorted() { key.append(bigEndian: type) }
        key.append(bigEndian: UInt16(truncatingIfNeeded: hello.extensionTypes.count))
        for algorithm in hello.signatureAlgorithms ?? [] { key.append(bigEndian: algorithm) }
        return key
    }
}
