import Facts
import Policy
import Report
import Testing

@testable import Verdict

private let app = App(visits: [.accepting("cdn.test"), .pinned("api.example.test")])
private let profile = Profile.test(refuse: ["api.example.test"])

private func judged(_ seen: Observation, _ profile: Profile = profile, everywhere: Bool = false) throws -> HostVerdict {
    try app.judge(profile) { everywhere || $0.attack != nil ? [seen] : [] }.host("api.example.test")
}

@Suite struct LeakAfterRefusalTests {
    @Test("a host that is sent data after each refusal and in no passthrough is a leak, and says what it is")
    func siblings() throws {
        for (host, words) in [
            ("backup.example.test", "the undeclared sibling backup.example.test"),
            ("elsewhere.invalid", "the undeclared host elsewhere.invalid"), ("192.0.2.7", "the address 192.0.2.7"),
        ] as [(HostName, String)] {
            for seen in [Script.tunnelled(host), Script.plain(host)] {
                let verdict = try judged(seen)
                let finding = try verdict.finding("leak-after-refusal")
                #expect(finding.severity == .warning)
                #expect(finding.text.contains(words))
                #expect(!finding.evidence.isEmpty)
                #expect(verdict.verdict == .provenPinned, "a warning stands in nobody's way")
                // The same, untouched too: a host of the journey.
                #expect(try !judged(seen, everywhere: true).has("leak-after-refusal"))
            }
        }
    }

    @Test(
        "a declared host that is contacted only after a refusal is one as well, unless it must refuse or takes reports")
    func declared() throws {
        let accept = Profile.test(refuse: ["api.example.test"], accept: ["backup.example.test"])
        var seen = Script.intercepted("backup.example.test", .trustedCA, .request(90))
        seen.trial = 0
        #expect(try judged(seen, accept).finding("leak-after-refusal").text.contains("the sibling backup.example.test"))
        let updates = accept.changing("backup.example.test") { $0.tellsUpdates = true }
        #expect(try !judged(seen, updates).has("leak-after-refusal"))
        let reports = profile.changing("api.example.test") { $0.reportsTo = "backup.example.test" }
        #expect(try !judged(Script.tunnelled("backup.example.test"), reports).has("leak-after-refusal"))
    }

    @Test("a question whether there is a network, in the clear and without data, is a note and no leak")
    func reachability() throws {
        for host in ["api.example.test", "connectivity.invalid"] as [HostName] {
            var probe = Script.plain(host)
            #expect(try judged(probe).has("leak-after-refusal"))
            probe.isProbe = true
            let verdict = try judged(probe)
            #expect(verdict.verdict == .provenPinned && verdict.missing.isEmpty)
            #expect(!verdict.has("leak-after-refusal") && !verdict.has("plain-http"))
            #expect(verdict.has("reachability-probe") == (host == "api.example.test"))
        }
    }

    @Test("a start in which the gate let nobody reach another host, or get anything of it, hides no leak")
    func othersCutOff() throws {
        var script = Script()
        var failing = 0
        var scheduler = Scheduler(profile: profile, attacks: AttackCatalogue.all, coldStarts: 1)
        while let trial = scheduler.next(evidence: script.evidence) {
            script.start(trial)
            app.play(trial, profile, &script, 1)
            if trial.variant?.conduct.failsOthers == true {
                failing += 1
            } else if trial.attack != nil {
                script.tunnel("backup.example.test")
            }
            script.end()
        }
        script.finish()
        let verdict = try Judge.judge(profile: profile, runs: [script.evidence]).host("api.example.test")
        #expect(failing > 0)
        #expect(try verdict.finding("leak-after-refusal").text.contains("the undeclared sibling backup.example.test"))
    }

    @Test("a sibling that carried nothing, or was there before the refusal, is no leak")
    func innocent() throws {
        #expect(try !judged(Script.tunnelled("backup.example.test", data: false)).has("leak-after-refusal"))
        let first = App(visits: [
            .accepting("cdn.test"),
            App.Visit(host: "early.example.test", under: { _, _ in nil }, untouched: { _ in nil }),
            .pinned("api.example.test"),
        ])
        var script = Script()
        var scheduler = Scheduler(profile: profile, attacks: AttackCatalogue.all, coldStarts: 3)
        while let trial = scheduler.next(evidence: script.evidence) {
            script.start(trial)
            if trial.attack != nil { script.tunnel("early.example.test") }
            first.play(trial, profile, &script, 1)
            script.end()
        }
        script.finish()
        let verdict = try Judge.judge(profile: profile, runs: [script.evidence]).host("api.example.test")
        #expect(!verdict.has("leak-after-refusal"))
    }

    @Test("a ping that is always in the clear hides no fallback that comes beside it, or in its place")
    func fallbackBesidePing() throws {
        let ping = Script.plain("api.example.test")
        var letter = ping
        letter.bytesUp = 900
        func judged(_ attacked: [Observation]) throws -> HostVerdict {
            try app.judge(profile) { $0.attack == nil ? [ping] : attacked }.host("api.example.test")
        }
        for attacked in [[ping, letter], [ping, ping], [letter]] {
            let verdict = try judged(attacked)
            #expect(verdict.verdict == .refusedUnproven && verdict.has("leak-after-refusal"))
        }
        for attacked in [[ping], []] {
            let verdict = try judged(attacked)
            #expect(verdict.verdict == .provenPinned && !verdict.has("leak-after-refusal"))
            #expect(verdict.has("plain-http"))
        }
    }

    @Test("cleartext to the host itself, only while attacked, is an error")
    func cleartextToTheHost() throws {
        let finding = try judged(Script.plain("api.example.test")).finding("leak-after-refusal")
        #expect(finding.severity == .error)
        #expect(finding.text.contains("cleartext"))
        #expect(finding.text.contains("fallback"))
    }
}
