import Facts
import Policy

/// Judges one host that is intercepted on purpose, and has to work under `trusted-ca`.
struct AcceptJudge {
    let file: CaseFile
    let host: HostName
    let rule: HostRule?
    let review: Review

    init(_ file: CaseFile, _ rule: HostRule?, _ host: HostName) {
        self.file = file
        self.host = host
        self.rule = rule
        review = Review(file, host, expect: .accept)
    }

    func verdict() -> HostVerdict {
        var verdict = HostVerdict(
            host: host.text, rule: rule?.pattern.description, expect: .accept, required: rule?.required ?? false,
            verdict: .notExercised, reason: .notAskedFor, attacks: AttackTally.tally(review.sightings))
        decide(&verdict)
        if let rule { verdict.findings += BlockedUpdateHost.find(file, rule, host) }
        verdict.coldStarts = verdict.verdict == .refused ? review.coldStarts.count : 0
        return verdict
    }

    private func decide(_ verdict: inout HostVerdict) {
        let taken = shown.filter(\.isTrust)
        if !taken.isEmpty {
            verdict.verdict = .accepted
            verdict.reason = .accepted(Reason.Witness(taken))
            verdict.findings = refusedOnce(taken)
            return
        }
        if let fault = Environment.fault(at: review, pins: rule?.pins ?? []) {
            verdict.verdict = .invalidEnvironment
            verdict.reason = .environment(fault)
            return
        }
        guard let doubt = doubt() else {
            let refusals = review.meetings.flatMap(\.sightings).filter(\.isRefusal)
            verdict.verdict = .refused
            verdict.reason = .refused(trials: review.coldStarts.count, RefusalWay.all(refusals))
            return
        }
        verdict.reason = doubt
    }

    /// What it did where it had to work. As a control it is shown `untrusted-ca` as well.
    private var shown: [Sighting] { review.sightings.filter { $0.attack != .untrustedCA } }

    /// Why this is no refusal that could be held against the app; nil where it is one.
    private func doubt() -> Reason? {
        if review.sightings.isEmpty { return .notAskedFor }
        if !review.carriedGenuineData { return .noGenuineTraffic }
        let attempted = review.meetings.filter(\.wasAttempted)
        if attempted.isEmpty { return .neverIntercepted }
        if shown.contains(where: { $0.outcome == .data }) { return .onlyPreface }
        if shown.contains(where: { $0.outcome == .idle }) { return .leftOpen }
        if !review.warmStarts.isEmpty { return .resumed }
        if review.coldStarts.isEmpty {
            return attempted.contains(where: { !$0.refusals.isEmpty })
                ? .closedAfterAnother : .closedBeforeChainEachTime
        }
        let unclear = attempted.contains { $0.stacks(.inCompany).isEmpty && review.refusals(in: $0).isEmpty }
        return unclear ? .unclear : nil
    }

    private func refusedOnce(_ taken: [Sighting]) -> [Finding] {
        let accepting = Set(taken.map(\.trial))
        let refused = review.coldStarts.filter { !accepting.contains($0.trial) }
        guard !refused.isEmpty else { return [] }
        return [
            Finding(
                id: "refused-once", severity: .warning,
                fact: .app(.refusedOnce(trials: refused.count)),
                evidence: refused.flatMap(\.sightings).filter(\.isRefusal).map(\.line))
        ]
    }
}
