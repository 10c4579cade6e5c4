import Facts
import Policy

/// Data that takes another way after a refusal: in the clear, or to an unpinned sibling.
enum LeakAfterRefusal {
    static func find(_ host: HostCase) -> [Finding] { cleartext(host.review) + siblings(host.file, host.review) }

    private static func cleartext(_ review: Review) -> [Finding] {
        let fallback = review.cleartextFallback
        guard !fallback.isEmpty else { return [] }
        return [
            Finding(
                id: "leak-after-refusal", severity: .error, fact: .leak(.cleartextWhileAttacked),
                evidence: fallback.map(\.line))
        ]
    }

    /// Hosts that are sent data in every cold start in which this one refused `trusted-ca`, only after it did, and in
    /// no passthrough. A host that is contacted at random now and then does not come so regularly. Starts in which nobody could
    /// reach another host, or had anything of it, do not count: that was ours to do.
    private static func siblings(_ file: CaseFile, _ review: Review) -> [Finding] {
        guard !file.strangers.isEmpty, review.carriedGenuineData else { return [] }
        let refused = review.meetings.filter {
            !$0.refusals.isEmpty && file.trial($0.trial)?.failsOthers == false
        }
        let trusted = Set(refused.filter { $0.attack == .trustedCA }.map(\.trial))
        guard !trusted.isEmpty else { return [] }
        var seen: [HostName: (trials: Set<TrialKey>, lines: [Int])] = [:]
        for meeting in refused {
            guard let trial = file.trial(meeting.trial), let since = meeting.firstRefusal else { continue }
            for (host, sightings) in trial.sightings where file.strangers.contains(host) && host != review.host {
                let after = sightings.filter { $0.carriedAnything && $0.observation.at >= since }
                // What was there before the refusal is no answer to it.
                guard !after.isEmpty, after.count == sightings.count(where: \.carriedAnything) else { continue }
                seen[host, default: ([], [])].trials.insert(meeting.trial)
                seen[host, default: ([], [])].lines += after.map(\.line)
            }
        }
        return seen.sorted { $0.key < $1.key }.compactMap { host, told in
            guard trusted.isSubset(of: told.trials), told.trials.count >= min(2, refused.count),
                !isMeant(host, file.profile)
            else { return nil }
            return Finding(
                id: "leak-after-refusal", severity: .warning,
                fact: .leak(.dataToSibling(sibling(host, review.host, file.profile))), evidence: told.lines)
        }
    }

    /// Reports of a refusal and the way to an update are what should follow; hosts that must refuse are judged themselves.
    private static func isMeant(_ host: HostName, _ profile: Profile) -> Bool {
        if profile.rules.contains(where: { $0.reportsTo == host }) { return true }
        guard let rule = profile.rule(for: host) else { return false }
        return rule.expect == .refuse || rule.tellsUpdates
    }

    private static func sibling(
        _ host: HostName, _ refusing: HostName, _ profile: Profile
    ) -> FindingFact.Sibling {
        let domain = RegistrableDomain.of(host)
        return FindingFact.Sibling(
            host: host, sharesDomain: domain != nil && domain == RegistrableDomain.of(refusing),
            isDeclared: !profile.isUndeclared(host))
    }
}

extension Meeting {
    /// When the client can first have known what it then refused.
    var firstRefusal: Double? { sightings.filter(\.isRefusal).map(\.met).min() }
}

extension Sighting {
    /// Application data in either direction of meaning: untouched, intercepted or in the clear.
    var carriedAnything: Bool { carriedGenuineData || isTrust || wentInTheClear }
}
