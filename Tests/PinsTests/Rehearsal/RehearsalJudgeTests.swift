import Testing

@testable import Pins

/// One host with a chain of three, and what each test changes about it.
enum Rehearsing {
    static let genuine = ChainKeys(leaf: "leaf", issuers: ["issuer", "root"], certificate: "certificate")
    static let refusal = RehearsalSight.refused(.init(isAfterHandshake: true))

    /// Seen to refuse an unknown key under a CA that it trusts.
    static func pinned(_ pins: Set<String>, _ change: (inout RehearsalEvidence) -> Void = { _ in }) -> RehearsalEvidence
    {
        var evidence = RehearsalEvidence(
            genuine: genuine, pins: pins, trust: .control("cdn.test"), unknownKey: refusal, checksDates: true)
        change(&evidence)
        return evidence
    }

    static func outcomes(_ evidence: RehearsalEvidence, backup: String? = nil) -> [StandardScenario: Rehearsed.Outcome]
    {
        let judge = RehearsalJudge(evidence)
        return StandardScenario.allCases.reduce(into: [:]) { out, one in
            guard let scenario = one.scenario(genuine, backup: backup) else { return }
            out[one] = judge.judge(scenario).outcome
        }
    }

    static func outcome(_ scenario: StandardScenario, _ evidence: RehearsalEvidence) -> Rehearsed.Outcome? {
        outcomes(evidence, backup: evidence.backup?.key)[scenario]
    }
}

@Suite("what comes of an app at the standard chains")
struct RehearsalJudgeTests {
    @Test("an app that pins the leaf's key goes with that key, whoever issues it")
    func leafPin() {
        #expect(
            Rehearsing.outcomes(Rehearsing.pinned(["leaf"])) == [
                .renewedSameKey: .works, .renewedNewKey: .lockedOut, .otherIntermediate: .works, .otherRoot: .works,
                .rsaToEC: .lockedOut, .lapsedLeaf: .lockedOut,
            ])
    }

    @Test("an app that pins the issuer's key goes with that one")
    func issuerPin() {
        #expect(
            Rehearsing.outcomes(Rehearsing.pinned(["issuer"])) == [
                .renewedSameKey: .works, .renewedNewKey: .works, .otherIntermediate: .lockedOut, .otherRoot: .lockedOut,
                .rsaToEC: .works, .lapsedLeaf: .lockedOut,
            ])
    }

    @Test("an app that pins the root's key minds no other intermediate")
    func rootPin() {
        #expect(
            Rehearsing.outcomes(Rehearsing.pinned(["root"])) == [
                .renewedSameKey: .works, .renewedNewKey: .works, .otherIntermediate: .works, .otherRoot: .lockedOut,
                .rsaToEC: .works, .lapsedLeaf: .lockedOut,
            ])
    }

    @Test("an app that takes any certificate of a CA that it trusts takes each of these, but one that is over")
    func unpinned() {
        let evidence = Rehearsing.pinned(["leaf"]) { $0.unknownKey = .accepted }
        let outcomes = Rehearsing.outcomes(evidence)
        for (scenario, outcome) in outcomes { #expect(outcome == (scenario == .lapsedLeaf ? .lockedOut : .works)) }
    }

    @Test("no lock-out follows from pins that the app was not seen to enforce, and works all the same does")
    func notEnforced() {
        let evidence = Rehearsing.pinned(["leaf"]) { $0.trust = nil }
        #expect(Rehearsing.outcome(.renewedNewKey, evidence) == .unclear)
        #expect(Rehearsing.outcome(.renewedSameKey, evidence) == .works)
    }

    @Test("a profile without pins leaves all open that hangs on them")
    func noPins() {
        let outcomes = Rehearsing.outcomes(Rehearsing.pinned([]))
        for (scenario, outcome) in outcomes where scenario != .lapsedLeaf && scenario != .otherRoot {
            #expect(outcome == .unclear, "\(scenario)")
        }
    }

    @Test("pins that are in no certificate of the genuine chain say nothing")
    func foreignPins() {
        let outcomes = Rehearsing.outcomes(Rehearsing.pinned(["somebody's"]))
        for scenario in [StandardScenario.renewedSameKey, .renewedNewKey, .otherRoot] {
            #expect(outcomes[scenario] == .unclear)
        }
    }

    @Test(
        "where one pinned key stays and another goes, it hangs on what pins are compared with",
        arguments: [
            (nil, .unclear, .unclear), (.any, .works, .works), (.leaf, .lockedOut, .works),
            (.both, .lockedOut, .lockedOut),
        ] as [(PinScope?, Rehearsed.Outcome, Rehearsed.Outcome)])
    func mixed(scope: PinScope?, newKey: Rehearsed.Outcome, otherIntermediate: Rehearsed.Outcome) {
        let evidence = Rehearsing.pinned(["leaf", "issuer"]) { $0.scope = scope }
        #expect(Rehearsing.outcome(.renewedNewKey, evidence) == newKey)
        #expect(Rehearsing.outcome(.otherIntermediate, evidence) == otherIntermediate)
    }

    @Test("a key that passed in a certificate of the forging CA shows that no issuer has to match")
    func narrowedByBackup() {
        let evidence = Rehearsing.pinned(["leaf", "issuer", "backup"]) {
            $0.backup = ("backup", .accepted)
            $0.trust = .lentKey
        }
        #expect(Rehearsing.outcome(.backupKey, evidence) == .works)
        #expect(Rehearsing.outcome(.otherIntermediate, evidence) == .works)
        #expect(Rehearsing.outcome(.renewedNewKey, evidence) == .unclear)
    }

    @Test("a lent key that is refused, though the profile pins it, locks out; what else the app holds on to is open")
    func refusedBackup() {
        let evidence = Rehearsing.pinned(["leaf", "backup"]) { $0.backup = ("backup", Rehearsing.refusal) }
        #expect(Rehearsing.outcome(.backupKey, evidence) == .lockedOut)
        #expect(Rehearsing.outcome(.renewedNewKey, evidence) == .lockedOut)
        #expect(Rehearsing.outcome(.renewedSameKey, evidence) == .unclear)
    }

    @Test("a lent key that is refused says nothing where the profile pins an issuer: that one stays")
    func refusedBackupUnderPinnedCA() {
        let evidence = Rehearsing.pinned(["issuer", "backup"]) { $0.backup = ("backup", Rehearsing.refusal) }
        #expect(Rehearsing.outcome(.backupKey, evidence) == .works)
        #expect(Rehearsing.outcome(.otherRoot, evidence) == .lockedOut)
    }

    @Test(
        "a stack whose own pins are of certificates is not said to work with a renewed one, unless a key was seen to pass"
    )
    func certificates() {
        var evidence = Rehearsing.pinned(["leaf"]) { $0.mayPinCertificates = true }
        #expect(Rehearsing.outcome(.renewedSameKey, evidence) == .unclear)
        #expect(Rehearsing.outcome(.renewedNewKey, evidence) == .lockedOut)
        evidence.genuineKey = .accepted
        #expect(Rehearsing.outcome(.renewedSameKey, evidence) == .works)
    }

    @Test("an app that refuses the genuine key in a new certificate does not pin that key, whatever the profile says")
    func genuineKeyRefused() {
        let evidence = Rehearsing.pinned(["leaf"]) { $0.genuineKey = .refused(.init(alert: "bad_certificate")) }
        for scenario in [StandardScenario.renewedSameKey, .renewedNewKey, .otherIntermediate] {
            #expect(Rehearsing.outcome(scenario, evidence) == .unclear)
        }
    }

    @Test("a stack that lets local CAs pass its pins is not said to work by what it took from one")
    func localAnchors() {
        let evidence = Rehearsing.pinned(["leaf"]) {
            $0.unknownKey = .accepted
            $0.mayExemptLocalAnchors = true
        }
        #expect(Rehearsing.outcome(.renewedNewKey, evidence) == .unclear)
        #expect(Rehearsing.outcome(.renewedSameKey, evidence) == .works)
    }

    @Test("an app with roots of its own does not go to another one")
    func anchors() {
        let evidence = Rehearsing.pinned(["leaf"]) {
            $0.anchors = ["root"]
            $0.trust = nil
        }
        #expect(Rehearsing.outcome(.otherRoot, evidence) == .lockedOut)
        #expect(Rehearsing.outcome(.otherIntermediate, evidence) == .works)
    }

    @Test("whether an app looks at dates is not guessed")
    func dates() {
        let open = Rehearsing.pinned(["leaf"]) { $0.checksDates = nil }
        #expect(Rehearsing.outcome(.lapsedLeaf, open) == .unclear)
        let careless = Rehearsing.pinned(["leaf"]) { $0.checksDates = false }
        #expect(Rehearsing.outcome(.lapsedLeaf, careless) == .works)
    }

    @Test("nothing is said of a host that did not work untouched")
    func broken() {
        let evidence = Rehearsing.pinned(["leaf"]) { $0.worked = false }
        #expect(Set(Rehearsing.outcomes(evidence).values) == [.unclear])
    }

    @Test("of what differed from start to start nothing follows, and no lock-out")
    func mixedStarts() {
        let evidence = Rehearsing.pinned(["leaf"]) { $0.unknownKey = .mixed }
        #expect(Rehearsing.outcome(.renewedNewKey, evidence) == .unclear)
    }
}
