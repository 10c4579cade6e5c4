import Facts
import Policy
import Testing

@testable import Verdict

// A client that tries again with less on offer shows itself by another hello: a stack that is never seen at work.

private func verdict(
    again: Act, after: Act = .alert(46), in attacks: Set<AttackID>? = nil, change: (inout Edited) -> Void = { _ in }
) throws -> HostVerdict {
    let app = App(visits: [.accepting("cdn.test"), .always("api.test", after)])
    var run = Edited(app, coldStarts: 2)
    for start in run.trials.values where attacks?.contains(start.attack) ?? (start.attack != .passthrough) {
        let first = run.records.firstIndex { record in
            if let seen = record.observation {
                seen.trial == start.trial && seen.host == "api.test"
            } else {
                false
            }
        }
        guard let first, let before = run.records[first].observation else { throw Failure() }
        var second = Script.intercepted(
            "api.test", start.attack, variant: start.variant, stack: "openssl-1.2", again)
        second.trial = start.trial
        second.at = before.at + 0.5
        second.connection = 9000
        run.records.insert(.connection(second), at: first + 1)
    }
    change(&run)
    return try run.verdict()
}

@Test("a second try with another hello, refused in so many words, costs no proof")
func secondTry() throws {
    #expect(try verdict(again: .alert(46)).verdict == .provenPinned)
    #expect(try verdict(again: .alert(42), after: .post()).verdict == .provenPinned)
    #expect(try verdict(again: .alert(46), in: [.trustedCA]).verdict == .provenPinned)
}

@Test("one that closes without a word may be an unused socket")
func muteTry() throws {
    for act in [Act.post(), .silent(), .alert(80)] {
        #expect(try verdict(again: act).missing == [.trustControl, .sameStackPassthrough], "\(act)")
    }
}

@Test("one that does not know the CA, where the first did, may be unpinned, and trust others")
func otherTrust() throws {
    #expect(try verdict(again: .alert(48)).missing == [.trustControl])
    #expect(try verdict(again: .alert(48), after: .alert(48)).verdict == .provenPinned)
}

@Test("one that came first, or that works untouched, is a stack like any other")
func noSecondTry() throws {
    let first = try verdict(again: .alert(46)) { run in
        run.edit("api.test", in: run.numbers(.trustedCA)) { seen in
            if seen.hello?.stack == "openssl-1.2" { seen.at -= 10 }
        }
    }
    #expect(first.missing == [.trustControl])
    let working = try verdict(again: .alert(46)) { run in
        var seen = Script.tunnelled("api.test", stack: "openssl-1.2")
        seen.trial = run.numbers(.passthrough)[0]
        run.records.append(.connection(seen))
    }
    // It is a connection more as well, and no trial attacked that alone.
    #expect(working.missing.first == .trustControl)
}

@Test("data on it is a witness all the same, and so is nothing forgiven that stays open")
func noPardon() throws {
    #expect(try verdict(again: .request(9)).verdict == .notPinned)
    #expect(try verdict(again: .idle).missing.contains(.idleConnections))
}

@Test("a stack that is never seen at work makes no cold start of what is")
func besideIsNoColdStart() throws {
    let app = App(visits: [
        .accepting("cdn.test"), .accepting("cdn.test", stack: "webview"), .always("api.test", .alert(46)),
    ])
    var run = Edited(app, coldStarts: 2)
    for number in run.numbers(.trustedCA) {
        var beside = Script.intercepted("api.test", .trustedCA, stack: "webview", .alert(46))
        beside.trial = number
        beside.at = 0
        run.records.append(.connection(beside))
    }
    #expect(try run.verdict().verdict == .provenPinned)
    let number = run.numbers(.trustedCA)[0]
    run.edit("api.test", in: [number]) { seen in if seen.hello?.stack == "openssl" { seen = .like(seen, .early) } }
    try run.lacks(.coldStarts)
}
