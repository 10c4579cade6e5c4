import Facts
import Testing

@testable import Pins

@Suite("Pins written in another format: what is lost is said")
struct PinExportTests {
    private func losses(_ format: ExportFormat, _ hosts: DeclaredHost..., from: PinFormat = .androidNSC) -> [String] {
        PinExport(file("s", from, hosts), as: format).losses.map(\.description)
    }

    private func made(_ format: ExportFormat, _ hosts: DeclaredHost..., from: PinFormat = .androidNSC) -> [DeclaredHost]
    {
        PinExport(file("s", from, hosts), as: format).hosts
    }

    @Test("what a format can say is not called lost", arguments: ExportFormat.allCases)
    func nothingLost(_ format: ExportFormat) {
        let kind: DeclaredPin.Kind = format == .flutter ? .certificateSHA256 : .spkiSHA256
        let part: DeclaredPin.Part = format.part ?? .leaf
        let host = entry(
            "a.com", [pin(1, part, kind), pin(2, part, kind)], .neutral, expires: format == .cronet ? "2027-01-01" : nil
        )
        let export = PinExport(file("s", .neutral, [host]), as: format)
        #expect(export.losses == [])
        #expect(export.hosts.map(\.patterns) == [["a.com"]] && export.hosts[0].pins.count == 2)
    }

    @Test("reach: Apple's one label, exact names, and OkHttp's domain itself")
    func reach() {
        let deep = entry(".a.com", [pin(1), pin(2)], .androidNSC)
        #expect(made(.apple, deep)[0].patterns == ["a.com", "*.a.com"])
        #expect(
            losses(.appleLeaf, entry(".a.com", [pin(1, .leaf)], .androidNSC)) == [
                "**.a.com: NSPinnedDomains cannot take these names in: they are not pinned"
            ])
        #expect(losses(.alamofire, deep) == ["**.a.com: Alamofire cannot take these names in: they are not pinned"])
        #expect(losses(.okHttp, deep) == [] && losses(.nsc, deep) == [])
        let below = entry("**.a.com", [pin(1)], .profile)
        #expect(
            losses(.okHttp, below, from: .profile) == [
                "a.com: OkHttp cannot leave these names out: they are pinned, too"
            ])
        let children = entry("+.a.com", [pin(1, .leaf)], .appleATS)
        #expect(
            losses(.nsc, children, from: .appleATS) == [
                "**.a.com: Android's network security config cannot leave these names out: they are pinned, too"
            ])
        #expect(losses(.go, deep) == [] && losses(.apple, children, from: .appleATS) == [])
    }

    @Test("entries: what shadows on one platform unites on another")
    func entries() {
        let parent = entry(".a.com", [pin(1)], .androidNSC, line: 1)
        let open = entry("cdn.a.com", [], .androidNSC, line: 2)
        let nested = entry("api.a.com", [pin(2)], .androidNSC, line: 3)
        #expect(losses(.nsc, parent, open, nested) == [])
        #expect(made(.nsc, parent, open, nested).map(\.isPinned) == [true, false, true])
        #expect(
            losses(.okHttp, parent, open, nested) == [
                "cdn.a.com: OkHttp cannot leave these names out: they are pinned, too",
                "api.a.com: OkHttp puts entries together in another way: \(pin(1).name) will do as well",
            ])
        // Cronet's nearer entry takes the names below it out.
        let day = { (host: DeclaredHost) in
            var host = host
            host.expires = CalendarDate("2027-01-01")
            return host
        }
        #expect(
            losses(.cronet, day(parent), day(nested)) == [
                "**.api.a.com: Cronet cannot take these names in: they are not pinned"
            ])
        // What unites there is written as it counts.
        let united = file(
            "o", .okHttp, [entry(".a.com", [pin(1)], .okHttp), entry("api.a.com", [pin(2)], .okHttp)])
        let nsc = PinExport(united, as: .nsc)
        #expect(nsc.losses == [] && nsc.hosts.map(\.pins) == [[pin(1)], [pin(1), pin(2)]])
    }

    @Test("one entry for a domain has the pins of all, where there cannot be two")
    func merged() {
        let hosts = [entry("a.com", [pin(1)], .profile, line: 1), entry("**.a.com", [pin(2)], .profile, line: 2)]
        let export = PinExport(file("p", .profile, hosts), as: .nsc)
        #expect(export.hosts.map(\.patterns) == [["a.com", "**.a.com"]] && export.hosts[0].pins == [pin(1), pin(2)])
        #expect(
            export.losses.map(\.description) == [
                "a.com: Android's network security config puts entries together in another way: \(pin(2).name) will do as well",
                "**.a.com: Android's network security config puts entries together in another way: \(pin(1).name) will do as "
                    + "well",
            ])
        #expect(PinExport(file("p", .profile, hosts), as: .go).losses == [])
    }

    @Test("pins: kinds, malformed ones, parts")
    func pins() {
        #expect(
            losses(
                .nsc, entry("a.com", [pin(1), pin(2, .leaf, .certificateSHA256), malformedPin("AAAA")], .flutter),
                from: .flutter)
                == [
                    "a.com: \(pin(2, .leaf, .certificateSHA256).name) is a SHA-256 of a certificate, which Android's network "
                        + "security config does not compare: it is not written",
                    "a.com: AAAA is malformed, and is not written",
                ])
        let both = entry("a.com", [pin(1, .leaf), pin(2, .ca)], .appleATS)
        #expect(
            losses(.okHttp, both, from: .appleATS) == [
                "a.com: a pin of the leaf and one of a CA were asked for: now one of them is enough"
            ])
        #expect(
            losses(.curl, both, from: .appleATS) == [
                "a.com: \(pin(2).name) is a CA's, and curl looks at the leaf alone: it is not written"
            ])
        #expect(made(.curl, both, from: .appleATS)[0].pins == [pin(1, .leaf)])
        #expect(
            losses(.python, entry("a.com", [pin(1)], .androidNSC)) == [
                "a.com: the pins are compared with the leaf alone: one of a CA would never match"
            ])
        #expect(losses(.apple, both, from: .appleATS) == [] && made(.apple, both, from: .appleATS)[0].pins == both.pins)
        #expect(made(.appleCA, entry("a.com", [pin(1)], .okHttp), from: .okHttp)[0].pins == [pin(1, .ca)])
        #expect(losses(.appleCA, entry("a.com", [pin(1)], .okHttp), from: .okHttp).count == 1)
    }

    @Test("a pin that is known to be for the leaf is no CA identity, and the other way round")
    func parts() {
        let both = entry("a.com", [pin(1, .leaf), pin(2, .ca)], .appleATS)
        #expect(made(.appleLeaf, both, from: .appleATS)[0].pins == [pin(1, .leaf)])
        #expect(made(.appleCA, both, from: .appleATS)[0].pins == [pin(2, .ca)])
        #expect(losses(.appleCA, both, from: .appleATS).contains { $0.contains("is a leaf's") })
    }

    @Test("report-only and days")
    func conduct() {
        let reports = entry("a.com", [pin(1), pin(2)], .trustKit, enforced: false)
        #expect(
            losses(.okHttp, reports, from: .trustKit) == [
                "a.com: it only reports a failed pin, and OkHttp would refuse: it is left out"
            ])
        #expect(made(.okHttp, reports, from: .trustKit).isEmpty && losses(.trustKit, reports, from: .trustKit) == [])
        let day = entry("a.com", [pin(1), pin(2)], .trustKit, expires: "2027-01-01")
        #expect(
            losses(.okHttp, day, from: .trustKit) == [
                "a.com: its pins are off from 2027-01-01 on, and OkHttp has no last day: they stay on"
            ])
        #expect(losses(.nsc, day, from: .trustKit) == [] && made(.nsc, day, from: .trustKit)[0].expires == day.expires)
        #expect(
            losses(.cronet, entry("a.com", [pin(1)], .androidNSC)) == [
                "a.com: its pins have no last day, and Cronet asks for one: 2099-12-31 stands for it"
            ])
    }

    @Test("what cannot be written at all is left out, and stays out of a wider entry where the format can say so")
    func leftOut() {
        let parent = entry(".a.com", [pin(1), pin(2)], .androidNSC, line: 1)
        let prints = entry("f.a.com", [pin(3, .leaf, .certificateSHA256)], .androidNSC, line: 2)
        #expect(made(.nsc, parent, prints).map(\.isPinned) == [true, false])
        #expect(losses(.nsc, parent, prints).last == "f.a.com: no pin of it can be written: it is left out")
        #expect(
            losses(.hpkp, parent, prints).last
                == "f.a.com: a Public-Key-Pins header cannot leave these names out: they are pinned, too")
        #expect(
            losses(.trustKit, entry("a.com", [pin(1), pin(1)], .androidNSC)) == [
                "a.com: it has one pin, and TrustKit asks for two: add that of a backup key; it is left out"
            ])
        #expect(
            losses(.cronet, entry("10.0.0.1", [pin(1)], .androidNSC)) == [
                "10.0.0.1: Cronet takes no addresses: it is left out"
            ])
        #expect(
            losses(.nsc, entry(nil, [pin(1)], .hpkp, line: 4), entry("a b", [pin(1)], .hpkp), from: .hpkp) == [
                "line 4 says no host for its pins, and is left out", "a b: it is no name of a host, and is left out",
            ])
        let missing = entry("a.com", [], .alamofire, known: false, pinned: true)
        #expect(
            losses(.okHttp, missing, from: .alamofire) == [
                "a.com: it is pinned by what is not at hand, which is not written",
                "a.com: no pin of it can be written: it is left out",
            ])
        #expect(made(.alamofire, missing, from: .alamofire)[0].isPinned)
    }

    @Test("a name without pins stands there where it leaves a wider entry, and nowhere else")
    func open() {
        let parent = entry(".a.com", [pin(1), pin(2)], .androidNSC)
        let lone = entry("b.com", [], .androidNSC)
        let below = entry(".cdn.a.com", [], .androidNSC)
        #expect(made(.trustKit, parent, lone, below).map(\.patterns) == [["a.com", "**.a.com"], ["cdn.a.com"]])
        #expect(
            losses(.trustKit, parent, lone, below) == [
                "**.cdn.a.com: TrustKit cannot leave these names out: they are pinned, too"
            ])
        #expect(made(.nsc, parent, lone, below).map(\.domain) == ["a.com", "cdn.a.com"])
        #expect(losses(.nsc, parent, lone, below) == [])
    }

    @Test("no difference between what was asked for and what was made goes unsaid", arguments: ExportFormat.allCases)
    func complete(_ format: ExportFormat) {
        var random = Seeded(state: 17)
        let domains = ["a.com", "b.a.com", "c.b.a.com", "d.com"]
        let sources: [PinFormat] = [.androidNSC, .okHttp, .profile, .cronet]
        for _ in 0..<15 {
            let source = sources.randomElement(using: &random) ?? .okHttp
            let reaches: [DeclaredHost.Reach] =
                source == .okHttp || source == .profile
                ? [.itself, .children, [.itself, .descendants]] : [.itself, [.itself, .descendants]]
            let hosts = domains.map { domain in
                DeclaredHost(
                    domain, reaches.randomElement(using: &random) ?? .itself,
                    pins: (0..<Int.random(in: 0...2, using: &random)).map { _ in
                        pin(UInt8.random(in: 1...3, using: &random))
                    }, format: source, line: 1)
            }
            let list = file("s", source, hosts)
            let export = PinExport(list, as: format)
            let before = PlatformRules.of(list)
            let after = PlatformRules(export.hosts, format.platform)
            for name in domains.flatMap({ [$0, "x.\($0)", "x.y.\($0)"] }) {
                let (asked, has) = (before[0].effective(for: name), after.effective(for: name))
                let isSame =
                    asked.isPinned == has.isPinned && Set(asked.pins.map(\.digest)) == Set(has.pins.map(\.digest))
                #expect(isSame || !export.losses.isEmpty, "\(name) \(hosts)")
            }
        }
    }
}
