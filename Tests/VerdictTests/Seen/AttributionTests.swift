import Facts
import Policy
import Report
import Testing

@testable import Verdict

/// Several apps, each on a device of its own, and perhaps a process that is nobody's.
private struct Farm {
    var apps: [(client: String?, app: App)]

    func run(
        _ profile: Profile, coldStarts: Int = 2, controls: [RunEvidence] = []
    ) -> (evidence: RunEvidence, trials: [Trial]) {
        var script = Script(coldStarts: coldStarts, attacks: AttackSelection.set(.quick).attacks.map(\.id))
        var scheduler = Scheduler(
            profile: profile, attacks: AttackSelection.set(.quick).attacks, coldStarts: coldStarts, controls: controls)
        var trials: [Trial] = []
        while let trial = scheduler.next(evidence: script.evidence) {
            trials.append(trial)
            script.start(trial)
            for (client, app) in apps {
                let before = script.records.count
                app.play(trial, profile, &script, trials.filter { $0 == trial }.count)
                script.name(client, from: before)
            }
            script.end()
        }
        script.finish()
        return (script.evidence, trials)
    }

    func judge(_ profile: Profile, controls: [RunEvidence] = []) -> Judgement {
        Judge.judge(profile: profile, runs: [run(profile, controls: controls).evidence], controlsFrom: controls)
    }
}

private let control = App.Visit.accepting("cdn.test")
private let pinned = App(visits: [control, .pinned("api.test")])
private let open = App(visits: [control, .accepting("api.test")])

private func profile(_ clients: String..., refuse: [HostPattern] = ["api.test"]) -> Profile {
    var profile = Profile.test(refuse: refuse)
    profile.clients = clients.map { ClientRule(name: $0, credentials: .init(user: $0)) }
    return profile
}

extension Judgement {
    fileprivate func verdict(_ client: String, _ host: String = "api.test") throws -> HostVerdict {
        try #require(hosts.first { $0.client == client && $0.host == host })
    }

    fileprivate func finding(_ id: String) -> Finding? { findings.first { $0.id == id } }
}

@Suite("Attribution")
struct AttributionTests {
    @Test("one client is pinned and one is not, and a system process refuses: each gets its own verdict")
    func farm() throws {
        let system = App(visits: [.always("api.test", .alert(48)), .always("os.test", .alert(48))])
        let judgement = Farm(apps: [("a", pinned), ("b", open), (nil, system)]).judge(profile("a", "b"))
        #expect(try judgement.verdict("a").verdict == .provenPinned)
        #expect(try judgement.verdict("a").strength == .s2a)
        #expect(try judgement.verdict("b").verdict == .notPinned)
        #expect(judgement.hosts.count == 2 && judgement.result == .fail)
        #expect(
            judgement.clients == [
                ClientResult(client: "a", result: .pass), ClientResult(client: "b", result: .fail),
            ])
        #expect(judgement.finding("unattributed")?.severity == .note)
        #expect(judgement.finding("unattributed")?.text.contains("api.test and os.test") == true)
        // Nobody's lines are nobody's evidence.
        let nobodys = Set(judgement.finding("unattributed")?.evidence ?? [])
        for host in judgement.hosts { #expect(nobodys.isDisjoint(with: host.attacks.flatMap(\.evidence))) }
    }

    @Test("without clients in the profile nothing is split, and nothing more is said")
    func alone() throws {
        let judgement = pinned.judge(.test(), .set(.quick))
        #expect(judgement.clients.isEmpty && judgement.findings.isEmpty && judgement.result == .pass)
        #expect(judgement.hosts.map(\.client) == [nil])
    }

    @Test("one client's control is no other's, nor is its genuine traffic")
    func ownControls() throws {
        // JSSE's way: the same alert under both CAs, so only a control shows trust.
        let silent = App.Visit.pinned("api.test", trusted: [.alert(46)], untrusted: [.alert(46)])
        let trusting = App(visits: [control, silent])
        let unknown = App(visits: [silent])
        var farm = Farm(apps: [("a", trusting), ("b", unknown)])
        var judgement = farm.judge(profile("a", "b"))
        #expect(try judgement.verdict("a").verdict == .provenPinned)
        #expect(try judgement.verdict("b").verdict == .refusedUnproven)
        #expect(try judgement.verdict("b").missing == [.trustControl])
        #expect(judgement.result == .inconclusive)

        // Refuses, but never worked: that the other client did means nothing.
        var mute = silent
        mute.untouched = { _ in nil }
        farm = Farm(apps: [("a", trusting), ("b", App(visits: [control, mute]))])
        judgement = farm.judge(profile("a", "b"))
        #expect(try judgement.verdict("a").verdict == .provenPinned)
        #expect(try judgement.verdict("b").verdict == .notExercised)
    }

    @Test("a client that refuses first is not in another client's company")
    func ownCompany() throws {
        // An unused socket thrown away after another host's refusal is no refusal; another device's refusal is no cause.
        let judgement = Farm(apps: [
            ("a", App(visits: [control, .pinned("feed.test")])), ("b", pinned),
        ]).judge(profile("a", "b", refuse: ["api.test", "feed.test"]).optional())
        #expect(try judgement.verdict("b").verdict == .provenPinned)
        #expect(try judgement.verdict("a", "feed.test").verdict == .provenPinned)
        #expect(try judgement.verdict("a").verdict == .notExercised)
    }

    @Test("a client that never came leaves its required hosts open, and is named")
    func absent() throws {
        let judgement = Farm(apps: [("a", pinned)]).judge(profile("a", "b"))
        #expect(try judgement.verdict("a").verdict == .provenPinned)
        #expect(try judgement.verdict("b").verdict == .notExercised)
        #expect(try judgement.verdict("b").why == "this client was never seen")
        #expect(judgement.result == .inconclusive)
        #expect(judgement.clients.map(\.result) == [.pass, .inconclusive])
        #expect(judgement.finding("client-not-seen")?.text.contains("client b ") == true)
        // Not even where nothing is required of it.
        #expect(Farm(apps: [("a", pinned)]).judge(profile("a", "b").optional()).result == .inconclusive)
    }

    @Test("nobody's data is no witness, and nobody's refusal no refusal")
    func nobody() throws {
        for app in [open, pinned] {
            let judgement = Farm(apps: [(nil, app)]).judge(profile("a"))
            #expect(try judgement.verdict("a").verdict == .notExercised)
            #expect(try judgement.verdict("a").attacks.isEmpty)
            #expect(judgement.result == .inconclusive)
        }
    }

    @Test("follow-ups ask for what any client lacks, and are shared")
    func followUps() throws {
        var late = App.Visit.pinned("feed.test")
        late.after = "api.test"
        let dependent = App(visits: [control, .pinned("api.test"), late])
        let both = profile("a", "b", refuse: ["api.test", "feed.test"])
        let farm = Farm(apps: [
            ("a", App(visits: [control, .pinned("api.test"), .pinned("feed.test")])), ("b", dependent),
        ])
        let trials = farm.run(both).trials
        #expect(trials.contains { $0.only == ["feed.test"] && $0.id == .trustedCA })
        let judgement = farm.judge(both)
        #expect(judgement.result == .pass)
        #expect(try judgement.verdict("b", "feed.test").verdict == .provenPinned)
    }

    @Test("another run is a control for the client it was made with, and for no other")
    func twins() throws {
        let silent = App(visits: [.pinned("api.test", trusted: [.alert(46)], untrusted: [.alert(46)])])
        var both = profile("a", "b")
        both.sameAnchors = true
        let twin = Farm(apps: [("a", App(visits: [.accepting("api.test")]))]).run(both).evidence
        let judgement = Farm(apps: [("a", silent), ("b", silent)]).judge(both, controls: [twin])
        #expect(try judgement.verdict("a").strength == .s2b)
        #expect(try judgement.verdict("b").verdict == .refusedUnproven)
    }

    @Test("evidence that names clients is never judged as one client's")
    func profileWithoutClients() throws {
        let silent = App.Visit.pinned("api.test", trusted: [.alert(46)], untrusted: [.alert(46)])
        let evidence = Farm(apps: [("a", App(visits: [control])), ("b", App(visits: [silent]))])
            .run(profile("a", "b")).evidence
        let judgement = Judge.judge(profile: .test(), runs: [evidence])
        #expect(judgement.clients.map(\.client) == ["a", "b"])
        #expect(try judgement.verdict("b").verdict == .refusedUnproven)
    }

    @Test("wrong credentials are a warning, and connections without any are told of in a note")
    func credentials() throws {
        var script = Script()
        script.start(.passthrough)
        script.add(.missing("api.test", .unknown, from: "192.0.2.7:1"))
        script.add(.missing("api.test", .missing, from: "192.0.2.8:1"))
        script.add(.missing("other.test", .missing, from: "192.0.2.8:1"))
        var answered = Script.tunnelled("api.test")
        answered.clientEndpoint = Endpoint("192.0.2.8:2")
        answered.clientName = "a"
        script.add(answered)
        script.end()
        script.finish()
        let judgement = Judge.judge(profile: profile("a"), runs: [script.evidence])
        let warning = try #require(judgement.finding("wrong-credentials"))
        #expect(warning.severity == .warning && warning.text.contains("192.0.2.7") && warning.evidence == [4])
        let note = try #require(judgement.finding("unattributed"))
        #expect(note.evidence == [4, 5, 6] && note.text.hasPrefix("3 connections came from none"))
        #expect(note.text.contains("(2 ended without the proxy credentials"))
    }

    @Test("a fault of the run is every client's")
    func fault() throws {
        var evidence = Farm(apps: [("a", pinned)]).run(profile("a", "b")).evidence
        evidence.records.removeAll { if case .selfTest = $0.record { true } else { false } }
        let judgement = Judge.judge(profile: profile("a", "b"), runs: [evidence])
        #expect(judgement.result == .invalid && judgement.clients.map(\.result) == [.invalid, .invalid])
        #expect(judgement.hosts.allSatisfy { $0.verdict == .invalidEnvironment && $0.client != nil })
    }

    @Test("what goes past the proxy is everybody's, unless the profile says whose the address is")
    func flows() throws {
        var three = profile("a", "b", "c")
        three.clients[0].address = IPAddress("192.0.2.7")
        let to = try #require(Endpoint("198.51.100.1:443"))
        let flows = try ["192.0.2.7:1", "192.0.2.9:1"].map {
            NetworkFlow(trial: 1, at: 1, transport: .quic, from: try #require(Endpoint($0)), to: to)
        }
        let shares = Attribution(profile: three, runs: [RunEvidence(flows.map(EvidenceRecord.flow))])
            .shares(controls: [])
        #expect(shares.map { $0.runs[0].records.count } == [2, 1, 1])
    }

    @Test("the worst result of all clients is the run's")
    func worst() {
        #expect(Attribution.worst([.pass, .invalid, .fail, .inconclusive]) == .fail)
        #expect(Attribution.worst([.pass, .invalid, .inconclusive]) == .invalid)
        #expect(Attribution.worst([.pass, .inconclusive]) == .inconclusive)
        #expect(Attribution.worst([.pass, .pass]) == .pass)
        #expect(Attribution.worst([]) == .inconclusive)
    }
}

extension Profile {
    fileprivate func optional() -> Profile {
        var profile = self
        for index in profile.rules.indices { profile.rules[index].required = false }
        return profile
    }
}

extension Observation {
    /// Asked for credentials, and gone.
    fileprivate static func missing(_ host: HostName, _ fault: Credentials, from client: String) -> Observation {
        var seen = Observation(client: Endpoint(client), via: .connect)
        seen.host = host
        seen.target = Endpoint(host, 443)
        seen.credentials = fault
        seen.close = .init(by: .client, how: .fin, ms: 3)
        return seen
    }
}

extension Script {
    /// Makes what was added from this record on a client's.
    fileprivate mutating func name(_ client: String?, from index: Int) {
        edit(from: index) { seen in
            seen.clientName = client
            // What is nobody's is left alone.
            if client == nil { seen = seen.untouched }
        }
    }
}

extension Observation {
    fileprivate var untouched: Observation {
        guard let host else { return self }
        return Script.tunnelled(host, data: false)
    }
}
