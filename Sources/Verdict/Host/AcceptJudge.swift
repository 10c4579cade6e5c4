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
            verdict: .notExercised, why: "", attacks: AttackTally.tally(review.sightings))
        decide(&verdict)
        if let rule { verdict.findings += BlockedUpdateHost.find(file, rule, host) }
        verdict.coldStarts = verdict.verdict == .refused ? review.coldStarts.count : 0
        return verdict
    }

    private func decide(_ verdict: inout HostVerdict) {
        let taken = shown.filter(\.isTrust)
        if !taken.isEmpty {
            verdict.verdict = .accepted
            verdict.why = Wording.witness(taken, onlyPreface: false)
            verdict.findings = refusedOnce(taken)
            return
        }
        if let fault = Environment.fault(at: review, pins: rule?.pins ?? []) {
            verdict.verdict = .invalidEnvironment
            verdict.why = fault
            return
        }
        guard let doubt = doubt() else {
            let refusals = review.meetings.flatMap(\.sightings).filter(\.isRefusal)
            verdict.verdict = .refused
            verdict.why =
                "refused the CA in \(English.count(review.coldStarts.count, "trial")) (\(Wording.ways(refusals))), "
                + "and works untouched"
            return
        }
        verdict.why = doubt
    }

    /// What it did where it had to work. As a control it is shown `untrusted-ca` as well.
    private var shown: [Sighting] { review.sightings.filter { $0.attack != .untrustedCA } }

    /// Why this is no refusal that could be held against the app; nil where it is one.
    private func doubt() -> String? {
        if review.sightings.isEmpty { return "no client asked for it" }
        if !review.carriedGenuineData {
            return "it carried no genuine traffic in passthrough, so a refusal says nothing"
        }
        let attempted = review.meetings.filter(\.wasAttempted)
        if attempted.isEmpty { return "it carried genuine traffic, but was never asked for while intercepted" }
        if shown.contains(where: { $0.outcome == .data }) {
            return "only the HTTP/2 preface was sent: neither accepted nor refused"
        }
        if shown.contains(where: { $0.outcome == .idle }) {
            return "connections were left open without a byte: neither accepted nor refused"
        }
        if !review.warmStarts.isEmpty { return "older sessions were resumed" }
        if review.coldStarts.isEmpty {
            return attempted.contains(where: { !$0.refusals.isEmpty })
                ? "it was closed only after another host had refused, or without a sign why"
                : "every connection was closed before the chain had arrived"
        }
        let unclear = attempted.contains { $0.stacks(.inCompany).isEmpty && review.refusals(in: $0).isEmpty }
        return unclear ? "it refused in some trials, and in others nothing can be told" : nil
    }

    private func refusedOnce(_ taken: [Sighting]) -> [Finding] {
        let accepting = Set(taken.map(\.trial))
        let refused = review.coldStarts.filter { !accepting.contains($0.trial) }
        guard !refused.isEmpty else { return [] }
        return [
            Finding(
                id: "refused-once", severity: .warning,
                text: "it accepted, but refused in \(English.count(refused.count, "other trial"))",
                evidence: refused.flatMap(\.sightings).filter(\.isRefusal).map(\.line))
        ]
    }
}
