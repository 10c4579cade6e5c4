import Facts
import Policy
import Support
import Testing

@testable import Verdict

// What may be done to evidence without its verdict getting any better: each by random runs.

private let profile = Profile.test(refuse: ["api.test", "feed.test"], optional: ["feed.test"])

private func run(_ seed: UInt64, _ random: inout SeededGenerator) -> RunEvidence {
    random = SeededGenerator(seed: seed)
    // Half of them would be proven, so that there is something to be lost.
    let hosts: [HostName] = ["feed.test", "else.test"]
    let app =
        seed % 2 == 0
        ? App(visits: provenApp.visits + App.random(hosts, &random).visits)
        : App(visits: App.random(["cdn.test", "api.test"] + hosts, &random).visits)
    return app.run(profile, .set(.quick), coldStarts: Int.random(in: 1...2, using: &random)).evidence
}

/// How good news a verdict is.
private func rank(_ evidence: RunEvidence, _ host: String = "api.test") -> Int {
    let verdict = Judge.judge(profile: profile, runs: [evidence]).hosts.first { $0.host == host }?.verdict
    return verdict == .provenPinned ? 2 : verdict == .notPinned ? 0 : 1
}

/// Every host's verdict, its strength and what it lacks.
private func words(_ evidence: RunEvidence) -> [[String]] {
    Judge.judge(profile: profile, runs: [evidence]).hosts.map {
        [$0.verdict.rawValue, $0.strength?.rawValue ?? "none"] + $0.missingNames
    }
}

extension RunEvidence {
    fileprivate func filtered(_ isKept: (EvidenceRecord) -> Bool) -> RunEvidence {
        RunEvidence(records: records.filter { isKept($0.record) })
    }

    fileprivate var trials: [TrialStart] {
        records.compactMap { if case .trialStarted(let start) = $0.record { start } else { nil } }
    }

    /// With one more connection, in the middle of its trial.
    fileprivate func adding(_ seen: Observation, in trial: TrialStart) -> RunEvidence {
        var seen = seen
        (seen.trial, seen.at, seen.connection) = (trial.trial, trial.at + 5, 9_999)
        var all = records
        let index = all.firstIndex {
            if case .trialEnded(let end) = $0.record { end.trial == trial.trial } else { false }
        }
        all.insert(NumberedRecord(line: 99_999, .connection(seen)), at: index ?? all.count)
        return RunEvidence(records: all)
    }
}

@Test("a witness anywhere leaves no proof", arguments: 0..<40)
func witnessAnywhere(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let evidence = run(seed, &random)
    let attacked = evidence.trials.filter { $0.attack != .passthrough && $0.only.isEmpty }
    let trial = try #require(attacked.randomElement(using: &random))
    let stack = ["openssl", "webview", "never-seen"].randomElement(using: &random) ?? ""
    let data = Script.intercepted("api.test", trial.attack, variant: trial.variant, stack: stack, .request(40))
    #expect(rank(evidence.adding(data, in: trial)) == 0)
}

@Test("taking away a control, a trial's end or a passthrough makes no proof", arguments: 0..<40)
func nothingTakenAwayProves(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let evidence = run(seed, &random)
    let before = rank(evidence)
    let trial = try #require(evidence.trials.randomElement(using: &random))
    let untouched = try #require(evidence.trials.filter { $0.attack == .passthrough }.randomElement(using: &random))
    let withoutControl = evidence.filtered {
        if case .connection(let seen) = $0 { seen.host != "cdn.test" || seen.attack != .trustedCA } else { true }
    }
    let withoutEnd = evidence.filtered {
        if case .trialEnded(let end) = $0 { end.trial != trial.trial } else { true }
    }
    let withoutPassthrough = evidence.filtered {
        if case .connection(let seen) = $0 { seen.trial != untouched.trial } else { true }
    }
    #expect(rank(withoutEnd) <= max(before, 1) && (before == 2 || rank(withoutEnd) < 2))
    #expect(before == 2 || rank(withoutPassthrough) < 2)
    // Without it the app may have been alone, and what it did no company's doing: nothing is gained by that either.
    #expect(before == 2 || rank(withoutControl) < 2)
}

@Test("the order of lines within a trial changes nothing", arguments: 0..<30)
func shuffledLines(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let evidence = run(seed, &random)
    var shuffled: [NumberedRecord] = []
    var open: [NumberedRecord] = []
    for record in evidence.records {
        if case .connection = record.record {
            open.append(record)
            continue
        }
        shuffled += open.shuffled(using: &random) + [record]
        open = []
    }
    #expect(words(evidence) == words(RunEvidence(records: shuffled + open)))
}

@Test("an unrelated host that is tunnelled changes no verdict", arguments: 0..<30)
func unrelatedHost(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let evidence = run(seed, &random)
    var more = evidence
    for trial in evidence.trials where Bool.random(using: &random) {
        more = more.adding(Script.tunnelled("ads.test", data: Bool.random(using: &random)), in: trial)
    }
    #expect(words(evidence) == words(more))
}

@Test("refusals of an interrupted trial help nobody, and nor does the same refusal again", arguments: 0..<30)
func idleRefusals(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let evidence = run(seed, &random)
    let before = rank(evidence)
    var script = evidence
    let refusal = Script.intercepted("api.test", .trustedCA, .alert(46))
    let number = (evidence.trials.map(\.trial).max() ?? 0) + 1
    let start = TrialStart(trial: number, attack: .trustedCA, variant: nil, only: [], at: 90_000)
    let index = script.records.firstIndex { if case .runEnded = $0.record { true } else { false } }
    var seen = refusal
    (seen.trial, seen.at) = (number, 90_005)
    let added: [EvidenceRecord] = [
        .trialStarted(start), .connection(seen),
        .trialEnded(TrialEnd(trial: number, exit: 0, interrupted: true, seconds: 9, at: 90_009)),
    ]
    script.records.insert(
        contentsOf: added.enumerated().map { NumberedRecord(line: 70_000 + $0.offset, $0.element) },
        at: index ?? script.records.count)
    #expect(before == 2 || rank(script) < 2)
    // Whatever refused once refuses twice.
    let refusals = evidence.records.compactMap { record -> Observation? in
        guard case .connection(let seen) = record.record, seen.host == "api.test", seen.action == .intercepted else {
            return nil
        }
        return [.alert, .silent, .post].contains(Classifier.outcome(of: seen)) ? seen : nil
    }
    guard let again = refusals.randomElement(using: &random),
        let trial = evidence.trials.first(where: { $0.trial == again.trial })
    else { return }
    #expect(before == 2 || rank(evidence.adding(again, in: trial)) < 2)
}

@Test("more attacks tried make no verdict better", arguments: 0..<30)
func moreAttacks(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let few = run(seed, &random)
    let before = rank(few)
    var more = few
    guard case .header(var header) = more.records[0].record else { return }
    header.attacks += ["self-signed"]
    header.variants += ["self-signed"]
    more.records[0] = NumberedRecord(line: 1, .header(header))
    let number = (few.trials.map(\.trial).max() ?? 0) + 1
    var script: [EvidenceRecord] = [
        .trialStarted(TrialStart(trial: number, attack: "self-signed", variant: nil, only: [], at: 90_000))
    ]
    for _ in 0..<Int.random(in: 0...2, using: &random) {
        var seen = Script.intercepted("api.test", "self-signed", Act.random(&random))
        (seen.trial, seen.at) = (number, 90_001)
        script.append(.connection(seen))
    }
    script.append(.trialEnded(TrialEnd(trial: number, exit: 0, seconds: 9, at: 90_009)))
    // Before the last passthrough, as a gate tries it.
    let last = few.trials.last?.trial ?? 0
    let index = more.records.firstIndex {
        if case .trialStarted(let start) = $0.record { start.trial == last } else { false }
    }
    more.records.insert(
        contentsOf: script.enumerated().map { NumberedRecord(line: 80_000 + $0.offset, $0.element) },
        at: index ?? more.records.count)
    #expect(rank(more) <= before)
}
