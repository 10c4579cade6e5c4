import Facts
import Policy

/// Judges one host that is expected to refuse. Begin here to see how a verdict comes about.
///
/// A witness first, then the environment, then whether it was met at all, and a proof only where nothing is missing
/// (docs/verdicts.md, "From evidence to a verdict").
struct RefuseJudge {
    let file: CaseFile
    let rule: HostRule
    let host: HostName
    let review: Review
    let controls: TrustControls

    init(_ file: CaseFile, _ rule: HostRule, _ host: HostName, twins: [Twin]) {
        self.file = file
        self.rule = rule
        self.host = host
        review = Review(file, host, expect: .refuse)
        controls = TrustControls(file: file, review: review, twins: twins)
    }

    func verdict() -> HostVerdict {
        var verdict = HostVerdict(
            host: host.text, rule: rule.pattern.description, expect: .refuse, required: rule.required,
            verdict: .notExercised, why: "", attacks: AttackTally.tally(review.sightings))
        let findings = RefuseFindings(file: file, rule: rule, review: review, controls: controls)
        let faults = findings.faults
        decide(&verdict, faults)
        verdict.coldStarts =
            review.coldStarts.filter { start in
                // A cold start with a witness is no refusal, whatever its other connections did.
                !review.witnesses.contains { $0.trial == start.trial && $0.attack == .trustedCA }
            }.count
        verdict.met = review.met
        verdict.findings = findings.findings(verdict, faults)
        verdict.seen = Circumstances(verdict, controls)
        return verdict
    }

    private func decide(_ verdict: inout HostVerdict, _ faults: [Finding]) {
        let witnesses = review.witnesses
        if !witnesses.isEmpty {
            let subtype = Subtyping(file: file, review: review).subtype
            verdict.verdict = .notPinned
            verdict.subtype = subtype
            verdict.why = Wording.witness(
                witnesses, onlyPreface: witnesses.allSatisfy(\.observation.prefaceOnly), among: review.meetings)
            return
        }
        if let fault = Environment.fault(at: review, pins: rule.pins) {
            verdict.verdict = .invalidEnvironment
            verdict.why = fault
            return
        }
        if let reason = notExercised() {
            verdict.verdict = .notExercised
            verdict.why = reason
            return
        }
        let proof = Proof(file, review, controls, faults: faults)
        verdict.missing = proof.missing
        verdict.strength = proof.strength
        verdict.verdict = proof.missing.isEmpty ? .provenPinned : .refusedUnproven
        verdict.why = proof.missing.isEmpty ? proven(proof) : unproven(proof)
    }

    /// Decided after the environment, so what is told here is absence, not failure.
    private func notExercised() -> String? {
        if review.sightings.isEmpty { return "no client asked for it" }
        guard review.carriedGenuineData else {
            return review.untouched.contains(where: \.hasFailed)
                ? "its clients were gone before they could be answered, untouched and attacked alike"
                : "it carried no genuine traffic in passthrough, so a refusal says nothing"
        }
        let seen = review.trusted.flatMap(\.sightings)
        if seen.contains(where: \.wasDelivered) { return nil }
        if review.trustedSightings.contains(where: \.wasDelivered) {
            return "it met trusted-ca only in a trial that was interrupted"
        }
        if seen.contains(where: { $0.outcome == .resumed }) { return "it only resumed older sessions under trusted-ca" }
        if seen.contains(where: { $0.outcome == .early && $0.answer.hasFinished }) {
            return "under trusted-ca it was closed only as COMMAND was about to be ended: that tells nothing"
        }
        return seen.isEmpty
            ? "it carried genuine traffic, but was never asked for under trusted-ca"
            : "every connection under trusted-ca was closed before the forged chain had arrived"
    }

    private func refusals() -> String {
        let refusals = review.trusted.flatMap(\.sightings).filter(\.isRefusal)
        let starts = review.coldStarts.count
        guard !refusals.isEmpty else { return "sent nothing under trusted-ca" }
        return "refused trusted-ca in \(starts) of \(English.count(startsAttacked, "cold start")) "
            + "(\(Wording.ways(refusals)))"
    }

    /// Cold starts in which it was attacked, and could show what it makes of that: whoever reads "3 of 6" takes it that
    /// the others accepted. Where the host never came, or only closed because of another one, nothing was accepted.
    private var startsAttacked: Int {
        let attacked = review.trusted.filter(\.wasAttempted)
        let counting = Set(review.coldStarts.map(\.trial))
        let telling = attacked.filter { start in
            counting.contains(start.trial)
                || !start.sightings.allSatisfy { $0.isRefusal || $0.outcome == .early }
                || !start.refusals.values.contains([.inCompany])
        }
        return telling.isEmpty ? attacked.count : telling.count
    }

    private func proven(_ proof: Proof) -> String {
        let because: String
        switch proof.strength {
        case .s2a:
            var hosts: Set<HostName> = []
            for start in proof.coldStarts {
                for stack in review.refusals(in: start) { hosts.formUnion(controls.controlHosts(of: stack, in: start)) }
            }
            because = "while \(English.some(hosts.sorted().map(\.text))) accepted the same CA on the same stack"
        case .s2b: because = "while another build with the same trust anchors accepted the same CA here"
        case .s2c:
            because =
                "after a handshake that it finished under trusted-ca and never under untrusted-ca, "
                + "so it trusts the CA"
        case .s3:
            because = "while it took a certificate of the same CA for the lent key, so the key made the difference"
        case .privateAnchor:
            because =
                "and under wrong-key took the genuine chain: by the profile's word it trusts no anchors but its own"
        case nil: because = "and the CA is shown to be trusted"
        }
        return refusals() + ", " + because
    }

    private func unproven(_ proof: Proof) -> String {
        let untrusting = CommonRefusal.hostsWithoutTrust(file, review)
        if proof.missing.contains(.trustControl), !untrusting.isEmpty {
            let ways = Wording.ways(review.trusted.flatMap(\.sightings).filter(\.isRefusal))
            let hosts = English.some(untrusting.map(\.text))
            return "refused trusted-ca (\(ways)), but so did \(hosts), which nobody pins, and untrusted-ca is refused "
                + "alike: most likely this app does not trust the CA"
        }
        let company = Circumstances.Company(controls)
        // A control that spoils every refusal explains what else is missing.
        let first = proof.missing.filter { $0 == .attackedAlone && company?.kind == .controls }
        let missing = first + proof.missing.filter { !first.contains($0) }
        return refusals() + ", but " + missing.prefix(2).map { lacking($0, company) }.joined(separator: ", and ")
    }

    private func lacking(_ missing: Missing, _ company: Circumstances.Company?) -> String {
        guard missing == .attackedAlone, let company else { return Wording.lacking(missing, review) }
        return switch company.kind {
        case .attacked: Wording.lacking(missing, review)
        case .controls:
            "it closed unused only after \(English.some(company.hosts)) had refused or was not served, "
                + "and may have done so because of that"
        case .otherStack: "one TLS stack closed unused only after another one had been refused here"
        }
    }
}
