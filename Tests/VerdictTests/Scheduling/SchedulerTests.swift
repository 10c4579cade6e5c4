import Facts
import Policy
import Report
import Support
import Testing

@testable import Verdict

private let control = App.Visit.accepting("cdn.test")

/// `P T U E`, solo trials as `T(feed.test)`, variants as `S:after`.
private func trace(_ trials: [Trial]) -> String {
    trials.map { trial in
        let letter =
            switch trial.id {
            case .passthrough: "P"
            case .trustedCA: "T"
            case .untrustedCA: "U"
            case let id: id.rawValue
            }
        let variant = trial.variant?.name.map { ":" + $0 } ?? ""
        let only = trial.only.isEmpty ? "" : "(" + trial.only.sorted().map(\.text).joined(separator: ",") + ")"
        return letter + variant + only
    }.joined(separator: " ")
}

private func trials(
    _ visits: App.Visit..., profile: Profile = .test(), selection: AttackSelection = .set(.quick), coldStarts: Int = 1,
    controls: [RunEvidence] = []
) -> String {
    trace(App(visits: visits).run(profile, selection, coldStarts: coldStarts, controls: controls).trials)
}

@Test("the plan is P T U and the others for one cold start, and T spread with a P between for more")
func plans() {
    #expect(trials(control, .pinned("api.test")) == "P T U P")
    #expect(trials(control, .pinned("api.test"), coldStarts: 3) == "P T U P T P T P")
    #expect(
        trials(control, .pinned("api.test"), selection: .set(.standard))
            == "P T U wrong-key wrong-key:tls-1.2 smuggled-chain:after smuggled-chain:issuers-alone cloned-identity:trusted "
            + "cloned-identity:untrusted cloned-identity:without-root other-host self-signed expired not-yet-valid "
            + "silent-server resumed-session resumed-session:tls-1.2 "
            + "T:older T:host-only T:others-unreachable T:others-answer-404 T:coalesced P")
    #expect(
        trials(control, .pinned("api.test"), selection: .set(.standard), coldStarts: 3)
            == "P T U wrong-key wrong-key:tls-1.2 smuggled-chain:after smuggled-chain:issuers-alone "
            + "cloned-identity:trusted cloned-identity:untrusted P T cloned-identity:without-root other-host self-signed "
            + "expired not-yet-valid silent-server P T resumed-session resumed-session:tls-1.2 T:older "
            + "T:host-only T:others-unreachable T:others-answer-404 T:coalesced P")
    let list = AttackSelection.list(["self-signed"])
    #expect(trials(control, .pinned("api.test"), selection: list, coldStarts: 2) == "P T U P T self-signed P")
}

@Test("the other shapes of an unknown issuer's chain come once, whatever the cold starts")
func unknownIssuers() {
    let plan = trials(control, .pinned("api.test"), selection: .list([.untrustedCA]), coldStarts: 3)
    #expect(plan == "P T U P T U:with-root P T U:leaf-alone P")
}

@Test("nothing contacted, everything broken, a witness: the plan is gone through and no more")
func noFollowUps() {
    #expect(trials(coldStarts: 2) == "P T U P T P")
    #expect(trials(.accepting("api.test"), coldStarts: 2) == "P T U P T P")
    var broken = App.Visit.always("api.test", .early)
    broken.untouched = { _ in false }
    // The first passthrough failed, and is run again.
    #expect(trials(broken, coldStarts: 2) == "P P T U P T P")
    #expect(trials(.always("api.test", .negotiation(70)), coldStarts: 2) == "P T U P T P")
}

@Test("a host that an attack on an earlier one kept from being reached is attacked alone, with a P between two T")
func solo() {
    var feed = App.Visit.pinned("feed.test")
    feed.after = "api.test"
    let profile = Profile.test(refuse: ["api.test", "feed.test"])
    #expect(
        trials(control, .pinned("api.test"), feed, profile: profile, coldStarts: 2)
            == "P T U P T P T(feed.test) U(feed.test) P T(feed.test) P")
    #expect(trials(control, .pinned("api.test"), feed, profile: profile) == "P T U P T(feed.test) U(feed.test) P")
    // Not required: seen under attack once, as data there is a witness all the same.
    let optional = Profile.test(refuse: ["api.test", "feed.test"], optional: ["feed.test"])
    #expect(trials(control, .pinned("api.test"), feed, profile: optional) == "P T U P T(feed.test) P")
    feed.after = nil
    #expect(trials(control, .pinned("api.test"), feed, profile: optional) == "P T U P")
    feed.after = "api.test"
    // Alone it turns out not to be pinned: nothing more is to be learned.
    var open = App.Visit.accepting("feed.test")
    open.after = "api.test"
    #expect(trials(control, .pinned("api.test"), open, profile: profile, coldStarts: 3).hasSuffix("P T(feed.test) P"))
}

@Test("each variant of each attack is made up for alone")
func soloVariants() {
    var feed = App.Visit.pinned("feed.test")
    feed.after = "api.test"
    let profile = Profile.test(refuse: ["api.test", "feed.test"])
    let trace = trials(control, .pinned("api.test"), feed, profile: profile, selection: .set(.standard))
    for attack in [
        "T", "U", "wrong-key", "smuggled-chain:after", "smuggled-chain:issuers-alone", "other-host", "self-signed",
        "expired",
        "not-yet-valid",
    ] {
        #expect(trace.split(separator: " ").filter { $0 == "\(attack)(feed.test)" }.count == 1)
    }
    // But for the form that shows one host's own chain alone.
    #expect(!trace.replacing("T:host-only(api.test)", with: "").contains("(api.test)"))
}

@Test("a host under a wildcard is attacked alone by the name it was seen under")
func soloWildcard() {
    var feed = App.Visit.pinned("eu.feed.test")
    feed.after = "api.test"
    let profile = Profile.test(refuse: ["api.test", "*.feed.test"])
    #expect(trials(control, .pinned("api.test"), feed, profile: profile).contains("T(eu.feed.test)"))
}

@Test("a host that is not reached even alone is tried twice, and under nothing else")
func unreachable() {
    let ghost = App.Visit(host: "feed.test") { _, _ in nil }
    let profile = Profile.test(refuse: ["api.test", "feed.test"])
    #expect(
        trials(control, .pinned("api.test"), ghost, profile: profile, coldStarts: 3)
            == "P T U P T P T P T(feed.test) U(feed.test) P T(feed.test) P")
}

@Test("unclear outcomes are repeated, up to N runs of that attack")
func repeatsUnclear() {
    let idleOnce = App.Visit(host: "api.test") { attack, nth in
        attack == "self-signed" ? [nth < 2 ? .early : .alert(45)] : [.alert(46)]
    }
    let list = AttackSelection.list(["self-signed"])
    #expect(trials(control, idleOnce, selection: list, coldStarts: 3) == "P T U P T P T self-signed self-signed P")
    let never = App.Visit(host: "api.test") { attack, _ in [attack == "self-signed" ? .idle : .alert(46)] }
    #expect(
        trials(control, never, selection: list, coldStarts: 3) == "P T U P T P T self-signed self-signed self-signed P")
    #expect(trials(control, never, selection: list, coldStarts: 1) == "P T U self-signed P")
}

@Test("a cold start that died on the way is made up for")
func coldStartDied() throws {
    let died = App.Visit(host: "api.test") { attack, nth in [attack == .trustedCA && nth == 2 ? .early : .alert(46)] }
    #expect(trials(control, died, coldStarts: 3) == "P T U P T P T P T P")
    #expect(try App(visits: [control, died]).judge(.test()).host("api.test").verdict == .provenPinned)
    // What never works is not tried for ever.
    let never = App.Visit(host: "api.test") { attack, _ in [attack == .trustedCA ? .early : .alert(46)] }
    #expect(trials(control, never, coldStarts: 2) == "P T U P T P T P T P")
}

@Test("the other half of the differential is repeated only where it is the sole control")
func repeatsDifferential() {
    let pinned = App.Visit.pinned("api.test")
    let vouched = Profile.test(onlyPins: true)
    #expect(trials(pinned, profile: vouched, coldStarts: 3) == "P T U P T P T U P")
    // Without the profile's word it would prove nothing.
    #expect(trials(pinned, coldStarts: 3) == "P T U P T P T P")
    #expect(trials(control, pinned, profile: vouched, coldStarts: 3) == "P T U P T P T P")
    // One cold start cannot be repeated, and where there is no difference there is nothing to repeat.
    #expect(trials(pinned, profile: vouched, coldStarts: 1) == "P T U P")
    #expect(trials(.always("api.test", .alert(46)), profile: vouched, coldStarts: 3) == "P T U P T P T P")
    #expect(trials(.always("api.test", .post()), profile: vouched, coldStarts: 3) == "P T U P T P T P")
}

@Test("with another build's evidence no differential is needed")
func twinInstead() {
    let twin = App(visits: [.accepting("api.test")]).run(.test(), .set(.quick), coldStarts: 1).evidence
    let profile = Profile.test(controls: [], sameAnchors: true)
    #expect(trials(.pinned("api.test"), profile: profile, coldStarts: 3, controls: [twin]) == "P T U P T P T P")
}

@Test("every run ends, and with a passthrough, whatever the clients do", arguments: seeds(ofAll: 60))
func terminates(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let profile = Profile.test(
        refuse: ["api.test", "feed.test", "*.img.test"], accept: ["shop.test"], optional: ["*.img.test"],
        others: .accept)
    let app = App.random(["api.test", "feed.test", "a.img.test", "shop.test", "cdn.test", "else.test"], &random)
    let coldStarts = Int.random(in: 1...4, using: &random)
    let trials = app.run(profile, .set(.standard), coldStarts: coldStarts).trials
    #expect(trials.first == .passthrough)
    #expect(trials.last == .passthrough)
    #expect(trials.filter { $0.id == .trustedCA && $0.only.isEmpty }.count >= coldStarts)
    // Hosts not seen open since the last cold start; several starts that each leave some alone open all between them.
    var shut: Set<HostName>? = []
    for trial in trials {
        if trial.isColdStart {
            #expect(shut?.isEmpty ?? false, "two runs of trusted-ca without a passthrough between them")
            shut = nil
        }
        if trial == .passthrough { shut = [] }
        if trial.variant?.conduct.sparesOthers ?? false { shut = shut?.intersection(trial.only) ?? trial.only }
    }
    #expect(trials.count < 20 * coldStarts + Scheduler.followUpLimit)
}

@Test("the follow-ups of an endless supply of new hosts are bounded")
func bounded() {
    let names = (0..<20).compactMap { HostName("h\($0).img.test") }
    let app = App(visits: names.map { .always($0, .post()) })
    let trials = app.run(.test(refuse: ["*.img.test"]), .set(.quick), coldStarts: 3, followUps: 30).trials
    #expect(trials.count == 7 + 30 + (trials[36] == .passthrough ? 0 : 1))
    #expect(trials.last == .passthrough)
}

@Test("the count of trials to come is known from the plan and grows with what is found")
func plannedCount() {
    var scheduler = Scheduler(profile: .test(), attacks: AttackSelection.set(.quick).attacks, coldStarts: 3)
    #expect(scheduler.plannedCount == 8)
    var handed = 0
    while scheduler.next(evidence: Script().evidence) != nil {
        handed += 1
        #expect(scheduler.done.count == handed)
        #expect(scheduler.plannedCount >= handed)
    }
    #expect(handed == 8)
}

@Test("a trial says how it is written down and what the proxy is to do")
func trialValues() throws {
    let variant = try #require(Attack.smuggledChain.variants.first { $0.name == "between" })
    let trial = Trial(attack: .smuggledChain, variant: variant, only: ["b.test", "a.test"])
    #expect(
        trial.start(number: 4, at: 9)
            == TrialStart(trial: 4, attack: "smuggled-chain", variant: "between", only: ["a.test", "b.test"], at: 9))
    #expect(trial.phase == .attack(.smuggledChain, variant, only: ["a.test", "b.test"]))
    #expect(Trial.passthrough.phase == .passthrough)
    #expect(Trial.passthrough.id == .passthrough)
}
