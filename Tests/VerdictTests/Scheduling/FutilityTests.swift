import Facts
import Policy
import Testing

@testable import Verdict

@Suite struct FutilityTests {
    private static let terms = Terms(retries: 2, keepsGoing: false)

    private struct Run {
        var starts: Int
        var early: EarlyEnd?
        var result: Judgement.Result
    }

    /// Plays the app until the scheduler ends; `exit`: what COMMAND ends with each time.
    private func run(
        _ visits: [App.Visit], profile: Profile = .test(), terms: Terms = terms, exit: Int = 0,
        controls: [RunEvidence] = []
    ) -> Run {
        let attacks = AttackSelection.set(.standard).attacks
        var script = Script(
            attacks: attacks.map(\.id), variants: attacks.flatMap { attack in attack.variants.map(attack.name(of:)) })
        var scheduler = Scheduler(profile: profile, attacks: attacks, coldStarts: 3, controls: controls, terms: terms)
        var count = 0
        while let trial = scheduler.next(evidence: script.evidence) {
            count += 1
            let before = script.trial
            script.start(trial, retryOf: scheduler.isRetry ? before : nil)
            let failed = App(visits: visits).play(trial, profile, &script, count)
            script.end(exit: failed ? 1 : exit)
        }
        script.finish(early: scheduler.early, leftOut: scheduler.leftOut)
        let judgement = Judge.judge(profile: profile, runs: [script.evidence])
        #expect(judgement.early == scheduler.early)
        return Run(starts: count, early: scheduler.early, result: judgement.result)
    }

    private var healthy: [App.Visit] { [.accepting("cdn.test"), .pinned("api.test")] }

    @Test("a set-up that works is gone through, and costs no start more")
    func works() {
        let thorough = run(healthy, terms: Terms())
        let run = run(healthy)
        #expect(run.early == nil && run.result == .pass)
        #expect(run.starts == thorough.starts)
    }

    @Test("where nothing came in three untouched starts the run ends, and names a command that is not there")
    func nothing() {
        let silent = run([])
        #expect(silent.early == EarlyEnd(.nothingCrossed))
        #expect(silent.starts == 3 && silent.result == .inconclusive)
        #expect(run([], exit: 127).early == EarlyEnd(.commandNotRun))
        #expect(run([], exit: 126).early == EarlyEnd(.commandNotRun))
        // It does otherwise where it is told to.
        #expect(run([], terms: Terms(retries: 0, keepsGoing: true)).starts > 10)
        #expect(run([], terms: Terms(retries: 0, keepsGoing: false)).starts == 1)
    }

    @Test("where a required host fails untouched the run ends, and an optional one is nobody's concern")
    func dead() {
        var dead = App.Visit.pinned("api.test")
        dead.untouched = { _ in false }
        let run = run([.accepting("cdn.test"), dead])
        #expect(run.early == EarlyEnd(.originUnusable, hosts: ["api.test"]))
        #expect(run.starts == 3 && run.result == .invalid)
        let profile = Profile.test(refuse: ["api.test", "feed.test"], optional: ["api.test"])
        #expect(self.run([.accepting("cdn.test"), dead, .pinned("feed.test")], profile: profile).early == nil)
    }

    @Test("an origin that cannot be forged for ends it after the first start under the CA")
    func unusable() {
        let visit = App.Visit.always("api.test", .noOrigin("its certificate has expired"))
        let run = run([.accepting("cdn.test"), visit])
        #expect(run.early == EarlyEnd(.originUnusable, hosts: ["api.test"]))
        #expect(run.starts == 3 && run.result == .invalid)
    }

    @Test("a name that nobody asked for beside one that is nearly it ends the run")
    func slip() {
        let profile = Profile.test(refuse: ["feeed.test"])
        let run = run([.accepting("cdn.test"), .pinned("feed.test")], profile: profile)
        #expect(run.early == EarlyEnd(.nameSlip, hosts: ["feeed.test"], instead: ["feed.test"]))
        #expect(run.starts == 2 && run.result == .inconclusive)
    }

    @Test("where nothing of what is to be judged was asked for the run ends, and one of several hosts does not end it")
    func notVisited() {
        let others = [App.Visit.accepting("cdn.test"), .accepting("metrics.test")]
        let run = run(others)
        #expect(run.early == EarlyEnd(.notVisited, hosts: ["api.test"], instead: ["cdn.test", "metrics.test"]))
        #expect(run.starts == 3 && run.result == .inconclusive)
        let wildcard = self.run(others, profile: .test(refuse: ["*.pay.test"]))
        #expect(wildcard.early == EarlyEnd(.notVisited, instead: ["cdn.test", "metrics.test"]))
        #expect(wildcard.starts == 3 && wildcard.result == .inconclusive)
        // What came is judged, and an optional host need not come.
        let one = self.run(healthy, profile: .test(refuse: ["api.test", "feed.test"]))
        #expect(one.early == nil && one.result == .inconclusive)
        #expect(self.run(others, profile: .test(optional: ["api.test"])).early == nil)
        #expect(self.run(others, terms: Terms(retries: 2, keepsGoing: true)).early == nil)
        // A first start without it may have met a bad moment.
        var late = App.Visit.pinned("api.test")
        late.untouched = { $0 > 1 ? true : nil }
        #expect(self.run([.accepting("cdn.test"), late]).early == nil)
    }

    @Test("a host that is asked over a control's connection comes to light when that is read, and is judged")
    func coalesced() {
        var script = Script(coldStarts: 1)
        script.start(.passthrough)
        script.tunnel("cdn.test")
        script.end()
        func early(after done: [Trial]) -> EarlyEnd? {
            Futility(RunSoFar(.test(), script.evidence), after: done, controls: []).early
        }
        #expect(early(after: [.passthrough]) == nil)
        script.start(.trustedCA)
        var seen = Script.intercepted("cdn.test", .trustedCA, .request(96))
        seen.asked = ["cdn.test", "api.test"]
        script.add(seen)
        script.end()
        #expect(early(after: [.passthrough, .coldStart]) == nil)
    }

    @Test("an app that asks for nothing again ends the run, and one that asks for anything does not")
    func visitedOnce() {
        func once(_ visit: App.Visit) -> App.Visit {
            var visit = visit
            visit.untouched = { $0 == 1 ? true : nil }
            visit.under = { _, _ in nil }
            return visit
        }
        let run = run(healthy.map(once))
        #expect(run.early == EarlyEnd(.visitedOnce, hosts: ["api.test", "cdn.test"]))
        #expect(run.starts == 4 && run.result == .inconclusive)
        #expect(self.run(healthy.map(once), exit: 1).early == EarlyEnd(.visitedOnce, hosts: ["api.test", "cdn.test"]))
        // What the control meets may be why the rest stays away.
        #expect(self.run([.accepting("cdn.test"), once(.pinned("api.test"))]).early == nil)
    }

    @Test(
        "slips are told from servers that are several",
        arguments: [
            ("api.exmaple.com", "api.example.com", true), ("feeed.test", "feed.test", true),
            ("example.com", "www.example.com", true), ("api1.example.com", "api2.example.com", false),
            ("api.example.com", "cdn.example.com", false), ("a.example.com", "b.example.com", false),
            ("api.example.com", "api.example.org", false), ("eu.api.example.com", "api.example.com", false),
            ("secure-api.example.com", "secure-app.example.com", true),
            ("node12.example.com", "node3.example.com", false),
        ])
    func names(one: String, other: String, isSlip: Bool) {
        #expect(NearName.isSlip(one, other) == isSlip)
        #expect(NearName.isSlip(other, one) == isSlip)
    }

    @Test("where every control refuses the CA twice the run ends, unless something else may show trust")
    func untrusted() {
        let refusing = App.Visit.always("cdn.test", .alert(48))
        let visits = [refusing, .always("api.test", .alert(48))]
        let run = run(visits)
        #expect(run.early == EarlyEnd(.caNotTrusted, hosts: ["cdn.test"]))
        #expect(run.starts == 3 && run.result == .inconclusive)
        // By the profile's word a differential would do, or its anchors, or a lent key.
        #expect(self.run(visits, profile: .test(onlyPins: true)).early == nil)
        #expect(self.run(visits, profile: .test(anchors: ["root.pem"])).early == nil)
        #expect(
            self.run(visits, profile: .test(lent: ["api.test": LentMaterial(backupKey: "backup.key")])).early == nil)
        // A host that takes it shows trust as well, and is the witness that the run is for.
        #expect(self.run([refusing, .accepting("api.test")]).early == nil)
        // One of two controls is enough.
        #expect(
            self.run(
                [refusing, .accepting("img.test"), .pinned("api.test")],
                profile: .test(controls: ["cdn.test", "img.test"])
            ).early == nil)
    }

    @Test("a control that refused once by chance does not end it")
    func refusedOnce() {
        let fickle = App.Visit(host: "cdn.test") { attack, nth in
            attack.isTrustedChain && nth > 2 ? [.request(96)] : [.alert(48)]
        }
        let run = run([fickle, .pinned("api.test")])
        #expect(run.early == nil)
        #expect(run.starts > 10)
    }
}

@Suite struct TermsTests {
    private func trials(_ visits: [App.Visit], _ terms: Terms, profile: Profile = .test()) throws -> [Trial] {
        try played(visits, terms, profile).trials
    }

    private func played(
        _ visits: [App.Visit], _ terms: Terms, _ profile: Profile = .test()
    ) throws -> (trials: [Trial], scheduler: Scheduler, judgement: Judgement) {
        let attacks = AttackSelection.set(.standard).attacks
        var script = Script(
            attacks: attacks.map(\.id), variants: attacks.flatMap { attack in attack.variants.map(attack.name(of:)) })
        var scheduler = Scheduler(profile: profile, attacks: attacks, coldStarts: 3, terms: terms)
        var trials: [Trial] = []
        while let trial = scheduler.next(evidence: script.evidence) {
            trials.append(trial)
            script.start(trial)
            App(visits: visits).play(trial, profile, &script, trials.count { $0 == trial })
            script.end()
        }
        script.finish(leftOut: scheduler.leftOut)
        return (trials, scheduler, Judge.judge(profile: profile, runs: [script.evidence]))
    }

    @Test("a host that took the CA meets only what tells how bad it is")
    func early() throws {
        let visits: [App.Visit] = [.accepting("cdn.test"), .accepting("api.test")]
        let brief = try played(visits, Terms(isExhaustive: false))
        #expect(brief.trials.count <= 10, "\(brief.trials.count)")
        #expect(brief.trials.count < (try trials(visits, Terms()).count) / 2)
        #expect(try brief.judgement.host("api.test").subtype == .plain)
        #expect(brief.judgement.result == .fail)

        // What takes any chain is told from it by the same trials.
        let any = try played([.accepting("cdn.test"), .always("api.test", .request(96))], Terms(isExhaustive: false))
        #expect(try any.judgement.host("api.test").subtype == .brokenTLS)
        #expect(any.trials.count == brief.trials.count)
    }

    @Test("one host without a pin does not keep another one from its proof")
    func beside() throws {
        let profile = Profile.test(refuse: ["api.test", "feed.test"])
        let visits: [App.Visit] = [.accepting("cdn.test"), .accepting("api.test"), .pinned("feed.test")]
        let judgement = try played(visits, Terms(isExhaustive: false), profile).judgement
        #expect(try judgement.host("api.test").verdict == .notPinned)
        #expect(try judgement.host("feed.test").verdict == .provenPinned)
    }

    @Test("what the time was too short for is named, and nothing is proven without it")
    func time() throws {
        let visits: [App.Visit] = [.accepting("cdn.test"), .pinned("api.test")]
        let whole = try played(visits, Terms())
        // A start takes about 120 s by the script's clock.
        let short = try played(visits, Terms(seconds: 1300))
        #expect(short.trials.count < whole.trials.count)
        #expect(short.trials.last == .passthrough)
        #expect(!short.scheduler.leftOut.isEmpty)
        let verdict = try short.judgement.host("api.test")
        #expect(verdict.verdict == .refusedUnproven && verdict.missing.contains(.time))
        #expect(short.judgement.findings.contains { $0.id == "left-out" })
        #expect(short.judgement.result == .inconclusive)
        // With time for all of it nothing is left out.
        let long = try played(visits, Terms(seconds: 1e6))
        #expect(long.trials == whole.trials && long.scheduler.leftOut.isEmpty)
        #expect(try long.judgement.host("api.test").verdict == .provenPinned)
    }

    @Test("a host that is not required takes no time from the others: where it is short, it goes without its start")
    func timeForOptional() throws {
        var feed = App.Visit.pinned("feed.test")
        feed.after = "api.test"
        let visits: [App.Visit] = [.accepting("cdn.test"), .pinned("api.test"), feed]
        let profile = Profile.test(refuse: ["api.test", "feed.test"], optional: ["feed.test"])
        let whole = try played(visits, Terms(), profile)
        func isOfFeed(_ trial: Trial) -> Bool { trial.only == ["feed.test"] }
        #expect(whole.trials.contains(where: isOfFeed))
        let all = Double(whole.trials.count) * 120
        var without = 0
        for seconds in stride(from: all - 200, through: all + 400, by: 50) {
            let run = try played(visits, Terms(seconds: seconds), profile)
            #expect(run.scheduler.leftOut.isEmpty && run.trials.last == .passthrough, "\(seconds)")
            #expect(try run.judgement.host("api.test").verdict == .provenPinned, "\(seconds)")
            without += run.trials.contains(where: isOfFeed) ? 0 : 1
        }
        #expect(without > 0)
    }

    @Test("a witness in a run that was too short is one")
    func timeAndWitness() throws {
        let run = try played([.accepting("cdn.test"), .accepting("api.test")], Terms(seconds: 500))
        #expect(run.judgement.result == .fail)
    }

    @Test("the count that is shown comes near to what is run, from the second trial on")
    func estimate() throws {
        let visits: [App.Visit] = [.accepting("cdn.test"), .pinned("api.test")]
        let attacks = AttackSelection.set(.standard).attacks
        var script = Script(
            attacks: attacks.map(\.id), variants: attacks.flatMap { attack in attack.variants.map(attack.name(of:)) })
        var scheduler = Scheduler(profile: .test(), attacks: attacks, coldStarts: 3)
        var shown: [Int] = []
        var trials: [Trial] = []
        while let trial = scheduler.next(evidence: script.evidence) {
            shown.append(scheduler.expectedCount(script.evidence))
            trials.append(trial)
            script.start(trial)
            App(visits: visits).play(trial, .test(), &script, trials.count { $0 == trial })
            script.end()
        }
        #expect(shown.allSatisfy { abs($0 - trials.count) <= 4 }, "\(shown) of \(trials.count)")
        #expect(shown.suffix(5).allSatisfy { $0 == trials.count }, "\(shown) of \(trials.count)")
    }
}
