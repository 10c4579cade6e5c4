import Authority
import Facts
import Report

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
    /// Words of `--attacks`; nil: the profile's, else `standard`.
    package var attacks: [String]?
    package var readyFile: String?
    package var formats: [ReportFormat] = ReportFormat.standard
    package var evidenceFrom: [String] = []
    /// `--watch-network`: flows that do not come through the proxy are noted.
    package var watchesNetwork = false
    package var baseline = BaselineChoice()
    /// COMMAND and its arguments; empty: a person drives.
    package var command: [String] = []

    package static let defaultColdStarts = 3
    package static let defaultPhaseSeconds = 60.0

    package init(profile: String, listen: Endpoint) {
        self.profile = profile
        self.listen = listen
    }
}
