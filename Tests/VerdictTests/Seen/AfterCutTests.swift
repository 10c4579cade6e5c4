import Facts
import Policy
import Testing

@testable import Verdict

/// A run of the standard set with a client whose connections last so long untouched, and which under `after-cut` does so.
private func run(lasting ms: Double, _ underCut: [Act]) -> (evidence: RunEvidence, isTried: Bool) {
    let attacks = AttackSelection.set(.standard).attacks
    var script = Script(
        coldStarts: 1, attacks: attacks.map(\.id),
        variants: attacks.flatMap { attack in attack.variants.map(attack.name(of:)) })
    var scheduler = Scheduler(profile: .test(), attacks: attacks, coldStarts: 1)
    var isTried = false
    func tunnel() {
        var seen = Script.tunnelled("api.test")
        seen.close = .init(by: .client, how: .fin, ms: ms)
        script.add(seen)
    }
    while let trial = scheduler.next(evidence: script.evidence) {
        script.start(trial)
        if trial == .passthrough {
            script.tunnel("cdn.test")
            tunnel()
        } else if let attack = trial.attack {
            script.attack(
                "cdn.test", trial.id == .untrustedCA ? trial.id : .trustedCA,
                trial.id == .untrustedCA ? .alert(48) : .request(96))
            if trial.variant?.conduct.cutsWhatWorked == true {
                isTried = true
                tunnel()
                for act in underCut { script.attack("api.test", attack.id, variant: trial.variant?.name, act) }
            } else {
                let acts = App.Visit.pinned("api.test").under(attack.id, 0) ?? []
                for act in acts { script.attack("api.test", attack.id, variant: trial.variant?.name, act) }
            }
        }
        script.end()
    }
    script.finish()
    return (script.evidence, isTried)
}

@Test(
    "a connection that has worked is cut where one was seen to last longer than its answer could, and is one run more")
func whereConnectionsLast() {
    #expect(!run(lasting: 40, []).isTried)
    #expect(!run(lasting: 900, []).isTried)
    #expect(run(lasting: 1000, []).isTried)
}

@Test("data on what follows the cut is a bypass; a refusal, or no other connection, is in nobody's way")
func afterCut() throws {
    func verdict(_ acts: [Act]) throws -> HostVerdict {
        try Judge.judge(profile: .test(), runs: [run(lasting: 5000, acts).evidence]).host("api.test")
    }
    let fell = try verdict([.request(96)])
    #expect(fell.verdict == .notPinned && fell.subtype == .bypass)
    #expect(try verdict([.alert(46)]).verdict == .provenPinned)
    #expect(try verdict([]).verdict == .provenPinned)
}
