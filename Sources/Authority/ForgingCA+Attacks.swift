import Facts
import Policy
import TLS

extension ForgingCA {
    /// The attacks as far as they can be presented to at least one host that must refuse: with what is lent, and with
    /// what this CA may sign. What the CA stands in the way of is told; what nobody lent is no lack.
    package func presentable(
        _ attacks: [Attack], for profile: Profile, lent: LentMaterials
    ) -> (attacks: [Attack], warnings: [String]) {
        let hosts = Self.refusing(profile)
        var out: [Attack] = []
        var remarks: [(verb: String, reason: String, names: [String])] = []
        func remark(_ verb: String, _ name: String, _ reason: String) {
            if let same = remarks.firstIndex(where: { $0.verb == verb && $0.reason == reason }) {
                remarks[same].names.append(name)
            } else {
                remarks.append((verb, reason, [name]))
            }
        }
        for attack in attacks {
            let variants = attack.variants.filter { variant in
                guard variant.needs == nil || hosts.contains(where: { lent.has(variant.needs, for: $0) }) else {
                    return false
                }
                if let lack = authority.shortfall(of: variant.recipe) {
                    remark("weaker", attack.name(of: variant), lack)
                }
                let found = hosts.map { authority.obstacle(to: variant.recipe, for: $0) }
                guard let first = found.first, let obstacle = first, !found.contains(nil) else { return true }
                // Of a host without a domain nobody can make anything else.
                if case .noWildcard = obstacle { return false }
                remark("left out", attack.name(of: variant), "\(obstacle)")
                return false
            }
            if !variants.isEmpty { out.append(attack.with(variants)) }
        }
        return (out, remarks.map { "warning: \($0.verb): \($0.names.joined(separator: ", ")): \($0.reason)" })
    }

    /// A host of each rule that must refuse: of a pattern, one right below its base.
    private static func refusing(_ profile: Profile) -> [HostName] {
        let patterns = profile.rules.filter { $0.expect == .refuse }.map(\.pattern)
        let hosts = patterns.map { $0.scope == .exact ? $0.base : HostName("host.\($0.base.text)") ?? $0.base }
        return hosts + profile.lent.keys.sorted().filter { !hosts.contains($0) }
    }
}
