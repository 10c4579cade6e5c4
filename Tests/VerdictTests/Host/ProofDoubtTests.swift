import Facts
import Policy
import Testing

@testable import Verdict

// What leaves a doubt where a refusal would otherwise prove.

@Test("an RST without a word refuses where every cold start ends so, and is a crash where one does not")
func silentResets() throws {
    let steady = App(visits: [.accepting("cdn.test"), .always("api.test", .silent(.rst))])
    #expect(try steady.judge(.test()).host("api.test").verdict == .provenPinned)

    // Other words, or an ending after the handshake, are another ending than silence.
    for other in [Act.alert(80), .post(), .early, .idle] {
        var mixed = Edited(steady)
        mixed.edit("api.test", in: [mixed.numbers(.trustedCA)[1]], { $0 = .like($0, other) })
        let verdict = try mixed.verdict()
        #expect(verdict.verdict == .refusedUnproven)
        #expect(verdict.missing.contains(.consistentRefusal))
    }
}

@Test("a FIN among RSTs is the same silence, in whichever start and however many they are", arguments: [1, 2, 3])
func finsAmongResets(nth: Int) throws {
    for (one, others) in [(Act.silent(.fin), Act.silent(.rst)), (.silent(.rst), .silent(.fin))] {
        let visit = App.Visit(host: "api.test") { attack, trial in
            attack == .trustedCA && trial == nth ? [one] : [others]
        }
        let verdict = try App(visits: [.accepting("cdn.test"), visit]).judge(.test()).host("api.test")
        #expect(verdict.verdict == .provenPinned)
        #expect(verdict.coldStarts == 3)
    }
}

@Test("a start in which our flight did not arrive is made up for, and does not undo the others", arguments: [1, 2, 3])
func unheardStart(nth: Int) throws {
    let visit = App.Visit(host: "api.test") { attack, trial in
        attack == .trustedCA && trial == nth ? [.unheard] : [.silent(.rst)]
    }
    let app = App(visits: [.accepting("cdn.test"), visit])
    #expect(try app.judge(.test()).host("api.test").verdict == .provenPinned)
    // What is not made up for is missing.
    var run = Edited(App(visits: [.accepting("cdn.test"), .always("api.test", .silent(.rst))]))
    run.edit("api.test", in: [run.numbers(.trustedCA)[nth - 1]], { $0 = .like($0, .unheard) })
    try run.lacks(.coldStarts)
    // A connection that the gate cut before it had shown anything is none of the client's doing either.
    run.edit(
        "api.test", in: [run.numbers(.trustedCA)[nth - 1]],
        {
            $0.flight = nil
            $0.close?.by = .gate
        })
    try run.lacks(.coldStarts)
}

@Test("a stack that is away in one start is not known to refuse by its RSTs in the others")
func resetsOfAStackThatComesAndGoes() throws {
    var run = Edited(App(visits: [.accepting("cdn.test"), .always("api.test", .silent(.rst))]))
    run.edit("api.test", in: [run.numbers(.trustedCA)[1]], { $0.hello?.stack = "other" })
    #expect(try run.verdict().missing.contains(.consistentRefusal))
}

@Test("a client that refuses by an alert, and now and then closes by an RST, is met until N starts are clear")
func resetNowAndThen() throws {
    func app(resetting: Set<Int>) -> App {
        var visit = App.Visit.always("api.test")
        visit.under = { attack, nth in
            [attack == .trustedCA && resetting.contains(nth) ? .silent(.rst) : .alert(46)]
        }
        return App(visits: [.accepting("cdn.test"), visit])
    }
    for resetting in [[1], [2], [3], [1, 3], [1, 2, 4]] as [Set<Int>] {
        let run = app(resetting: resetting).run(.test(), .set(.quick))
        let verdict = try Judge.judge(profile: .test(), runs: [run.evidence]).host("api.test")
        #expect(verdict.verdict == .provenPinned && verdict.coldStarts == 3, "\(resetting): \(verdict.missingNames)")
        #expect(run.trials.filter(\.isColdStart).count == 3 + resetting.count)
    }
    // Too seldom: it may crash.
    let crashing = try app(resetting: [1, 2, 4, 5]).judge(.test(), .set(.quick)).host("api.test")
    #expect(crashing.missing.contains(.consistentRefusal))
}

@Test("an RST without a word under one other attack is unclear, unless the client always refuses so")
func resetUnderOtherAttack() throws {
    var run = Edited()
    run.edit("api.test", in: run.numbers("expired"), { $0 = .like($0, .silent(.rst)) })
    try run.lacks(.consistentRefusal)
}

@Test("what neither SNI nor CONNECT names is no proof for it")
func identity() throws {
    var run = Edited()
    run.edit(
        "api.test", in: run.numbers(.trustedCA),
        {
            $0.hello?.sni = nil
            $0.target = nil
        })
    let verdict = try run.verdict()
    #expect(verdict.verdict == .refusedUnproven)
    #expect(verdict.missing.contains(.hostIdentity))

    // No SNI, but CONNECT says it: as good as an SNI.
    var named = Edited()
    named.edit("api.test", in: Array(1...40), { $0.hello?.sni = nil })
    #expect(try named.verdict().verdict == .provenPinned)
}

@Test("plain HTTP to the host only while it is attacked is a way out, not a refusal")
func cleartext() throws {
    var run = Edited()
    var plain = Observation(via: .http)
    plain.host = "api.test"
    plain.target = Endpoint("api.test", 80)
    plain.action = .forwarded
    plain.bytesUp = 100
    plain.trial = run.numbers(.trustedCA)[0]
    run.records.append(.connection(plain))
    try run.lacks(.attack("cleartext-fallback"), .finding("leak-after-refusal"))
    #expect(try run.verdict().has("leak-after-refusal"))

    // Through CONNECT it is a tunnel that no ClientHello was seen in.
    var tunnelled = Edited()
    plain.via = .connect
    plain.action = .tunnelled
    plain.attack = .passthrough
    tunnelled.records.append(.connection(plain))
    try tunnelled.lacks(.attack("cleartext-fallback"), .finding("leak-after-refusal"))

    // Where it always does so it is a habit, and a warning.
    plain.trial = run.numbers(.passthrough)[0]
    run.records.append(.connection(plain))
    #expect(try run.verdict().verdict == .provenPinned)
    #expect(try run.verdict().has("plain-http"))
}

@Test("a run without an end proves nothing", arguments: [true, false])
func unfinishedRun(hasEnd: Bool) throws {
    var run = Edited()
    run.records = run.records.compactMap { record in
        guard case .runEnded(var end) = record else { return record }
        end.interrupted = true
        return hasEnd ? .runEnded(end) : nil
    }
    try run.lacks(.run)
}

@Test("what the gate cut to end the command is no refusal; what the client had closed before is one")
func killedCommand() throws {
    func timedOut(_ act: Act, closedBy side: Observation.Close.Side) throws -> HostVerdict {
        var run = Edited(App(visits: [.accepting("cdn.test"), .always("api.test", act)]))
        let number = run.numbers(.trustedCA)[1]
        run.records = run.records.map { record in
            switch record {
            case .connection(let observed)
            where observed.observation.trial == number && observed.observation.host == "api.test":
                var seen = observed.observation
                seen.close?.by = side
                if side == .gate { seen.close?.how = .aborted }
                return .connection(seen)
            case .trialEnded(var end) where end.trial == number:
                end.timedOut = true
                return .trialEnded(end)
            default: return record
            }
        }
        return try run.verdict()
    }
    #expect(try timedOut(.post(), closedBy: .gate).missing == [.idleConnections, .coldStarts])
    #expect(try timedOut(.silent(), closedBy: .gate).missing == [.coldStarts])
    #expect(try timedOut(.alert(42), closedBy: .client).verdict == .provenPinned)
    #expect(try timedOut(.post(), closedBy: .client).verdict == .provenPinned)
}

@Test(
    "an answer that says we could not be read is a fault of ours, not a pin",
    arguments: [UInt8(10), 20, 21, 22, 51, 110])
func unreadable(code: UInt8) throws {
    var run = Edited()
    run.edit("api.test", in: [run.numbers(.trustedCA)[0]], { $0 = .like($0, .alert(code)) })
    #expect(try run.verdict().missing == [.coldStarts])
    run.edit("api.test", in: run.numbers(.trustedCA), { $0 = .like($0, .alert(code)) })
    #expect(try run.verdict().verdict == .invalidEnvironment)
}

@Test("a close after another protocol than the origin's was agreed on is no refusal")
func otherProtocol() throws {
    var run = Edited()
    run.edit("api.test", in: run.numbers(.trustedCA), { $0.upstream?.negotiated?.alpn = "h2" })
    #expect(try run.verdict().verdict == .invalidEnvironment)
}
