import Facts
import Report

/// Where the CA to forge with comes from.
public enum CAChoice: Sendable, Hashable {
    /// `--ca`; made on first use.
    case folder(String)
    /// `--ephemeral-ca`: made for this run, its keys never written.
    case ephemeral
    /// `--ca-cert` and `--ca-key`.
    case lent(certificate: String, key: String)

    /// `--ca` where nobody says.
    public static let defaultFolder = "ca/local"
}

/// A gate's command line as values (contract, "The gate").
public struct GateOptions: Sendable, Hashable {
    public var profile: String
    /// nil: `runs/<UTC time>-<profile name>`.
    public var out: String?
    public var ca: CAChoice = .folder(CAChoice.defaultFolder)
    public var listen: Endpoint
    /// nil: the profile's, else three.
    public var coldStarts: Int?
    /// nil: Enter where stdin is a terminal, else `defaultPhaseSeconds`.
    public var phaseSeconds: Double?
    public var setsProxyVariables = true
    public var attemptTimeout = 60.0
    /// Words of `--attacks`; nil: the profile's, else `standard`.
    public var attacks: [String]?
    public var readyFile: String?
    public var formats: [ReportFormat] = ReportFormat.standard
    public var evidenceFrom: [String] = []
    /// `--watch-network`: flows that do not come through the proxy are noted.
    public var watchesNetwork = false
    public var baseline = BaselineChoice()
    /// COMMAND and its arguments; empty: a person drives.
    public var command: [String] = []

    public static let defaultColdStarts = 3
    public static let defaultPhaseSeconds = 60.0

    public init(profile: String, listen: Endpoint) {
        self.profile = profile
        self.listen = listen
    }
}
