import COpenSSL
import Facts

/// Chains that verified for a host a moment ago and need not be verified again.
///
/// The same certificates for the same host give the same answer until a date passes or the roots change; neither
/// matters within a minute, and the roots are fixed for the life of a ClientContext.
struct VerificationCache {
    /// A host, and the SHA-256 over the DER of all certificates it showed.
    struct Key: Hashable {
        let host: HostName
        let digest: [UInt8]

        init(host: HostName, digest: [UInt8]) {
            self.host = host
            self.digest = digest
        }

        /// nil for an empty chain or one over `chainLimit`.
        init?(host: HostName, chain: OpaquePointer?) {
            let count = unsafe OPENSSL_sk_num(chain)
            guard count > 0, count <= Self.chainLimit else { return nil }
            var der: [UInt8] = []
            for index in 0..<count {
                let certificate = unsafe OpaquePointer(OPENSSL_sk_value(chain, index))
                let length = unsafe Int(i2d_X509(certificate, nil))
                guard length > 0 else { return nil }
                let start = der.count
                der.append(contentsOf: repeatElement(0, count: length))
                unsafe der.withUnsafeMutableBufferPointer { buffer in
                    var at = unsafe buffer.baseAddress.map { unsafe $0 + start }
                    unsafe i2d_X509(certificate, &at)
                }
            }
            self.init(host: host, digest: SHA256.digest(der))
        }

        /// Longer chains exist only to cost time: OpenSSL itself stops at a depth of 100.
        static let chainLimit: Int32 = 32
    }

    struct Entry {
        let chain: GenuineChain
        /// Seconds since 1970.
        let until: Int
    }

    /// A chain that verified, decoded or not.
    ///
    /// Of one that no connection has needed lately the leaf is kept as its DER alone: decoded it takes 4 KB, most of that its
    /// key, and to decode it again takes a twentieth of a handshake.
    private final class Kept {
        let packed: GenuineChain.Packed
        var chain: GenuineChain?

        init(_ chain: GenuineChain) { packed = GenuineChain.Packed(chain) }
    }

    private var entries: [Key: (kept: Kept, until: Int)] = [:]
    /// By their digest: hosts of one certificate share what is kept of it.
    private var chains: [[UInt8]: Kept] = [:]
    /// Those that are decoded, in a ring: `next` is the oldest once it is full.
    private var decoded: [Kept] = []
    private var next = 0
    /// Chains that one loop meets again and again: of an app's hosts fewer are busy at once.
    static let latest = 32
    /// What stands above the leaves, by SHA-256: few CAs for many hosts, and 5 KB for each that is decoded.
    private var issuers: [String: Certificate] = [:]

    /// Enough for every host of an app, or a browser's within the minute that entries last; each takes some 1.5 KB. A scan
    /// over more starts anew rather than grows.
    private static let limit = 256
    /// Seconds.
    private static let lifetime = 60

    /// Whether what holds until then still holds. A clock that was set back makes nothing hold for longer.
    static func holds(until: Int, at now: Int) -> Bool { until > now && until - now <= lifetime }

    mutating func entry(for key: Key, now: Int = time(nil)) -> Entry? {
        guard let entry = entries[key], Self.holds(until: entry.until, at: now) else { return nil }
        if let chain = entry.kept.chain { return Entry(chain: chain, until: entry.until) }
        guard let chain = entry.kept.packed.unpacked else { return nil }
        entry.kept.chain = chain
        keepDecoded(entry.kept)
        return Entry(chain: chain, until: entry.until)
    }

    mutating func chain(for key: Key) -> GenuineChain? { entry(for: key)?.chain }

    /// The oldest one makes room.
    private mutating func keepDecoded(_ kept: Kept) {
        if decoded.count < Self.latest {
            decoded.append(kept)
        } else {
            decoded[next].chain = nil
            decoded[next] = kept
            next = (next + 1) % Self.latest
        }
    }

    /// - Returns: the entry, with the same chain as another host's where both showed the same certificates and
    ///   verification took the same path.
    @discardableResult
    mutating func insert(_ chain: GenuineChain, for key: Key, now: Int = time(nil)) -> Entry {
        if entries.count >= Self.limit {
            entries.removeAll(keepingCapacity: true)
            chains.removeAll(keepingCapacity: true)
            issuers.removeAll(keepingCapacity: true)
            decoded.removeAll(keepingCapacity: true)
            next = 0
        }
        let chain = chain.with { certificate in
            if let known = issuers[certificate.sha256], known == certificate { return known }
            issuers[certificate.sha256] = certificate
            return certificate
        }
        let kept: Kept
        if let known = chains[key.digest], known.packed.isSame(as: chain) {
            kept = known
        } else {
            kept = Kept(chain)
            chains[key.digest] = kept
        }
        if kept.chain == nil {
            kept.chain = chain
            keepDecoded(kept)
        }
        entries[key] = (kept, now + Self.lifetime)
        return Entry(chain: kept.chain ?? chain, until: now + Self.lifetime)
    }
}

/// A verification cache that several contexts with the same roots share; for one loop.
package final class VerificationMemory {
    var cache = VerificationCache()

    package init() {}
}

/// The chain an origin showed, with what evidence and attacks need of it worked out once.
package final class GenuineChain: Sendable {
    /// Leaf first, as it was shown.
    package let certificates: [Certificate]
    /// What stands above the leaf: as it was shown, and then what only verification knew, the anchor above all.
    package let issuers: [Certificate]
    package let sha256: [String]
    /// SHA-256 (base64) of each SPKI; of the chain up to its anchor, where it was verified.
    package let spki: [String]
    /// What verification found above the leaf, the anchor last; what was shown, where there was none.
    private let above: [Certificate]

    /// - Parameter verified: the path that verification took; nil where there was none.
    package init(_ certificates: [Certificate], verifiedAs verified: [Certificate]? = nil) {
        self.certificates = certificates
        let shown = certificates.dropFirst()
        above = Array((verified ?? certificates).dropFirst())
        issuers = shown + above.filter { !shown.contains($0) }
        sha256 = certificates.map(\.sha256)
        spki = (verified ?? certificates).map(\.spkiSHA256Base64)
    }

    /// With `known` of each certificate above the leaf, which is the same one; itself where that changes nothing.
    func with(_ known: (Certificate) -> Certificate) -> GenuineChain {
        let shown = certificates.prefix(1) + certificates.dropFirst().map(known)
        let (issuers, above) = (issuers.map(known), above.map(known))
        if zip(shown + issuers, certificates + self.issuers).allSatisfy({ $0 === $1 }) { return self }
        return GenuineChain(certificates: Array(shown), issuers: issuers, above: above, sha256: sha256, spki: spki)
    }

    private init(
        certificates: [Certificate], issuers: [Certificate], above: [Certificate], sha256: [String], spki: [String]
    ) {
        self.certificates = certificates
        self.issuers = issuers
        self.above = above
        self.sha256 = sha256
        self.spki = spki
    }

    /// With its leaf as bytes, and without what follows from them.
    struct Packed {
        private let leaf: [UInt8]
        private let shown: [Certificate]
        private let above: [Certificate]

        init(_ chain: GenuineChain) {
            leaf = chain.certificates.first?.der ?? []
            shown = Array(chain.certificates.dropFirst())
            // One array for both where the chain was shown whole.
            above = chain.above == shown ? shown : chain.above
        }

        /// nil where memory has run out.
        var unpacked: GenuineChain? {
            guard let leaf = try? Certificate(der: leaf, isForHandshakes: true) else { return nil }
            return GenuineChain([leaf] + shown, verifiedAs: [leaf] + above)
        }

        /// The same certificates, below the same ones.
        func isSame(as other: GenuineChain) -> Bool {
            leaf == other.certificates.first?.der ?? [] && shown[...] == other.certificates.dropFirst()
                && above == other.above
        }
    }

    /// Nothing is known to stand between the leaf and what clients trust.
    var isLeafIssuedByAnchor: Bool {
        guard let leaf = certificates.first, let anchor = issuers.last else { return true }
        return anchor.subjectDER == leaf.issuerDER
    }

    /// Takes a reference to each certificate of a STACK_OF(X509).
    convenience init?(copying stack: OpaquePointer?) {
        var certificates: [Certificate] = []
        for index in 0..<max(0, unsafe OPENSSL_sk_num(stack)) {
            guard let x509 = unsafe OPENSSL_sk_value(stack, index) else { return nil }
            let pointer = OpaquePointer(x509)
            guard let certificate = try? unsafe Certificate(sharing: pointer) else { return nil }
            certificates.append(certificate)
        }
        self.init(certificates)
    }
}
