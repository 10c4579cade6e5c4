import Facts
import Testing

@testable import Pins

@Suite("rules of hosts that are left out")
struct CoverageRuleTests {
    typealias S = LintSamples

    private func situation(_ hosts: String...) -> LintSituation { LintSituation(today: S.today, hosts: hosts) }

    @Test("L8: a host two labels below is not what Apple's and OkHttp's wildcards take in")
    func depth() {
        let apple = S.host("example.com", [.itself, .children], [S.pin(1), S.pin(2)], .appleATS, line: 5)
        let file = S.file([apple], [], .appleATS)
        let found = S.found("L8", file, situation("a.b.example.com"))
        #expect(found?.severity == .warning && found?.line == 5 && found?.host == "a.b.example.com")
        #expect(S.found("L8", file, situation("b.example.com", "example.com")) == nil)
    }

    @Test("L8: OkHttp's *. without the domain itself is a note where nobody has named hosts")
    func bareDomain() {
        let star = S.host("example.com", [.children], [S.pin(1), S.pin(2)], .okHttp)
        #expect(S.found("L8", S.file([star], [], .okHttp))?.severity == .warning)
        let both = [star, S.host("example.com", [S.pin(1), S.pin(2)], .okHttp)]
        #expect(S.found("L8", S.file(both, [], .okHttp)) == nil)
        let deep = S.host("example.com", S.below, [S.pin(1), S.pin(2)], .okHttp)
        #expect(S.found("L8", S.file([deep], [], .okHttp)) == nil)
        #expect(S.found("L8", S.file([star], [], .okHttp), situation("api.example.com")) == nil)
    }

    @Test("L8: what a profile expects to be pinned and no file names is told at the profile")
    func profile() {
        let expected = S.file(
            [S.host("pay.example.net", [S.pin(1)], .profile)], [], .profile, path: "profile.yaml")
        let found = S.findings([S.file([S.good()]), expected]).filter { $0.rule.id == "L8" }
        #expect(found.map(\.file) == ["profile.yaml"] && found.map(\.host) == ["pay.example.net"])
        let named = S.host("pay.example.net", [S.pin(1), S.pin(2)], .androidNSC)
        #expect(!S.findings([S.file([S.good(), named]), expected]).contains { $0.rule.id == "L8" })
    }

    @Test("L9: an entry for the domain alone leaves out what the file itself names below it")
    func subdomains() {
        let clear = PinSetting(.clearText, host: "img.example.com", line: 9, "cleartextTrafficPermitted")
        let alone = S.file([S.host("example.com", [S.pin(1), S.pin(2)], .androidNSC)], [clear])
        let found = S.found("L9", alone)
        #expect(found?.severity == .warning && found?.host == "img.example.com")
        #expect(found?.fix.contains("includeSubdomains=\"true\"") == true)
        let deep = S.file([S.host("example.com", S.below, [S.pin(1), S.pin(2)])], [clear])
        #expect(S.found("L9", deep) == nil)
        let own = S.file([alone.hosts[0], S.host("img.example.com", .itself, [], line: 8)])
        #expect(S.found("L9", own)?.severity == .warning)
        let other = S.file([alone.hosts[0], S.host("img.example.com", [S.pin(3), S.pin(4)], .androidNSC)])
        #expect(S.found("L9", other) == nil)
    }

    @Test("L9: a registered domain alone is a note, where nobody has named hosts and nothing below it is pinned")
    func lonely() {
        let alone = S.host("example.com", [S.pin(1), S.pin(2)], .androidNSC)
        #expect(S.found("L9", S.file([alone]))?.severity == .warning)
        #expect(S.found("L9", S.file([alone, S.good()])) == nil)
        #expect(S.found("L9", S.file([alone]), situation("example.com")) == nil)
        #expect(S.found("L9", S.file([S.good()])) == nil)
        #expect(S.found("L9", S.file([S.host("example.com", S.below, [S.pin(1), S.pin(2)])])) == nil)
    }

    @Test("L9: what is said of a domain alone is said of names that the app may use, and not of a full name")
    func lonelyWords() {
        let found = S.found("L9", S.file([S.host("example.co.uk", [S.pin(1), S.pin(2)], .androidNSC)]))
        #expect(found?.text.contains("if the app talks to a name below it") == true)
        for name in ["api.example.com", "api.example.co.uk", "co.uk", "localhost"] {
            #expect(S.found("L9", S.file([S.host(name, [S.pin(1), S.pin(2)], .androidNSC)])) == nil, "\(name)")
        }
    }

    @Test("L8, L9: a host that this file or another one names beside its entries is one that the app uses")
    func named() {
        func file(_ hosts: [DeclaredHost], _ named: String..., path: String = "a.xml") -> PinFile {
            var file = S.file(hosts, path: path)
            file.namedHosts = named
            return file
        }
        let alone = S.host("api.example.com", [S.pin(1), S.pin(2)], .androidNSC)
        #expect(S.found("L9", file([alone], "v2.api.example.com"))?.host == "v2.api.example.com")
        #expect(S.found("L9", file([alone], "img.example.com")) == nil)
        let star = S.host("example.com", [.itself, .children], [S.pin(1), S.pin(2)], .okHttp)
        #expect(S.found("L8", file([star], "a.b.example.com"))?.host == "a.b.example.com")
        #expect(S.found("L8", file([star], "b.example.com")) == nil)
        let other = file([], "v2.api.example.com", path: "b.xml")
        let found = S.findings([file([alone]), other]).first { $0.rule.id == "L9" }
        #expect(found?.file == "a.xml" && found?.text.contains("named in b.xml") == true)
        let pinned = file([S.host("v2.api.example.com", [S.pin(1), S.pin(2)], .okHttp)], path: "c.kt")
        #expect(!S.findings([file([alone]), other, pinned]).contains { $0.rule.id == "L9" })
    }

    @Test("L9: a host that the profile lists as unpinned is meant")
    func meant() {
        let app = S.file([S.host("example.com", [S.pin(1), S.pin(2)], .androidNSC)])
        let free = S.file([S.host("cdn.example.com", [], .profile)], [], .profile, path: "profile.yaml")
        let all = S.findings([app, free], situation("cdn.example.com"))
        #expect(!all.contains { $0.rule.id == "L9" || $0.rule.id == "L8" })
        #expect(S.found("L9", app, situation("cdn.example.com")) != nil)
    }

    @Test("L10: a sibling without pins shadows; one with pins, or nested, does not")
    func shadowed() {
        let parent = S.host("example.com", S.below, [S.pin(1), S.pin(2)], line: 3)
        let sibling = S.host("img.example.com", .itself, [], line: 12)
        let found = S.found("L10", S.file([parent, sibling]))
        #expect(found?.severity == .warning && found?.line == 12 && found?.text.contains("line 3") == true)
        let nested = S.host("img.example.com", .itself, [S.pin(1), S.pin(2)], line: 12)
        #expect(S.found("L10", S.file([parent, nested])) == nil)
        #expect(S.found("L10", S.file([parent, S.host("img.example.org", .itself, [], line: 12)])) == nil)
        let alone = S.host("example.com", .itself, [S.pin(1), S.pin(2)])
        #expect(S.found("L10", S.file([alone, sibling])) == nil)
    }

    @Test("L10: what is excluded on purpose is a note, or nothing")
    func shadowedOnPurpose() {
        let parent = S.host("example.com", S.below, [S.pin(1), S.pin(2)])
        let dev = S.host("api.dev.example.com", .itself, [], line: 12)
        #expect(S.found("L10", S.file([parent, dev]))?.severity == .note)
        let free = S.file([S.host("img.example.com", [], .profile)], [], .profile, path: "profile.yaml")
        let app = S.file([parent, S.host("img.example.com", .itself, [], line: 12)])
        #expect(!S.findings([app, free]).contains { $0.rule.id == "L10" })
        let excluded = S.file(
            [
                S.host("example.com", S.below, [S.pin(1), S.pin(2)], .trustKit),
                S.host("img.example.com", .itself, [], .trustKit),
            ], [], .trustKit)
        #expect(S.found("L10", excluded) == nil)
    }

    @Test("L24: different keys on two platforms are told with what is missing; equal ones in another order are not")
    func platforms() {
        let android = S.file([S.good()], path: "a.xml")
        let apple = S.file([S.host([S.pin(2), S.pin(3)], .appleATS)], [], .appleATS, path: "Info.plist")
        let found = S.findings([android, apple]).filter { $0.rule.id == "L24" }
        #expect(found.count == 1 && found.first?.severity == .note && found.first?.file == "Info.plist")
        #expect(found.first?.text.contains("lacks sha256/" + Base64.encode(S.digest(1))) == true)
        let same = S.file([S.host([S.pin(2), S.pin(1)], .appleATS)], [], .appleATS, path: "Info.plist")
        #expect(!S.findings([android, same]).contains { $0.rule.id == "L24" })
    }

    @Test("L24: pinned on one platform only")
    func onePlatform() {
        let android = S.file([S.good(), S.host("pay.example.com", [S.pin(1), S.pin(2)], .androidNSC)], path: "a.xml")
        let apple = S.file([S.good(.appleATS)], [], .appleATS, path: "Info.plist")
        let found = S.findings([android, apple]).filter { $0.rule.id == "L24" }
        #expect(found.map(\.host) == ["pay.example.com"] && found.first?.text.contains("on iOS not") == true)
    }

    @Test("L26: an unpinned host for updates is noted, unless the profile knows of it")
    func updates() {
        let app = S.file([S.good(), S.host("update.example.com", .itself, [], line: 20)])
        #expect(S.found("L26", app)?.severity == .note)
        #expect(S.found("L26", app)?.line == 20)
        let known = S.file([S.host("update.example.com", [], .profile)], [], .profile, path: "profile.yaml")
        #expect(!S.findings([app, known]).contains { $0.rule.id == "L26" })
        #expect(S.found("L26", S.file([S.good(), S.host("img.example.com", .itself, [], line: 20)])) == nil)
        #expect(S.found("L26", S.file([S.good()]), situation("versions.example.com")) != nil)
    }
}
