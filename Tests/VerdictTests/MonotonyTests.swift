import Facts
import Policy
import Support
import Testing

@testable import Verdict

// What may be done to evidence without its verdict getting any better: each by random runs.

private let profile = Profile.test(refuse: ["api.test", "feed.test"], optional: ["feed.test"])

private func run(
    _ seed: UInt64, _ random: inout SeededGenerator, _ selection: AttackSelection = .set(.quick)
) -> RunEvidence {
    random = SeededGenerator(seed: seed)
    // Half of them would be proven, so that there is something to be lost.
    let hosts: [HostName] = ["feed.test", "else.test"]
    let app =
        seed % 2 == 0
        ? App(visits: provenApp.visits + App.random(hosts, &random).visits)
        : App(visits: App.random(["cdn.test", "api.test"] + hosts, &random).visits)
    return app.run(profile, selection, coldStarts: Int.random(in: 1...2, using: &random)).evidence
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
    fileprivate func adding(_ seen: Observation, in trial: TrialStart, at: Double? = nil) -> RunEvidence {
        var seen = seen
        (seen.trial, seen.at, seen.connection) = (trial.trial, at ?? trial.at + 5, 9_999)
        var all = records
        let index = all.firstIndex {
            if case .trialEnded(let end) = $0.record { end.trial == trial.trial } else { false }
        }
        all.insert(NumberedRecord(line: 99_999, .connection(seen)), at: index ?? all.count)
        return RunEvidence(records: all)
    }
}

extension RunEvidence {
    /// With one more trial before that one, or, without one, before the run's end.
    fileprivate func inserting(
        _ start: TrialStart, _ seen: [Observation], interrupted: Bool = false, before next: Int? = nil
    ) -> RunEvidence {
        let number = start.trial
        let within = seen.map { one in
            var one = one
            (one.trial, one.at) = (number, start.at + 5)
            return EvidenceRecord.connection(one)
        }
        let end = TrialEnd(trial: number, exit: 0, interrupted: interrupted, seconds: 9, at: start.at + 9)
        var all = records
        let index = all.firstIndex {
            switch $0.record {
            case .trialStarted(let start): start.trial == next
            case .runEnded: true
            default: false
            }
        }
        all.insert(
            contentsOf: ([.trialStarted(start)] + within + [.trialEnded(end)]).enumerated().map {
                NumberedRecord(line: 80_000 + $0.offset, $0.element)
            }, at: index ?? all.count)
        return RunEvidence(records: all)
    }

    fileprivate var nextTrial: Int { (trials.map(\.trial).max() ?? 0) + 1 }
}

@Test("a witness anywhere leaves no proof", arguments: seeds(ofAll: 40))
func witnessAnywhere(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let evidence = run(seed, &random)
    let attacked = evidence.trials.filter { $0.attack != .passthrough && $0.only.isEmpty }
    let trial = try #require(attacked.randomElement(using: &random))
    let stack = ["openssl", "webview", "never-seen"].randomElement(using: &random) ?? ""
    let data = Script.intercepted("api.test", trial.attack, variant: trial.variant, stack: stack, .request(40))
    #expect(rank(evidence.adding(data, in: trial)) == 0)
}

@Test("taking away a control, a trial's end or a passthrough makes no proof", arguments: seeds(ofAll: 40))
func nothingTakenAwayProves(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let evidence = run(seed, &random)
    let before = rank(evidence)
    let trial = try #require(evidence.trials.randomElement(using: &random))
    let untouched = try #require(evidence.trials.filter { $0.attack == .passthrough }.randomElement(using: &random))
    let withoutControl = evidence.filtered {
        if let seen = $0.observation { seen.host != "cdn.test" || seen.attack != .trustedCA } else { true }
    }
    let withoutEnd = evidence.filtered {
        if case .trialEnded(let end) = $0 { end.trial != trial.trial } else { true }
    }
    let withoutPassthrough = evidence.filtered {
        if let seen = $0.observation { seen.trial != untouched.trial } else { true }
    }
    #expect(rank(withoutEnd) <= max(before, 1) && (before == 2 || rank(withoutEnd) < 2))
    #expect(before == 2 || rank(withoutPassthrough) < 2)
    // Without it the app may have been alone, and what it did no company's doing: nothing is gained by that either.
    #expect(before == 2 || rank(withoutControl) < 2)
}

@Test("the order of lines within a trial changes nothing", arguments: seeds(ofAll: 30))
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

@Test("an unrelated host that is tunnelled changes no verdict", arguments: seeds(ofAll: 30))
func unrelatedHost(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let evidence = run(seed, &random)
    var more = evidence
    for trial in evidence.trials where Bool.random(using: &random) {
        more = more.adding(Script.tunnelled("ads.test", data: Bool.random(using: &random)), in: trial)
    }
    #expect(words(evidence) == words(more))
}

@Test("refusals of an interrupted trial help nobody, and nor does the same refusal again", arguments: seeds(ofAll: 30))
func idleRefusals(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let evidence = run(seed, &random)
    let before = rank(evidence)
    let start = TrialStart(trial: evidence.nextTrial, attack: .trustedCA, variant: nil, only: [], at: 90_000)
    let refusal = Script.intercepted("api.test", .trustedCA, .alert(46))
    let script = evidence.inserting(start, [refusal], interrupted: true)
    #expect(before == 2 || rank(script) < 2)
    // Whatever refused once refuses twice.
    let refusals = evidence.records.compactMap { record -> Observation? in
        guard let seen = record.record.observation, seen.host == "api.test", seen.action == .intercepted else {
            return nil
        }
        return [.alert, .silent, .post].contains(Classifier.outcome(of: seen)) ? seen : nil
    }
    guard let again = refusals.randomElement(using: &random),
        let trial = evidence.trials.first(where: { $0.trial == again.trial })
    else { return }
    #expect(before == 2 || rank(evidence.adding(again, in: trial)) < 2)
}

// One more refusal, of any kind: another alert or none, in the handshake or after it, on another connection, at another time.
//
// It cannot hold everywhere. The first refusal of a stack in a trial that counts is what a proof is made of. One before the
// first may show that what another stack did after it was a second try. And a bare RST where a trial has none may make RSTs
// the way in which this client ends each time. So it is added to trials in which the stack has a refusal that counts, after
// that one, and is no bare RST; to trials with a witness; to interrupted ones; and to another client's share.

private func refusal(_ random: inout SeededGenerator) -> Act {
    let acts: [Act] = [
        .alert(42), .alert(46), .alert(48, .rst), .alert(51), .alert(80), .lateAlert(46), .lateAlert(42), .silent(),
        .silent(.closeNotify), .post(), .post(.closeNotify), .post(.closeNotify, says90: true), .post(.rst),
    ]
    return acts.randomElement(using: &random) ?? .alert(46)
}

@Test("any refusal more, where that stack has refused already, makes no verdict better", arguments: seeds(ofAll: 80))
func anyRefusalMore(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let evidence = run(seed, &random, .set(seed % 4 < 2 ? .quick : .standard))
    let file = CaseFile(profile: profile, runs: [evidence])
    let review = Review(file, "api.test", expect: .refuse)
    let counting = review.meetings.flatMap { meeting in
        meeting.graded.filter { $0.grade == .conclusive }.map { (meeting, $0.sighting) }
    }
    guard let (meeting, first) = counting.randomElement(using: &random),
        let trial = evidence.trials.first(where: { $0.trial == meeting.trial.number })
    else { return }
    let more = Script.intercepted(
        "api.test", trial.attack, variant: trial.variant, stack: first.stack, refusal(&random))
    let at = Double.random(in: first.left...first.left + 60, using: &random)
    let with = evidence.adding(more, in: trial, at: at)
    for host in ["api.test", "feed.test"] { #expect(rank(with, host) <= rank(evidence, host), "\(host)") }
}

@Test(
    "any refusal beside a witness, in an interrupted trial or of another client helps nobody",
    arguments: seeds(ofAll: 40))
func refusalsThatCountNowhere(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let evidence = run(seed, &random)
    let act = refusal(&random)
    let stack = ["openssl", "webview", "never-seen"].randomElement(using: &random) ?? ""
    let attacked = evidence.trials.filter { $0.attack != .passthrough }
    let trial = try #require(attacked.randomElement(using: &random))
    let at = trial.at + Double.random(in: 0...19, using: &random)
    let more = Script.intercepted("api.test", trial.attack, variant: trial.variant, stack: stack, act)
    let witness = Script.intercepted("api.test", trial.attack, variant: trial.variant, stack: stack, .request(9))
    #expect(rank(evidence.adding(witness, in: trial).adding(more, in: trial, at: at)) == 0)

    var interrupted = evidence
    interrupted.records = evidence.records.map { record in
        guard case .trialEnded(var end) = record.record, end.trial == trial.trial else { return record }
        end.interrupted = true
        return NumberedRecord(line: record.line, .trialEnded(end))
    }
    for host in ["api.test", "feed.test"] {
        #expect(rank(interrupted.adding(more, in: trial, at: at), host) <= max(1, rank(interrupted, host)))
        #expect(rank(interrupted, host) == 2 || rank(interrupted.adding(more, in: trial, at: at), host) < 2)
    }

    var shared = profile
    shared.clients = [ClientRule(name: "a"), ClientRule(name: "b")]
    var owned = evidence
    owned.records = evidence.records.map { record in
        guard var seen = record.record.observation else { return record }
        seen.clientName = "a"
        return NumberedRecord(line: record.line, .connection(seen))
    }
    var others = more
    others.clientName = "b"
    let verdicts = { (runs: RunEvidence) in
        Judge.judge(profile: shared, runs: [runs]).hosts.filter { $0.client == "a" }.map {
            [$0.host, $0.verdict.rawValue] + $0.missingNames
        }
    }
    #expect(verdicts(owned) == verdicts(owned.adding(others, in: trial, at: at)))
}

// What untouched trials show is what has to be attacked, so a connection that no other one shows is demanded by it alone:
// without that the proof may be one. Where the same stack was used in another untouched trial nothing is gained.

@Test(
    "an untouched connection taken away, where others of its stack are left, makes no proof",
    arguments: seeds(ofAll: 60))
func untouchedTakenAway(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let evidence = run(seed, &random, .set(seed % 4 < 2 ? .quick : .standard))
    let used = evidence.records.filter { record in
        guard let seen = record.record.observation else { return false }
        return seen.host == "api.test" && seen.action == .tunnelled && seen.passthroughData
    }
    let untouched = Set(evidence.trials.filter { $0.attack == .passthrough }.map(\.trial))
    let stacks = used.compactMap { record -> (trial: Int, stack: String, line: Int)? in
        guard let seen = record.record.observation, untouched.contains(seen.trial) else { return nil }
        return (seen.trial, seen.hello?.stack ?? "", record.line)
    }
    guard let gone = stacks.randomElement(using: &random),
        stacks.contains(where: { $0.stack == gone.stack && $0.trial != gone.trial })
    else { return }
    let without = RunEvidence(records: evidence.records.filter { $0.line != gone.line })
    #expect(rank(evidence) == 2 || rank(without) < 2)
}

@Test("more attacks tried make no verdict better", arguments: seeds(ofAll: 60))
func moreAttacks(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let few = run(seed, &random)
    var more = few
    guard case .header(var header) = more.records[0].record else { return }
    let known = Set(header.variants)
    let forms = AttackCatalogue.all.filter { $0.reading.data != .control }.flatMap { attack in
        attack.variants.map { (attack: attack, variant: $0) }
    }.filter { $0.variant.needs == nil && !known.contains($0.attack.name(of: $0.variant)) }
    let (attack, variant) = try #require(forms.randomElement(using: &random))
    if !header.attacks.contains(attack.id) { header.attacks.append(attack.id) }
    header.variants.append(attack.name(of: variant))
    more.records[0] = NumberedRecord(line: 1, .header(header))
    let seen = (0..<Int.random(in: 0...2, using: &random)).map { _ in
        Script.intercepted("api.test", attack.id, variant: variant.name, Act.random(&random))
    }
    let start = TrialStart(trial: few.nextTrial, attack: attack.id, variant: variant.name, only: [], at: 90_000)
    // Before the last passthrough, as a gate tries it.
    let trying = more.inserting(start, seen, before: few.trials.last?.trial)
    #expect(rank(trying) <= rank(few), "\(attack.name(of: variant))")
}
