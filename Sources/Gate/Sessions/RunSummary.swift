import Evidence
import Facts
import Report
import Verdict

/// What reports say around a judgement, gathered from the evidence of one or more runs.
enum RunSummary {
    static func input(
        _ judgement: Judgement, profile: String, runs: [RunEvidence], folders: [String],
        source: ProfileSource? = nil, heads: [String] = []
    ) -> ReportInput {
        let headers = runs.compactMap(\.header)
        var attacks: [AttackID] = []
        // What a run set out to try is not what it tried, where it was ended early or the time was too short.
        let begun = runs.flatMap(begun)
        for id in headers.flatMap(\.attacks) where begun.contains(id) && !attacks.contains(id) { attacks.append(id) }
        var input = ReportInput(
            judgement: judgement, profile: profile, pinproof: Version.pinproof,
            started: headers.map(\.started).min() ?? "", seconds: runs.map(seconds).reduce(0, +),
            ca: headers.first?.ca ?? RunHeader.CA(sha256: "", scope: []), selfTest: selfTest(runs), attacks: attacks,
            runFolders: folders)
        input.labels = labels(headers)
        for artefact in headers.flatMap(\.artefacts) where !input.artefacts.contains(artefact) {
            input.artefacts.append(artefact)
        }
        input.source = source
        input.heads = heads
        input.runs = runs
        return input
    }

    /// Of several runs those of all; a name with several values has each of them.
    private static func labels(_ headers: [RunHeader]) -> [String: String] {
        var values: [String: [String]] = [:]
        for (name, value) in headers.flatMap(\.labels) where values[name]?.contains(value) != true {
            values[name, default: []].append(value)
        }
        return values.mapValues { $0.sorted().joined(separator: ", ") }
    }

    private static func begun(_ run: RunEvidence) -> Set<AttackID> {
        run.records.lazy.map(\.record).reduce(into: []) { begun, record in
            if case .trialStarted(let start) = record, start.attack != .passthrough { begun.insert(start.attack) }
        }
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
            case .header, .selfTest, .origin, .connection, .flow, .networkWatched: continue
            }
        }
        guard let first, let last else { return 0 }
        return max(0, last - first)
    }
}
