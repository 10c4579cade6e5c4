import Facts
import Policy
import Testing

@testable import Verdict

private func app(_ client: Client) -> App {
    var visit = App.Visit.always("api.test")
    visit.client = client
    return App(visits: [.accepting("cdn.test"), visit])
}

private func forms(_ app: App, _ selection: AttackSelection = .set(.standard), coldStarts: Int = 2) -> [String] {
    app.run(.test(), selection, coldStarts: coldStarts).trials.filter { $0.id == "later-connection" }
        .compactMap { $0.variant?.name }
}

@Test("a connection in the middle that nobody looks at is found, though the client gives up at its first refusal")
func middle() throws {
    for unchecked in 2...4 {
        let run = app(Client(connections: 6, unchecked: unchecked)).run(.test(), .set(.standard), coldStarts: 2)
        let verdict = try Judge.judge(profile: .test(), runs: [run.evidence]).host("api.test")
        #expect(verdict.verdict == .notPinned && verdict.subtype == .bypass)
        #expect(verdict.attacks.filter { !$0.dataForms.isEmpty }.map(\.attack) == ["later-connection"])
    }
}

@Test("each of the first ones gets a trial, in the order of need: the second, the last, those between")
func order() {
    #expect(forms(app(Client(connections: 2))) == ["second"])
    #expect(forms(app(Client(connections: 3))) == ["second", "last"])
    #expect(forms(app(Client(connections: 5))) == ["second", "last", "third", "fourth"])
    #expect(forms(app(Client(connections: 20))) == ["second", "last", "third", "fourth", "fifth", "sixth"])
    let all = forms(app(Client(connections: 20)), .set(.all)).filter { !$0.contains("reset") }
    #expect(Set(all).isSuperset(of: ["third", "tenth", "last"]) && !all.contains("eleventh"))
}

@Test("a client that goes on after a refusal has shown all of its connections at once")
func goesOn() {
    var visit = App.Visit.always("api.test")
    visit.under = { _, _ in [.alert(46)] }
    visit.connections = 6
    #expect(!forms(App(visits: [.accepting("cdn.test"), visit])).contains("third"))
}

@Test("a trial in which the first attacked connection comes after all that are usual is no trap")
func tardy() throws {
    var script = Script(coldStarts: 2)
    func untouched() {
        script.start(.passthrough)
        for _ in 0..<4 { script.tunnel("api.test") }
        script.end()
    }
    untouched()
    script.start("later-connection", variant: "after-3-resets")
    for act in [Act.early, .early, .early, .early, .early, .alert(46)] {
        script.attack("api.test", "later-connection", variant: "after-3-resets", act)
    }
    script.end()
    untouched()
    let review = Review(CaseFile(profile: .test(), runs: [script.evidence]), "api.test", expect: .refuse)
    let middle = try #require(MiddleConnection(review, among: AttackSelection.set(.standard).attacks))
    #expect(middle.variant.name == "third")
}

@Test("one cold start has no room for them in the standard set, and many hosts would need too many")
func bounds() {
    let names = forms(app(Client(connections: 6)), coldStarts: 1)
    #expect(!names.contains("third"))
    var other = App.Visit.always("feed.test")
    other.client = Client(connections: 6)
    var two = app(Client(connections: 6))
    two.visits.append(other)
    let run = two.run(.test(refuse: ["api.test", "feed.test"]), .set(.standard), coldStarts: 2)
    #expect(!run.trials.contains { $0.variant?.name == "third" })
}
