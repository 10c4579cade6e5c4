import Facts
import Policy
import Report
import Support
import Testing

@testable import Verdict

// Clients by what they check (docs/attacks.md), through everything that the catalogue has: each weak one is
// caught by what it is weak in, each sound one proven, and none costs more cold starts than docs/verdicts.md says.

private struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let client: Client
    var selection = AttackSelection.set(.standard)
    var verdict = VerdictWord.notPinned
    var subtype: Subtype?
    var missing: [Missing] = []
    /// Attacks under which data was sent; nil: not looked at.
    var under: [AttackID]?

    static let weak: [Case] = [
        Case(testDescription: "no pin", client: Client(pin: .none), subtype: .plain),
        Case(testDescription: "a pin that only reports", client: Client(pin: .reportOnly), subtype: .plain),
        Case(
            testDescription: "pins on the presented chain", client: Client(pin: .presentedKey), subtype: .bypass,
            under: ["smuggled-chain"]),
        Case(
            testDescription: "names compared where the platform's check failed", client: Client(pin: .namesOnError),
            subtype: .bypass),
        Case(
            testDescription: "the first connection only", client: Client(scope: .first, connections: 2),
            subtype: .bypass, under: ["later-connection"]),
        Case(
            testDescription: "tries again without its pin, and only on the third connection",
            client: Client(connections: 3, retriesUnchecked: 2), subtype: .bypass, under: [.trustedCA]),
        Case(
            testDescription: "a connection of its own for the check", client: Client(scope: .probe), subtype: .bypass,
            under: ["later-connection"]),
        Case(
            testDescription: "sends, then looks", client: Client(moment: .afterRequest), subtype: .leak),
        Case(
            testDescription: "trusts every issuer", client: Client(checks: [.name, .dates, .signature], pin: .none),
            subtype: .brokenTLS),
        Case(
            testDescription: "a CA's pin and no look at the name, where a chain for another name was lent",
            client: Client(checks: [.issuer, .dates, .signature], pin: .issuerKey), subtype: .brokenTLS,
            under: ["other-host"]),
        Case(
            testDescription: "no signature checked",
            client: Client(checks: [.issuer, .name, .dates, .usage, .strength]), subtype: .brokenTLS,
            under: ["wrong-key"]),
        Case(
            testDescription: "sessions resumed without a look at the pin", client: Client(resumes: true),
            selection: .list(["resumed-session"]), verdict: .refusedUnproven,
            missing: [.finding("session-cache-bypass")]),
        Case(
            testDescription: "plain HTTP where TLS is refused", client: Client(fallsBackToCleartext: true),
            selection: .set(.all), verdict: .refusedUnproven, missing: [.attack("cleartext-fallback")]),
        Case(
            testDescription: "a pin in TLS 1.3 only", client: Client(pinsTLS13Only: true), subtype: .bypass,
            under: ["resumed-session"]),
        Case(
            testDescription: "a pin in TLS 1.3 only, before all attacks", client: Client(pinsTLS13Only: true),
            selection: .set(.all), subtype: .bypass, under: [.trustedCA, "resumed-session"]),
    ]

    static let sound: [Case] = [
        Case(testDescription: "after the handshake", client: Client()),
        Case(testDescription: "in the handshake", client: Client(moment: .inHandshake)),
        Case(testDescription: "several connections", client: Client(connections: 3)),
        Case(
            testDescription: "several connections, in the handshake",
            client: Client(moment: .inHandshake, connections: 3)),
        Case(testDescription: "a CA's pin", client: Client(pin: .issuerKey)),
        Case(testDescription: "old TLS, and a pin in it", client: Client(speaksOldTLS: true)),
    ].flatMap { sound in
        [AttackSelection.set(.standard), .set(.all)].map {
            var sound = sound
            sound.selection = $0
            sound.verdict = .provenPinned
            return sound
        }
    }
}

private let lent: [HostName: LentMaterial] = [
    "api.test": LentMaterial(backupKey: "b.key", sameCAChain: "s.pem", otherHost: ["o.pem", "o.key"])
]

private func judged(
    _ client: Client, _ selection: AttackSelection, lends: Bool, coldStarts: Int
) throws -> (verdict: HostVerdict, trials: [Trial]) {
    let profile = Profile.test(lent: lends ? lent : [:])
    var visit = App.Visit.always("api.test")
    visit.client = client
    let run = App(visits: [.accepting("cdn.test"), visit]).run(profile, selection, coldStarts: coldStarts)
    return (try Judge.judge(profile: profile, runs: [run.evidence]).host("api.test"), run.trials)
}

@Test("each weak client is caught, and by what it is weak in", arguments: Case.weak, [1, 3])
private func weakClients(weak: Case, coldStarts: Int) throws {
    let lends = weak.testDescription.contains("lent")
    let (verdict, trials) = try judged(weak.client, weak.selection, lends: lends, coldStarts: coldStarts)
    #expect(verdict.verdict == weak.verdict, "\(verdict.why)")
    #expect(verdict.subtype == weak.subtype)
    for missing in weak.missing { #expect(verdict.missing.contains(missing), "\(verdict.missing)") }
    if let under = weak.under {
        let data = verdict.attacks.filter { $0.outcomes[.data, default: 0] > 0 && $0.attack != "lent-key" }
        #expect(data.map(\.attack) == under)
    }
    if coldStarts == 1, weak.selection == .set(.standard), !lends {
        #expect(trials.count { !$0.comesOnTop } <= Scheduler.singleHostLimit)
    }
}

@Test("each sound client is proven, whatever is tried on it", arguments: Case.sound, [1, 3])
private func soundClients(sound: Case, coldStarts: Int) throws {
    for lends in [false, true] {
        let (verdict, trials) = try judged(sound.client, sound.selection, lends: lends, coldStarts: coldStarts)
        #expect(verdict.verdict == .provenPinned, "\(verdict.why)")
        // A pin of the CA does not know the lent key.
        #expect(verdict.strength == (lends && sound.client.pin == .leafKey ? .s3 : .s2a))
        if coldStarts == 1, sound.selection == .set(.standard) {
            #expect(trials.count { !$0.comesOnTop } <= Scheduler.singleHostLimit + (lends ? 4 : 0))
            #expect(trials.count { $0.isOfOneConnection } <= (sound.client.connections > 1 ? 6 : 0))
        }
    }
}

@Test(
    "no client makes the standard set longer than its limit, on one host and once, but by opening more connections",
    arguments: seeds(ofAll: 40))
func bounded(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let app = App.random(["api.test", "cdn.test"], &random)
    let trials = app.run(.test(), .set(.standard), coldStarts: 1).trials
    #expect(trials.count { !$0.comesOnTop } <= Scheduler.singleHostLimit)
    #expect(trials.count { $0.isOfOneConnection } <= 4)
    #expect(app.run(.test(), .set(.quick), coldStarts: 1).trials.count <= 22)
}

@Test(
    "whatever one check is missing, broken TLS is what it is called",
    arguments: [
        Client.Check.issuer, .name, .dates, .signature, .usage, .strength,
    ])
func eachCheck(missing: Client.Check) throws {
    var checks = Client().checks
    checks.remove(missing)
    let unpinned = Client(checks: checks, pin: .none)
    let verdict = try judged(unpinned, .set(.all), lends: false, coldStarts: 1).verdict
    #expect(verdict.verdict == .notPinned)
    #expect(verdict.subtype == .brokenTLS)
}
