import Facts
import Policy

/// The host that tells the app to update must be reachable when pins no longer fit.
enum BlockedUpdateHost {
    static func find(_ host: HostCase) -> [Finding] { find(host.file, host.rule, host.host) }

    static func find(_ file: CaseFile, _ rule: HostRule, _ host: HostName) -> [Finding] {
        guard rule.tellsUpdates else { return [] }
        let whole = file.trials.filter(\.isComplete)
        guard
            whole.contains(where: {
                $0.isPassthrough && $0.sightings[host]?.contains(where: \.carriedGenuineData) == true
            })
        else { return [] }
        if rule.expect == .refuse { return pinned(whole, host) }
        let others = whole.filter { trial in
            // What was not attacked itself would not have been blocked.
            !trial.isPassthrough && !trial.sparesOthers && !trial.failsOthers
                && !trial.probes(host)
                && trial.sightings.contains { $0.key != host && isRefusing($0.key, $0.value, file) }
        }
        let seen = others.flatMap { $0.sightings[host] ?? [] }
        guard !others.isEmpty, !seen.contains(where: \.carriedAnything) else { return [] }
        if seen.contains(where: \.isRefusal) {
            // An app that does not trust our CA would reach the genuine host all the same.
            let isTrusted =
                seen.contains(where: \.answer.hasFinished)
                || others.contains { $0.sightings.contains { $0.key != host && $0.value.contains(where: \.isTrust) } }
            guard isTrusted else { return [] }
            return [finding(wasAsked: true, seen)]
        }
        // Asked for, and not answered for reasons of ours: nothing can be said.
        guard seen.isEmpty else { return [] }
        return [finding(wasAsked: false, [])]
    }

    /// It is pinned itself: where the pins of the whole app are wrong, so are these.
    private static func pinned(_ whole: [TrialFile], _ host: HostName) -> [Finding] {
        let refused = whole.filter { $0.attack == .trustedCA && $0.attacks(host) }.flatMap { $0.sightings[host] ?? [] }
            .filter(\.isRefusal)
        guard !refused.isEmpty else { return [] }
        return [
            Finding(
                id: "blocked-update-host", severity: .warning, fact: .app(.updateHostPinned),
                evidence: refused.map(\.line))
        ]
    }

    private static func isRefusing(_ host: HostName, _ seen: [Sighting], _ file: CaseFile) -> Bool {
        file.profile.rule(for: host)?.expect == .refuse && seen.contains(where: \.isRefusal)
    }

    private static func finding(wasAsked: Bool, _ seen: [Sighting]) -> Finding {
        Finding(
            id: "blocked-update-host", severity: .error, fact: .app(.updateHostBlocked(wasAsked: wasAsked)),
            evidence: seen.map(\.line))
    }
}
