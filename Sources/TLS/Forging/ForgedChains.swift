/// Chains that were forged, for the next connection to the same host.
///
/// The latest are kept as connections use them. Of the others the leaf is kept as its DER alone: decoded it takes 5 KB, most
/// of that its key, and to decode it again takes a twentieth of a handshake.
struct ForgedChains<Key: Hashable> {
    struct Entry {
        let chain: PresentedChain
        /// In seconds since 1970. It begins as well: a clock may be set back to before the certificate's own beginning.
        let fresh: Range<Double>
    }

    static var always: Range<Double> { -.infinity ..< .infinity }

    private enum Kept {
        /// What more than its leaf is made for one host alone, or belongs to somebody else.
        case whole(Entry)
        case leaf(der: [UInt8], above: [Certificate], of: Rest)
    }

    /// Of a chain, besides its certificates.
    private struct Rest {
        let key: PrivateKey
        let unlike: [String]
        let voucher: PresentedChain.Voucher
        let fresh: Range<Double>
    }

    /// Chains that one loop uses again and again, each some 6 KB: of an app's hosts fewer are busy at once.
    static var latest: Int { 32 }

    private var decoded = BoundedCache<Key, Entry>(limit: Self.latest)
    private var kept: BoundedCache<Key, Kept>
    /// The CAs' own, of which no chain keeps one by itself.
    private let shared: [Certificate]

    init(limit: Int, shared: [Certificate]) {
        kept = BoundedCache(limit: limit)
        self.shared = shared
    }

    /// nil as well for one that is no longer fresh.
    mutating func entry(_ key: Key, now: Double) -> Entry? {
        if let entry = decoded[key] { return entry.fresh.contains(now) ? entry : nil }
        switch kept[key] {
        case .whole(let entry)? where entry.fresh.contains(now):
            return entry
        case .leaf(let der, let above, let rest)? where rest.fresh.contains(now):
            guard let leaf = try? Certificate(der: der, isForHandshakes: true) else { return nil }
            let chain = PresentedChain(
                certificates: [leaf] + above, key: rest.key, unlike: rest.unlike, voucher: rest.voucher)
            let entry = Entry(chain: chain, fresh: rest.fresh)
            decoded.set(key, entry)
            return entry
        default:
            return nil
        }
    }

    mutating func set(_ key: Key, _ entry: Entry) {
        let chain = entry.chain
        let above = chain.certificates.dropFirst()
        guard let leaf = chain.certificates.first, above.allSatisfy({ one in shared.contains { $0 === one } }) else {
            kept.set(key, .whole(entry))
            return
        }
        decoded.set(key, entry)
        let rest = Rest(
            key: chain.key, unlike: chain.unlike, voucher: chain.voucher, fresh: entry.fresh)
        kept.set(key, .leaf(der: leaf.der, above: Array(above), of: rest))
    }
}
