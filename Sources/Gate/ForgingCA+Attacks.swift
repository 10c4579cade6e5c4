import Facts
import Policy
import TLS

extension ForgingCA {
    /// The attacks as far as they can be presented to at least one host that must refuse: with what is lent, and with
    /// what this CA may sign. What the CA stands in the way of is told; what nobody lent is no lack.
    func presentable(
        _ attacks: [Attack], for profile: Profile, lent: LentMaterials
    ) -> (attacks: [Attack], warnings: [String]) {
        let hosts = Self.refusing(profile)
        var out: [Attack] = []
        var warnings: [String] = []
        for attack in attacks {
            let variants = attack.variants.filter { variant in
                guard variant.needs == nil || hosts.contains(where: { lent.has(variant.needs, for: $0) }) else {
                    return false
                }
                let obstacles = hosts.map { authority.obstacle(to: variant.recipe, for: $0) }
                guard let obstacle = obstacles.first, let obstacle, !obstacles.contains(nil) else { return true }
                warnings.append("warning: \(attack.name(of: variant)) is left out: \(obstacle)")
                return false
            }
            if !variants.isEmpty { out.append(attack.with(variants)) }
        }
        return (out, warnings)
    }

    /// A host of each rule that must refuse: of a pattern, one right below its base.
    private static func refusing(_ profile: Profile) -> [HostName] {
        let patterns = profile.rules.filter { $0.expect == .refuse }.map(\.pattern)
        let hosts = patterns.map { $0.scope == .exact ? $0.base : HostName("host.\($0.base.text)") ?? $0.base }
        return hosts + profile.lent.keys.sorted().filter { !hosts.contains($0) }
    }
}
