import Facts
import Policy
import Report
import Testing

@testable import Verdict

// An app that gives up at the first refusal throws away the sockets that it had opened ahead. On the wire that is a
// refusal of the second host, which may not be pinned at all.

private let profile = Profile.test(refuse: ["api.test", "feed.test"])

private func feed(instead: [Act]) -> App.Visit {
    var visit = App.Visit.accepting("feed.test")
    visit.after = "api.test"
    visit.instead = instead
    return visit
}

@Test(
    "a socket thrown away because another host refused is no refusal: attacked alone, the host shows what it is",
    arguments: [
        [Act.post()], [.silent()], [.alert(80)],
    ])
func preconnected(instead: [Act]) throws {
    let app = App(visits: [.accepting("cdn.test"), .pinned("api.test"), feed(instead: instead)])
    let judgement = app.judge(profile)
    #expect(try judgement.host("api.test").verdict == .provenPinned)
    #expect(try judgement.host("feed.test").verdict == .notPinned)
    #expect(judgement.result == .fail)
}

@Test("without the trials that attack it alone it stays unproven, and says so")
func withoutSolo() throws {
    let app = App(visits: [.accepting("cdn.test"), .pinned("api.test"), feed(instead: [.post()])])
    var records: [EvidenceRecord] = []
    var solo: Set<Int> = []
    for record in app.run(profile).evidence.records.map(\.record) {
        if case .trialStarted(let start) = record, !start.only.isEmpty { solo.insert(start.trial) }
        if let seen = record.observation, solo.contains(seen.trial), seen.host == "feed.test" { continue }
        records.append(record)
    }
    #expect(!solo.isEmpty)
    let verdict = try Judge.judge(profile: profile, runs: [RunEvidence(records)]).host("feed.test")
    #expect(verdict.verdict == .refusedUnproven)
    #expect(verdict.missing.contains(.attackedAlone))
}

@Test("the first host to refuse is not in company: the cause comes before the effect")
func firstIsAlone() throws {
    let app = App(visits: [.accepting("cdn.test"), .pinned("api.test"), .pinned("feed.test")])
    let (evidence, trials) = app.run(profile)
    let judgement = Judge.judge(profile: profile, runs: [evidence])
    #expect(try judgement.host("api.test").verdict == .provenPinned)
    #expect(try judgement.host("feed.test").verdict == .provenPinned)
    #expect(!trials.contains { $0.only == ["api.test"] && $0.variant?.name != "host-only" })
    #expect(trials.contains { $0.only == ["feed.test"] && $0.id == .trustedCA })
}

@Test(
    "a host is told to have refused in so many of the cold starts in which it was attacked, and not of all there were")
func startsCounted() throws {
    func why(_ visit: App.Visit, _ host: String = "feed.test") throws -> String {
        try App(visits: [.accepting("cdn.test"), .pinned("api.test"), visit]).judge(profile).host(host).why
    }
    // In the first three it was in company, and in three more alone.
    #expect(try why(.pinned("feed.test")).hasPrefix("refused trusted-ca in 3 of 3 cold starts ("))
    #expect(try why(.pinned("feed.test"), "api.test").hasPrefix("refused trusted-ca in 3 of 3 cold starts ("))
    // In the first three it did not come at all.
    var visit = App.Visit.pinned("feed.test")
    visit.after = "api.test"
    #expect(try why(visit).hasPrefix("refused trusted-ca in 3 of 3 cold starts ("))
    // What was attacked, and shows no refusal that counts, is counted.
    var run = Edited()
    run.edit("api.test", in: [run.numbers(.trustedCA)[1]]) { $0 = .like($0, .idle) }
    #expect(try run.verdict().why.hasPrefix("refused trusted-ca in 2 of 3 cold starts ("))
    run.edit("api.test", in: [run.numbers(.trustedCA)[1]], remove: true)
    #expect(try run.verdict().why.hasPrefix("refused trusted-ca in 2 of 2 cold starts ("))
}

@Test("an alert about the certificate is an answer in any company, and needs no trial of its own")
func alertsStand() {
    let app = App(visits: [
        .accepting("cdn.test"), .pinned("api.test"),
        .pinned("feed.test", trusted: [.alert(46)], untrusted: [.alert(46)]),
    ])
    var visits = app.visits
    // wrong-key and the like answer with other alerts, which may be a cancelled handshake.
    visits[2].under = { _, _ in [.alert(46)] }
    let trials = App(visits: visits).run(profile).trials
    #expect(trials.allSatisfy { $0.only.isEmpty || $0.variant?.name == "host-only" })
}

@Test("sockets opened at once are in each other's company")
func simultaneous() throws {
    var script = Script(coldStarts: 1, attacks: [])
    script.start(.passthrough)
    script.tunnel("cdn.test")
    script.tunnel("api.test")
    script.tunnel("feed.test")
    script.end()
    for attack in [AttackID.trustedCA, .untrustedCA] {
        script.start(attack)
        script.attack("cdn.test", .trustedCA, .request(9))
        for host: HostName in ["api.test", "feed.test"] {
            var seen = Script.intercepted(host, attack, .post())
            seen.close?.ms = 2000
            script.add(seen)
        }
        script.end()
    }
    script.start(.passthrough)
    script.tunnel("api.test")
    script.tunnel("feed.test")
    script.end()
    script.finish()
    let judgement = Judge.judge(profile: profile, runs: [script.evidence])
    #expect(try judgement.host("api.test").missing.contains(.attackedAlone))
    #expect(try judgement.host("feed.test").missing.contains(.attackedAlone))
}

@Test("a refusing control that came first keeps a wordless close from counting")
func refusingControl() throws {
    let app = App(visits: [.always("cdn.test", .alert(46)), .pinned("api.test")])
    let verdict = try app.judge(.test()).host("api.test")
    #expect(verdict.verdict == .refusedUnproven)
    #expect(verdict.missing.first == .trustControl)
}

@Test("an accepted host behind a refused one is tried once with nobody attacked")
func acceptBehindRefusal() throws {
    let profile = Profile.test(accept: ["feed.test"])
    for instead in [[], [Act.post()], [.early]] {
        let app = App(visits: [.accepting("cdn.test"), .pinned("api.test"), feed(instead: instead)])
        let (evidence, trials) = app.run(profile)
        let judgement = Judge.judge(profile: profile, runs: [evidence])
        #expect(try judgement.host("feed.test").verdict == .accepted)
        #expect(trials.filter { $0.only == ["feed.test"] }.count == 1)
        #expect(judgement.result == .pass)
    }
}

@Test("an accepted host that only closed behind a refusal is not called refusing")
func acceptNotRefused() throws {
    let profile = Profile.test(accept: ["feed.test"])
    var script = Script(coldStarts: 1, attacks: [])
    script.start(.passthrough)
    script.tunnel("api.test")
    script.tunnel("feed.test")
    script.end()
    script.start(.trustedCA)
    script.attack("api.test", .trustedCA, .alert(42))
    script.attack("feed.test", .trustedCA, .post())
    script.end()
    script.finish()
    #expect(try Judge.judge(profile: profile, runs: [script.evidence]).host("feed.test").verdict == .notExercised)
}

@Test("a socket of another stack that goes in the same moment is no refusal of its own; one that came afterwards is")
func otherStack() throws {
    let app = App(visits: [
        .accepting("cdn.test"), .accepting("cdn.test", stack: "webview"), .pinned("api.test"),
        .pinned("api.test", stack: "webview"),
    ])
    func judged(apart seconds: Double) throws -> HostVerdict {
        let records = app.run(.test()).evidence.records.map(\.record).map { record -> EvidenceRecord in
            guard var seen = record.observation, seen.host == "api.test", seen.hello?.stack == "webview" else {
                return record
            }
            // Scripted connections come one second after the other.
            seen.at += seconds - 1
            return .connection(seen)
        }
        return try Judge.judge(profile: .test(), runs: [RunEvidence(records)]).host("api.test")
    }
    #expect(try judged(apart: 1).verdict == .provenPinned)
    let together = try judged(apart: 0.01)
    #expect(together.verdict == .refusedUnproven)
    #expect(together.missing.contains(.attackedAlone))
}

@Test("a tunnel opened ahead and never used met nothing, and is nobody's company")
func preconnected() throws {
    let app = App(visits: [.accepting("cdn.test"), .pinned("api.test")])
    let records = app.run(.test()).evidence.records.map(\.record).flatMap { record -> [EvidenceRecord] in
        guard let seen = record.observation, seen.host == "api.test", seen.attack != nil else { return [record] }
        var spare = Observation(trial: seen.trial, at: seen.at, via: .connect)
        spare.host = seen.host
        spare.target = seen.target
        spare.close = seen.close
        return [.connection(spare), record]
    }
    let verdict = try Judge.judge(profile: .test(), runs: [RunEvidence(records)]).host("api.test")
    #expect(verdict.verdict == .provenPinned)
}

/// A run whose control is changed in the attacked trials. The host's connection is opened while it is still there, or a
/// moment after it has gone.
private func judged(overlapping: Bool = true, _ change: @escaping (inout Observation) -> Void) throws -> HostVerdict {
    let app = App(visits: [.accepting("cdn.test"), .pinned("api.test")])
    let records = app.run(.test()).evidence.records.map(\.record).map { record -> EvidenceRecord in
        guard var seen = record.observation, seen.host == "cdn.test", seen.attack == .trustedCA else {
            return record
        }
        change(&seen)
        seen.close = .init(by: .client, how: .fin, ms: overlapping ? 1_600 : 995)
        return .connection(seen)
    }
    return try Judge.judge(profile: .test(), runs: [RunEvidence(records)]).host("api.test")
}

@Test(
    "a control that nobody answered may have ended the journey: what was open beside it and closed unused refused nothing"
)
func unansweredControl() throws {
    let verdict = try judged { $0.bytesDown = 0 }
    #expect(verdict.verdict == .refusedUnproven)
    #expect(verdict.missing.contains(.attackedAlone))
    // Whoever gives up opens nothing after that.
    #expect(try judged(overlapping: false) { $0.bytesDown = 0 }.verdict == .provenPinned)
}

@Test(
    "so may one that was answered by an error, or by an origin that wants to see a client certificate",
    arguments: [true, false])
func errorAtControl(asksForCertificate: Bool) throws {
    func answered(_ status: Int, overlapping: Bool = true) throws -> HostVerdict {
        try judged(overlapping: overlapping) { seen in
            if asksForCertificate { seen.upstream?.asksForCertificate = status >= 400 } else { seen.status = status }
        }
    }
    #expect(try answered(200).verdict == .provenPinned)
    #expect(try answered(302).verdict == .provenPinned)
    let verdict = try answered(403)
    #expect(verdict.verdict == .refusedUnproven)
    #expect(verdict.missing.contains(.attackedAlone))
    #expect(try answered(403, overlapping: false).verdict == .provenPinned)
}

@Test("an error that came when the host had refused already did not make it refuse: the cause comes before the effect")
func lateError() throws {
    /// The host's connection is opened after a second, and closed 23 ms later.
    func answered(_ status: Int?, at ms: Double?, asks: Bool = false) throws -> HostVerdict {
        try judged { seen in
            seen.status = status
            seen.statusMS = ms
            seen.upstream?.asksForCertificate = asks
        }
    }
    #expect(try answered(404, at: 1_002).verdict == .refusedUnproven)
    #expect(try answered(404, at: 1_002).missing.contains(.attackedAlone))
    #expect(try answered(404, at: 1_500).verdict == .provenPinned)
    #expect(try answered(401, at: 1_500, asks: true).verdict == .provenPinned)
    // Older evidence does not say when, and what never came has no time.
    #expect(try answered(404, at: nil).verdict == .refusedUnproven)
    #expect(try answered(nil, at: nil, asks: true).verdict == .refusedUnproven)
}

@Test("an origin that asked for a client certificate and answered all the same has turned nobody away")
func optionalCertificate() throws {
    let verdict = try judged { seen in
        seen.upstream?.asksForCertificate = true
        seen.status = 200
    }
    #expect(verdict.verdict == .provenPinned)
}

@Test("what a host took under a lent key does not make up for what it refused after that")
func lentThenRefused() throws {
    func grade(_ second: Act) -> Grade? {
        var script = Script(coldStarts: 1)
        script.start("resumed-session", variant: "lent-first", only: ["api.test", "feed.test"])
        script.attack("api.test", "lent-key", .request(90))
        script.attack("api.test", "resumed-session", variant: "lent-first", second)
        script.attack("feed.test", "resumed-session", variant: "lent-first", .post())
        script.end()
        let file = CaseFile(profile: profile, runs: [script.evidence])
        return file.trials.first.flatMap { trial in trial.sightings["feed.test"]?.first.flatMap { trial.grade($0) } }
    }
    #expect(grade(.alert(46)) == .inCompany)
    #expect(grade(.request(90)) == .conclusive)
}

// Starts that attack some hosts alone show that a close behind another host's refusal is the host's own.

private let three = Profile.test(refuse: ["api.test", "feed.test", "img.test"])

@Test("three hosts that refuse without a word, one after the other, cost two starts more than one", arguments: [1, 3])
func threeHosts(coldStarts: Int) throws {
    let pinned = ["api.test", "feed.test", "img.test"].map { App.Visit.pinned(HostName($0) ?? "x") }
    let one = App(visits: [.accepting("cdn.test"), pinned[0]]).run(.test(), coldStarts: coldStarts).trials
    let (evidence, trials) = App(visits: [.accepting("cdn.test")] + pinned).run(three, coldStarts: coldStarts)
    let judgement = Judge.judge(profile: three, runs: [evidence])
    for host in judgement.hosts {
        #expect(host.verdict == .provenPinned, "\(host.host): \(host.missing)")
        #expect(host.coldStarts == coldStarts)
    }
    #expect(judgement.result == .pass)
    // One cold start leaves no passthrough to be saved.
    #expect(trials.count <= one.count + (coldStarts == 1 ? 3 : 2), "\(trials.map { "\($0.name) \($0.only.sorted())" })")
    let alone = trials.filter { !$0.only.isEmpty }
    #expect(alone.allSatisfy { $0.variant?.name == "host-only" || $0.id == .untrustedCA && $0.only.count == 3 })
    #expect(Set(alone.map(\.only)).count == (alone.contains { $0.id == .untrustedCA } ? 5 : 4))
}

@Test("two hosts take no passthrough and no start more than their own", arguments: [1, 3])
func twoHosts(coldStarts: Int) throws {
    let pinned = ["api.test", "feed.test"].map { App.Visit.pinned(HostName($0) ?? "x") }
    let one = App(visits: [.accepting("cdn.test"), pinned[0]]).run(.test(), coldStarts: coldStarts).trials
    let (evidence, trials) = App(visits: [.accepting("cdn.test")] + pinned).run(profile, coldStarts: coldStarts)
    #expect(Judge.judge(profile: profile, runs: [evidence]).result == .pass)
    #expect(trials.count == one.count + (coldStarts == 1 ? 1 : 0))
}

@Test("a host that another one's refusal makes stricter is attacked alone, and shows what it is")
func stricter() throws {
    var feed = feed(instead: [.post(.closeNotify)])
    feed.comesUntouched = true
    let judgement = App(visits: [.accepting("cdn.test"), .pinned("api.test"), feed]).judge(profile)
    #expect(try judgement.host("feed.test").verdict == .notPinned)
    #expect(try judgement.host("api.test").verdict == .provenPinned)
}

@Test("an app that gives up after two refusals hides the third host until that is attacked alone", arguments: [1, 3])
func lockedOut(coldStarts: Int) throws {
    // One that is pinned, and falls to a copy of the genuine identity.
    var img = App.Visit.pinned("img.test")
    let weak = img.under
    img.under = { attack, nth in attack == "cloned-identity" ? [.request(96)] : weak(attack, nth) }
    img.after = "feed.test"
    img.instead = [.post(.closeNotify)]
    let visits: [App.Visit] = [.accepting("cdn.test"), .pinned("api.test"), .pinned("feed.test"), img]
    let judgement = App(visits: visits).judge(three, coldStarts: coldStarts)
    #expect(try judgement.host("img.test").verdict == .notPinned)
    #expect(try judgement.host("api.test").verdict == .provenPinned)
    #expect(try judgement.host("feed.test").verdict == .provenPinned)
}
