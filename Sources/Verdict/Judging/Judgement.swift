import Facts
import Policy

/// What a run's evidence amounts to: the result, and a verdict with its reasons for every host.
package struct Judgement: Hashable, Sendable {
    package enum Result: String, Hashable, Sendable, Codable {
        case pass, fail, inconclusive, invalid

        /// The gate's exit status (contract, "Exit status").
        package var exitStatus: Int32 {
            switch self {
            case .pass: 0
            case .fail: 1
            case .inconclusive: 2
            case .invalid: 3
            }
        }
    }

    package var result: Result
    /// Where clients are told apart, every client's, one after the other.
    package var hosts: [HostVerdict]
    /// What each client came to, in the profile's order; empty where they are not told apart.
    package var clients: [ClientResult]
    /// What concerns the run as a whole: an interruption, a cut evidence line, hosts seen but not declared.
    package var findings: [Finding]
    /// Why no verdict can be given at all (self-test, CA); nil when one can.
    package var fault: String?

    package init(
        result: Result, hosts: [HostVerdict], clients: [ClientResult] = [], findings: [Finding] = [],
        fault: String? = nil
    ) {
        self.result = result
        self.hosts = hosts
        self.clients = clients
        self.findings = findings
        self.fault = fault
    }
}

/// What one of several clients came to, judged as if it had been alone.
package struct ClientResult: Hashable, Sendable {
    package var client: String
    package var result: Judgement.Result

    package init(client: String, result: Judgement.Result) {
        self.client = client
        self.result = result
    }
}

/// The contract's words for a host; which of them can occur depends on what is expected.
package enum VerdictWord: String, Hashable, Sendable, Codable {
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

/// How trust in the forging CA was shown (verdicts §5.4), weakest first.
package enum Strength: String, Hashable, Sendable, Codable {
    /// It got further under the trusted CA than under an unknown one.
    case s2c = "S2c"
    /// Another build with the same trust anchors sent data to the host under the same CA.
    case s2b = "S2b"
    /// A control host on the same stack carried data in the same run.
    case s2a = "S2a"
    case s3 = "S3"
    case privateAnchor = "private-anchor"
}

package enum Subtype: String, Hashable, Sendable, Codable {
    case plain, bypass
    case brokenTLS = "broken-tls"
    case leak
    case localAnchorExempt = "local-anchor-exempt"
}

/// What kept a proof from being one. `rawValue` is what `missing` of report.json holds.
package enum Missing: Hashable, Sendable {
    /// Nothing shows that the app trusts the forging CA at this host.
    case trustControl
    /// Fewer cold starts with a delivered refusal than the run asked for.
    case coldStarts
    /// No genuine traffic before, between or after the attacks.
    case passthroughBefore, passthroughBetween, passthroughAfter
    /// A stack that met the attack carried nothing in passthrough: it may be an unused socket.
    case sameStackPassthrough
    /// Connections were left open without a byte: neither accepted nor refused.
    case idleConnections
    /// Some cold starts ended in an RST without a word, others did not: it may have been a crash.
    case consistentRefusal
    /// This attack of the run never reached the host.
    case attack(AttackID)
    /// It only closed unused after another attacked host had refused: it has to be attacked alone.
    case attackedAlone
    /// SNI missing or hidden on the connection: whose refusal it was is not certain.
    case hostIdentity
    /// A finding of severity error stands, and nobody waived it.
    case finding(String)
    case run

    package var name: String {
        switch self {
        case .trustControl: "trust-control"
        case .coldStarts: "cold-starts"
        case .passthroughBefore: "passthrough-before"
        case .passthroughBetween: "passthrough-between"
        case .passthroughAfter: "passthrough-after"
        case .sameStackPassthrough: "same-stack-passthrough"
        case .idleConnections: "idle-connections"
        case .consistentRefusal: "consistent-refusal"
        case .attack(let id): "attack:\(id)"
        case .attackedAlone: "attacked-alone"
        case .hostIdentity: "host-identity"
        case .run: "run"
        case .finding(let id): "finding:\(id)"
        }
    }
}

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
    /// One sentence for a person.
    package var why: String
    /// Cold starts under `trusted-ca` with a delivered refusal.
    package var coldStarts: Int
    package var attacks: [AttackTally]
    package var findings: [Finding]
    /// What was seen around what is missing, for advice.
    package var seen: Circumstances

    package init(
        host: String, rule: String?, expect: HostExpectation, required: Bool, verdict: VerdictWord,
        strength: Strength? = nil, subtype: Subtype? = nil, missing: [Missing] = [], why: String, coldStarts: Int = 0,
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
        self.why = why
        self.coldStarts = coldStarts
        self.attacks = attacks
        self.findings = findings
        self.seen = seen
    }

    /// 95 % upper bound on the acceptance rate after N refusals and no acceptance: 1 − 0.05^(1/N); nil for N = 0.
    /// (verdicts §5.6)
    package var acceptanceBound95: Double? { AcceptanceBound.upper95(coldStarts: coldStarts) }
}

/// What one attack came to at one host.
package struct AttackTally: Hashable, Sendable {
    package var attack: AttackID
    package var outcomes: [Outcome: Int]
    package var connections: Int
    /// Its forms under which data was sent; nil in it for the plain one.
    package var dataForms: Set<String?>
    /// Fatal alerts of the client by name.
    package var alerts: [String: Int]
    /// Line numbers of evidence.jsonl, from 1.
    package var evidence: [Int]
    /// Application (intercepted) or raw (passthrough) bytes.
    package var bytesUp: Int
    package var bytesDown: Int

    package init(
        attack: AttackID, outcomes: [Outcome: Int] = [:], connections: Int = 0, dataForms: Set<String?> = [],
        alerts: [String: Int] = [:], evidence: [Int] = [], bytesUp: Int = 0, bytesDown: Int = 0
    ) {
        self.attack = attack
        self.outcomes = outcomes
        self.connections = connections
        self.dataForms = dataForms
        self.alerts = alerts
        self.evidence = evidence
        self.bytesUp = bytesUp
        self.bytesDown = bytesDown
    }
}

/// How one attacked connection ended (contract, "Outcome of a connection").
package enum Outcome: String, Hashable, Sendable, Codable, CaseIterable {
    case data, alert, silent, post, idle, early, negotiation, resumed
}
