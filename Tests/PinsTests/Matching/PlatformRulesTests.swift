import Facts
import Testing

@testable import Pins

@Suite("Which entries a platform applies")
struct PlatformRulesTests {
    private func lines(_ hosts: [DeclaredHost], _ format: PinFormat, _ host: String, on day: String? = nil) -> [Int] {
        PlatformRules(hosts, format).effective(for: host, on: day.flatMap { CalendarDate($0) }).entries.map(\.line)
    }

    @Test(
        "on Android, with TrustKit and HPKP the exact entry wins, else the longest domain above; only that one counts",
        arguments: [PinFormat.androidNSC, .trustKit, .hpkp])
    func nearest(_ format: PinFormat) {
        let hosts = [
            entry(".example.com", [pin(1)], format, line: 1),
            entry(".api.example.com", [pin(2)], format, line: 2),
            entry("eu.api.example.com", [pin(3)], format, line: 3),
            entry("cdn.example.com", [], format, line: 4),
        ]
        #expect(lines(hosts, format, "example.com") == [1])
        #expect(lines(hosts, format, "a.b.c.example.com") == [1])
        #expect(lines(hosts, format, "api.example.com") == [2])
        #expect(lines(hosts, format, "us.api.example.com") == [2])
        #expect(lines(hosts, format, "eu.api.example.com") == [3])
        // An exact entry says nothing of what lies below it.
        #expect(lines(hosts, format, "x.eu.api.example.com") == [2])
        #expect(lines(hosts, format, "x.cdn.example.com") == [1])
        #expect(lines(hosts, format, "example.org") == [])
        #expect(lines(hosts, format, "badexample.com") == [])
        let cdn = PlatformRules(hosts, format).effective(for: "cdn.example.com")
        #expect(!cdn.isPinned && cdn.entries.map(\.line) == [4] && cdn.passedOver.map(\.line) == [1])
    }

    @Test("on Apple's platforms all that match unite, and subdomains are one label")
    func apple() {
        let hosts = [
            entry("+.example.com", [pin(1, .leaf)], .appleATS, line: 1),
            entry("api.example.com", [pin(2, .ca)], .appleATS, line: 2),
        ]
        let api = PlatformRules(hosts, .appleATS).effective(for: "api.example.com")
        #expect(api.entries.map(\.line) == [1, 2] && api.combination == .everyList)
        #expect(api.pins(.leaf) == [pin(1, .leaf)] && api.pins(.ca) == [pin(2, .ca)])
        #expect(lines(hosts, .appleATS, "www.example.com") == [1])
        #expect(lines(hosts, .appleATS, "a.www.example.com") == [])
        #expect(lines(hosts, .appleATS, "x.api.example.com") == [])
    }

    @Test("with OkHttp all that match unite: exact, one label, any depth")
    func okHttp() {
        let hosts = [
            entry(".example.com", [pin(1)], .okHttp, line: 1),
            entry("*.example.com", [pin(2)], .okHttp, line: 2),
            entry("api.example.com", [pin(3), pin(1)], .okHttp, line: 3),
            entry("**.other.com", [pin(4)], .okHttp, line: 4),
        ]
        #expect(lines(hosts, .okHttp, "example.com") == [1])
        #expect(lines(hosts, .okHttp, "api.example.com") == [1, 2, 3])
        #expect(lines(hosts, .okHttp, "a.api.example.com") == [1])
        #expect(lines(hosts, .okHttp, "other.com") == [])
        let pins = PlatformRules(hosts, .okHttp).effective(for: "api.example.com").pins
        #expect(pins.map(\.digest?.first) == [1, 2, 3])
    }

    @Test("with Cronet a nearer entry without subdomains takes what lies below it out, until its day")
    func cronet() {
        let hosts = [
            entry(".example.com", [pin(1)], .cronet, line: 1),
            entry("api.example.com", [pin(2)], .cronet, line: 2, expires: "2027-01-01"),
        ]
        #expect(lines(hosts, .cronet, "api.example.com") == [2])
        #expect(lines(hosts, .cronet, "x.api.example.com") == [])
        #expect(lines(hosts, .cronet, "x.example.com") == [1])
        #expect(lines(hosts, .cronet, "api.example.com", on: "2026-12-31") == [2])
        #expect(lines(hosts, .cronet, "api.example.com", on: "2027-01-01") == [1])
        #expect(lines(hosts, .cronet, "x.api.example.com", on: "2027-01-01") == [1])
        let twice = [entry("a.b", [pin(1)], .cronet, line: 1), entry("a.b", [pin(2)], .cronet, line: 2)]
        #expect(lines(twice, .cronet, "a.b") == [2])
    }

    @Test("a profile's `*.` comes before its `**.`, the longer domain first")
    func profile() {
        let hosts = [
            entry("**.example.com", [pin(1)], .profile, line: 1),
            entry("*.example.com", [pin(2)], .profile, line: 2),
            entry("**.api.example.com", [pin(3)], .profile, line: 3),
            entry("api.example.com", [], .profile, line: 4),
        ]
        #expect(lines(hosts, .profile, "www.example.com") == [2])
        #expect(lines(hosts, .profile, "a.www.example.com") == [1])
        #expect(lines(hosts, .profile, "a.api.example.com") == [3])
        #expect(lines(hosts, .profile, "api.example.com") == [4])
        #expect(lines(hosts, .profile, "example.com") == [])
        #expect(lines(hosts.reversed(), .profile, "www.example.com") == [2])
    }

    @Test("curl's last line for a host counts, Alamofire's entries are for exact names")
    func exact() {
        let twice = [entry("a.com", [pin(1, .leaf)], .curl, line: 1), entry("a.com", [pin(2, .leaf)], .curl, line: 2)]
        #expect(lines(twice, .curl, "a.com") == [2])
        let alamofire = [entry("a.com", [pin(1)], .alamofire, line: 1)]
        #expect(lines(alamofire, .alamofire, "a.com") == [1] && lines(alamofire, .alamofire, "b.a.com") == [])
    }

    @Test("a file of several formats is several sets of rules, and an entry without a host matches nothing")
    func formats() {
        let mixed = file(
            "A.swift", .source,
            [
                entry("a.com", [pin(1)], .trustKit, line: 1), entry("a.com", [pin(2)], .alamofire, line: 2),
                entry(nil, [pin(3)], .hpkp, line: 3),
            ])
        let rules = PlatformRules.of(mixed)
        #expect(rules.map(\.format) == [.trustKit, .alamofire, .hpkp])
        #expect(rules.map { $0.effective(for: "a.com").entries.map(\.line) } == [[1], [2], []])
        #expect(PlatformRules.of(file("x", .okHttp, [])).map(\.format) == [.okHttp])
    }

    @Test("TrustKit's entries in Android's config are shadowed by others of it")
    func trustKitOnAndroid() {
        let config = file(
            "n.xml", .androidNSC,
            [entry(".a.com", [pin(1)], .trustKit, line: 1), entry("cdn.a.com", [], .androidNSC, line: 2)])
        let rules = PlatformRules.of(config)
        #expect(rules.count == 1 && rules[0].governs(entry("t.com", [], .trustKit)))
        #expect(rules[0].effective(for: "x.a.com").isPinned && !rules[0].effective(for: "cdn.a.com").isPinned)
        #expect(PinImport([config]).hosts.map(\.pattern?.description) == ["a.com", "**.a.com", "cdn.a.com"])
        #expect(PinImport([config]).notes.map(\.note.id) == [.shadows])
    }

    @Test("strange names are answered", arguments: ["", ".", "..", "a..b", ".example.com", "*.example.com", "::1"])
    func strange(_ name: String) {
        let hosts = [entry(".example.com", [pin(1)], .androidNSC), entry("", [pin(2)], .androidNSC)]
        _ = PlatformRules(hosts, .androidNSC).effective(for: name)
        #expect(PlatformRules(hosts, .androidNSC).effective(for: "a.example.com").isPinned)
    }
}
