import Facts
import Policy

/// What a run's evidence comes to: the result, and for each host a verdict with its reasons.
package struct Judgement: Hashable, Sendable {
    package enum Result: String, Hashable, Sendable {
        case pass, fail, inconclusive, invalid

        /// The gate's exit status (docs/report.md, "Exit status").
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
    /// Starts that told nothing and were run again, of all runs.
    package var retried: [RetriedTrial]
    /// Why a run was ended before its plan was through; nil: none was.
    package var early: EarlyEnd?
    /// Every one of the runs was: what one of several did not come to another may have.
    package var isEarlyThroughout = true
    /// What explains all that is missing, where something does.
    package var ending: EarlyEnd? { isEarlyThroughout ? early : nil }

    package init(
        result: Result, hosts: [HostVerdict], clients: [ClientResult] = [], findings: [Finding] = [],
        fault: String? = nil, retried: [RetriedTrial] = [], early: EarlyEnd? = nil
    ) {
        self.retried = retried
        self.early = early
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
