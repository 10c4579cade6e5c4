import Evidence
import Facts
import Report
import Verdict

/// What reports say around a judgement, gathered from the evidence of one or more runs.
enum RunSummary {
    static func input(
        _ judgement: Judgement, profile: String, runs: [RunEvidence], folders: [String]
    ) -> ReportInput {
        let headers = runs.compactMap(\.header)
        var attacks: [AttackID] = []
        for id in headers.flatMap(\.attacks) where id != .passthrough && !attacks.contains(id) { attacks.append(id) }
        return ReportInput(
            judgement: judgement, profile: profile, pinproof: Version.pinproof,
            started: headers.map(\.started).min() ?? "", seconds: runs.map(seconds).reduce(0, +),
            ca: headers.first?.ca ?? RunHeader.CA(sha256: "", scope: []), selfTest: selfTest(runs), attacks: attacks,
            runFolders: folders)
    }

    /// The one that failed, where one did.
    private static func selfTest(_ runs: [RunEvidence]) -> SelfTestResult? {
        var results: [SelfTestResult] = []
        for case .selfTest(let result) in runs.flatMap({ $0.records.map(\.record) }) { results.append(result) }
        return results.first { !$0.passed } ?? results.first
    }

    /// A run that was killed has no end; what is between its trials is known all the same.
    private static func seconds(_ run: RunEvidence) -> Double {
        var first: Double?
        var last: Double?
        for record in run.records.lazy.map(\.record) {
            switch record {
            case .runEnded(let end): return end.seconds
            case .trialStarted(let start): first = first ?? start.at
            case .trialEnded(let end): last = end.at
            case .header, .selfTest, .connection, .flow, .networkWatched: continue
            }
        }
        guard let first, let last else { return 0 }
        return max(0, last - first)
    }
}
