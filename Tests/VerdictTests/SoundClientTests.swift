import Facts
import Policy
import Testing

@testable import Verdict

// The hard requirement of findings: nobody who does everything right is accused of anything.

@Suite struct SoundClientTests {
    @Test(
        "no measured client that pins is accused of anything, with a control, without one, or without trust in the CA",
        arguments: Measured.all)
    func measuredClients(client: Measured) throws {
        for coldStarts in [1, 3] {
            for selection in [AttackSelection.set(.quick), .set(.standard)] {
                for trusts in [true, false] {
                    let pinned = client.pinned("api.test", trusts: trusts)
                    for visits in [[pinned], [client.unpinned("cdn.test", trusts: trusts), pinned]] {
                        let judgement = App(visits: visits).judge(.test(), selection, coldStarts: coldStarts)
                        #expect(judgement.accusations.isEmpty)
                    }
                }
            }
        }
    }

    @Test("clients that try again with patience, several at a time, are no storm")
    func patientRetries() throws {
        for count in [4, 15, 24] {
            let visit = App.Visit.pinned("api.test", trusted: Array(repeating: .post(), count: count))
            #expect(App(visits: [.accepting("cdn.test"), visit]).judge(.test()).accusations.isEmpty)
        }
    }

    @Test("an app with several pinned hosts, one behind the other, is accused of nothing")
    func journey() throws {
        let profile = Profile.test(refuse: ["api.test", "feed.test"])
        for instead in [[Act.post()], []] {
            var feed = App.Visit.pinned("feed.test")
            feed.after = "api.test"
            feed.instead = instead
            let judgement = App(visits: [.accepting("cdn.test"), .pinned("api.test"), feed]).judge(profile)
            #expect(judgement.accusations.isEmpty)
            #expect(judgement.result == .pass)
        }
    }

    @Test("hosts that come and go at random are no siblings that a refusal leads to")
    func randomHosts() throws {
        let app = App(visits: [.accepting("cdn.test"), .pinned("api.test")])
        var turn = 0
        let judgement = app.judge(.test()) { trial in
            turn += 1
            return trial != .passthrough && turn % 3 == 0 ? [Script.tunnelled("ads.test")] : []
        }
        #expect(judgement.accusations.isEmpty)
    }

    @Test("a client that asks a report host after the refusal, as the profile says, is accused of nothing")
    func reporting() throws {
        let profile = Profile.test().changing("api.test") { $0.reportsTo = "reports.test" }
        let judgement = App(visits: [.accepting("cdn.test"), .pinned("api.test")]).judge(profile) { trial in
            trial.attack == nil ? [] : [Script.tunnelled("reports.test")]
        }
        #expect(judgement.accusations.isEmpty)
        #expect(judgement.result == .pass)
    }
}
