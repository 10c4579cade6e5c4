import Facts
import Policy

/// Judges one host that is expected to refuse. Begin here to see how a verdict comes about.
///
/// A witness first, then the environment, then whether it was met at all, and a proof only where nothing is missing
/// (docs/verdicts.md, "From evidence to a verdict").
struct RefuseJudge {
    let host: HostCase
    private var review: Review { host.review }

    init(_ host: HostCase) { self.host = host }

    func verdict() -> HostVerdict {
        let rule = host.rule
        var verdict = HostVerdict(
            host: host.host.text, rule: rule.pattern.description, expect: .refuse, required: rule.required,
            verdict: .notExercised, reason: .notAskedFor, attacks: AttackTally.tally(review.sightings))
        let faults = HostRules.faults(of: host)
        decide(&verdict, faults)
        verdict.coldStarts =
            review.coldStarts.filter { start in
                // A cold start with a witness is no refusal, whatever its other connections did.
                !review.witnesses.contains { $0.trial == start.trial && $0.attack == .trustedCA }
            }.count
        verdict.met = review.met
        verdict.findings = faults + HostRules.notes(of: host, verdict)
        verdict.seen = Circumstances(verdict, host.controls)
        return verdict
    }

    private func decide(_ verdict: inout HostVerdict, _ faults: [Finding]) {
        let witnesses = review.witnesses
        if !witnesses.isEmpty {
            verdict.verdict = .notPinned
            verdict.subtype = Subtyping(file: host.file, review: review).subtype
            verdict.reason = .witness(Reason.Witness(witnesses, among: review.meetings))
            return
        }
        if let fault = Environment.fault(at: review, pins: host.rule.pins) {
            verdict.verdict = .invalidEnvironment
            verdict.reason = .environment(fault)
            return
        }
        if let reason = notExercised() {
            verdict.verdict = .notExercised
            verdict.reason = reason
            return
        }
        let proof = Proof(host.file, review, host.controls, faults: faults)
        verdict.missing = proof.missing
        verdict.strength = proof.strength
        guard proof.missing.isEmpty, let control = Reason.Control(proof.strength, host) else {
            verdict.verdict = .refusedUnproven
            verdict.reason = unproven(proof)
            return
        }
        verdict.verdict = .provenPinned
        verdict.reason = .proven(Reason.Refusals(review), by: control)
    }

    /// Decided after the environment, so what is told here is absence, not failure.
    private func notExercised() -> Reason? {
        if review.sightings.isEmpty { return .notAskedFor }
        guard review.carriedGenuineData else {
            return review.untouched.contains(where: \.hasFailed) ? .goneBeforeAnswer : .noGenuineTraffic
        }
        let seen = review.trusted.flatMap(\.sightings)
        if seen.contains(where: \.wasDelivered) { return nil }
        if review.trustedSightings.contains(where: \.wasDelivered) { return .metOnlyInInterrupted }
        if seen.contains(where: { $0.outcome == .resumed }) { return .onlyResumed }
        if seen.contains(where: { $0.outcome == .early && $0.answer.hasFinished }) { return .closedAsCommandEnded }
        return seen.isEmpty ? .neverUnderAttack : .closedBeforeChain
    }

    private func unproven(_ proof: Proof) -> Reason {
        let untrusting = CommonRefusal.hostsWithoutTrust(host.file, review)
        let refusals = Reason.Refusals(review)
        if proof.missing.contains(.trustControl), !untrusting.isEmpty {
            return .untrustedCA(refusals.ways, alike: untrusting)
        }
        let company = Circumstances.Company(host.controls)
        // A control that spoils every refusal explains what else is missing.
        let first = proof.missing.filter { $0 == .attackedAlone && company?.kind == .controls }
        let missing = first + proof.missing.filter { !first.contains($0) }
        // One that explains several is told once.
        let lacks = missing.map { Reason.Lack($0, host, company) }.reduce(into: [Reason.Lack]()) {
            if !$0.contains($1) { $0.append($1) }
        }
        return .unproven(refusals, Array(lacks.prefix(2)))
    }
}
