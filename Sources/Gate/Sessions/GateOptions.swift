import Authority
import Facts
import Report
import Verdict

/// A gate's command line as values; `GateCommand` says what each option means.
package struct GateOptions: Sendable, Hashable {
    package var profile: String
    /// nil: `runs/<UTC time>-<profile name>`.
    package var out: String?
    package var ca: CAChoice = .folder(CAChoice.projectFolder)
    package var listen: Endpoint
    /// `--open`: clients from public addresses may use the proxy.
    package var isOpen = false
    /// nil: the profile's, else three.
    package var coldStarts: Int?
    /// nil: Enter where stdin is a terminal, else `defaultPhaseSeconds`.
    package var phaseSeconds: Double?
    package var setsProxyVariables = true
    /// `--keep-state`: one PINPROOF_STATE for all cold starts.
    package var keepsState = false
    package var attemptTimeout = 60.0
    /// `--shard`; nil: the whole plan.
    package var shard: Shard?
    /// `--retries`, `--keep-going`, `--exhaustive`, `--max-minutes`.
    package var terms = Self.defaultTerms
    /// Words of `--attacks`; nil: the profile's, else `standard`, or `quick` by hand.
    package var attacks: [String]?
    package var readyFile: String?
    package var formats: [ReportFormat] = ReportFormat.standard
    package var evidenceFrom: [String] = []
    /// `--watch-network`: flows that do not come through the proxy are noted.
    package var watchesNetwork = false
    package var baseline = BaselineChoice()
    package var course = Course.whole
    /// `--label`, by name.
    package var labels: [String: String] = [:]
    /// Paths of `--artefact`.
    package var artefacts: [String] = []
    /// COMMAND and its arguments; empty: a person drives.
    package var command: [String] = []

    /// What the run is for.
    package enum Course: Sendable, Hashable {
        case whole
        /// `check`: two starts, and what they show of the set-up.
        case check
        /// `init`: the same without a profile, which is written to the path; nil: to standard output.
        case draft(to: String?, DraftProfile.Ground)
        /// `rehearse`: what comes of the chains that a server may show one day.
        case rehearsal(RehearsalOptions)
    }

    var rehearsal: RehearsalOptions? { if case .rehearsal(let options) = course { options } else { nil } }

    package static let defaultColdStarts = 3
    package static let defaultPhaseSeconds = 60.0
    package static let defaultTerms = Terms(retries: 2, keepsGoing: false, isExhaustive: false)

    package init(profile: String, listen: Endpoint) {
        self.profile = profile
        self.listen = listen
    }
}
