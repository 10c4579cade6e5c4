import Facts
import Verdict

/// What every report is made from: the judgement, and the facts of the run around it.
package struct ReportInput: Hashable, Sendable {
    package var judgement: Judgement
    /// The profile's name.
    package var profile: String
    /// This program's version.
    package var pinproof: String
    /// RFC 3339, UTC; of the first run where several were judged together.
    package var started: String
    package var seconds: Double
    package var ca: RunHeader.CA
    /// nil when the run ended before it.
    package var selfTest: SelfTestResult?
    /// The attacks of the run, in its order, without `passthrough`.
    package var attacks: [AttackID]
    /// As it is to be shown: `runs/20260101T000000Z-release`; several where several runs were judged together.
    package var runFolders: [String]

    package init(
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
    package var selfTestPassed: Bool { selfTest?.passed == true }
}
