import Facts
import Policy
import Report
import Testing

@testable import Verdict

private func trials(
    _ visits: App.Visit..., profile: Profile = .test(), selection: AttackSelection = .set(.standard),
    coldStarts: Int = 1, form: String = "older"
) -> [Trial] {
    App(visits: [.accepting("cdn.test")] + visits).run(profile, selection, coldStarts: coldStarts).trials
        .filter { $0.variant?.name == form }
}

@Test(
    "the standard set tries the older handshake once, whatever the cold starts, and `quick` does not", arguments: 1...3)
func onceOnly(coldStarts: Int) {
    #expect(trials(.pinned("api.test"), coldStarts: coldStarts).map(\.id) == [.trustedCA])
    #expect(trials(.pinned("api.test"), selection: .set(.quick), coldStarts: coldStarts).isEmpty)
    #expect(trials(.pinned("api.test"), selection: .set(.all), coldStarts: coldStarts).count == 1)
    #expect(trials(.pinned("api.test"), selection: .list(["expired"]), coldStarts: coldStarts).isEmpty)
}

@Test("the host alone is forged where the client visits others, and there is room", arguments: 1...3)
func hostOnly(coldStarts: Int) {
    let refusing = App.Visit.pinned("api.test", trusted: [.alert(46)])
    #expect(trials(refusing, coldStarts: coldStarts, form: "host-only").map(\.only) == [[]])
    #expect(trials(refusing, selection: .set(.quick), coldStarts: coldStarts, form: "host-only").isEmpty)
    #expect(trials(refusing, selection: .set(.all), coldStarts: coldStarts, form: "host-only").count == 1)
    let alone = App(visits: [refusing]).run(.test(), coldStarts: coldStarts).trials
    #expect(alone.contains { $0.variant?.name == "older" } && !alone.contains { $0.variant?.name == "host-only" })
    let both = Profile.test(refuse: ["api.test", "feed.test"])
    // With several of them, all but one are left alone each time: one's check may be taken for another's.
    for selection in [AttackSelection.set(.standard), .set(.all)] {
        let each = trials(
            refusing, .pinned("feed.test"), profile: both, selection: selection, coldStarts: coldStarts,
            form: "host-only")
        #expect(each.map(\.only).filter { !$0.isEmpty } == [["api.test"], ["feed.test"]])
    }
}

@Test("a host that was kept from its turn by another one's refusal meets the older handshake alone")
func aloneAsWell() {
    let both = Profile.test(refuse: ["api.test", "feed.test"])
    var second = App.Visit.pinned("feed.test")
    second.after = "api.test"
    let app = App(visits: [.accepting("cdn.test"), .pinned("api.test"), second])
    let older = app.run(both, coldStarts: 2).trials.filter { $0.variant?.name == "older" }
    #expect(older.map(\.only) == [[], ["feed.test"]])
}

@Test("it is for hosts that are still to be proven, and for all of them at once")
func stillOpen() {
    #expect(trials(.accepting("api.test")).isEmpty)
    let both = Profile.test(refuse: ["api.test", "feed.test"])
    #expect(trials(.pinned("api.test"), .pinned("feed.test"), profile: both).map(\.only) == [[]])
}

@Test(
    "who took a genuine issuer for the one that is named like it meets namesakes that it can tell apart",
    arguments: 1...3)
func namesakes(coldStarts: Int) throws {
    let holding = App.Visit(host: "api.test") { attack, _ in
        switch attack {
        case "cloned-identity", "expired", "not-yet-valid", "other-host": [.alert(51)]
        case .untrustedCA, "self-signed": [.alert(48)]
        default: [.alert(46)]
        }
    }
    let form = "namesakes"
    #expect(trials(holding, coldStarts: coldStarts, form: form).map(\.only) == [[]])
    #expect(trials(holding, selection: .set(.quick), coldStarts: coldStarts, form: form).isEmpty)
    #expect(trials(holding, selection: .set(.all), coldStarts: coldStarts, form: form).count == 1)
    #expect(trials(.pinned("api.test", trusted: [.alert(46)]), coldStarts: coldStarts, form: form).isEmpty)
    // It has no other reason to refuse those than its pin; where it takes them, it has none of keys.
    var run = Edited(App(visits: [.accepting("cdn.test"), holding]), .test(), .set(.standard), coldStarts: coldStarts)
    #expect(try run.verdict().verdict == .provenPinned)
    let numbers = run.trials.values.filter { $0.variant == form }.map(\.trial)
    run.edit("api.test", in: numbers) { $0 = .like($0, .request(96)) }
    let verdict = try run.verdict()
    #expect(verdict.verdict == .notPinned && verdict.subtype == .bypass)
}

@Test("a trial that cuts the others off finds pins that come from elsewhere, and asks for nothing that was not asked")
func othersUnreachable() throws {
    // Its pins come from the control: without them it sends what it has.
    let remote = App.Visit(host: "api.test") { _, _ in [.alert(46)] }
    let app = App(visits: [.accepting("cdn.test"), remote])
    let run = app.run(.test(), coldStarts: 1)
    let trial = try #require(run.trials.first { $0.variant?.name == "others-unreachable" })
    let plan = Plan(profile: .test(), phase: trial.phase)
    #expect(plan.reaches("api.test") && !plan.reaches("cdn.test") && !plan.reaches("else.test"))
    var fell = Edited(app, .test(), .set(.standard), coldStarts: 1)
    let number = try #require(fell.trials.values.first { $0.variant == "others-unreachable" }?.trial)
    fell.edit("api.test", in: [number]) { $0 = .like($0, .request(96)) }
    let verdict = try fell.verdict(.test())
    #expect(verdict.verdict == .notPinned)
    #expect(verdict.subtype == .bypass)
    // An app that cannot begin asks for nothing, and has shown nothing by it.
    var silent = Edited(app, .test(), .set(.all), coldStarts: 1)
    let unreachable = silent.trials.values.filter { $0.variant == "others-unreachable" }.map(\.trial)
    silent.edit("api.test", in: unreachable, remove: true)
    #expect(try silent.verdict(.test()).verdict == .provenPinned)
}

@Test("where the others have nothing to give, pins that come from there are found; who gives up has shown nothing")
func othersAnswer404() throws {
    let remote = App.Visit.pinned("api.test", trusted: [.alert(46)])
    let app = App(visits: [.accepting("cdn.test"), remote])
    func changed(_ change: (inout Observation) -> Void = { _ in }, remove: Bool = false) throws -> HostVerdict {
        var run = Edited(app, .test(), .set(.standard), coldStarts: 1)
        let number = try #require(run.trials.values.first { $0.variant == "others-answer-404" }?.trial)
        run.edit("cdn.test", in: [number]) { seen in
            seen.status = 404
            seen.statusMS = 25
            seen.close = .init(by: .proxy, how: .closeNotify, ms: 30)
        }
        run.edit("api.test", in: [number], change, remove: remove)
        return try run.verdict()
    }
    // It refused after the other one had answered, and was gone.
    #expect(try changed().verdict == .provenPinned)
    let fell = try changed { $0 = .like($0, .request(96)) }
    #expect(fell.verdict == .notPinned && fell.subtype == .bypass)
    #expect(try changed(remove: true).verdict == .provenPinned)
    // Opened ahead, and closed unused when the answer came: no refusal, and nothing that is lacking.
    let ahead = try changed { seen in
        seen = .like(seen, .post())
        seen.at -= 2
        seen.close = .init(by: .client, how: .fin, ms: 3000)
    }
    #expect(ahead.verdict == .provenPinned)
    // A control that was answered so took the CA as ever.
    #expect(try !changed().has("platform-default-refusal"))
}

@Test("where a control took the CA, its leaf names the host once, in `standard` too", arguments: 1...3)
func coalesced(coldStarts: Int) throws {
    let refusing = App.Visit.pinned("api.test", trusted: [.alert(46)])
    #expect(trials(refusing, coldStarts: coldStarts, form: "coalesced").map(\.only) == [[]])
    #expect(trials(refusing, selection: .set(.quick), coldStarts: coldStarts, form: "coalesced").isEmpty)
    #expect(trials(refusing, selection: .set(.all), coldStarts: coldStarts, form: "coalesced").count == 1)
    // Nothing else is forged, or what is was refused: there is no connection to share.
    for visits in [[refusing], [.always("cdn.test", .alert(48)), refusing]] {
        let run = App(visits: visits).run(.test(), coldStarts: coldStarts)
        #expect(!run.trials.contains { $0.variant?.name == "coalesced" })
        #expect(run.trials.contains { $0.variant?.name == "older" })
    }
}

@Test("a request for the host on the control's connection is a witness, and the words say which connection it was")
func coalescedRequest() throws {
    var run = Edited(provenApp, .test(), .set(.standard), coldStarts: 1)
    let number = try #require(run.trials.values.first { $0.variant == "coalesced" }?.trial)
    run.edit("cdn.test", in: [number]) { seen in
        #expect(seen.variant == "coalesced")
        seen.asked = ["cdn.test", "api.test"]
    }
    // It never came to a connection of its own.
    run.edit("api.test", in: [number], remove: true)
    let verdict = try run.verdict()
    #expect(verdict.verdict == .notPinned && verdict.subtype == .bypass)
    #expect(verdict.why.contains("under trusted-ca/coalesced, over a connection that was opened to cdn.test"))
    #expect(!verdict.has("sni-differs"))
    let finding = try verdict.finding("asked-over-another-connection")
    #expect(finding.severity == .error)
    #expect(finding.text == "the connection was opened to cdn.test, and the request for api.test went over it")
    #expect(verdict.attacks.contains { $0.attack == .trustedCA && $0.dataForms == ["coalesced"] })
    // What asks the control alone is the control's.
    run.edit("cdn.test", in: [number]) { $0.asked = [] }
    #expect(try run.verdict().verdict != .notPinned)
}

@Test("there is room for them however many connections a client opens")
func withoutRoom() throws {
    func scope(_ connections: Int) throws -> String {
        var visit = App.Visit.always("api.test")
        visit.client = Client(connections: connections)
        let app = App(visits: [.accepting("cdn.test"), visit])
        let run = app.run(.test(), coldStarts: 1)
        #expect(run.trials.count { !$0.comesOnTop } <= Scheduler.singleHostLimit)
        let verdict = try Judge.judge(profile: .test(), runs: [run.evidence]).host("api.test")
        #expect(verdict.verdict == .provenPinned)
        return try verdict.finding("attacks-tried").text
    }
    #expect(try scope(1).contains("further forms not tried") == false)
    #expect(try scope(2).contains("further forms not tried") == false)
    #expect(try scope(4).contains("further forms not tried") == false)
}

@Test("it is no cold start, and in no proof's way where a client has nothing older on offer")
func noColdStart() throws {
    var app = App(visits: [.accepting("cdn.test"), .pinned("api.test")])
    let run = app.run(.test(), coldStarts: 2)
    let whole = try Judge.judge(profile: .test(), runs: [run.evidence]).host("api.test")
    #expect(whole.verdict == .provenPinned && whole.coldStarts == 2)
    app.visits[1].under = { attack, nth in attack == .trustedCA && nth > 1 ? [.negotiation(70)] : [.alert(46)] }
    let unable = app.run(.test(), coldStarts: 1)
    #expect(unable.trials.contains { $0.variant?.name == "older" })
    #expect(try Judge.judge(profile: .test(), runs: [unable.evidence]).host("api.test").verdict == .provenPinned)
}
