/// One line of `evidence.jsonl`.
///
/// Besides its own keys each line carries `kind` and `prev` (the chain's hash).
package enum EvidenceRecord: Hashable, Sendable {
    indirect case header(RunHeader)
    indirect case selfTest(SelfTestResult)
    indirect case origin(OriginSeen)
    indirect case trialStarted(TrialStart)
    indirect case trialEnded(TrialEnd)
    case connection(Observed)
    /// Only with `--watch-network`.
    indirect case flow(NetworkFlow)
    indirect case networkWatched(NetworkWatched)
    indirect case runEnded(RunEnd)

    package var kind: String {
        switch self {
        case .header: "header"
        case .selfTest: "self-test"
        case .origin: "origin"
        case .trialStarted: "trial-started"
        case .trialEnded: "trial-ended"
        case .connection: "connection"
        case .flow: "flow"
        case .networkWatched: "network-watched"
        case .runEnded: "run-ended"
        }
    }
}

extension EvidenceRecord {
    package static func connection(_ observation: Observation) -> EvidenceRecord { .connection(Observed(observation)) }

    /// What was noted of a connection; nil for all else.
    package var observation: Observation? {
        if case .connection(let observed) = self { observed.observation } else { nil }
    }
}

/// An observation that many refer to.
///
/// A long run has hundreds of thousands of a thousand bytes each: whoever sorts them copies a reference.
package final class Observed: Hashable, Sendable {
    package let observation: Observation

    package init(_ observation: Observation) { self.observation = observation }

    package static func == (a: Observed, b: Observed) -> Bool { a === b || a.observation == b.observation }
    package func hash(into hasher: inout Hasher) { hasher.combine(observation) }
}

/// Line 1 of a run's evidence: what `pinproof judge` needs besides the observations.
package struct RunHeader: Hashable, Sendable, Codable {
    package struct CA: Hashable, Sendable, Codable {
        /// SHA-256 (hex) of the root that clients are meant to trust.
        package var sha256: String
        /// Names the CA is constrained to; empty for an unconstrained one.
        package var scope: [String]

        package init(sha256: String, scope: [String]) {
            self.sha256 = sha256
            self.scope = scope
        }
    }

    /// The roots that a profile declares for its hosts, and what the forging CA signs with.
    ///
    /// So any judge can repeat what the gate checked. All are SPKI pins: SHA-256, base64 (RFC 7469 §2.4).
    package struct Anchors: Hashable, Sendable, Codable {
        /// By the rule's pattern.
        package var declared: [String: [String]]
        package var authority: [String]

        package init(declared: [String: [String]], authority: [String]) {
            self.declared = declared
            self.authority = authority
        }
    }

    /// A file that the operator names as what was tested (`--artefact`).
    package struct Artefact: Hashable, Sendable, Codable {
        /// Its name without its folders.
        package var file: String
        /// Of its bytes, hexadecimal.
        package var sha256: String
        package var bytes: Int
        /// What the app's manifest says of it; nil where it is no app.
        package var app: App?

        package struct App: Hashable, Sendable, Codable {
            /// `com.example.shop`.
            package var id: String?
            package var version: String?
            package var debuggable: Bool

            package init(id: String?, version: String?, debuggable: Bool) {
                self.id = id
                self.version = version
                self.debuggable = debuggable
            }
        }

        package init(file: String, sha256: String, bytes: Int, app: App? = nil) {
            self.file = file
            self.sha256 = sha256
            self.bytes = bytes
            self.app = app
        }
    }

    /// `pinproof.evidence/1`.
    package var schema: String
    /// Tells this run from every other one, wherever its folder goes; empty in runs of older versions.
    package var run: String
    package var pinproof: String
    package var openssl: String
    package var libevent: String
    /// RFC 3339, UTC.
    package var started: String
    package var profile: String
    package var profileSHA256: String
    package var ca: CA
    package var coldStarts: Int
    package var attacks: [AttackID]
    /// Every variant that the run set out to try, as `attack` or `attack/variant`; empty in runs of older versions:
    /// all that an attack has.
    package var variants: [String]
    /// What the operator says of the run: build, commit, device.
    package var labels: [String: String]
    /// What was tested, as files; empty in runs of older versions.
    package var artefacts: [Artefact] = []
    /// The profile's path from the top of its repository, else from the working folder; nil in runs of older versions.
    package var profileFile: String?
    /// Which share of its plan the run is; nil: all of it.
    package var shard: Shard?
    /// Cold starts of the whole plan, where the run is a share of it.
    package var planColdStarts: Int?
    /// SHA-256 in hexadecimal digits of what the whole plan is to try, and how often, where the run is a share of it: shares
    /// of other plans do not complete it. nil in runs of older versions.
    package var plan: String?
    /// nil where the profile declares none.
    package var anchors: Anchors?
    /// SPKI pins (SHA-256, base64) of the backup keys that were lent, by host; empty in runs of older versions.
    package var lentKeys: [String: String]
    /// Somebody looked at what goes past the proxy (`--watch-network`).
    package var watchesNetwork: Bool
    /// Effective options, for people: no judge reads them.
    package var options: [String: String]

    package static let schemaName = "pinproof.evidence/1"

    package init(
        pinproof: String, openssl: String, libevent: String, started: String, profile: String, profileSHA256: String,
        ca: CA, coldStarts: Int, attacks: [AttackID], variants: [String] = [], run: String = "",
        labels: [String: String] = [:], anchors: Anchors? = nil, lentKeys: [String: String] = [:],
        watchesNetwork: Bool = false, options: [String: String]
    ) {
        schema = Self.schemaName
        self.run = run
        self.labels = labels
        self.anchors = anchors
        self.lentKeys = lentKeys
        self.watchesNetwork = watchesNetwork
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
        case schema, pinproof, openssl, libevent, started, profile, ca, attacks, variants, run, labels, anchors, options
        case artefacts, shard, plan
        case planColdStarts = "plan_cold_starts"
        case profileFile = "profile_file"
        case lentKeys = "lent_keys"
        case watchesNetwork = "watches_network"
        case profileSHA256 = "profile_sha256"
        case coldStarts = "cold_starts"
    }
}

package struct SelfTestResult: Hashable, Sendable, Codable {
    package var passed: Bool
    /// What did not come out as it must; empty when it passed.
    package var problems: [String]
    package var ms: Double

    package init(passed: Bool, problems: [String], ms: Double) {
        self.passed = passed
        self.problems = problems
        self.ms = ms
    }
}

/// One cold start begins: one run of COMMAND, or one phase.
package struct TrialStart: Hashable, Sendable, Codable {
    /// Counts from 1.
    package var trial: Int
    package var attack: AttackID
    package var variant: String?
    /// Hosts attacked alone, the others tunnelled; empty: every `refuse` host is attacked.
    package var only: [HostName]
    /// So many of a host's first connections were left alone, by their ClientHellos, where the attack does not say so by
    /// itself; 0: none.
    package var sparedFirst: Int
    /// The trial that this one runs again, as it told nothing; nil: none.
    package var retryOf: Int?
    /// Unix seconds.
    package var at: Double

    package init(
        trial: Int, attack: AttackID, variant: String?, only: [HostName], sparedFirst: Int = 0, retryOf: Int? = nil,
        at: Double
    ) {
        self.trial = trial
        self.attack = attack
        self.variant = variant
        self.only = only
        self.sparedFirst = sparedFirst
        self.retryOf = retryOf
        self.at = at
    }
}

package struct TrialEnd: Hashable, Sendable, Codable {
    package var trial: Int
    /// COMMAND's exit status; nil when there was none, or it died by a signal.
    package var exit: Int?
    package var signal: Int?
    /// It was ended by the gate after `--attempt-timeout`.
    package var timedOut: Bool
    /// The gate was interrupted during it: it counts for nothing but witnesses.
    package var interrupted: Bool
    /// The app left something in the PINPROOF_STATE that was made for this trial; never said of one that all trials share.
    package var leftState: Bool
    /// Why a later start could not go on from that: it could not be copied as it is. nil where it could, and in older evidence.
    package var stateFault: String?
    /// The last line that COMMAND wrote to its standard error, where it did not end with 0: one printable line, cut at
    /// `lastErrorLimit` characters; nil where it wrote nothing.
    package var lastError: String?
    package var seconds: Double
    package var at: Double

    /// Enough for a message, and no more than a line of a report.
    package static let lastErrorLimit = 200
    /// Of `stateFault`, which names a path.
    package static let stateFaultLimit = 400

    package init(
        trial: Int, exit: Int? = nil, signal: Int? = nil, timedOut: Bool = false, interrupted: Bool = false,
        leftState: Bool = false, stateFault: String? = nil, lastError: String? = nil, seconds: Double, at: Double
    ) {
        self.trial = trial
        self.leftState = leftState
        self.stateFault = stateFault
        self.lastError = lastError
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
        case leftState = "left_state"
        case stateFault = "state_fault"
        case lastError = "last_error"
    }
}

/// The last line of a run that came to its end.
package struct RunEnd: Hashable, Sendable, Codable {
    package var interrupted: Bool
    /// A fault that forbids a verdict, in words.
    package var fault: String?
    /// The gate ended it before its plan was through, as its first trials had shown that no plan could settle anything.
    package var early: EarlyEnd?
    /// Forms of attacks, and what else the plan had, that the time allowed was too short for (`--max-minutes`).
    package var leftOut: [String]
    package var seconds: Double
    package var at: Double

    package init(
        interrupted: Bool, fault: String? = nil, early: EarlyEnd? = nil, leftOut: [String] = [], seconds: Double,
        at: Double
    ) {
        self.interrupted = interrupted
        self.fault = fault
        self.early = early
        self.leftOut = leftOut
        self.seconds = seconds
        self.at = at
    }
}
