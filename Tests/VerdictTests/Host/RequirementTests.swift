import Facts
import Policy
import Report
import Testing

@testable import Verdict

/// A whole run over everything, of a client that refuses all of it.
private func whole(
    _ client: Client = Client(connections: 2), _ selection: AttackSelection = .set(.all), profile: Profile = .test(),
    coldStarts: Int = 1
) -> Edited {
    var visit = App.Visit.always("api.test")
    visit.client = client
    return Edited(App(visits: [.accepting("cdn.test"), visit]), profile, selection, coldStarts: coldStarts)
}

private func names(_ requirements: [Requirement]) -> [String] {
    requirements.map { requirement in
        requirement.variant.map { "\(requirement.attack)/\($0)" } ?? requirement.attack.rawValue
    }
}

@Test("a run of the first version owes the forms that its attacks had then")
func firstVersion() {
    let script = Script(attacks: [.trustedCA, .untrustedCA, "wrong-key", "smuggled-chain", "other-host", "quantum"])
    let file = CaseFile(profile: .test(), runs: [script.evidence])
    #expect(
        names(file.requirements(at: "api.test")) == [
            "trusted-ca", "untrusted-ca", "wrong-key", "smuggled-chain/after", "smuggled-chain/between", "other-host",
            "quantum",
        ])
}

@Test("a run owes the forms that its header names, what was lent only where it was lent")
func namedForms() {
    let script = Script(
        attacks: ["lent-key", "other-host", "trusted-ca", "redirect"],
        variants: [
            "trusted-ca", "trusted-ca/tls-1.2", "lent-key", "other-host", "other-host/same-ca", "other-host/lent",
            "other-host/of-tomorrow", "redirect/from",
        ])
    let profile = Profile.test(
        refuse: ["api.test", "feed.test"],
        lent: [
            "api.test": LentMaterial(backupKey: "k", sameCAChain: "s"),
            "feed.test": LentMaterial(otherHost: ["a", "b"]),
        ])
    let file = CaseFile(profile: profile, runs: [script.evidence])
    let common = ["trusted-ca", "trusted-ca/tls-1.2", "untrusted-ca", "other-host"]
    // A redirect comes from the host that lends its key.
    #expect(names(file.requirements(at: "api.test")) == common + ["other-host/same-ca", "other-host/of-tomorrow"])
    #expect(
        names(file.requirements(at: "feed.test")) == common + [
            "other-host/lent", "other-host/of-tomorrow", "redirect/from",
        ])
}

@Test("runs that are judged together owe what any of them set out to try")
func mergedForms() {
    let one = Script(attacks: ["expired"], variants: ["expired"]).evidence
    let other = Script(attacks: ["self-signed"], variants: ["self-signed"]).evidence
    let file = CaseFile(profile: .test(), runs: [one, other])
    #expect(names(file.requirements(at: "api.test")) == ["trusted-ca", "untrusted-ca", "self-signed", "expired"])
}

@Test("every form has to have been refused: without any one of them there is no proof")
func eachForm() throws {
    let run = whole()
    #expect(try run.verdict().verdict == .provenPinned)
    for start in run.trials.values where start.attack != .passthrough {
        let requirement = Requirement(attack: start.attack, variant: start.variant)
        let isCold = start.attack == .trustedCA && start.variant == nil
        guard [.none, .offer].contains(requirement.reading.occasion), !isCold, !requirement.failsOthers,
            requirement.places == nil
        else {
            continue
        }
        var without = run
        without.edit("api.test", in: [start.trial], remove: true)
        try without.lacks(.attack(requirement.name))
    }
}

@Test("other forms of trusted-ca are no cold starts, and no matter where the client has not what they need")
func formsOfTrustedCA() throws {
    let run = whole()
    #expect(try run.verdict().coldStarts == 1)
    let older = try #require(run.trials.values.first { $0.attack == .trustedCA && $0.variant == "tls-1.2" })
    var refused = run
    refused.edit("api.test", in: [older.trial], { $0 = .like($0, .negotiation(70)) })
    #expect(try refused.verdict().verdict == .provenPinned)
    // Gone before it knew: it had the occasion, and showed nothing.
    var early = run
    early.edit("api.test", in: [older.trial], { $0 = .like($0, .early) })
    try early.lacks(.attack("trusted-ca/tls-1.2"))
    early.edit("api.test", in: [older.trial], { $0.hello?.versions = [.tls13] })
    #expect(try early.verdict().verdict == .provenPinned)
    // What only the form shows is a way around the pin.
    var data = run
    data.edit("api.test", in: [older.trial], { $0 = .like($0, .request(9)) })
    #expect(try data.verdict().subtype == .bypass)
}

@Test("a later connection that was met has to be refused; one that was not met does not matter")
func laterConnections() throws {
    let run = whole(Client(moment: .inHandshake, connections: 2), .set(.standard))
    // All after the first, and the first and the second alone, the latter twice.
    let numbers = run.numbers("later-connection")
    #expect(numbers.count == 4)
    func edited(_ act: Act) throws -> HostVerdict {
        var edited = run
        edited.edit("api.test", in: numbers) { seen in if seen.action == .intercepted { seen = .like(seen, act) } }
        return try edited.verdict()
    }
    #expect(try edited(.alert(46)).verdict == .provenPinned)
    // Gone before it knew, where it always comes: tried, and it showed nothing.
    #expect(try edited(.early).missing == [.attack("later-connection")])
    // Finished and left, by a client that refuses in the handshake: as likely a spare connection without a pin.
    #expect(try edited(.post()).missing == [.attack("later-connection")])
    #expect(try edited(.request(5)).subtype == .bypass)
    // One that always refuses late refuses here as well.
    #expect(try whole(Client(connections: 2), .set(.standard)).verdict().verdict == .provenPinned)
}

@Test("a form that the CA may not sign for a host is no lack, as long as another form of the attack was refused")
func leftOut() throws {
    let leave: (inout Observation) -> Void = { seen in
        seen = .like(seen, .early)
        seen.leftOut = true
    }
    var one = whole()
    let forms = one.numbers("wrong-usage")
    one.edit("api.test", in: [forms[4]], leave)
    let verdict = try one.verdict()
    #expect(verdict.verdict == .provenPinned)
    let scope = try #require(verdict.findings.first { $0.id == "attacks-tried" })
    #expect(scope.text.contains("not to be signed by this CA: wrong-usage/parent-domain"))
    // Without its mark it is just an early end.
    var early = whole()
    early.edit("api.test", in: [forms[4]]) { $0 = .like($0, .early) }
    #expect(try early.verdict().missing == [.attack("wrong-usage")])
    var all = whole()
    all.edit("api.test", in: forms, leave)
    #expect(try all.verdict().missing == [.attack("wrong-usage")])
    var single = whole()
    single.edit("api.test", in: single.numbers("wrong-key"), leave)
    #expect(try single.verdict().missing == [.attack("wrong-key")])
}

@Test("no TLS at all is settled by whatever end there is, and by being asked for")
func anyEnd() throws {
    for attack: AttackID in ["old-tls", "cleartext-fallback"] {
        for act in [Act.negotiation(70), .early, .silent(), .silent(.rst), .alert(46), .alert(51), .post()] {
            var run = whole()
            run.edit("api.test", in: run.numbers(attack), { $0 = .like($0, act) })
            #expect(try run.verdict().verdict == .provenPinned, "\(attack) \(act)")
        }
        // Ended before its hello was read: whose stack it was is not known.
        var unread = whole()
        unread.edit("api.test", in: unread.numbers(attack)) { seen in
            seen = .like(seen, .early)
            seen.hello = nil
        }
        #expect(try unread.verdict().verdict == .provenPinned)
        // Nothing was met: the server could not be reached, or the start was over before.
        for inTheWay: (inout Observation) -> Void in [
            { $0.attack = nil }, { $0.error = "origin: no connection" }, { $0.upstream?.error = "reset" },
            { $0.close = Observation.Close(by: .gate, how: .aborted, ms: 60_000) },
        ] {
            var unmet = whole()
            unmet.edit("api.test", in: unmet.numbers(attack)) { seen in
                seen = .like(seen, .early)
                inTheWay(&seen)
            }
            #expect(try unmet.verdict().verdict != .provenPinned, "\(attack)")
        }
        var open = whole()
        open.edit("api.test", in: Array(open.numbers(attack).prefix(1)), { $0 = .like($0, .idle) })
        #expect(try open.verdict().missing.contains(.idleConnections))
    }
}

@Test(
    "a certificate that cannot be used is refused by saying so, in whatever words",
    arguments: [
        "leaf-as-ca", "bad-signature", "wrong-usage", "weak-crypto",
    ] as [AttackID])
func unusable(attack: AttackID) throws {
    func like(_ seen: Observation, _ code: UInt8) -> Observation { .like(seen, .alert(code)) }
    for code: UInt8 in [42, 47, 50, 51, 71] {
        var run = whole()
        run.edit("api.test", in: run.numbers(attack), { $0 = like($0, code) })
        #expect(try run.verdict().verdict == .provenPinned, "\(code)")
    }
    // The same words before anything was shown are about something else, but for a key that cannot be verified at all.
    var early = whole()
    early.edit("api.test", in: early.numbers(attack), { $0 = .like($0, .negotiation(71)) })
    if attack == "weak-crypto" {
        #expect(try early.verdict().verdict == .provenPinned)
    } else {
        try early.lacks(.attack(attack))
    }
    // And of an honest chain they are no refusal.
    var honest = whole()
    honest.edit("api.test", in: honest.numbers("expired"), { $0 = like($0, 71) })
    try honest.lacks(.attack("expired"))
}

@Test("a complaint of the signature counts where the signature is wrong on purpose, and only there")
func signatureComplaints() throws {
    let profile = Profile.test(lent: ["api.test": LentMaterial(sameCAChain: "s")])
    for (attack, variant) in [("wrong-key", nil), ("other-host", "same-ca"), ("bad-signature", "corrupted")]
        as [(AttackID, String?)]
    {
        var run = whole(Client(connections: 2), .set(.all), profile: profile)
        let numbers = run.trials.values.filter { $0.attack == attack && $0.variant == variant }.map(\.trial)
        #expect(numbers.count == 1)
        run.edit("api.test", in: numbers, { $0 = .like($0, .alert(51)) })
        #expect(try run.verdict(profile).verdict == .provenPinned, "\(attack)")
    }
}
