import Facts
import Verdict

/// What every report is made from: the judgement, and the facts of the run around it.
public struct ReportInput: Hashable, Sendable {
    public var judgement: Judgement
    /// The profile's name.
    public var profile: String
    /// This program's version.
    public var pinproof: String
    /// RFC 3339, UTC; of the first run where several were judged together.
    public var started: String
    public var seconds: Double
    public var ca: RunHeader.CA
    /// nil when the run ended before it.
    public var selfTest: SelfTestResult?
    /// The attacks of the run, in its order, without `passthrough`.
    public var attacks: [AttackID]
    /// As it is to be shown: `runs/20260101T000000Z-release`; several where several runs were judged together.
    public var runFolders: [String]

    public init(
        judgement: Judgement, profile: String, pinproof: String, started: String, seconds: Double, ca: RunHeader.CA,
        selfTest: SelfTestResult?, attacks: [AttackID], runFolders: [String]
    ) {
        self.judgement = judgement
        self.profile = profile
        self.pinproof = pinproof
        self.started = started
        self.seconds = seconds
        self.ca = ca
        self.selfTest = selfTest
        self.attacks = attacks
        self.runFolders = runFolders
    }

    /// The self-test ran and told the pinned client from the unpinned one.
    public var selfTestPassed: Bool { selfTest?.passed == true }
}
