import Facts
import Policy

/// One host's (or, where no host matched a wildcard, one rule's) verdict.
package struct HostVerdict: Hashable, Sendable {
    /// The host, or the wildcard that nothing matched.
    package var host: String
    /// Whose; nil where clients are not told apart.
    package var client: String?
    /// The rule it was judged by, as written in the profile; nil for hosts the profile does not name.
    package var rule: String?
    package var expect: HostExpectation
    package var required: Bool
    package var verdict: VerdictWord
    package var strength: Strength?
    package var subtype: Subtype?
    package var missing: [Missing]
    /// Why it is so; `Report` says it.
    package var reason: Reason
    /// Cold starts under `trusted-ca` with a delivered refusal.
    package var coldStarts: Int
    package var attacks: [AttackTally]
    /// Attacks whose answer is in whole trials, refusals before any certificate among them: what the verdict rests on.
    package var met: Set<AttackID> = []
    package var findings: [Finding]
    /// What was seen around what is missing, for advice.
    package var seen: Circumstances

    package init(
        host: String, rule: String?, expect: HostExpectation, required: Bool, verdict: VerdictWord,
        strength: Strength? = nil, subtype: Subtype? = nil, missing: [Missing] = [], reason: Reason,
        coldStarts: Int = 0,
        attacks: [AttackTally] = [], findings: [Finding] = [], seen: Circumstances = Circumstances()
    ) {
        self.host = host
        self.rule = rule
        self.expect = expect
        self.required = required
        self.verdict = verdict
        self.strength = strength
        self.subtype = subtype
        self.missing = missing
        self.reason = reason
        self.coldStarts = coldStarts
        self.attacks = attacks
        self.findings = findings
        self.seen = seen
    }

    /// 95 % upper bound on the acceptance rate after N refusals and no acceptance: 1 − 0.05^(1/N); nil for N = 0.
    /// (docs/verdicts.md, "The order of trials, and repetition")
    package var acceptanceBound95: Double? { AcceptanceBound.upper95(coldStarts: coldStarts) }
}

/// The word for a host; which of them can occur depends on what is expected.
package enum VerdictWord: String, Hashable, Sendable {
    // expect: refuse
    case provenPinned = "proven-pinned"
    case notPinned = "not-pinned"
    case refusedUnproven = "refused-unproven"
    // expect: accept
    case accepted, refused
    // expect: tunnel
    case tunnelled
    // any
    case notExercised = "not-exercised"
    case invalidEnvironment = "invalid-environment"
}

/// How trust in the forging CA was shown (docs/verdicts.md, "Controls"), weakest first.
package enum Strength: String, Hashable, Sendable {
    /// It got further under the trusted CA than under an unknown one.
    case s2c = "S2c"
    /// Another build with the same trust anchors sent data to the host under the same CA.
    case s2b = "S2b"
    /// A control host on the same stack carried data in the same run.
    case s2a = "S2a"
    case s3 = "S3"
    case privateAnchor = "private-anchor"
}

/// In which way a host is not pinned.
package enum Subtype: String, Hashable, Sendable {
    case plain, bypass
    case brokenTLS = "broken-tls"
    case leak
}
