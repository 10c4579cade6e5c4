import Facts
import Policy
import Testing

@testable import Verdict

private func names(
    _ visits: App.Visit..., profile: Profile = .test(), selection: AttackSelection = .set(.standard),
    coldStarts: Int = 1
) -> [String] {
    App(visits: [.accepting("cdn.test")] + visits).run(profile, selection, coldStarts: coldStarts).trials.compactMap {
        trial in trial.attack.flatMap { attack in trial.variant.map(attack.name(of:)) }
    }
}

private func pinned(connections: Int = 1, acts: [Act] = [.alert(46)]) -> App.Visit {
    var visit = App.Visit.always("api.test")
    visit.under = { _, _ in acts }
    visit.connections = connections
    return visit
}

@Test("a later connection is attacked only where a client was seen to open one, or where it was asked for by name")
func laterConnection() {
    #expect(!names(pinned()).contains("later-connection/second"))
    #expect(names(pinned(connections: 2)).contains("later-connection/second"))
    #expect(names(pinned(), selection: .list(["later-connection"])).contains("later-connection/after-2s"))
    // Hosts that need not be there are no occasion.
    #expect(
        !names(pinned(connections: 2), profile: .test(optional: ["api.test"])).contains("later-connection/second"))
    #expect(!names(pinned(connections: 2), profile: .test(refuse: ["feed.test"])).contains("later-connection/second"))
}

@Test("each connection that was seen untouched is attacked alone: up to four in the standard set, up to sixteen in all")
func eachAlone() throws {
    func forms(_ connections: Int, _ selection: AttackSelection = .set(.standard)) -> [String] {
        names(pinned(connections: connections), selection: selection).filter {
            $0.hasPrefix("later-connection/") && !$0.contains("/after-") || $0.hasSuffix("first-only")
        }.map { String($0.split(separator: "/")[1]) }
    }
    #expect(forms(1) == [])
    #expect(forms(2) == ["first-only", "second"])
    #expect(forms(3) == ["first-only", "second", "second-only", "third"])
    #expect(forms(4) == ["first-only", "second", "second-only", "third", "fourth"])
    #expect(forms(9) == forms(4))
    #expect(forms(9, .set(.all)).last == "ninth" && forms(40, .set(.all)).last == "sixteenth")
    #expect(forms(1, .list(["later-connection"])) == ["second"])
    // In no run that does not try later connections.
    #expect(!names(pinned(connections: 4), selection: .list(["expired"])).contains { $0.contains("connection") })
    // A client with one connection is spared all of them.
    #expect(App(visits: [.accepting("cdn.test"), pinned()]).run(.test(), coldStarts: 1).trials.count <= 21)
}

@Test("each form of a later connection has its own occasion")
func laterForms() throws {
    func seen(at times: [Double], requests: Int) -> [String] {
        var script = Script(coldStarts: 1)
        var scheduler = Scheduler(
            profile: .test(), attacks: AttackSelection.set(.all).attacks, coldStarts: 1)
        var names: [String] = []
        while let trial = scheduler.next(evidence: script.evidence) {
            if trial.id == "later-connection", trial.variant?.conduct.beginsWithOutage == false {
                names.append(trial.variant?.name ?? "")
            }
            script.start(trial)
            if trial == .passthrough {
                for time in times {
                    var seen = Script.tunnelled("api.test")
                    seen.requests = requests
                    script.add(seen, after: time)
                }
            }
            script.end()
        }
        return names
    }
    #expect(seen(at: [0], requests: 9) == [])
    #expect(seen(at: [0, 0.5], requests: 1) == ["second"])
    #expect(seen(at: [0, 0.5, 0.5], requests: 1) == ["second", "second-only", "third"])
    #expect(seen(at: [0, 2.5], requests: 2) == ["second", "after-2s"])
    #expect(seen(at: [0, 0.5], requests: 3) == ["second", "after-3-requests"])
}

@Test("an outage is no occasion to wait for: only an outage shows what a client does after one")
func outages() {
    let outages = ["reset", "3-resets", "close", "alert", "timeout"].map { "later-connection/after-\($0)" }
    #expect(names(pinned(), selection: .set(.all)).filter(outages.contains) == outages)
    #expect(!names(pinned(connections: 4)).contains(where: outages.contains))
}

@Test("resumption is tried only where a client finished a handshake")
func resumption() {
    #expect(!names(pinned()).contains("resumed-session"))
    #expect(!names(pinned(acts: [.alert(46), .alert(46)])).contains("resumed-session"))
    // Whether it comes back with a session, only a session shows.
    #expect(names(pinned(acts: [.post()])).contains("resumed-session"))
    #expect(names(pinned(), selection: .list(["resumed-session"])).contains("resumed-session"))
}

@Test("wrong-key over TLS 1.2 is tried, and wanted, where the client offers that and the origin takes a newer one")
func olderVersion() throws {
    func seen(_ offered: [TLSVersion], _ taken: TLSVersion) throws -> (isTried: Bool, isMissing: Bool) {
        let attacks = AttackSelection.list(["wrong-key"]).attacks
        var script = Script(
            coldStarts: 1, attacks: attacks.map(\.id),
            variants: attacks.flatMap { attack in attack.variants.map(attack.name(of:)) })
        var scheduler = Scheduler(profile: .test(), attacks: attacks, coldStarts: 1)
        var tried: [String] = []
        while let trial = scheduler.next(evidence: script.evidence) {
            if let attack = trial.attack, let variant = trial.variant { tried.append(attack.name(of: variant)) }
            script.start(trial)
            if let attack = trial.attack {
                var met = Script.intercepted("api.test", attack.id, variant: trial.variant?.name, .alert(48))
                met.hello?.versions = offered
                met.upstream?.negotiated = Negotiated(version: taken, cipher: "", alpn: nil)
                script.add(met)
            } else {
                script.tunnel("api.test")
            }
            script.end()
        }
        script.finish()
        let review = Review(CaseFile(profile: .test(), runs: [script.evidence]), "api.test", expect: .refuse)
        let form = try #require(review.requirements.first { $0.fullName == "wrong-key/tls-1.2" })
        return (tried.contains("wrong-key/tls-1.2"), !review.withoutOccasion.contains(form))
    }
    #expect(try seen([.tls13, .tls12], .tls13) == (true, true))
    #expect(try seen([.tls13], .tls13) == (false, false))
    #expect(try seen([.tls12], .tls12) == (false, false))
}

@Test("what needs lent material is tried at the hosts it was lent for, and nowhere else")
func lentMaterial() throws {
    let nothingLent = App(visits: [pinned()]).run(.test(), .set(.all), coldStarts: 1).trials
    #expect(nothingLent.allSatisfy { $0.variant?.needs == nil })
    let profile = Profile.test(
        refuse: ["api.test", "feed.test"],
        lent: [
            "api.test": LentMaterial(backupKey: "k"), "feed.test": LentMaterial(sameCAChain: "s"),
            "cdn.test": LentMaterial(backupKey: "k"),
        ])
    let trials = App(visits: [pinned()]).run(profile, coldStarts: 1).trials.filter { $0.variant?.needs != nil }
    #expect(trials.map { $0.attack?.id } == ["lent-key", "other-host", "resumed-session"])
    #expect(trials.map(\.only) == [["api.test"], ["feed.test"], ["api.test"]])
}

@Test("a host that another one's refusal keeps from giving the occasion is given it alone, once")
func hampered() {
    var second = pinned(connections: 2)
    second.host = "feed.test"
    second.after = "api.test"
    let profile = Profile.test(refuse: ["api.test", "feed.test"])
    let trials = App(visits: [.accepting("cdn.test"), pinned(connections: 2), second]).run(profile, coldStarts: 1)
        .trials
    #expect(trials.filter { $0.id == "later-connection" }.map(\.only) == [[], ["feed.test"]])
}

@Test("attacks without an occasion can be named, and are in no proof's way")
func withoutOccasion() throws {
    let run = App(visits: [.accepting("cdn.test"), pinned()]).run(.test(), coldStarts: 1)
    let file = CaseFile(profile: .test(), runs: [run.evidence])
    let review = Review(file, "api.test", expect: .refuse)
    #expect(Set(review.withoutOccasion.map(\.attack)) == [.trustedCA, "later-connection", "resumed-session"])
    #expect(!review.met.contains("later-connection") && review.met.contains("silent-server"))
    #expect(try Judge.judge(profile: .test(), runs: [run.evidence]).host("api.test").verdict == .provenPinned)
}
