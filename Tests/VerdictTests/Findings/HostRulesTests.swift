import Facts
import Policy
import Report
import Testing

@testable import Verdict

private func judged(_ visit: App.Visit, _ profile: Profile = .test()) throws -> HostVerdict {
    try App(visits: [.accepting("cdn.test"), visit]).judge(profile).host("\(visit.host)")
}

private func edited(_ attack: AttackID, variant: String? = nil, _ acts: Act...) throws -> HostVerdict {
    var run = Edited()
    run.addTrial(attack, variant: variant, acts)
    return try run.verdict()
}

@Suite struct HostRulesTests {
    @Test("a declared host that takes every forged chain of the CA is pinned by nobody; one that refuses once is")
    func neverPinned() throws {
        let wildcard = Profile.test(refuse: ["*.api.test"])
        let finding = try judged(.accepting("a.api.test"), wildcard).finding("never-pinned")
        #expect(finding.severity == .warning)
        #expect(finding.text.contains("*.api.test"))
        #expect(try judged(.accepting("api.test")).has("never-pinned"))
        let other = App.Visit(host: "api.test") { attack, nth in
            attack == .trustedCA && nth < 3 ? [.request(1)] : [.alert(46)]
        }
        #expect(try !judged(other).has("never-pinned"))
    }

    @Test("a preface before the pin is checked comes late")
    func late() throws {
        let leaking = App.Visit(host: "api.test") { attack, _ in attack == .trustedCA ? [.preface] : [.alert(46)] }
        #expect(try judged(leaking).finding("pin-checked-late").severity == .error)
        #expect(try !judged(.accepting("api.test")).has("pin-checked-late"))
    }

    @Test("what goes on where TLS did not come about is a leak, and no pin that is checked late")
    func withoutTLS() throws {
        var leaking = App.Visit.always("api.test")
        leaking.under = { attack, _ in [attack == "cleartext-fallback" ? .request(1) : .alert(46)] }
        let run = App(visits: [.accepting("cdn.test"), leaking]).run(.test(), .set(.all), coldStarts: 1)
        let host = try Judge.judge(profile: .test(), runs: [run.evidence]).host("api.test")
        #expect(host.verdict == .notPinned && host.subtype == .leak)
        let finding = try host.finding("leak-after-refusal")
        #expect(finding.severity == .error && finding.text.contains("on the same connection"))
        #expect(!host.has("pin-checked-late"))
    }

    @Test("suites that protect nothing are found where they are offered")
    func weakSuites() throws {
        var run = Edited()
        run.edit("api.test", in: run.numbers(.passthrough), { $0.hello?.weakSuites = ["TLS_RSA_WITH_NULL_SHA"] })
        let verdict = try run.verdict()
        #expect(try verdict.finding("weak-suites-offered").text.contains("TLS_RSA_WITH_NULL_SHA"))
        #expect(verdict.verdict == .provenPinned)
    }

    @Test("a lent key that is refused is said plainly, one that is taken is not")
    func lentKey() throws {
        #expect(try edited("lent-key", .post()).finding("lent-key-refused").severity == .warning)
        #expect(try !edited("lent-key", .post(), .request(90)).has("lent-key-refused"))
    }

    @Test(
        "a certificate of another host that the pin takes is a weak pin; one it merely passes on to the name check a warning"
    )
    func weakPin() throws {
        #expect(try edited("other-host", variant: "lent", .request(40)).finding("weak-pin").severity == .error)
        // curl looks at pins after the handshake: its complaint about the signature says nothing of them.
        #expect(try !edited("other-host", variant: "same-ca", .alert(51)).has("weak-pin"))
        var strict = Edited(App(visits: [.accepting("cdn.test"), .always("api.test", .alert(46))]))
        strict.addTrial("other-host", variant: "same-ca", [.alert(51)])
        #expect(try strict.verdict().finding("weak-pin").severity == .warning)
    }

    @Test("attacks that were given no occasion are noted, and stand in nobody's way")
    func occasions() throws {
        let verdict = try Edited().verdict()
        let finding = try verdict.finding("no-occasion")
        #expect(finding.severity == .note)
        #expect(finding.text.contains("later-connection") && finding.text.contains("resumed-session"))
        #expect(verdict.verdict == .provenPinned)
        let resumed = try edited("resumed-session", .resumed(0))
        #expect(!resumed.has("resumed-session") && !resumed.has("session-cache-bypass"))
        #expect(resumed.verdict == .provenPinned)
    }

    @Test("what a proof does not rest on is named whole: every attack of the catalogue that was not tried")
    func notTried() throws {
        let app = App(visits: [.accepting("cdn.test"), .always("api.test", .alert(46))])
        let text = try app.judge(.test(), .set(.quick)).host("api.test").finding("attacks-tried").text
        let named = Set(text.split { !$0.isLetter && !$0.isNumber && $0 != "-" }.map(String.init))
        for attack in AttackCatalogue.all where attack.id != Attack.lentKey.id {
            #expect(named.contains(attack.id.rawValue), "\(attack.id)")
        }
        #expect(!named.contains("lent-key"), "a control, and nothing that has to be refused")
        // Of attacks that were tried, how many of their forms were.
        let forms = Attack.trustedCA.variants.count
        #expect(text.contains("of their forms, trusted-ca 1 of \(forms)"))
        let all = try app.judge(.test(), .set(.all)).host("api.test").finding("attacks-tried").text
        #expect(!all.contains("trusted-ca 1 of"))
    }

    @Test("data on a session that was resumed on purpose gets around the pin, and names it")
    func sessionCacheBypass() throws {
        let verdict = try edited("resumed-session", .resumed(80))
        let finding = try verdict.finding("session-cache-bypass")
        #expect(finding.severity == .error)
        #expect(finding.text.contains("resumption") && finding.text.contains("session cache"))
        #expect(verdict.missing == [.finding("session-cache-bypass")])
        #expect(verdict.missingNames == ["finding:session-cache-bypass"])
    }
}
