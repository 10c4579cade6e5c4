import Facts

/// It carried data before it was attacked, and does not come back when the attack is over.
///
/// An outage looks alike, so it is said only where the rest of the journey took place: other hosts carried data in the
/// same passthrough. Of an app with one host alone, only one that never asks again. One that had left the host out
/// before it was ever refused needs no reason to.
enum NoRecovery {
    static func find(_ host: HostCase) -> [Finding] {
        let (file, review) = (host.file, host.review)
        for run in Set(review.untouched.map(\.trial.run)).sorted() {
            let refusals = review.meetings.filter { $0.trial.run == run && !$0.refusals.isEmpty }.map(\.trial)
            guard let first = refusals.min() else { continue }
            let untouched = review.untouched.filter { $0.trial.run == run }
            guard let before = untouched.last(where: { $0.trial < first && $0.carriedData }) else { continue }
            guard !wasSkipped(review.host, before: first, in: file) else { continue }
            let after = untouched.filter { $0.trial > first }
            let companions = others(in: before.trial, file, review.host)
            let gaps = after.filter { isTelling($0, companions, after, file, review) }
            guard !gaps.isEmpty else { continue }
            let last = after.last.map { !$0.carriedData } ?? false
            return [
                Finding(
                    id: "no-recovery", severity: .warning,
                    fact: .app(.noRecovery(passthroughs: last ? nil : gaps.count)),
                    evidence: gaps.flatMap { file.trial($0.trial)?.sightings[review.host]?.map(\.line) ?? [] })
            ]
        }
        return []
    }

    /// Some trial before the first refusal went by without a connection to it.
    private static func wasSkipped(_ host: HostName, before first: TrialKey, in file: CaseFile) -> Bool {
        file.trials.contains {
            $0.key.run == first.run && $0.key < first && $0.isComplete && ($0.sightings[host] ?? []).isEmpty
        }
    }

    private static func isTelling(
        _ gap: Review.Untouched, _ companions: Set<HostName>, _ after: [Review.Untouched], _ file: CaseFile,
        _ review: Review
    ) -> Bool {
        guard !gap.carriedData else { return false }
        guard !companions.isEmpty else { return after.allSatisfy { !$0.wasAttempted } }
        guard !companions.isDisjoint(with: others(in: gap.trial, file, review.host)) else { return false }
        guard gap.wasAttempted else { return true }
        let seen = file.trial(gap.trial)?.sightings[review.host] ?? []
        return gap.hasFailed && !seen.contains(where: isOthersDoing)
    }

    /// The app did ask; what failed was the origin, the proxy or the way to them.
    private static func isOthersDoing(_ sighting: Sighting) -> Bool {
        let seen = sighting.observation
        if seen.error != nil || seen.upstream?.error != nil || sighting.wasCutShort { return true }
        guard seen.action == .tunnelled, seen.hello != nil, !seen.passthroughData else { return false }
        // One that was opened in reserve, and that the origin ends in the end, says nothing.
        return !seen.serverAnswered || seen.clientAsked || seen.close?.by == .origin && seen.close?.how == .rst
    }

    private static func others(in trial: TrialKey, _ file: CaseFile, _ host: HostName) -> Set<HostName> {
        Set(
            file.trial(trial)?.sightings.filter { $0.key != host && $0.value.contains(where: \.carriedGenuineData) }
                .keys.map(\.self) ?? [])
    }
}
