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
    /// What the operator says of the run, by name.
    package var labels: [String: String] = [:]
    /// What was tested, as files.
    package var artefacts: [RunHeader.Artefact] = []
    /// Where the profile's hosts stand; nil where that is not known.
    package var source: ProfileSource?
    /// SHA-256 of the last line of each run's evidence: by the chain it stands for all of them.
    package var heads: [String] = []
    /// What changed since another run, where one was named.
    package var comparison: RunComparison?
    /// The evidence that was judged, run by run.
    package var runs: [RunEvidence] = []

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

    /// `build=42, commit=1a2b`, in the order of their names; nil without any.
    var labelLine: String? {
        labels.isEmpty ? nil : sortedLabels.map { "\($0.key)=\($0.value)" }.joined(separator: ", ")
    }

    var sortedLabels: [(key: String, value: String)] { labels.sorted { $0.key < $1.key } }

    /// The self-test ran and told the pinned client from the unpinned one.
    package var selfTestPassed: Bool { selfTest?.passed == true }
}

extension RunHeader.Artefact {
    /// `shop.apk (31415926 bytes, SHA-256 5e…)`.
    var line: String { "\(file) (\(appWords)\(English.count(bytes, "byte")), SHA-256 \(sha256))" }

    /// `com.example.shop 1.2.3, `.
    private var appWords: String {
        guard let app else { return "" }
        let words = [app.id, app.version].compactMap { $0.map { Printable.excerpt($0, limit: 80) } }
        let name = words.joined(separator: " ")
        return (name.isEmpty ? "" : name + ", ") + (app.debuggable ? "debuggable, " : "")
    }
}
