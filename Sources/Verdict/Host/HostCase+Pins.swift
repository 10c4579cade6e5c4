import Facts
import Policy

extension HostCase {
    /// The profile says that what is pinned here belongs to a CA: it names roots, or pins that the genuine chains have in an
    /// issuer and never in the leaf. From a public CA anybody gets a certificate, so all rests on the check of the name.
    var pinsAuthority: Bool {
        if !rule.anchors.isEmpty { return true }
        let pins = Set(rule.pins.map(\.base64))
        let chains = review.sightings.compactMap(\.observation.upstream).filter { $0.verified }.map(\.spki)
        let leaves = Set(chains.compactMap(\.first))
        let issuers = chains.reduce(into: Set<String>()) { $0.formUnion($1.dropFirst()) }
        return !pins.isDisjoint(with: issuers) && pins.isDisjoint(with: leaves)
    }
}

extension Review {
    /// Some stack said `unknown_ca`, and nothing else, of the CA that a control took, and of one that nobody knows: it
    /// brings other trust anchors for this host. A pinned CA looks so, and a list of public CAs as well.
    var deniesCA: Bool {
        let shown = meetings.filter { $0.reading.differential == .trusted || $0.reading.differential == .untrusted }
            .flatMap(\.sightings).filter { $0.isRefusal && $0.isIdentified }
        return genuineStacks.contains { stack in
            let answers = shown.filter { $0.stack == stack }
            let parts = Dictionary(grouping: answers, by: \.reading.differential)
            return parts.count == 2
                && answers.map(\.answer).allSatisfy {
                    $0.alert?.code == AlertCode.unknownCA.rawValue && !$0.hasFinished
                }
        }
    }
}
