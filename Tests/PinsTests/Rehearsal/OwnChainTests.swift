import Testing

@testable import Pins

@Suite("what comes of an app at a chain of the team's own")
struct OwnChainTests {
    private static func scenario(
        _ keys: ChainKeys, _ sight: RehearsalSight? = nil, anchor: RehearsalScenario.Anchor = .genuine,
        dates: RehearsalScenario.Dates = .current, isForHost: Bool = true, lacksIssuer: Bool = false
    ) -> RehearsalScenario {
        RehearsalScenario(
            "next", keys, anchor: anchor, dates: dates, isForHost: isForHost, lacksIssuer: lacksIssuer, isOwn: true,
            sight: sight)
    }

    private static let next = ChainKeys(leaf: "next", issuers: ["issuer", "root"])
    private static let judge = RehearsalJudge(Rehearsing.pinned(["leaf"]))

    @Test("what was seen counts, whatever the pins say")
    func seen() {
        let works = Self.judge.judge(Self.scenario(Self.next, .accepted))
        #expect(works.outcome == .works)
        #expect(works.basis == .seen)
        let locked = Self.judge.judge(Self.scenario(Rehearsing.genuine, Rehearsing.refusal))
        #expect(locked.outcome == .lockedOut)
        #expect(locked.why.contains("though sha256/leaf… is in it"))
    }

    @Test("one that has not begun is not judged by its refusal now")
    func ahead() {
        let ahead = RehearsalScenario.Dates.ahead("2030-01-01")
        let renewed = ChainKeys(leaf: "leaf", issuers: ["issuer", "root"])
        #expect(Self.judge.judge(Self.scenario(renewed, Rehearsing.refusal, dates: ahead)).outcome == .works)
        let locked = Self.judge.judge(Self.scenario(Self.next, Rehearsing.refusal, dates: ahead))
        #expect(locked.outcome == .lockedOut)
        #expect(locked.basis == .pins)
        #expect(locked.why.contains("2030-01-01"))
    }

    @Test(
        "a refusal that is no matter of pins is told apart",
        arguments: [
            ("unknown_ca", .another, .current, true, false, "that is no matter of a pin alone"),
            ("unknown_ca", .unverified, .current, true, true, "its issuer is not in the file"),
            ("certificate_expired", .genuine, .current, true, false, "its dates are over"),
            ("bad_certificate", .genuine, .over("2020-01-01"), true, false, "over since 2020-01-01"),
            ("bad_certificate", .genuine, .current, false, false, "it is not for this host"),
            ("bad_certificate", .genuine, .current, true, false, "none of its keys"),
        ] as [(String, RehearsalScenario.Anchor, RehearsalScenario.Dates, Bool, Bool, String)])
    func causes(
        alert: String, anchor: RehearsalScenario.Anchor, dates: RehearsalScenario.Dates, isForHost: Bool,
        lacksIssuer: Bool, words: String
    ) {
        let scenario = Self.scenario(
            Self.next, .refused(.init(alert: alert)), anchor: anchor, dates: dates, isForHost: isForHost,
            lacksIssuer: lacksIssuer)
        let result = Self.judge.judge(scenario)
        #expect(result.outcome == .lockedOut)
        #expect(result.why.contains(words), "\(result.why)")
    }

    @Test("after the handshake it is the pin, also where nothing here vouches for the chain")
    func afterHandshake() {
        let result = Self.judge.judge(Self.scenario(Self.next, Rehearsing.refusal, anchor: .unverified))
        #expect(result.why.contains("none of its keys is among the profile's pins"))
    }

    @Test("without its key it follows from the pins, or from nothing")
    func withoutKey() {
        let renewed = ChainKeys(leaf: "leaf", issuers: ["issuer", "root"])
        #expect(Self.judge.judge(Self.scenario(renewed)).outcome == .works)
        #expect(Self.judge.judge(Self.scenario(Self.next)).outcome == .lockedOut)
        #expect(Self.judge.judge(Self.scenario(renewed, anchor: .unverified)).outcome == .unclear)
        #expect(Self.judge.judge(Self.scenario(renewed, isForHost: false)).outcome == .unclear)
        // A lock-out by pins needs nobody to vouch for the chain.
        #expect(Self.judge.judge(Self.scenario(Self.next, anchor: .unverified)).outcome == .lockedOut)
    }

    @Test("a chain that does not lead up to a known root may hold the pinned key in what is missing")
    func incomplete() {
        let judge = RehearsalJudge(Rehearsing.pinned(["root"]))
        let cut = ChainKeys(leaf: "next", issuers: ["issuer"], isWhole: false)
        #expect(judge.judge(Self.scenario(cut, anchor: .unverified)).outcome == .unclear)
        #expect(Self.judge.judge(Self.scenario(cut, anchor: .unverified)).outcome == .lockedOut)
    }

    @Test("a chain that the app took against the profile's pins takes these their weight")
    func contradicted() {
        let evidence = Rehearsing.pinned(["leaf"]) {
            $0.answers = [.init(Self.next, .accepted, isSound: true)]
        }
        #expect(Rehearsing.outcome(.renewedNewKey, evidence) == .unclear)
    }

    @Test("chains that were seen tell which certificates pins are compared with")
    func narrowed() {
        let evidence = Rehearsing.pinned(["leaf", "issuer"]) {
            $0.answers = [.init(Self.next, .accepted, isSound: true)]
        }
        #expect(Rehearsing.outcome(.renewedNewKey, evidence) == .works)
        let refused = Rehearsing.pinned(["leaf", "issuer"]) {
            $0.answers = [.init(Self.next, Rehearsing.refusal, isSound: true)]
        }
        #expect(Rehearsing.outcome(.renewedNewKey, refused) == .lockedOut)
    }
}
