/// A chain that a host may show one day, and what was made of it where it was shown.
package struct RehearsalScenario: Hashable, Sendable {
    /// What it ends in.
    package enum Anchor: Hashable, Sendable {
        /// What the genuine chain ends in, which the app trusts.
        case genuine
        /// Another root, which the app is taken to trust.
        case another
        /// Nothing here vouches for it.
        case unverified
    }

    /// How now lies to its dates: those of the leaf and of all above it.
    package enum Dates: Hashable, Sendable {
        case current
        /// Over, since this day.
        case over(String)
        /// Not before this day.
        case ahead(String)
    }

    package var name: String
    package var keys: ChainKeys
    package var anchor: Anchor
    package var dates: Dates
    package var isForHost: Bool
    /// The file has no issuer of the leaf, and the leaf is not one that issued itself.
    package var lacksIssuer: Bool
    /// One of the team's own (`--with`).
    package var isOwn: Bool
    /// What the app made of the chain itself; nil: it could not be shown, as its key is not at hand.
    package var sight: RehearsalSight?
    /// It was shown without its key: the app had to refuse the signature, and was taken at its word whether it found more.
    package var isUnsigned: Bool

    package init(
        _ name: String, _ keys: ChainKeys, anchor: Anchor = .genuine, dates: Dates = .current, isForHost: Bool = true,
        lacksIssuer: Bool = false, isOwn: Bool = false, sight: RehearsalSight? = nil, isUnsigned: Bool = false
    ) {
        self.name = name
        self.keys = keys
        self.anchor = anchor
        self.dates = dates
        self.isForHost = isForHost
        self.lacksIssuer = lacksIssuer
        self.isOwn = isOwn
        self.sight = sight
        self.isUnsigned = isUnsigned
    }
}

/// The chains that follow every genuine one sooner or later (`--standard`).
package enum StandardScenario: String, CaseIterable, Hashable, Sendable {
    case renewedSameKey = "renewed-same-key"
    case renewedNewKey = "renewed-new-key"
    case otherIntermediate = "other-intermediate"
    case otherRoot = "other-root"
    case rsaToEC = "rsa-to-ec"
    case lapsedLeaf = "lapsed-leaf"
    case backupKey = "backup-key"

    /// Made from the genuine chain; nil for a backup key where none is lent.
    ///
    /// Other CAs, and new keys, are such as no pin names. The other intermediate stands in the place of the leaf's issuer; where
    /// the root itself is that one, it stands between the two.
    package func scenario(_ genuine: ChainKeys, backup: String?) -> RehearsalScenario? {
        let leaf = genuine.leaf
        switch self {
        case .renewedSameKey: return RehearsalScenario(rawValue, genuine.renewed(leaf: leaf))
        case .renewedNewKey, .rsaToEC: return RehearsalScenario(rawValue, genuine.renewed(leaf: nil))
        case .otherIntermediate:
            let above = genuine.issuers.count > 1 ? Array(genuine.issuers.dropFirst()) : genuine.issuers
            return RehearsalScenario(rawValue, ChainKeys(leaf: leaf, issuers: above, isWhole: genuine.isWhole))
        case .otherRoot: return RehearsalScenario(rawValue, ChainKeys(leaf: leaf), anchor: .another)
        case .lapsedLeaf: return RehearsalScenario(rawValue, genuine, dates: .over("now"))
        case .backupKey: return backup.map { RehearsalScenario(rawValue, genuine.renewed(leaf: $0)) }
        }
    }
}
