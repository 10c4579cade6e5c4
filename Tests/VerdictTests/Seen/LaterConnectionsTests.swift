import Facts
import Policy
import Report
import Testing

@testable import Verdict

private func app(_ client: Client) -> App {
    var visit = App.Visit.always("api.test")
    visit.client = client
    return App(visits: [.accepting("cdn.test"), visit])
}

private func verdict(_ app: App, _ selection: AttackSelection = .set(.standard), coldStarts: Int = 2) throws
    -> HostVerdict
{
    try app.judge(.test(), selection, coldStarts: coldStarts).host("api.test")
}

@Test("a connection that nobody looks at is found, though the client gives up at its first refusal", arguments: [1, 2])
func uncheckedOne(coldStarts: Int) throws {
    for unchecked in 1...3 {
        let verdict = try verdict(app(Client(connections: 4, unchecked: unchecked)), coldStarts: coldStarts)
        #expect(verdict.verdict == .notPinned && verdict.subtype == .bypass)
        #expect(verdict.attacks.filter { !$0.dataForms.isEmpty }.map(\.attack) == ["later-connection"])
    }
    let late = app(Client(connections: 16, unchecked: 15))
    #expect(try verdict(late, .set(.all)).verdict == .notPinned)
}

@Test("a first connection that depends on a second one, which is checked, is attacked alone as well")
func firstAlone() throws {
    var visit = App.Visit.always("api.test")
    visit.connections = 2
    visit.under = { _, _ in [.alert(46)] }
    let trials = App(visits: [.accepting("cdn.test"), visit]).run(.test(), coldStarts: 1).trials
    #expect(trials.contains { $0.variant?.name == "first-only" && $0.variant?.conduct.onset == .only(1) })
}

@Test("what was opened untouched and not attacked is in the way of a proof, and named")
func openedAndNotAttacked() throws {
    let open = try verdict(app(Client(connections: 18)))
    #expect(open.missing == [.attack("later-connection")])
    #expect(open.why.contains("opens 18 connections"))
    let scope = try #require(open.findings.first { $0.id == "attacks-tried" })
    #expect(scope.text.contains("never attacked alone: numbers 17 to 18"))
    #expect(!open.findings.contains { $0.text.contains("no further connection") })
    let client = app(Client(connections: 6))
    #expect(try verdict(client, .set(.all)).verdict == .provenPinned)
    // Somebody chose to leave it out.
    #expect(try verdict(client, .set(.quick)).verdict == .provenPinned)
    #expect(try verdict(client, .list(["expired"])).verdict == .provenPinned)
    #expect(try verdict(app(Client(connections: 4))).verdict == .provenPinned)
    #expect(try verdict(app(Client(connections: 17)), .set(.all)).missing == [.attack("later-connection")])
}

@Test(
    "connections beyond the fourth are attacked alone in the standard set, where untouched they are used",
    arguments: [1, 2])
func beyondTheFourth(coldStarts: Int) throws {
    for count in [5, 6, 16] {
        let sound = try verdict(app(Client(connections: count)), coldStarts: coldStarts)
        #expect(sound.verdict == .provenPinned)
        #expect(!sound.findings.contains { $0.text.contains("never attacked alone") })
        let weak = try verdict(app(Client(connections: count, unchecked: count - 1)), coldStarts: coldStarts)
        #expect(weak.verdict == .notPinned && weak.subtype == .bypass)
    }
    // One that did not come in its own trial is open, and so is all behind it.
    var run = Edited(app(Client(moment: .inHandshake, connections: 6)), coldStarts: 2)
    #expect(try run.verdict().verdict == .provenPinned)
    let fifth = run.trials.values.filter { $0.variant == "fifth" }.map(\.trial)
    run.edit("api.test", in: fifth) { if $0.action == .intercepted { $0 = .like($0, .early) } }
    try run.lacks(.attack("later-connection"))
    let scope = try #require(try run.verdict().findings.first { $0.id == "attacks-tried" })
    #expect(scope.text.contains("never attacked alone: numbers 5 to 6"))
}

@Test("only connections beside each other that each say no in an alert were all met at once")
func metAtOnce() throws {
    func verdict(_ act: Act, together: Bool, lastLater seconds: Double = 0) throws -> HostVerdict {
        var visit = App.Visit.always("api.test")
        visit.under = { attack, _ in [Act](repeating: act, count: attack == .trustedCA ? 18 : 1) }
        visit.connections = 18
        var run = Edited(App(visits: [.accepting("cdn.test"), visit]), coldStarts: 2)
        if together {
            var untouched: [Int: Int] = [:]
            run.edit("api.test", in: run.numbers(.trustedCA) + run.numbers(.passthrough)) { seen in
                seen.at = (seen.at / 100).rounded(.down) * 100
                guard seen.action == .tunnelled else { return }
                untouched[seen.trial, default: 0] += 1
                if untouched[seen.trial] == 18 { seen.at += seconds }
            }
        }
        return try run.verdict()
    }
    #expect(try verdict(.alert(46), together: true).verdict == .provenPinned)
    // Seventeen workers that try twice are no eighteen: the one that sends the sum when all are done was never there.
    #expect(try verdict(.alert(46), together: true, lastLater: 30).missing == [.attack("later-connection")])
    // Nor those that came after the first had said no, however long it kept its socket.
    var kept = App.Visit.always("api.test")
    kept.under = { attack, _ in [Act](repeating: .alert(46), count: attack == .trustedCA ? 18 : 1) }
    kept.connections = 18
    var run = Edited(App(visits: [.accepting("cdn.test"), kept]), coldStarts: 2)
    run.edit("api.test", in: run.numbers(.trustedCA)) { $0.close?.ms = 90_000 }
    #expect(try run.verdict().missing == [.attack("later-connection")])
    // One after the other they may be one that is tried again, and a client that gives up closes what it has open.
    for missed in [try verdict(.alert(46), together: false), try verdict(.post(), together: true)] {
        #expect(missed.missing == [.attack("later-connection")])
    }
}

@Test("a connection that is used each time untouched, and did not come in its own trial, is open")
func absentConnection() throws {
    var visit = App.Visit.always("api.test")
    visit.under = { _, _ in [.alert(46)] }
    visit.connections = 2
    var run = Edited(App(visits: [.accepting("cdn.test"), visit]), coldStarts: 2)
    #expect(try run.verdict().verdict == .provenPinned)
    let second = run.trials.values.filter { $0.attack == "later-connection" }.map(\.trial)
    var kept: Set<Int> = []
    run.records = run.records.filter { record in
        guard let seen = record.observation, seen.host == "api.test", second.contains(seen.trial) else {
            return true
        }
        return kept.insert(seen.trial).inserted
    }
    try run.lacks(.attack("later-connection"))
}

@Test("a spare connection, never used untouched, neither refuses by being closed nor is in a proof's way")
func spareConnection() throws {
    var visit = App.Visit.always("api.test")
    visit.under = { _, _ in [.post()] }
    visit.connections = 2
    let run = Edited(App(visits: [.accepting("cdn.test"), visit]), coldStarts: 2)
    #expect(try run.verdict().verdict == .provenPinned)
    // The second one of two carries nothing, wherever it is left alone.
    var spare = run
    var before: Set<Int> = []
    spare.edit("api.test", in: run.numbers(.passthrough)) { seen in
        if !before.insert(seen.trial).inserted { seen.passthroughData = false }
    }
    let file = CaseFile(profile: .test(), runs: [RunEvidence(spare.records)])
    let review = Review(file, "api.test", expect: .refuse)
    let second = Requirement(attack: "later-connection", variant: "second")
    #expect(review.reaction(of: "openssl", to: second) == .noOccasion)
    #expect(try spare.verdict().verdict == .provenPinned)
    // It is used now and then, and in this trial another one did its work. Where it is used each time, that is a retry.
    var instead = run
    instead.edit("api.test", in: run.numbers("later-connection")) { seen in
        if seen.action == .tunnelled { seen.requests = 2 }
    }
    #expect(try instead.verdict().verdict == .provenPinned)
    var once: Set<Int> = []
    instead.edit("api.test", in: [run.numbers(.passthrough)[0]]) { seen in
        if !once.insert(seen.trial).inserted { seen.passthroughData = false }
    }
    try instead.lacks(.attack("later-connection"))
}

@Test("a connection on which the client sends and does not wait for an answer is used, and has to be attacked")
func firedAndForgotten() throws {
    var visit = App.Visit.always("api.test")
    visit.under = { _, _ in [.alert(46)] }
    visit.connections = 18
    var run = Edited(App(visits: [.accepting("cdn.test"), visit]), coldStarts: 2)
    var seen: [Int: Int] = [:]
    run.edit("api.test", in: run.numbers(.passthrough)) { connection in
        seen[connection.trial, default: 0] += 1
        // The last two: nobody answers.
        if seen[connection.trial, default: 0] > 16 { connection.passthroughData = false }
    }
    #expect(try run.verdict().verdict == .provenPinned, "spare ones")
    seen = [:]
    run.edit("api.test", in: run.numbers(.passthrough)) { connection in
        seen[connection.trial, default: 0] += 1
        if seen[connection.trial, default: 0] == 18 { connection.clientAsked = true }
    }
    try run.lacks(.attack("later-connection"))
    #expect(try run.verdict().why.contains("opens 18 connections"))
}

@Test("places are those of the ClientHellos, whichever connection was opened first")
func orderOfHellos() throws {
    func opened(_ at: Double, hello: Double?, used: Bool) -> Observation {
        var seen = Script.tunnelled("api.test", data: used)
        (seen.at, seen.helloMS) = (at, hello)
        return seen
    }
    func places(_ connections: [Observation]) -> LaterConnections {
        let key = TrialKey(run: 0, number: 1)
        let seen = connections.map {
            Sighting(trial: key, line: 1, host: "api.test", observed: Observed($0), attack: nil, variant: nil)
        }
        let untouched = Review.Untouched(
            trial: key, wasAttempted: true, hasFailed: false, stacks: ["openssl"], carriedData: true)
        return LaterConnections(seen, in: [untouched])
    }
    // The spare one is opened ahead, and begins with TLS last.
    let ahead = opened(10, hello: 900, used: false)
    let used = opened(10.5, hello: 20, used: true)
    #expect(places([ahead, used]).lastUsed == 1 && places([ahead, used]).isUsed(1...1, by: "openssl"))
    let older = places([opened(10, hello: nil, used: false), opened(10.5, hello: nil, used: true)])
    #expect(older.lastUsed == 2)
}
