import Facts
import Policy
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
    let client = app(Client(connections: 6))
    let open = try verdict(client)
    #expect(open.missing == [.attack("later-connection")])
    #expect(open.why.contains("opens 6 connections"))
    let scope = try #require(open.findings.first { $0.id == "attacks-tried" })
    #expect(scope.text.contains("never attacked alone: numbers 5 to 6"))
    #expect(!open.findings.contains { $0.text.contains("no further connection") })
    #expect(try verdict(client, .set(.all)).verdict == .provenPinned)
    // Somebody chose to leave it out.
    #expect(try verdict(client, .set(.quick)).verdict == .provenPinned)
    #expect(try verdict(client, .list(["expired"])).verdict == .provenPinned)
    #expect(try verdict(app(Client(connections: 4))).verdict == .provenPinned)
    #expect(try verdict(app(Client(connections: 17)), .set(.all)).missing == [.attack("later-connection")])
}

@Test("a client that goes on after a refusal, and tries nothing again, has shown all of its connections at once")
func goesOnAfterRefusals() throws {
    var visit = App.Visit.always("api.test")
    visit.under = { attack, _ in [Act](repeating: .alert(46), count: attack == .trustedCA ? 6 : 1) }
    visit.connections = 6
    let app = App(visits: [.accepting("cdn.test"), visit])
    #expect(try verdict(app).verdict == .provenPinned)
    // One more than ever, where one was refused alone: it tries again, and may have done so under trusted-ca.
    var retries = Edited(app, coldStarts: 2)
    for trial in retries.trials.values where trial.variant.map({ $0 == "third" }) ?? false {
        let index = try #require(
            retries.records.firstIndex {
                if case .connection(let seen) = $0 {
                    seen.trial == trial.trial && seen.host == "api.test"
                } else {
                    false
                }
            })
        var again = Script.tunnelled("api.test")
        if case .connection(let seen) = retries.records[index] { (again.trial, again.at) = (seen.trial, seen.at + 1) }
        retries.records.insert(.connection(again), at: index + 1)
    }
    for name in ["second-only", "fourth"] {
        let numbers = retries.trials.values.filter { $0.variant == name }.map(\.trial)
        retries.edit("api.test", in: numbers, remove: true)
    }
    try retries.lacks(.attack("later-connection"))
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
    // It is used, and in this trial another one did its work.
    var instead = run
    instead.edit("api.test", in: run.numbers("later-connection")) { seen in
        if seen.action == .tunnelled { seen.requests = 2 }
    }
    try instead.lacks(.attack("later-connection"))
}
