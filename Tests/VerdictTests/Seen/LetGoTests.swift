import Facts
import Policy
import Testing

@testable import Verdict

// A server that never answers lets go of a client whose request it has seen. That is neither the client's refusal nor
// an interruption, and the judge says what it says of one that waited for its own time-out.

/// How such a connection ends: by the client's own time-out, by the gate at the end of the trial, or let go.
private let ends: [Observation.Close] = [
    .init(by: .client, how: .fin, ms: 60_000), .init(by: .client, how: .closeNotify, ms: 5_000),
    .init(by: .gate, how: .aborted, ms: 60_000), .init(by: .proxy, how: .closeNotify, ms: 2_700),
]

private func judged(_ app: App, _ profile: Profile = .test(), _ selection: AttackSelection = .set(.all)) -> [[String]] {
    ends.map { end in
        let records = app.run(profile, selection, coldStarts: 2).evidence.records.map(\.record)
            .map { record -> EvidenceRecord in
                guard var seen = record.observation, seen.bytesUp > 0, let attack = seen.attack,
                    let form = AttackCatalogue.form(attack, seen.variant)?.conduct,
                    form.answer == .never || form.offer == .newer
                else { return record }
                // HTTP/2's greeting.
                seen.bytesDown = form.offer == .newer ? 9 : 0
                seen.close = end
                return .connection(seen)
            }
        let judgement = Judge.judge(profile: profile, runs: [RunEvidence(records)])
        return judgement.hosts.map { host in
            "\(host.host) \(host.verdict) \(String(describing: host.subtype)) \(host.missingNames) \(host.why)"
                + " \(host.findings.map(\.id))"
        } + ["\(judgement.result)"]
    }
}

@Test(
    "however a client's wait for an answer ends, the verdict is the same",
    arguments: [
        App(visits: [.accepting("cdn.test"), .accepting("api.test")]),
        App(visits: [.accepting("cdn.test"), .pinned("api.test")]),
        App(visits: [
            .accepting("cdn.test"),
            App.Visit(host: "api.test") { attack, _ in [attack == "silent-server" ? .hastyRequest(96) : .alert(46)] },
        ]),
        App(visits: [
            .accepting("cdn.test"),
            App.Visit(host: "api.test") { attack, _ in attack == .trustedCA ? [.request(96)] : [.alert(46)] },
        ]),
    ])
func sameVerdict(app: App) {
    let verdicts = judged(app)
    #expect(Set(verdicts).count == 1)
}

@Test("what was opened ahead and is thrown away by a client that was let go is no refusal; what comes after is one")
func company() {
    func grade(openedAfter seconds: Double) -> Grade? {
        var script = Script(coldStarts: 1)
        script.start("silent-server")
        var asking = Script.intercepted("api.test", "silent-server", .hastyRequest(90))
        // Let go after 2.7 s; it has gone 20 ms later.
        asking.close = .init(by: .proxy, how: .closeNotify, ms: 2_720)
        script.add(asking)
        var other = Script.intercepted("feed.test", "silent-server", .post())
        other.close?.ms = 2_800 - seconds * 1000 < 23 ? 23 : 2_800 - seconds * 1000
        script.add(other, after: seconds)
        script.end()
        let profile = Profile.test(refuse: ["api.test", "feed.test"])
        let file = CaseFile(profile: profile, runs: [script.evidence])
        return file.trials.first.flatMap { trial in trial.sightings["feed.test"]?.first.flatMap { trial.grade($0) } }
    }
    #expect(grade(openedAfter: 0.5) == .inCompany)
    #expect(grade(openedAfter: 2.71) == .inCompany)
    #expect(grade(openedAfter: 3) == .conclusive)
}
