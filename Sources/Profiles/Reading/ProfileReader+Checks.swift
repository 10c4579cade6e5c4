import Facts
import Policy

/// What each value may be alone, but not together with the others.
extension ProfileReader {
    /// A control must meet `trusted-ca` in every trial; a rule that refuses or tunnels it comes first (`Plan`).
    mutating func checkControls(_ profile: Profile) {
        guard !hostsInDoubt else { return }
        for control in profile.controls {
            guard let rule = Self.rule(coveringAllOf: control, in: profile), rule.expect != .accept,
                !rulesInDoubt.contains(rule.pattern),
                let place = places.controls[control]
            else { continue }
            report(
                .controlNeverAccepted(
                    control: control.description, rule: rule.pattern.description, expect: rule.expect,
                    ruleLine: places.rules[rule.pattern]?.line ?? place.line),
                at: place)
        }
    }

    mutating func checkLent(_ profile: Profile) {
        guard !hostsInDoubt else { return }
        for host in profile.lent.keys {
            let rule = profile.rule(for: host)
            guard rule?.expect != .refuse, rule.map({ !rulesInDoubt.contains($0.pattern) }) ?? true else { continue }
            report(.lentWithoutRefusal(host: host.text, expect: rule?.expect), at: places.lent[host])
        }
    }

    /// The most specific rule that applies to every host of a pattern.
    private static func rule(coveringAllOf pattern: HostPattern, in profile: Profile) -> HostRule? {
        var best: HostRule?
        for rule in profile.rules where covers(rule.pattern, pattern) {
            if best.map({ rule.pattern.isMoreSpecific(than: $0.pattern) }) ?? true { best = rule }
        }
        return best
    }

    static func covers(_ rule: HostPattern, _ pattern: HostPattern) -> Bool {
        switch (pattern.scope, rule.scope) {
        case (.exact, _): rule.matches(pattern.base)
        case (_, .exact), (.anyDepth, .oneLabel): false
        case (.oneLabel, .oneLabel): rule.base == pattern.base
        case (.oneLabel, .anyDepth), (.anyDepth, .anyDepth):
            rule.base == pattern.base || rule.matches(pattern.base)
        }
    }
}
