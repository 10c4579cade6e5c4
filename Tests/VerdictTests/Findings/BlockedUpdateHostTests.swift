import Facts
import Policy
import Report
import Testing

@testable import Verdict

private func profile(_ accept: [HostPattern] = [], tunnel: [HostPattern] = []) -> Profile {
    Profile.test(accept: accept, tunnel: tunnel).changing("update.test") { $0.tellsUpdates = true }
}

@Suite struct BlockedUpdateHostTests {
    @Test("an update host that is asked no more once others refused blocks the pass, wherever it is declared")
    func unasked() throws {
        for profile in [profile(["update.test"]), profile(tunnel: ["update.test"])] {
            var update = App.Visit.accepting("update.test")
            update.after = "api.test"
            let blocked = App(visits: [.accepting("cdn.test"), .pinned("api.test"), update]).judge(profile)
            let finding = try #require(blocked.hosts.flatMap(\.findings).first { $0.id == "blocked-update-host" })
            #expect(finding.severity == .error)
            #expect(finding.text.contains("update"))
            #expect(blocked.result == .inconclusive)

            update.after = nil
            let open = App(visits: [update, .accepting("cdn.test"), .pinned("api.test")]).judge(profile)
            #expect(open.accusations.isEmpty)
            #expect(open.result == .pass)
        }
    }

    @Test("an update host that refuses a trusted CA is blocked; one of an app that trusts no CA of ours is not")
    func refused() throws {
        let pinned = App(visits: [.accepting("cdn.test"), .pinned("api.test"), .pinned("update.test")])
        #expect(try pinned.judge(profile(["update.test"])).host("update.test").has("blocked-update-host"))
        let untrusting = App(visits: [
            .always("cdn.test", .alert(46)), .always("api.test", .alert(46)), .always("update.test", .alert(46)),
        ])
        #expect(try !untrusting.judge(profile(["update.test"])).host("update.test").has("blocked-update-host"))
    }

    @Test("an update host that must refuse itself is warned of, and may be proven")
    func pinned() throws {
        let profile = Profile.test(refuse: ["api.test", "update.test"]).changing("update.test") {
            $0.tellsUpdates = true
        }
        let judgement = App(visits: [.accepting("cdn.test"), .pinned("api.test"), .pinned("update.test")]).judge(
            profile)
        let verdict = try judgement.host("update.test")
        #expect(try verdict.finding("blocked-update-host").severity == .warning)
        #expect(verdict.verdict == .provenPinned)
    }
}
