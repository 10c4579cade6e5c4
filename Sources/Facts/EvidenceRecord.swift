/// One line of `evidence.jsonl`. Besides its own keys each line carries `kind` and `prev` (the chain's hash).
public enum EvidenceRecord: Hashable, Sendable {
    case header(RunHeader)
    case selfTest(SelfTestResult)
    case trialStarted(TrialStart)
    case trialEnded(TrialEnd)
    case connection(Observation)
    /// Only with `--watch-network`.
    case flow(NetworkFlow)
    case networkWatched(NetworkWatched)
    case runEnded(RunEnd)

    public var kind: String {
        switch self {
        case .header: "header"
        case .selfTest: "self-test"
        case .trialStarted: "trial-started"
        case .trialEnded: "trial-ended"
        case .connection: "connection"
        case .flow: "flow"
        case .networkWatched: "network-watched"
        case .runEnded: "run-ended"
        }
    }
}

/// Line 1 of a run's evidence: what `pinproof judge` needs besides the observations.
public struct RunHeader: Hashable, Sendable, Codable {
    public struct CA: Hashable, Sendable, Codable {
        /// SHA-256 (hex) of the root that clients are meant to trust.
        public var sha256: String
        /// Names the CA is constrained to; empty for an unconstrained one.
        public var scope: [String]

        public init(sha256: String, scope: [String]) {
            self.sha256 = sha256
            self.scope = scope
        }
    }

    /// `pinproof.evidence/1`.
    public var schema: String
    public var pinproof: String
    public var openssl: String
    public var libevent: String
    /// RFC 3339, UTC.
    public var started: String
    public var profile: String
    public var profileSHA256: String
    public var ca: CA
    public var coldStarts: Int
    public var attacks: [AttackID]
    /// Every variant that the run set out to try, as `attack` or `attack/variant`; empty in runs of older versions:
    /// all that an attack has.
    public var variants: [String]
    /// Effective options, for people.
    public var options: [String: String]

    public static let schemaName = "pinproof.evidence/1"

    public init(
        pinproof: String, openssl: String, libevent: String, started: String, profile: String, profileSHA256: String,
        ca: CA, coldStarts: Int, attacks: [AttackID], variants: [String] = [], options: [String: String]
    ) {
        schema = Self.schemaName
        self.pinproof = pinproof
        self.openssl = openssl
        self.libevent = libevent
        self.started = started
        self.profile = profile
        self.profileSHA256 = profileSHA256
        self.ca = ca
        self.coldStarts = coldStarts
        self.attacks = attacks
        self.variants = variants
        self.options = options
    }

    enum CodingKeys: String, CodingKey {
        case schema, pinproof, openssl, libevent, started, profile, ca, attacks, variants, options
        case profileSHA256 = "profile_sha256"
        case coldStarts = "cold_starts"
    }
}

public struct SelfTestResult: Hashable, Sendable, Codable {
    public var passed: Bool
    /// What did not come out as it must; empty when it passed.
    public var problems: [String]
    public var ms: Double

    public init(passed: Bool, problems: [String], ms: Double) {
        self.passed = passed
        self.problems = problems
        self.ms = ms
    }
}

/// One cold start begins: one run of COMMAND, or one phase.
public struct TrialStart: Hashable, Sendable, Codable {
    /// Counts from 1.
    public var trial: Int
    public var attack: AttackID
    public var variant: String?
    /// Hosts attacked alone, the others tunnelled; empty: every `refuse` host is attacked.
    public var only: [HostName]
    /// Unix seconds.
    public var at: Double

    public init(trial: Int, attack: AttackID, variant: String?, only: [HostName], at: Double) {
        self.trial = trial
        self.attack = attack
        self.variant = variant
        self.only = only
        self.at = at
    }
}

public struct TrialEnd: Hashable, Sendable, Codable {
    public var trial: Int
    /// COMMAND's exit status; nil when there was none, or it died by a signal.
    public var exit: Int?
    public var signal: Int?
    /// It was ended by the gate after `--attempt-timeout`.
    public var timedOut: Bool
    /// The gate was interrupted during it: it counts for nothing but witnesses.
    public var interrupted: Bool
    public var seconds: Double
    public var at: Double

    public init(
        trial: Int, exit: Int? = nil, signal: Int? = nil, timedOut: Bool = false, interrupted: Bool = false,
        seconds: Double, at: Double
    ) {
        self.trial = trial
        self.exit = exit
        self.signal = signal
        self.timedOut = timedOut
        self.interrupted = interrupted
        self.seconds = seconds
        self.at = at
    }

    enum CodingKeys: String, CodingKey {
        case trial, exit, signal, interrupted, seconds, at
        case timedOut = "timed_out"
    }
}

/// The last line of a run that came to its end.
public struct RunEnd: Hashable, Sendable, Codable {
    public var interrupted: Bool
    /// A fault that forbids a verdict, in words.
    public var fault: String?
    public var seconds: Double
    public var at: Double

    public init(interrupted: Bool, fault: String? = nil, seconds: Double, at: Double) {
        self.interrupted = interrupted
        self.fault = fault
        self.seconds = seconds
        self.at = at
    }
}
