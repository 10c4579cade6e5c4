import Facts
import Policy
import Report
import Testing

@testable import Verdict

// The clients that the judge must not mislabel (docs/verdicts.md, "Why FIN, RST and alert codes prove nothing"), and its decisions.

private let profile = Profile.test()
private let control = App.Visit.accepting("cdn.test")

private func judge(_ visits: App.Visit..., coldStarts: Int = 3, profile: Profile = profile) throws -> HostVerdict {
    try App(visits: visits).judge(profile, coldStarts: coldStarts).host("api.test")
}

@Test("an unpinned client that trusts the CA is not pinned")
func unpinned() throws {
    let verdict = try judge(control, .accepting("api.test"))
    #expect(verdict.verdict == .notPinned)
    #expect(verdict.subtype == .plain)
    #expect(verdict.why == "sent 96 bytes (http/1 GET) under trusted-ca, smuggled-chain and 4 more")
    #expect(verdict.coldStarts == 0)
    #expect(verdict.acceptanceBound95 == nil)
    #expect(verdict.missing.isEmpty)
}

@Test("the same client without the CA installed is unproven: the commonest false green")
func untrusting() throws {
    #expect(try judge(.always("api.test", .alert(48, .rst))).verdict == .refusedUnproven)
}

@Test("a refusal after the handshake is one, proven by the differential")
func lateRefusal() throws {
    let verdict = try App(visits: [.pinned("api.test")]).judge(.test(controls: [], onlyPins: true)).host("api.test")
    #expect(verdict.verdict == .provenPinned)
    #expect(verdict.strength == .s2c)
    #expect(verdict.why.contains("finished under trusted-ca and never under untrusted-ca"))
}

@Test("the same alert for pin and CA proves nothing by itself")
func equalAlerts() throws {
    let verdict = try judge(.always("api.test", .alert(46)))
    #expect(verdict.verdict == .refusedUnproven)
    #expect(verdict.missing == [.trustControl])
}

@Test("two different alerts are no differential: both are refusals in the handshake")
func differentAlerts() throws {
    #expect(try judge(.pinned("api.test", trusted: [.alert(42)], untrusted: [.alert(48)])).verdict == .refusedUnproven)
}

@Test("a silent client is unproven without a control, and proven with one")
func silent() throws {
    #expect(try judge(.always("api.test", .silent())).verdict == .refusedUnproven)
    #expect(try judge(control, .always("api.test", .silent())).verdict == .provenPinned)
}

@Test("a second socket without a byte does not make an accepting browser a refusing one")
func speculativeSocket() throws {
    let browser = App.Visit(host: "api.test") { attack, _ in
        attack == .trustedCA ? [.post(), .request(500), .post()] : [.alert(46), .alert(46)]
    }
    #expect(try judge(control, browser).verdict == .notPinned)
}

@Test("one acceptance in many cold starts is enough")
func flakyPin() throws {
    let flaky = App.Visit(host: "api.test") { attack, nth in
        attack == .trustedCA && nth == 7 ? [.request(1)] : [.alert(46)]
    }
    #expect(try judge(control, flaky, coldStarts: 10).verdict == .notPinned)
}

@Test("tickets on: a session cache that gets around the pin is a finding, and no proof")
func sessionCache() throws {
    let cached = App.Visit(host: "api.test") { attack, nth in
        attack == .trustedCA && nth == 2 ? [.resumed(90)] : [.alert(46)]
    }
    let verdict = try judge(control, cached)
    #expect(verdict.verdict == .refusedUnproven)
    #expect(verdict.findings.contains { $0.id == "session-cache-bypass" && $0.severity == .error })
}

@Test("a client that connects and dies before reading is not exercised")
func diesEarly() throws {
    for acts in [[Act.early], [.silent(.rst)], [.early, .silent(.rst)]] {
        var visit = App.Visit(host: "api.test") { _, _ in acts }
        visit.untouched = { _ in false }
        #expect(try judge(control, visit).verdict == .notExercised)
    }
    // Dying only under attack, and without having seen why, is no refusal either.
    #expect(try judge(control, .always("api.test", .early)).verdict == .notExercised)
}

@Test("a client that shakes hands and waits is unproven")
func waits() throws {
    let verdict = try judge(control, .always("api.test", .idle))
    #expect(verdict.verdict == .refusedUnproven)
    #expect(verdict.missing.first == .idleConnections)
}

@Test("a client that matches pins on the presented chain is got around (CVE-2016-2402)")
func presentedChain() throws {
    let client = App.Visit(host: "api.test") { attack, _ in attack == "smuggled-chain" ? [.request(10)] : [.alert(46)] }
    let verdict = try judge(control, client)
    #expect(verdict.verdict == .notPinned)
    #expect(verdict.subtype == .bypass)
}

@Test("a client that sends before it checks leaks", arguments: [true, false])
func sendsFirst(onlyPreface: Bool) throws {
    let client = App.Visit(host: "api.test") { attack, _ in
        attack == .trustedCA ? [onlyPreface ? .preface : .request(80)] : [.alert(46)]
    }
    let verdict = try judge(control, client)
    #expect(verdict.verdict == .notPinned)
    #expect(verdict.subtype == (onlyPreface ? .leak : .plain))
}

@Test("an OpenSSL client's plaintext alert in TLS 1.3 is counted by its name")
func plaintextAlert() throws {
    let verdict = try judge(control, .pinned("api.test"))
    let tally = try #require(verdict.attacks.first { $0.attack == .untrustedCA })
    #expect(tally.alerts == ["unknown_ca": 1])
    #expect(tally.outcomes == [.alert: 1])
}

@Test(
    "data where TLS itself should have stopped it is broken TLS, however pinned",
    arguments: [
        "untrusted-ca", "self-signed", "wrong-key", "expired", "not-yet-valid", "other-host",
    ] as [AttackID])
func brokenTLS(attack: AttackID) throws {
    let client = App.Visit(host: "api.test") { met, _ in
        met == attack ? [.request(10)] : [.alert(46)]
    }
    let verdict = try judge(control, client)
    #expect(verdict.verdict == .notPinned)
    #expect(verdict.subtype == .brokenTLS)
}

@Test("data under an attack this version does not know is a witness all the same")
func unknownAttackWitness() throws {
    var script = Script(coldStarts: 1, attacks: ["quantum-oracle"])
    script.start("quantum-oracle")
    script.attack("api.test", "quantum-oracle", .request(5))
    script.end()
    script.finish()
    let verdict = try Judge.judge(profile: profile, runs: [script.evidence]).host("api.test")
    #expect(verdict.verdict == .notPinned)
    #expect(verdict.subtype == .plain)
    #expect(verdict.attacks.map(\.attack) == ["quantum-oracle"])
}

@Test("a witness needs no whole trial, no passthrough and no end of the run")
func bareWitness() throws {
    var script = Script()
    script.start(.trustedCA)
    script.attack("api.test", .trustedCA, .request(1))
    let judgement = Judge.judge(profile: profile, runs: [script.evidence])
    #expect(try judgement.host("api.test").verdict == .notPinned)
    #expect(judgement.result == .fail)
}

@Test("refusals of a host that carried nothing untouched are no proof")
func neverUntouched() throws {
    var visit = App.Visit.always("api.test", .alert(46))
    visit.untouched = { _ in nil }
    #expect(try judge(control, visit).verdict == .notExercised)
}

@Test("a host that works untouched and is never asked for under attack is not exercised")
func onlyUntouched() throws {
    let visit = App.Visit(host: "api.test") { _, _ in nil }
    let verdict = try judge(control, visit)
    #expect(verdict.verdict == .notExercised)
    #expect(verdict.why.contains("never asked for under trusted-ca"))
}

@Test("the wrong-key probe is told, and decides nothing")
func signatureStage() throws {
    let pinned = App.Visit(host: "api.test") { attack, _ in attack == "wrong-key" ? [.alert(51)] : [.alert(46)] }
    let verdict = try judge(pinned)
    #expect(verdict.verdict == .refusedUnproven)
    #expect(verdict.has("signature-stage"))
    #expect(try judge(.always("api.test", .alert(42))).has("signature-stage") == false)
}

@Test("the verdict names the attacks it rests on, and those it does not")
func scope() throws {
    let verdict = try App(visits: [control, .pinned("api.test")]).judge(profile, .set(.quick)).host("api.test")
    let text = try #require(verdict.findings.first { $0.id == "attacks-tried" }).text
    #expect(text.hasPrefix("the verdict rests on trusted-ca, untrusted-ca; of their forms, trusted-ca 1 of "))
    #expect(text.contains("; not tried: wrong-key, smuggled-chain, "))
}

@Test("an attack of the run that never reached the host, or whose trial was cut, is none that the verdict rests on")
func scopeOfInterrupted() throws {
    let pinned = App.Visit(host: "api.test") { attack, _ in attack == "expired" ? nil : [.alert(46)] }
    var records = App(visits: [control, pinned]).run(profile).evidence.records.map(\.record)
    var cut: Set<Int> = []
    for case .trialStarted(let start) in records where start.attack == "wrong-key" { cut.insert(start.trial) }
    #expect(!cut.isEmpty)
    records = records.map { record in
        guard case .trialEnded(var end) = record, cut.contains(end.trial) else { return record }
        end.interrupted = true
        return .trialEnded(end)
    }
    let verdict = try Judge.judge(profile: profile, runs: [RunEvidence(records)]).host("api.test")
    let text = try #require(verdict.findings.first { $0.id == "attacks-tried" }).text
    #expect(text.hasPrefix("the verdict rests on trusted-ca, untrusted-ca, "))
    let met = text.split(separator: ";").first ?? ""
    #expect(!met.contains("expired") && !met.contains("wrong-key") && met.contains("self-signed"))
    #expect(text.contains("; planned, but not met: wrong-key, expired, later-connection, resumed-session; "))
}
