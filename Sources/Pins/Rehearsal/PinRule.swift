/// Which certificates of the verified chain pins are compared with.
package enum PinScope: String, Hashable, Sendable, CaseIterable {
    /// One pin that matches anywhere will do: OkHttp, Android's pin-set, TrustKit, HPKP.
    case any
    /// The server's own certificate alone: curl, and most checks by hand.
    case leaf
    /// What stands above it.
    case issuers
    /// One of each: Apple's two lists together.
    case both
}

/// What an app may be enforcing at a host, as far as a rehearsal can tell.
///
/// A rehearsal keeps every rule that fits what was seen, and answers where all of them agree.
enum PinRule: Hashable, Sendable {
    /// Whatever its platform trusts.
    case nothing
    case keys(Set<String>, PinScope)
    /// Whole certificates, each a server's own.
    case certificates(Set<String>)

    /// Whether an app with this rule takes a valid chain; nil where too little of the chain is known.
    ///
    /// - Parameter server: a server's own key, which stands above no leaf.
    func takes(_ chain: ChainKeys, server: String? = nil) -> Bool? {
        switch self {
        case .nothing: return true
        case .certificates(let certificates): return chain.certificate.map(certificates.contains) ?? false
        case .keys(let pins, let scope):
            let isLeafPinned = chain.leaf.map(pins.contains) ?? false
            // Of what is not known, a pin may be on anything but a server's key.
            let isAllKnown = chain.isWhole || pins.allSatisfy { $0 == server }
            let isIssuerPinned = pins.isDisjoint(with: chain.issuers) ? (isAllKnown ? false : nil) : true
            return switch scope {
            case .any: isLeafPinned ? true : isIssuerPinned
            case .leaf: isLeafPinned
            case .issuers: isIssuerPinned
            case .both: isLeafPinned ? isIssuerPinned : false
            }
        }
    }

    var isOfKeys: Bool { if case .keys = self { true } else { false } }
}
