import Facts
import Policy
import Testing

@testable import Verdict

/// A pinned app that also opens a tunnel in which it says something, in each trial.
private func judged(
    _ shape: String?, to target: HostName = "api.test", onlyAttacked: Bool = false, profile: Profile = .test()
) throws -> HostVerdict {
    let attacks = AttackSelection.set(.quick).attacks
    var script = Script(
        coldStarts: 1, attacks: attacks.map(\.id),
        variants: attacks.flatMap { attack in attack.variants.map(attack.name(of:)) })
    for trial in provenApp.run(profile, .set(.quick), coldStarts: 1).trials {
        script.start(trial)
        if !onlyAttacked || trial != .passthrough {
            var tunnel = Script.tunnelled(target, data: false)
            tunnel.hello = nil
            tunnel.serverAnswered = false
            tunnel.first = shape.map { .init(shape: $0, sha256: "00") }
            script.add(tunnel)
        }
        provenApp.play(trial, profile, &script, 1)
        script.end()
    }
    script.finish()
    return try Judge.judge(profile: profile, runs: [script.evidence]).host("api.test")
}

@Test("a tunnel to the host in which neither TLS nor HTTP was found is in the way of a proof")
func unreadTunnel() throws {
    for shape in ["12 bytes", "64 bytes", "http/1 EHLO", "http/1 CONNECT"] {
        let verdict = try judged(shape)
        #expect(verdict.verdict == .refusedUnproven && verdict.missing == [.finding("unread-tunnel")], "\(shape)")
        #expect(try verdict.finding("unread-tunnel").severity == .error)
        #expect(!verdict.has("plain-http"))
    }
}

@Test("so is one to an address at which the host lives, and to no other")
func unreadByAddress() throws {
    var profile = Profile.test()
    profile.resolve["api.test"] = Destination("192.0.2.7", 443)
    #expect(try judged("12 bytes", to: "192.0.2.7", profile: profile).missing == [.finding("unread-tunnel")])
    #expect(try judged("12 bytes", to: "192.0.2.8", profile: profile).verdict == .provenPinned)
    #expect(try judged("12 bytes", to: "other.test").verdict == .provenPinned)
}

@Test("plain HTTP is told as that, and where it comes under attack alone it is a way around the refusal")
func plainTunnel() throws {
    for shape in ["http/1 GET", "h2 preface"] {
        let verdict = try judged(shape)
        #expect(verdict.verdict == .provenPinned && verdict.has("plain-http") && !verdict.has("unread-tunnel"))
    }
    let fallback = try judged("12 bytes", onlyAttacked: true)
    #expect(fallback.missing.contains(.attack("cleartext-fallback")) && !fallback.has("unread-tunnel"))
}

@Test("a team that means it so waives it")
func waivedTunnel() throws {
    var profile = Profile.test()
    profile.waivers = [
        Waiver(
            finding: "unread-tunnel", until: try #require(CalendarDate("2026-12-31")),
            reason: "a queue without TLS, by design")
    ]
    #expect(try judged("12 bytes", profile: profile).verdict == .provenPinned)
}
