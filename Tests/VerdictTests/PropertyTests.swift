import Facts
import Policy
import Report
import Support
import Testing

@testable import Verdict

extension App {
    /// Hosts on one or two stacks, each with a habit, and now and then out of it.
    static func random(_ hosts: [HostName], _ random: inout SeededGenerator) -> App {
        var visits: [Visit] = []
        for (index, host) in hosts.enumerated() where Int.random(in: 0..<8, using: &random) > 0 {
            for stack in ["openssl", "webview"].prefix(Int.random(in: 0..<4, using: &random) == 0 ? 2 : 1) {
                let seed = random.next()
                let (trusted, untrusted) = (Act.random(&random), Act.random(&random))
                let noise = [0, 0, 5, 20].randomElement(using: &random) ?? 0
                var visit = Visit(host: host, stack: stack) { attack, nth in
                    var own = SeededGenerator(
                        seed: seed &+ UInt64(nth) &* 977 &+ UInt64(attack.rawValue.utf8.count) &* 31)
                    if Int.random(in: 0..<100, using: &own) < noise {
                        return Bool.random(using: &own) ? nil : [Act.random(&own), Act.random(&own)]
                    }
                    return [attack == .trustedCA || attack == "smuggled-chain" ? trusted : untrusted]
                }
                visit.untouched = { nth in
                    var own = SeededGenerator(seed: seed &+ UInt64(nth))
                    guard Int.random(in: 0..<100, using: &own) < noise else { return true }
                    return Bool.random(using: &own) ? nil : false
                }
                if index > 0, Int.random(in: 0..<4, using: &random) == 0 {
                    visit.after = hosts[Int.random(in: 0..<index, using: &random)]
                    visit.instead = [[], [Act.post()], [.silent()]].randomElement(using: &random) ?? []
                }
                visits.append(visit)
            }
        }
        return App(visits: visits)
    }
}

extension Act {
    static func random(_ random: inout SeededGenerator) -> Act {
        let acts: [Act] = [
            .request(96), .preface, .alert(42), .alert(46), .alert(48, .rst), .alert(51), .alert(80), .lateAlert(46),
            .silent(), .silent(.rst), .post(), .post(.closeNotify, says90: true), .post(.rst), .idle, .early,
            .negotiation(70), .resumed(0), .resumed(9), .noOrigin("gone"), .alert(46), .post(), .alert(48),
        ]
        return acts.randomElement(using: &random) ?? .early
    }
}

/// Evidence with some of its lines lost, doubled, cut or changed: what a judge may be handed.
private func damaged(_ evidence: RunEvidence, _ random: inout SeededGenerator) -> RunEvidence {
    var records: [NumberedRecord] = []
    let cut =
        Int.random(in: 0..<6, using: &random) == 0
        ? Int.random(in: 0...evidence.records.count, using: &random) : evidence.records.count
    for record in evidence.records.prefix(cut) {
        switch Int.random(in: 0..<200, using: &random) {
        case 0: continue
        case 1: records += [record, record]
        case 2...4:
            guard var seen = record.record.observation else { fallthrough }
            switch Int.random(in: 0..<7, using: &random) {
            case 0: seen.hello = nil
            case 1: seen.flight?.delivered = false
            case 2: seen.close = nil
            case 3: seen.upstream = nil
            case 4: seen.hello?.sni = "else.test"
            case 5: seen.trial = Int.random(in: -1...50, using: &random)
            default: seen.action = .none
            }
            records.append(NumberedRecord(line: record.line, .connection(seen)))
        default: records.append(record)
        }
    }
    return RunEvidence(records: records)
}

// The two promises that must hold whatever the evidence is: what was accepted or left open is never proven, and a
// pass rests on something that was shown.

@Test(
    "no random run is proven where the host sent data or stayed open, and none passes on nothing",
    arguments: seeds(ofAll: 300))
func soundOnRandomRuns(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let profile = Profile.test(
        refuse: ["api.test", "feed.test"], accept: ["shop.test"], optional: ["feed.test"],
        controls: ["cdn.test"], others: Bool.random(using: &random) ? .accept : .report)
    let app = App.random(["cdn.test", "api.test", "feed.test", "shop.test", "else.test"], &random)
    let coldStarts = Int.random(in: 1...3, using: &random)
    let selection: AttackSelection = Bool.random(using: &random) ? .set(.standard) : .set(.quick)
    let whole = app.run(profile, selection, coldStarts: coldStarts).evidence
    let evidence = seed % 2 == 0 ? whole : damaged(whole, &random)
    let judgement = Judge.judge(profile: profile, runs: [evidence])

    var outcomes: [HostName: [Outcome]] = [:]
    for seen in evidence.records.compactMap(\.record.observation) where seen.action == .intercepted && seen.trial > 0 {
        // What a control takes of a CA that nobody installed says nothing of whether it works.
        if seen.attack == .untrustedCA, seen.host.map(profile.isControl) ?? false { continue }
        if let host = seen.host { outcomes[host, default: []].append(Classifier.outcome(of: seen)) }
    }
    for verdict in judgement.hosts {
        #expect(!verdict.why.isEmpty)
        let seen = HostName(verdict.host).flatMap { outcomes[$0] } ?? []
        switch verdict.verdict {
        case .provenPinned:
            #expect(!seen.contains(.data) && !seen.contains(.idle) && !seen.contains(.resumed))
            #expect(verdict.missing.isEmpty && verdict.strength != nil)
            #expect(verdict.coldStarts >= coldStarts)
        case .notPinned: #expect(seen.contains(.data) && verdict.subtype != nil)
        case .refusedUnproven: #expect(!verdict.missing.isEmpty && verdict.strength == nil && !seen.contains(.data))
        case .refused: #expect(!seen.contains(.data))
        case .accepted: #expect(seen.contains(.data))
        case .tunnelled, .notExercised, .invalidEnvironment: break
        }
        if verdict.expect == .refuse, judgement.fault == nil {
            #expect(seen.contains(.data) == (verdict.verdict == .notPinned), "one witness decides")
        }
    }
    if judgement.result == .pass {
        #expect(judgement.hosts.contains { $0.verdict.isAsExpected })
        #expect(judgement.hosts.allSatisfy { !$0.required || $0.verdict.isAsExpected })
        #expect(evidence.isComplete && evidence.fault == nil)
    }
}

@Test("the random runs are of every kind, or the property above would say little")
func randomRunsVary() {
    var words: [VerdictWord: Int] = [:]
    for seed in 0..<UInt64(150) {
        var random = SeededGenerator(seed: seed)
        let app = App(visits: [.accepting("cdn.test")] + App.random(["api.test"], &random).visits)
        for verdict in app.judge(.test(), .set(.quick), coldStarts: 2).hosts { words[verdict.verdict, default: 0] += 1 }
    }
    for word in [VerdictWord.provenPinned, .notPinned, .refusedUnproven, .notExercised, .invalidEnvironment] {
        #expect(words[word, default: 0] > 3, "\(words)")
    }
}
