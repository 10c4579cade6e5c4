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
    // Hosts that need not be there are one where they are.
    #expect(names(pinned(connections: 2), profile: .test(optional: ["api.test"])).contains("later-connection/second"))
    #expect(!names(pinned(connections: 2), profile: .test(refuse: ["feed.test"])).contains("later-connection/second"))
}

@Test("each connection that was seen untouched is attacked alone, up to sixteen")
func eachAlone() throws {
    func forms(_ connections: Int, _ selection: AttackSelection = .set(.standard)) -> [String] {
        names(pinned(connections: connections), selection: selection).filter {
            let isByPlace =
                !$0.contains("/after-") && !$0.hasSuffix("-cloned") && !$0.hasSuffix("/second-copied")
                && !$0.hasSuffix("/all-but-second")
            return $0.hasPrefix("later-connection/") && isByPlace || $0.hasSuffix("first-only")
        }.map { String($0.split(separator: "/")[1]) }
    }
    #expect(forms(1) == [])
    #expect(forms(2) == ["first-only", "second", "second-only"])
    #expect(forms(3) == ["first-only", "second", "second-only", "third"])
    #expect(forms(4) == ["first-only", "second", "second-only", "third", "fourth"])
    // Beyond those of the standard set they come when all of its own are done.
    #expect(forms(5) == forms(4) + ["fifth"])
    #expect(forms(9) == forms(4) + ["fifth", "sixth", "seventh", "eighth", "ninth"])
    #expect(forms(40).last == "sixteenth")
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
            // It asks for nothing under attack, so that some are run again.
            if trial.id == "later-connection", trial.variant?.conduct.beginsWithOutage == false,
                !names.contains(trial.variant?.name ?? "")
            {
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
    #expect(
        seen(at: [0, 0.5], requests: 1) == [
            "second", "second-only", "first-cloned", "second-only-cloned", "second-cloned", "second-copied",
            "all-but-second",
        ])
    #expect(
        seen(at: [0, 0.5, 0.5], requests: 1) == [
            "second", "second-only", "third", "first-cloned", "second-only-cloned", "third-cloned", "second-cloned",
            "second-copied", "all-but-second",
        ])
    #expect(
        seen(at: [0, 2.5], requests: 2) == [
            "second", "second-only", "first-cloned", "second-only-cloned", "second-cloned", "second-copied",
            "all-but-second", "after-2s",
        ])
    #expect(
        seen(at: [0, 0.5], requests: 3) == [
            "second", "second-only", "first-cloned", "second-only-cloned", "second-cloned", "second-copied",
            "all-but-second",
            "after-3-requests",
        ])
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

@Test("wrong-key over an old version is tried, and wanted, where the client offers that version")
func oldVersion() throws {
    func seen(_ offered: [TLSVersion]) throws -> (tried: [String], wanted: [String]) {
        let attacks = AttackSelection.list(["wrong-key"]).attacks
        var script = Script(
            coldStarts: 1, attacks: attacks.map(\.id),
            variants: attacks.flatMap { attack in attack.variants.map(attack.name(of:)) })
        var scheduler = Scheduler(profile: .test(), attacks: attacks, coldStarts: 1, named: ["wrong-key"])
        var tried: [String] = []
        while let trial = scheduler.next(evidence: script.evidence) {
            script.start(trial)
            if let attack = trial.attack {
                if attack.id == "wrong-key", let name = trial.variant?.name { tried.append(name) }
                var met = Script.intercepted("api.test", attack.id, variant: trial.variant?.name, .alert(51))
                met.hello?.versions = offered
                script.add(met)
            } else {
                script.tunnel("api.test")
            }
            script.end()
        }
        script.finish()
        let review = Review(CaseFile(profile: .test(), runs: [script.evidence]), "api.test", expect: .refuse)
        let wanted = review.requirements.filter { $0.attack == "wrong-key" && !review.withoutOccasion.contains($0) }
        return (Array(Set(tried)).sorted(), wanted.compactMap(\.variant))
    }
    let new = try seen([.tls13, .tls12])
    #expect(new.tried == ["tls-1.2", "zero-signature"] && !new.wanted.contains("tls-1.1"))
    let old = try seen([.tls12, .tls11])
    #expect(old.tried == ["tls-1.1", "tls-1.2", "zero-signature"])
    #expect(old.wanted.contains("tls-1.1") && !old.wanted.contains("tls-1.0"))
}

@Test("the newer handshake is tried, and wanted, where the origin takes less than the client offers")
func moreThanOrigin() throws {
    func seen(
        _ offered: ([TLSVersion], [String]), _ taken: Negotiated, refusing act: Act = .post(.closeNotify)
    ) throws -> (isTried: Bool, isMissing: Bool, reaction: Review.Reaction) {
        let selection = AttackSelection.list([.trustedCA])
        let attacks = selection.attacks
        var script = Script(
            coldStarts: 1, attacks: attacks.map(\.id),
            variants: attacks.flatMap { attack in attack.variants.map(attack.name(of:)) })
        var scheduler = Scheduler(profile: .test(), attacks: attacks, coldStarts: 1, named: selection.named)
        var isTried = false
        while let trial = scheduler.next(evidence: script.evidence) {
            isTried = isTried || trial.variant?.name == "newer"
            script.start(trial)
            if let attack = trial.attack {
                var met = Script.intercepted("api.test", attack.id, variant: trial.variant?.name, act)
                met.hello?.versions = offered.0
                met.hello?.alpn = offered.1
                met.upstream?.negotiated = taken
                if trial.variant?.name == "newer", offered.1.contains("h2") { met.negotiated?.alpn = "h2" }
                script.add(met)
            } else {
                script.tunnel("api.test")
            }
            script.end()
        }
        script.finish()
        let review = Review(CaseFile(profile: .test(), runs: [script.evidence]), "api.test", expect: .refuse)
        let form = try #require(review.requirements.first { $0.fullName == "trusted-ca/newer" })
        return (isTried, !review.withoutOccasion.contains(form), review.reaction(of: "openssl", to: form))
    }
    let both = ["h2", "http/1.1"]
    let (old, new) = (TLSVersion.tls12, TLSVersion.tls13)
    #expect(try seen(([new, old], []), Negotiated(version: old, cipher: "", alpn: nil)) == (true, true, .refused))
    #expect(try seen(([old], both), Negotiated(version: old, cipher: "", alpn: "http/1.1")) == (true, true, .refused))
    // Another protocol than the origin's is agreed on by intent there: a refusal without a word counts.
    #expect(try seen(([new, old], both), Negotiated(version: new, cipher: "", alpn: nil)) == (true, true, .refused))
    #expect(
        try seen(([new, old], both), Negotiated(version: new, cipher: "", alpn: "h2")) == (false, false, .noOccasion))
    #expect(
        try seen(([old], ["http/1.1"]), Negotiated(version: old, cipher: "", alpn: "http/1.1"))
            == (false, false, .noOccasion))
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
    // `second`, `second-only` and their clones.
    let only: [Set<HostName>] = Array(repeating: [], count: 4) + Array(repeating: ["feed.test"], count: 4)
    #expect(trials.filter { $0.id == "later-connection" }.map(\.only) == only)
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

@Test("what a host that is not required does is an occasion as well: its witness counts")
func occasionOfOptionalHost() throws {
    let pinned = App.Visit.pinned("feed.test", trusted: [.alert(46)])
    var feed = pinned
    feed.under = { attack, nth in attack == "later-connection" ? [.request(96)] : pinned.under(attack, nth) }
    feed.connections = 2
    let profile = Profile.test(refuse: ["api.test", "feed.test"], optional: ["feed.test"])
    let judgement = App(visits: [.accepting("cdn.test"), .pinned("api.test", trusted: [.alert(46)]), feed]).judge(
        profile)
    #expect(try judgement.host("feed.test").verdict == .notPinned)
    #expect(judgement.result == .fail)
}
