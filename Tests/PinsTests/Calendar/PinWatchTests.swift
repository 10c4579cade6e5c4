import Facts
import Testing

@testable import Pins

@Suite("watching pins")
struct PinWatchTests {
    typealias S = LintSamples

    private func report(
        _ pins: [DeclaredPin], _ chain: [GenuineCertificate] = [], expires: String? = nil, within days: Int = 30
    ) -> WatchReport {
        let file = S.file([S.host("api.example.com", .itself, pins, expires: expires)])
        return PinWatch.report([file], LintSituation(today: S.today, chains: ["api.example.com": chain]), within: days)
    }

    private func long(_ chain: [GenuineCertificate]) -> [GenuineCertificate] {
        chain.map { certificate in
            var certificate = certificate
            certificate.notAfter = CalendarDate(year: 2040, month: 1, day: 1)
            return certificate
        }
    }

    @Test("a leaf that ends within the days is due, with what the renewal has to keep")
    func leaf() {
        let pinned = report([S.pin(1), S.pin(2)], S.privateChain(leaf: 1), within: 65)
        #expect(pinned.isDue && pinned.events.first?.kind == .leafExpires)
        #expect(pinned.events.first?.date == CalendarDate(year: 2027, month: 1, day: 30))
        #expect(pinned.events.first?.text.contains("has to keep the key") == true)
        let byCA = report([S.pin(90), S.pin(2)], S.privateChain(leaf: 1), within: 65)
        #expect(byCA.events.first?.text.contains("from a pinned CA") == true)
        #expect(!report([S.pin(1), S.pin(2)], S.privateChain(leaf: 1), within: 64).isDue)
    }

    @Test("a hash of the whole certificate survives no renewal")
    func wholeCertificate() {
        let whole = DeclaredPin(.certificateSHA256, text: "", digest: S.digest(1).reversed(), line: 2)
        let found = report([whole, S.pin(2)], S.privateChain(leaf: 1), within: 65)
        #expect(found.events.first?.text.contains("any renewal locks users out") == true)
    }

    @Test("a pin set that ends is due on its day; a later one is not")
    func pinSet() {
        #expect(report([S.pin(1), S.pin(2)], expires: "2026-12-26").events.map(\.kind) == [.pinsExpire])
        #expect(!report([S.pin(1), S.pin(2)], expires: "2026-12-27").isDue)
        #expect(report([S.pin(1), S.pin(2)], expires: "2025-01-01").events.first?.text.contains("since") == true)
    }

    @Test("each command that asks a server asks as the watch did, and of others' places it has none")
    func asking() throws {
        let (api, cdn) = (try #require(HostName("api.example.com")), try #require(HostName("cdn.example.com")))
        let place = try #require(Endpoint("127.0.0.1:8443"))
        let files = [
            S.file([S.host("api.example.com", .itself, [S.pin(7), S.pin(8)])]),
            S.file([S.host("cdn.example.com", .itself, [S.pin(7), S.pin(8)])], path: "cdn.xml"),
        ]
        let ways = [api: ServerWay(place: place, roots: ["own root.pem"]), cdn: ServerWay(place: place)]
        func commands(_ ways: [HostName: ServerWay], of files: [PinFile]) -> [String] {
            report([S.pin(7), S.pin(8)], S.privateChain()).asking(ways, of: files, roots: ["typed.pem"]).events
                .flatMap(\.commands)
        }
        let found = commands(ways, of: files)
        let roots = "--roots 'own root.pem' --roots typed.pem"
        #expect(found.contains("pinproof pins api.example.com --at '127.0.0.1:8443' \(roots)"), "\(found)")
        #expect(
            found.contains { $0.hasSuffix(" --live --resolve api.example.com='127.0.0.1:8443' \(roots)") }, "\(found)")
        #expect(!found.contains { $0.contains("cdn.example.com") })
        #expect(found.contains { !$0.contains("--live") && !$0.contains("--roots") })
        // A place that the file has, and the watch did not go to.
        var profile = files[0]
        profile.servers = DeclaredServers(places: [api: place])
        let diverted = commands([:], of: [profile])
        #expect(diverted.contains { $0.contains(" --live --resolve api.example.com='api.example.com:443'") })
    }

    @Test("a chain without a pinned key comes first: it locks users out now")
    func mismatch() {
        let found = report([S.pin(7), S.pin(8)], S.privateChain(), expires: "2026-12-01", within: 90)
        #expect(found.events.map(\.kind).first == .pinsDoNotMatch)
        #expect(found.events.first?.date == S.today)
    }

    @Test("a CA's end within the days is due, a later one not")
    func authority() {
        let root = S.root("Starfield Services Root Certificate Authority - G2")
        #expect(report([root, S.pin(2)], within: 365).events.map(\.kind) == [.caEvent])
        #expect(report([root, S.pin(2)], within: 100).events.isEmpty)
        #expect(report([S.root("DigiCert Global Root CA"), S.pin(2)], within: 230).isDue)
        #expect(!report([S.root("DigiCert Global Root CA"), S.pin(2)], within: 220).isDue)
    }

    @Test("shorter certificates are announced, and not due; a private CA's are not concerned")
    func announced() {
        let chain = long(S.googleChain(leaf: 1))
        let found = report([S.pin(1), S.pin(2)], chain, within: 120)
        #expect(found.events.map(\.kind) == [.announcement] && !found.isDue)
        #expect(found.events.first?.text.contains("100 days") == true)
        #expect(report([S.pin(1), S.pin(2)], long(S.privateChain(leaf: 1)), within: 120).events.isEmpty)
    }

    @Test("JSON, JUnit and text say the same")
    func formats() throws {
        let due = report([S.pin(7), S.pin(8)], S.privateChain(), expires: "2026-12-01")
        let json = try JSONValue.parse(due.json)
        #expect(json["schema"]?.string == "pinproof.watch/1" && json["due"]?.bool == true)
        #expect(json["events"]?.array?.count == due.events.count)
        #expect(json["events"]?.array?.last?["days_left"]?.int == 5)
        let xml = try XMLReader.read(due.junit)
        #expect(xml.attribute("failures")?.value == "2")
        let text = due.text(width: 60)
        #expect(
            text.hasSuffix("2 things to do within 30 days\n") && text.contains("run: pinproof pins api.example.com"))
        #expect(text.split(separator: "\n").filter { !$0.contains("run:") }.allSatisfy { $0.count <= 60 })

        let quiet = report([S.pin(1), S.pin(2)])
        #expect(quiet.text(width: 80) == "nothing to do within 30 days\n")
        #expect(try XMLReader.read(quiet.junit).attribute("failures")?.value == "0")
        let none = try JSONValue.parse(quiet.json)
        #expect(none["due"]?.bool == false)
    }

    @Test("a server that could not be asked is no host to which nothing happens")
    func notAsked() throws {
        let file = S.file([S.host("api.example.com", .itself, [S.pin(1), S.pin(2)])])
        var situation = LintSituation(today: S.today)
        situation.problems = [
            HostProblem(.notAsked, host: "api.example.com", "its server could not be asked: connection <refused>"),
            HostProblem(.notVerified, host: "cdn.example.com", "its chain does not verify: expired"),
            HostProblem(.notAsked, host: nil, "300 hosts are pinned, and the first 200 were asked"),
        ]
        let quiet = PinWatch.report([file], situation, within: 30)
        let problems = try #require(try JSONValue.parse(quiet.json)["problems"]?.array)
        #expect(problems.map { $0["host"]?.string } == ["api.example.com", "cdn.example.com", nil])
        #expect(problems.map { $0["kind"]?.string } == ["not-asked", "not-verified", "not-asked"])
        #expect(problems.first?["text"]?.string == "its server could not be asked: connection <refused>")

        let xml = try XMLReader.read(quiet.junit)
        #expect(xml.attribute("tests")?.value == "3" && xml.attribute("errors")?.value == "3")
        #expect(xml.attribute("failures")?.value == "0")
        let cases = xml.first("testsuite")?.elements("testcase") ?? []
        #expect(cases.first?.first("error")?.text.hasPrefix("api.example.com: its server could not") == true)

        let text = quiet.text(width: 100)
        #expect(text.hasPrefix("not known: api.example.com: its server could not be asked: connection <refused>\n"))
        #expect(text.hasSuffix("\nnothing to do within 30 days, as far as is known\n"))
        #expect(quiet.text(width: 50).split(separator: "\n").allSatisfy { $0.count <= 50 })
        #expect(try JSONValue.parse(report([S.pin(1), S.pin(2)]).json)["problems"]?.array?.isEmpty == true)
    }

    @Test(
        "what goes into a shell is one word",
        arguments: [
            ("a/b.xml", "a/b.xml"), ("a b.xml", "'a b.xml'"), ("$(x).kt", "'$(x).kt'"), ("it's.kt", "'it'\\''s.kt'"),
            ("-rf", "./-rf"), ("", "''"), ("a\u{1b}b", "FILE"),
        ])
    func shell(_ path: String, _ word: String) {
        #expect(WatchCommands.path(path) == word)
    }

    @Test("a host of the wrong kind is in no command")
    func hostileHost() {
        let chain = S.privateChain()
        let evil = "$(touch x).example.com"
        let file = S.file([S.host(evil, .itself, [S.pin(7), S.pin(8)])])
        let found = PinWatch.report([file], LintSituation(today: S.today, chains: [evil: chain]), within: 90)
        #expect(!found.events.isEmpty)
        let commands: [String] = found.events.flatMap { $0.commands }
        #expect(!commands.isEmpty && commands.allSatisfy { !$0.contains("touch") })
    }

    @Test("days of any number are taken")
    func days() {
        for days in [Int.min, -1, 0, Int.max] {
            let found = report(
                [S.pin(1), S.root("ISRG Root X1")], S.googleChain(), expires: "9999-12-31", within: days)
            #expect(found.days >= 0 && found.days <= 3650)
        }
    }
}
