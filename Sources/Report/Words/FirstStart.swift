import Facts
import Policy
import Verdict

/// What the first start of a gate shows to be missing.
///
/// Told at once rather than after all others: the run goes on, and may judge the rest.
package enum FirstStart {
    /// A line each.
    ///
    /// - Parameters:
    ///   - hasTwin: another run may show that the app trusts the CA.
    ///   - typical: starts that the run takes, as far as can be told.
    package static func warnings(
        _ look: FirstLook, profile: Profile, hasTwin: Bool = false, typical: Int
    ) -> [String] {
        guard look.connections > 0 else { return [] }
        return [
            unvisited(look, profile), hasTwin ? nil : untrusted(look, profile), endless(look, typical),
        ].compactMap(\.self)
    }

    private static func unvisited(_ look: FirstLook, _ profile: Profile) -> String? {
        let away = look.hosts.filter { $0.isRequired && $0.role != .tunnel && $0.untouched == .notAskedFor }
        let names = away.map(\.name.text) + look.unmatched(in: profile).map(\.pattern.description)
        guard !names.isEmpty else { return nil }
        return
            "the first start asked for nothing at \(CourseWords.named(names)): where no other does, there is no verdict; let "
            + "COMMAND's journey contact \(names.count == 1 ? "it" : "them"), correct the name, or say `required: false`"
    }

    private static func untrusted(_ look: FirstLook, _ profile: Profile) -> String? {
        guard !profile.controls.isEmpty, profile.isLostWithoutControls,
            !look.hosts.contains(where: { $0.role.isControl && $0.untouched != .notAskedFor })
        else { return nil }
        return
            "the first start asked for no control (\(CourseWords.named(profile.controls.map(\.description)))): without one no "
            + "refusal can prove a pin; let COMMAND's journey contact it"
    }

    private static func endless(_ look: FirstLook, _ typical: Int) -> String? {
        guard let end = look.ends.last, end.timedOut else { return nil }
        return
            "COMMAND did not end by itself, and was ended after \(Summary.duration(end.seconds)) (`--attempt-timeout`): some "
            + "\(typical) starts take \(Summary.duration(end.seconds * Double(typical))); let it end when its journey is done"
    }
}

extension FirstLook {
    /// Required rules with a wildcard that nothing fits which was asked for.
    func unmatched(in profile: Profile) -> [HostRule] {
        let seen = hosts.filter { $0.untouched != .notAskedFor }.map(\.name)
        return profile.rules.filter { rule in
            rule.required && rule.expect != .tunnel && rule.pattern.scope != .exact
                && !seen.contains(where: rule.pattern.matches)
        }
    }
}
