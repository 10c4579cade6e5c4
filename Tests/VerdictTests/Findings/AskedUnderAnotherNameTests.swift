import Facts
import Policy
import Report
import Testing

@testable import Verdict

/// A pinned app, and a control whose last connection of each cold start was opened to `target`, under the name `sni`.
private func judged(
    _ target: HostName, _ act: Act = .request(200), asking asked: [HostName] = [], under sni: HostName = "cdn.test"
) throws -> HostVerdict {
    let profile = Profile.test()
    let app = App(visits: [.accepting("cdn.test"), .pinned("api.test")])
    let attacks = AttackSelection.set(.standard).attacks
    var script = Script(
        coldStarts: 1, attacks: attacks.map(\.id),
        variants: attacks.flatMap { attack in attack.variants.map(attack.name(of:)) })
    for trial in app.run(profile, coldStarts: 1).trials {
        script.start(trial)
        app.play(trial, profile, &script, 1)
        if trial.isColdStart {
            var other = Script.intercepted(sni, .trustedCA, act)
            other.target = Endpoint(target, 443)
            other.asked = asked
            script.add(other)
        }
        script.end()
    }
    script.finish()
    return try Judge.judge(profile: profile, runs: [script.evidence]).host("api.test")
}

@Test("data to the host under a certificate that was forged for another name forbids a proof")
func fronted() throws {
    let verdict = try judged("api.test")
    #expect(verdict.verdict == .refusedUnproven)
    #expect(try verdict.finding("asked-under-another-name").severity == .error)
    #expect(try verdict.finding("asked-under-another-name").text.contains("cdn.test"))
}

@Test("neither a connection to the other host itself is meant, nor one that carried nothing")
func notFronted() throws {
    #expect(try judged("cdn.test").verdict == .provenPinned)
    #expect(try !judged("api.test", .alert(46)).has("asked-under-another-name"))
}

@Test("who is asked is what counts: a request for the host is a witness, one for another host is none of its business")
func asked() throws {
    let host = try judged("cdn.test", asking: ["cdn.test", "api.test"])
    #expect(host.verdict == .notPinned && host.why.contains("sent 200 bytes"))
    let fronted = try judged("api.test", asking: ["api.test"])
    // CONNECT opened it to the host itself.
    #expect(fronted.verdict == .notPinned && !fronted.has("asked-over-another-connection"))
    #expect(!fronted.why.contains("over a connection"))
    // A tunnel to the pinned name, through which the app reaches its CDN.
    let tunnel = try judged("api.test", asking: ["cdn.test"])
    #expect(tunnel.verdict == .provenPinned && !tunnel.has("asked-under-another-name"))
    #expect(try judged("cdn.test", .post(), asking: []).verdict == .provenPinned)
}

@Test("data under its own name, of which every request asks another host, is no witness against it")
func othersRequests() throws {
    func verdict(_ asked: [HostName]) throws -> HostVerdict {
        var run = Edited()
        run.edit("api.test", in: [run.numbers(.trustedCA)[1]]) { seen in
            seen = .like(seen, .request(90))
            seen.asked = asked
        }
        return try run.verdict()
    }
    #expect(try verdict([]).verdict == .notPinned)
    #expect(try verdict(["cdn.test", "api.test"]).verdict == .notPinned)
    // It is no refusal either.
    #expect(try verdict(["cdn.test"]).verdict == .refusedUnproven)
}

@Test("data under its own forged certificate forbids a proof, whomever the requests name")
func ownNameForOthers() throws {
    let verdict = try judged("api.test", asking: ["cdn.test"], under: "api.test")
    #expect(verdict.verdict == .refusedUnproven)
    let finding = try verdict.finding("asked-under-another-name")
    #expect(finding.severity == .error && finding.text.contains("cdn.test"))
    #expect(try judged("api.test", .alert(46), under: "api.test").verdict == .provenPinned)
}
