import Facts
import Pins
import Policy
import Support
import Testing
import Verdict

@testable import Gate

@Suite("which starts a rehearsal makes")
struct RehearsalPlanTests {
    private let api: HostName
    private let cdn: HostName
    private let plan: RehearsalPlan

    init() throws {
        (api, cdn) = (try host("api.example.com"), try host("cdn.example.com"))
        plan = RehearsalPlan(
            profile: try profile(refuse: ["api.example.com"], controls: ["cdn.example.com"]), chains: [],
            hasStandard: true, lentFor: [], retries: 2)
    }

    private func next(_ script: RehearsalScript) -> ScheduledTrial? {
        var scheduler = RehearsalScheduler(plan)
        return scheduler.next(after: script.records)
    }

    @Test("an untouched start comes first, and is made again while the host does not work")
    func first() {
        var script = RehearsalScript()
        #expect(next(script)?.phase == .passthrough)
        script.untouched(api, works: false)
        #expect(next(script)?.phase == .passthrough)
        #expect(next(script)?.retryOf == 1)
        script.untouched(api, works: false)
        script.untouched(api, works: false)
        #expect(next(script) == nil)
    }

    @Test("an app that refuses after the handshake is compared with an unknown CA, and shown a lapsed certificate")
    func late() {
        var script = RehearsalScript()
        script.untouched(api, cdn)
        #expect(next(script)?.phase == RehearsalStep.unknownKey(api).phase)
        let control = RehearsalScript.intercepted(cdn, .request, attack: .trustedCA)
        script.step(.unknownKey(api), .late, beside: [control])
        // Without a word it is made once more.
        #expect(next(script)?.phase == RehearsalStep.unknownKey(api).phase)
        #expect(next(script)?.retryOf == nil)
        script.step(.unknownKey(api), .late)
        #expect(next(script)?.phase == RehearsalStep.unknownCA(api).phase)
        script.step(.unknownCA(api), .alert(48))
        #expect(next(script)?.phase == RehearsalStep.lapse(api, withLentKey: false).phase)
        script.step(.lapse(api, withLentKey: false), .alert(45))
        #expect(next(script)?.phase == RehearsalStep.carelessControls([cdn]).phase)
        script.step(.carelessControls([cdn]), .nothing)
        #expect(next(script)?.phase == .passthrough)
        script.untouched(api, cdn)
        #expect(next(script) == nil)
        #expect(script.record.trustingControl(plan.profile) == cdn)
    }

    @Test("an app that refuses within the handshake is asked what it says of the genuine key")
    func early() {
        var script = RehearsalScript()
        script.untouched(api)
        script.step(.unknownKey(api), .alert(42))
        #expect(next(script)?.phase == RehearsalStep.genuineKey(api, isOver: false).phase)
        script.step(.genuineKey(api, isOver: false), .alert(51))
        #expect(script.record.keySight(api) == .accepted)
        #expect(next(script)?.phase == RehearsalStep.genuineKey(api, isOver: true).phase)
        script.step(.genuineKey(api, isOver: true), .alert(42))
        #expect(script.record.keySight(api, isOver: true).wasRefused)
    }

    @Test("an alert that says nothing of signatures, and is not the usual one, tells nothing of a key")
    func otherWords() {
        var script = RehearsalScript()
        script.step(.unknownKey(api), .alert(42))
        script.step(.genuineKey(api, isOver: false), .alert(80))
        #expect(script.record.keySight(api).isNothing)
        var same = RehearsalScript()
        same.step(.unknownKey(api), .alert(40))
        same.step(.genuineKey(api, isOver: false), .alert(40))
        #expect(same.record.keySight(api).isNothing)
    }

    @Test("one request is enough, and a start that was cut off counts for nothing")
    func sights() {
        var script = RehearsalScript()
        script.start(
            RehearsalStep.unknownKey(api).phase,
            [RehearsalScript.intercepted(api, .late), RehearsalScript.intercepted(api, .request)])
        #expect(script.record.sight(.unknownKey(api)) == .accepted)
        script.step(.unknownKey(api), .alert(42))
        #expect(script.record.sight(.unknownKey(api)) == .mixed)
        var cut = RehearsalScript()
        cut.start(
            RehearsalStep.unknownKey(api).phase, interrupted: true, [RehearsalScript.intercepted(api, .late)])
        #expect(cut.record.sight(.unknownKey(api)).isNothing)
        // That it cannot read us is no refusal of a chain.
        var unread = RehearsalScript()
        unread.step(.unknownKey(api), .alert(20))
        #expect(unread.record.sight(.unknownKey(api)).isNothing)
    }

    @Test("a control that takes any CA is none")
    func carelessControl() {
        var script = RehearsalScript()
        script.step(
            .unknownKey(api), .alert(42), beside: [RehearsalScript.intercepted(cdn, .request, attack: .trustedCA)])
        script.step(
            .carelessControls([cdn]), .nothing,
            beside: [RehearsalScript.intercepted(cdn, .careless, attack: .untrustedCA)])
        #expect(script.record.trustingControl(plan.profile) == nil)
    }

    @Test(
        "an app that goes further under the CA, or says something else of it, trusts it; one that says the same may not"
    )
    func trust() {
        func evidence(_ unknownKey: RehearsalScript.End, _ unknownCA: RehearsalScript.End) -> RehearsalEvidence {
            var script = RehearsalScript()
            script.untouched(api)
            script.step(.unknownKey(api), unknownKey)
            script.step(.unknownCA(api), unknownCA)
            return HostRehearsal(
                host: api, plan: plan, record: script.record, lent: .init(), anchors: [], scope: nil, now: 0
            ).evidence
        }
        #expect(evidence(.late, .alert(48)).trust == .comparison)
        #expect(evidence(.alert(42), .alert(48)).trust == .comparison)
        #expect(evidence(.alert(42), .alert(42)).trust == nil)
        #expect(evidence(.late, .late).trust == nil)
        #expect(evidence(.late, .alert(48)).genuine?.issuers == ["issuer", "root"])
    }

    @Test("a control that takes the CA says nothing of a host at which the app says that it does not know the CA")
    func foreignHost() {
        func trust(_ unknownKey: UInt8, _ unknownCA: RehearsalScript.End?) -> RehearsalEvidence.Trust? {
            var script = RehearsalScript()
            script.untouched(api)
            script.step(
                .unknownKey(api), .alert(unknownKey),
                beside: [RehearsalScript.intercepted(cdn, .request, attack: .trustedCA)])
            if let unknownCA { script.step(.unknownCA(api), unknownCA) }
            return HostRehearsal(
                host: api, plan: plan, record: script.record, lent: .init(), anchors: [], scope: nil, now: 0
            ).evidence.trust
        }
        #expect(trust(48, nil) == nil)
        #expect(trust(48, .alert(48)) == nil)
        #expect(trust(48, .alert(46)) == .control("cdn.example.com"))
        #expect(trust(42, .alert(42)) == .control("cdn.example.com"))
    }

    @Test("what a --with option can be, and what it cannot")
    func chains() throws {
        typealias Chain = RehearsalOptions.Chain
        let both = try Chain.parse(["next=a.pem,b.key", "later=c.pem", "x=y=z"]) { $0 == "c.pem" }
        #expect(both[0] == Chain(name: "next", chain: "a.pem", key: "b.key"))
        #expect(both[1] == Chain(name: "later", chain: "c.pem", key: nil))
        #expect(both[2].chain == "y=z")
        #expect(try Chain.parse(["n=a,b.pem"]) { $0 == "a,b.pem" } == [Chain(name: "n", chain: "a,b.pem", key: nil)])
        for (texts, fault) in [
            (["next"], Chain.Fault.noEquals("next")), (["=a"], .badName("")), (["a b=c"], .badName("a b")),
            (["n="], .noFile("n=")), (["n=,k"], .noFile("n=,k")), (["n=c,"], .noFile("n=c,")),
            (["n=a", "n=b"], .repeated("n")), (Array(repeating: "n=a", count: 33), .tooMany),
        ] {
            #expect(throws: fault) { try Chain.parse(texts) { _ in false } }
        }
    }
}
