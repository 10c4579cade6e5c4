import Facts
import Policy

/// A chain without any of the keys that the profile says the app pins, and why.
package struct ForeignChain: Hashable, Sendable {
    package enum Cause: Hashable, Sendable {
        /// Somebody else is in the middle already, by the name of the product where it has a known one.
        case interceptor(String?)
        /// The genuine server has other keys than the profile: the app locks its users out, or the profile is wrong.
        case deadPins
        case unknown
    }

    package var cause: Cause
    /// Leaf first, as presented; may be empty in evidence of older versions.
    package var presented: [CertificateFacts]
    /// As `sha256/…`, in the order of the profile.
    package var pinned: [String]

    /// By what a client met on its way; the verified path has all its keys in `spki`.
    init(_ upstream: Observation.Upstream, _ pins: [Pin]) {
        presented = upstream.certificates
        pinned = pins.map(\.description)
        cause = Self.interceptor(presented).map { .interceptor($0) } ?? .unknown
    }

    /// By what the gate asked for itself: it knows where the chain ends. nil where a pinned key is among it.
    init?(_ seen: OriginSeen, _ pins: [Pin]) {
        guard !pins.isEmpty, !seen.spki.isEmpty, Set(pins.map(\.base64)).isDisjoint(with: seen.spki) else { return nil }
        presented = seen.certificates
        pinned = pins.map(\.description)
        if let name = Self.interceptor(presented) {
            cause = .interceptor(name)
        } else {
            cause =
                switch seen.anchor {
                case .public, .profile: .deadPins
                // Nobody who is genuine ends in a root of this machine's own, or in none.
                case .added, nil: .interceptor(nil)
                }
        }
    }

    private static func interceptor(_ chain: [CertificateFacts]) -> String? {
        chain.lazy.compactMap { KnownInterceptors.name(in: $0.issuer) }.first
    }
}
