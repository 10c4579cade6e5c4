import Facts
import Policy
import Testing

@testable import Verdict

/// A pinned app; what it does in a start that goes on from an earlier one.
private func app(_ second: [Act]?, leavesState: Bool = true) -> App {
    let visit = App.Visit(host: "api.test") { attack, _ in
        attack == "trusted-ca/second-start" ? second : App.Visit.pinned("api.test").under(attack, 0)
    }
    return App(visits: [.accepting("cdn.test"), visit], leavesState: leavesState)
}

private func hasSecondStart(_ app: App, _ selection: AttackSelection = .set(.standard)) -> Bool {
    app.run(.test(), selection).trials.contains(where: \.continuesState)
}

@Test("a second start is attacked where an untouched one left something, and in no other run")
func secondStartsTried() {
    #expect(hasSecondStart(app([.alert(46)])))
    #expect(!hasSecondStart(app([.alert(46)], leavesState: false)))
    #expect(!hasSecondStart(app([.alert(46)]), .set(.quick)))
    // Nor where it is asked for by name: there is nothing to go on from.
    #expect(!hasSecondStart(app([.alert(46)], leavesState: false), .list([.trustedCA])))
}

@Test("an app that looks once, and writes that down, is not pinned")
func secondStartFalls() throws {
    let verdict = try app([.request(96)]).judge(.test()).host("api.test")
    #expect(verdict.verdict == .notPinned)
    #expect(verdict.subtype == .bypass)
}

@Test("a second start that is refused is no obstacle, and one that nobody attacked is where there could have been one")
func refusedSecondStart() throws {
    #expect(try app([.alert(46)]).judge(.test()).host("api.test").verdict == .provenPinned)
    #expect(try app([.alert(46)], leavesState: false).judge(.test()).host("api.test").verdict == .provenPinned)
    // Evidence of a run whose plan had it, and in which it did not come.
    let run = app([.alert(46)]).run(.test()).evidence
    let trials = Set(
        run.records.compactMap { one -> Int? in
            if case .trialStarted(let start) = one.record, start.variant == "second-start" && start.attack == .trustedCA
            {
                start.trial
            } else {
                nil
            }
        })
    #expect(trials.count == 1)
    let without = run.records.map(\.record).filter { record -> Bool in
        switch record {
        case .trialStarted(let start): !trials.contains(start.trial)
        case .trialEnded(let end): !trials.contains(end.trial)
        case .connection(let seen): !trials.contains(seen.observation.trial)
        default: true
        }
    }
    let verdict = try Judge.judge(profile: .test(), runs: [RunEvidence(without)]).host("api.test")
    #expect(verdict.verdict == .refusedUnproven && verdict.missingNames == ["attack:trusted-ca/second-start"])
}

@Test("what an app left, and nobody could copy, is nothing that a start goes on from, and in the way of a proof")
func stateNotCopied() throws {
    let run = app([.alert(46)]).run(.test()).evidence
    let faulty = RunEvidence(
        run.records.map(\.record).map { record in
            guard case .trialEnded(var end) = record, end.leftState else { return record }
            end.stateFault = "permission denied"
            return .trialEnded(end)
        })
    #expect(Judge.judge(profile: .test(), runs: [faulty]).findings.contains { $0.id == "state-not-copied" })
    let file = CaseFile(profile: .test(), runs: [faulty])
    let conduct = Conduct(beginning: .afterUntouched)
    #expect(!Occasion.stateLeft(conduct.beginning).isGiven(by: "api.test", in: file))
    #expect(Occasion.stateLeft(conduct.beginning).isGiven(by: "api.test", in: CaseFile(profile: .test(), runs: [run])))
    // The scheduler does not try it, and the judge asks for it.
    var broken = app([.alert(46)])
    broken.stateFault = "permission denied"
    #expect(!hasSecondStart(broken))
    let verdict = try broken.judge(.test()).host("api.test")
    #expect(verdict.verdict == .refusedUnproven)
    #expect(verdict.missingNames.contains("attack:trusted-ca/second-start"), "\(verdict.missingNames)")
}

@Test("an app that asks for nothing in its second start lacks nothing, and the report says so")
func secondStartAsksNothing() throws {
    let verdict = try app(nil).judge(.test()).host("api.test")
    #expect(verdict.verdict == .provenPinned)
    #expect(lacksSecondStart(verdict))
    // What keeps nothing is not told of it: where else an app keeps something is a limit of every proof.
    let none = try app(nil, leavesState: false).judge(.test()).host("api.test")
    #expect(!lacksSecondStart(none))
}

private func lacksSecondStart(_ verdict: HostVerdict) -> Bool { lacks("trusted-ca/second-start", verdict) }

private func lacks(_ form: AttackID, _ verdict: HostVerdict) -> Bool {
    verdict.findings.contains { finding in
        guard case .app(.noOccasion(let names, let lacking)) = finding.fact else { return false }
        return names.contains(form) && lacking.contains(.earlierStart)
    }
}

/// A pinned app that leaves something in each start under `trusted-ca`; what it does in one that goes on from such a start.
private func app(afterRefusal: [Act]?, leavesState: Bool = true) -> App {
    let visit = App.Visit(host: "api.test") { attack, _ in
        attack == "trusted-ca/after-refusal" ? afterRefusal : App.Visit.pinned("api.test").under(attack, 0)
    }
    return App(visits: [.accepting("cdn.test"), visit], leavesStateAttacked: leavesState)
}

@Test("a start is attacked that goes on from a refused one, where that left something, and in no other run")
func startsAfterRefusal() {
    #expect(hasSecondStart(app(afterRefusal: [.alert(46)])))
    #expect(!hasSecondStart(app(afterRefusal: [.alert(46)], leavesState: false)))
    #expect(!hasSecondStart(app(afterRefusal: [.alert(46)]), .set(.quick)))
    #expect(!hasSecondStart(app(afterRefusal: [.alert(46)], leavesState: false), .list([.trustedCA])))
}

@Test("an app that gives its pin up where it was wrong once is not pinned; one that only writes that down is")
func afterRefusalFalls() throws {
    let verdict = try app(afterRefusal: [.request(96)]).judge(.test()).host("api.test")
    #expect(verdict.verdict == .notPinned && verdict.subtype == .bypass)
    #expect(try app(afterRefusal: [.alert(46)]).judge(.test()).host("api.test").verdict == .provenPinned)
    let silent = try app(afterRefusal: nil).judge(.test()).host("api.test")
    #expect(silent.verdict == .provenPinned)
    #expect(lacks("trusted-ca/after-refusal", silent) && !lacks("trusted-ca/second-start", silent))
}
