import Facts
import Policy
import Report
import Testing

@testable import Verdict

@Suite struct ShardTests {
    private let attacks = AttackSelection.set(.standard).attacks

    private func names(_ attacks: [Attack]) -> [String] {
        attacks.flatMap { attack in attack.variants.map(attack.name(of:)) }
    }

    @Test("a share is named I/N, and nothing else is one")
    func text() {
        #expect(Shard("2/4") == Shard(2, of: 4))
        #expect(Shard("2/4")?.description == "2/4")
        for text in ["", "2", "0/4", "5/4", "1/0", "1/65", "a/b", "1/2/3", "-1/4", "1/ 4", "1//4"] {
            #expect(Shard(text) == nil, "\(text)")
        }
    }

    @Test("the shares together try each form once, and what every run rests on in each", arguments: 1...7)
    func shares(count: Int) throws {
        let shares = try (1...count).map { try #require(Shard($0, of: count)).share(of: attacks) }
        let all = shares.flatMap(names)
        #expect(Set(all) == Set(names(attacks)))
        for name in Set(all) {
            let isBase = name == "trusted-ca" || name == "untrusted-ca" || name == "lent-key"
            #expect(all.count { $0 == name } == (isBase ? count : 1), "\(name)")
        }
        let starts = try (1...count).map { try #require(Shard($0, of: count)).share(ofColdStarts: 3) }
        #expect(starts.reduce(0, +) == max(3, count))
        #expect(starts.allSatisfy { $0 >= 1 })
    }

    /// Every share's run of an app, as jobs of their own make them.
    private func runs(_ visits: [App.Visit], count: Int, profile: Profile = .test()) throws -> [RunEvidence] {
        try (1...count).map { index in
            let shard = try #require(Shard(index, of: count))
            let share = shard.share(of: attacks)
            let starts = shard.share(ofColdStarts: 3)
            var script = Script(coldStarts: starts, attacks: share.map(\.id), variants: names(share))
            var scheduler = Scheduler(profile: profile, attacks: share, coldStarts: starts, terms: Terms(retries: 2))
            var trials: [Trial] = []
            // A run says of itself from its beginning that it is a share.
            while let trial = scheduler.next(evidence: script.evidence.sharing(shard, coldStarts: 3)) {
                trials.append(trial)
                script.start(trial)
                App(visits: visits).play(trial, profile, &script, trials.count { $0 == trial })
                script.end()
            }
            script.finish()
            return script.evidence.sharing(shard, coldStarts: 3)
        }
    }

    private func judge(_ runs: [RunEvidence]) throws -> (judgement: Judgement, host: HostVerdict) {
        let judgement = Judge.judge(profile: .test(), runs: runs)
        return (judgement, try judgement.host("api.test"))
    }

    private let healthy: [App.Visit] = [.accepting("cdn.test"), .pinned("api.test")]

    @Test("the shares of a pinned app are joined to the verdict of one run", arguments: [2, 3, 4])
    func joined(count: Int) throws {
        let runs = try runs(healthy, count: count)
        let (judgement, host) = try judge(runs)
        #expect(host.verdict == .provenPinned, "\(host.missing)")
        #expect(judgement.result == .pass)
        #expect(host.coldStarts >= 3)
        let whole = try judge([App(visits: healthy).run(.test()).evidence])
        #expect(host.met == whole.host.met)
        // Each is sound by itself, and speaks for its own attacks.
        for run in runs {
            let (judgement, host) = try judge([run])
            #expect(host.verdict == .provenPinned, "\(host.missing)")
            #expect(judgement.findings.map(\.id) == ["shard"])
            // But where the other folders were lost, it is not the whole plan that passed.
            #expect(judgement.result == .inconclusive)
        }
        // And each takes clearly less than the whole.
        let most = runs.map(\.trialCount).max() ?? 0
        #expect(most <= App(visits: healthy).run(.test()).trials.count * 2 / 3, "\(runs.map(\.trialCount))")
    }

    @Test("a witness in any share is one of the whole")
    func witness() throws {
        var fickle = App.Visit.pinned("api.test")
        let under = fickle.under
        fickle.under = { attack, nth in attack == "expired" ? [.request(96)] : under(attack, nth) }
        let (judgement, host) = try judge(try runs([.accepting("cdn.test"), fickle], count: 4))
        #expect(host.verdict == .notPinned && judgement.result == .fail)
    }

    @Test("a share that is not there is missing from the whole", arguments: 0..<3)
    func missing(index: Int) throws {
        var runs = try runs(healthy, count: 3)
        runs.remove(at: index)
        let (judgement, host) = try judge(runs)
        #expect(host.verdict == .refusedUnproven && host.missing.contains(.run))
        #expect(judgement.result == .inconclusive)
        #expect(judgement.findings.contains { $0.id == "shard-missing" })
    }

    @Test("an app with one connection after the other, sound on both, is joined to a proof as well", arguments: [2, 3])
    func oneAfterTheOther(count: Int) throws {
        var visit = App.Visit.pinned("api.test")
        visit.connections = 2
        let (_, host) = try judge(try runs([.accepting("cdn.test"), visit], count: count))
        #expect(host.verdict == .provenPinned, "\(host.missingNames)")
    }

    @Test("a second connection that comes now and then, and in each start of one share, is no demand of the whole plan")
    func nowAndThen() throws {
        var twice = App.Visit.pinned("api.test")
        twice.connections = 2
        var seldom = twice
        seldom.opens = { attack, nth in attack == .passthrough && nth > 1 ? 1 : 2 }
        let first = try runs([.accepting("cdn.test"), twice], count: 2)[0].ofPlan("a")
        let second = try runs([.accepting("cdn.test"), seldom], count: 2)[1].ofPlan("a")
        let (_, host) = try judge([first, second])
        #expect(host.verdict == .provenPinned, "\(host.missingNames)")
    }

    @Test("shares of two devices with one plan are two journeys: neither takes away what the other one owes")
    func twoDevices() throws {
        var twice = App.Visit.pinned("api.test")
        twice.connections = 2
        let open = App(visits: [.accepting("cdn.test"), twice]).run(.test(), followUps: 0).evidence
        #expect(try judge([open]).host.verdict == .refusedUnproven)
        let short = try runs(healthy, count: 2).map { $0.ofPlan("a") }
        let shared = open.sharing(try #require(Shard(1, of: 2)), coldStarts: 3).ofPlan("a")
        #expect(try judge([shared] + short).host.verdict == .refusedUnproven)
    }

    @Test("a share whose control did not come the first time shows it the second time")
    func controlLate() throws {
        var control = App.Visit.accepting("cdn.test")
        let under = control.under
        control.under = { attack, nth in attack == .trustedCA && nth == 1 ? nil : under(attack, nth) }
        let (_, host) = try judge(try runs([control, .pinned("api.test")], count: 4))
        #expect(host.verdict == .provenPinned, "\(host.missingNames)")
    }

    @Test("what follows from an attack is tried by the share that has it", arguments: 2...8)
    func together(count: Int) throws {
        let all = AttackCatalogue.all
        let last = names(try #require(Shard(count, of: count)).share(of: all))
        let outages = all.flatMap { attack in
            attack.variants.filter { attack.reading(of: $0.name).probe == .outages }.map(attack.name(of:))
        }
        #expect(outages.count > 3)
        for name in outages + ["cloned-identity/trusted", "trusted-ca/second-start", "trusted-ca/after-refusal"] {
            #expect(last.contains(name), "\(name)")
        }
    }

    @Test("what shows the trust of an app with roots of its own is in each share")
    func anchors() throws {
        for index in 1...4 {
            let share = try #require(Shard(index, of: 4)).share(of: attacks, provesAnchors: true)
            #expect(names(share).contains("wrong-key"))
        }
    }

    @Test(
        "a run in which nothing shows that the CA was trusted is in the way of a proof, whatever others show",
        arguments: [1, 4])
    func unvouched(count: Int) throws {
        // More shares than cold starts: those of the others are enough in number.
        var sound = count == 1 ? [App(visits: healthy).run(.test()).evidence] : try runs(healthy, count: count)
        let alone: [App.Visit] = [.pinned("api.test")]
        let unvouched = count == 1 ? App(visits: alone).run(.test()).evidence : try runs(alone, count: count)[2]
        if count == 1 { sound.append(unvouched) } else { sound[2] = unvouched }
        let (judgement, host) = try judge(sound)
        #expect(host.verdict == .refusedUnproven && host.missingNames == ["trust-control"])
        #expect(judgement.result == .inconclusive)
    }

    @Test("a run of a shorter journey takes no demand away")
    func shorterJourney() throws {
        var visit = App.Visit.pinned("api.test")
        visit.connections = 2
        let app = App(visits: [.accepting("cdn.test"), visit])
        let short = App(visits: healthy).run(.test()).evidence
        let open = app.run(.test(), followUps: 0).evidence
        #expect(try judge([open]).host.verdict == .refusedUnproven)
        #expect(try judge([open, short]).host.verdict == .refusedUnproven)
        #expect(try judge([app.run(.test()).evidence, short]).host.verdict == .provenPinned)
    }

    @Test("runs of other journeys, each of its own host, are joined")
    func otherJourneys() throws {
        let profile = Profile.test(refuse: ["api.test", "ws.test"])
        var twice = App.Visit.pinned("api.test")
        twice.connections = 2
        let runs = [[App.Visit.accepting("cdn.test"), twice], [.accepting("cdn.test"), .pinned("ws.test")]].map {
            App(visits: $0).run(profile).evidence
        }
        let judgement = Judge.judge(profile: profile, runs: runs)
        for name in ["api.test", "ws.test"] {
            let host = try judgement.host(name)
            #expect(host.verdict == .provenPinned, "\(name) \(host.missingNames)")
        }
    }

    @Test("a share of another plan completes none, whatever its number is")
    func otherPlan() throws {
        let all = try runs(healthy, count: 2)
        #expect(try judge([all[0].ofPlan("a"), all[1].ofPlan("a")]).1.verdict == .provenPinned)
        for others in [[all[1].ofPlan("b")], [all[1].ofPlan(nil)], [all[1].ofPlan("a"), all[1].ofPlan("b")]] {
            let (judgement, host) = try judge([all[0].ofPlan("a")] + others)
            #expect(host.verdict == .refusedUnproven && host.missing.contains(.run))
            let finding = try #require(judgement.findings.first { $0.id == "shard-missing" })
            #expect(finding.text.contains("shares of 2 plans"))
        }
    }

    @Test("a plan is another one where it tries something else, or less often")
    func planText() throws {
        let quick = AttackSelection.set(.quick).attacks
        let texts = [
            Shard.plan(of: AttackCatalogue.all, coldStarts: 3), Shard.plan(of: AttackCatalogue.all, coldStarts: 1),
            Shard.plan(of: quick, coldStarts: 3),
            Shard.plan(of: AttackCatalogue.all.map { $0.with(Array($0.variants.prefix(1))) }, coldStarts: 3),
        ]
        #expect(Set(texts).count == 4)
    }

    @Test("a share whose app did not trust the CA proves nothing of what it alone tried")
    func untrusting() throws {
        var runs = try runs(healthy, count: 3)
        runs[1] = try self.runs([.always("cdn.test", .alert(48)), .always("api.test", .alert(48))], count: 3)[1]
        let (_, host) = try judge(runs)
        #expect(host.verdict == .refusedUnproven, "\(host.missing)")
    }
}

extension RunEvidence {
    fileprivate func ofPlan(_ plan: String?) -> RunEvidence {
        RunEvidence(
            records: records.map { numbered in
                guard case .header(var header) = numbered.record else { return numbered }
                header.plan = plan
                return NumberedRecord(line: numbered.line, .header(header))
            })
    }

    fileprivate func sharing(_ shard: Shard, coldStarts: Int) -> RunEvidence {
        RunEvidence(
            records: records.map { numbered in
                guard case .header(var header) = numbered.record else { return numbered }
                header.shard = shard
                header.planColdStarts = coldStarts
                return NumberedRecord(line: numbered.line, .header(header))
            })
    }
}

@Suite struct SeveralHostsTests {
    @Test("three pinned hosts that do not hide one another take two starts more than one, at most", arguments: [1, 3])
    func three(coldStarts: Int) throws {
        func count(_ hosts: [HostName], _ visits: [App.Visit]) throws -> Int {
            let profile = Profile.test(refuse: hosts.map { HostPattern(exactly: $0) })
            let run = App(visits: [.accepting("cdn.test")] + visits).run(profile, coldStarts: coldStarts)
            let judgement = Judge.judge(profile: profile, runs: [run.evidence])
            for host in hosts { #expect(try judgement.host(host.text).verdict == .provenPinned) }
            return run.trials.count
        }
        let names: [HostName] = ["api.test", "feed.test", "img.test"]
        // One that says why it refuses, whatever the others do.
        let outspoken = names.map { App.Visit.pinned($0, trusted: [.alert(46)]) }
        let one = try count([names[0]], [outspoken[0]])
        #expect(try count(names, outspoken) <= one + 2)
    }
}
