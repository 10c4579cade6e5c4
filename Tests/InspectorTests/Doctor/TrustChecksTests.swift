import Facts
import Testing

@testable import Inspector

@Suite("TrustChecks")
struct TrustChecksTests {
    private func checks(_ answers: [String: TrustAnswer], root: String? = "/ca/root.pem") throws -> TrustChecks {
        let all = TrustClient.all(through: try #require(Endpoint("127.0.0.1:8080")), folder: "/f")
        var checks = TrustChecks()
        checks.clients = all.map { ($0, answers[$0.id] ?? .absent) }
        checks.root = root
        return checks
    }

    @Test("one line each, and what is not installed together")
    func lines() throws {
        var checks = try checks([
            "curl": .trusted, "node": .notTrusted, "go": .unknown("it was not done after 30 s"),
            "ruby": .refused(.dates),
        ])
        checks.missingStores = ["a profile of Firefox"]
        let lines = checks.checks
        #expect(lines.map(\.id) == ["trust-curl", "trust-node", "trust-go", "trust-ruby", "trust-absent"])
        #expect(lines[0] == DoctorCheck("trust-curl", .ok, "curl trusts the CA"))
        #expect(lines[1].status == .warning && lines[1].todo == "`export NODE_EXTRA_CA_CERTS=/ca/root.pem`")
        #expect(lines[2].what.contains("not known") && lines[3].todo?.contains("clock") == true)
        #expect(lines[4].what == "not here: wget, Python, Python requests, Java, PHP and a profile of Firefox")
    }

    @Test("a client that refuses for another reason is never said not to trust")
    func otherReasons() throws {
        for answer in [TrustAnswer.unknown("x"), .refused(.dates), .refused(.name), .refused(.unsaid)] {
            let line = try #require(checks(["curl": answer]).checks.first)
            #expect(line.status == .warning && !line.what.contains("does not trust"), "\(line)")
        }
    }

    @Test("a root that does not lie here is to be fetched from the proxy, once")
    func fetched() throws {
        let lines = try checks(["curl": .notTrusted, "node": .notTrusted], root: nil).checks
        #expect(lines[0].todo?.contains("pinproof-root.pem") == true)
        #expect(lines.filter { $0.id == "root" }.map { $0.todo?.contains("http://pinproof.test/") } == [true])
        #expect(!(try checks(["curl": .trusted], root: nil).checks.contains { $0.id == "root" }))
    }

    @Test("where no client could be asked, why is one line")
    func notAsked() {
        let lines = TrustChecks(whyNot: "no pinproof is reached").checks
        #expect(lines.map(\.status) == [.skipped] && lines[0].what.hasSuffix(": no pinproof is reached"))
    }

    @Test("stores have the CA, lack it, or were not looked at")
    func stores() {
        var checks = TrustChecks()
        checks.root = "/ca/root.pem"
        checks.stores = [
            .init(id: "system", name: "the system's store", content: .hasCA, remedy: "`cp ROOT x`"),
            .init(id: "firefox", name: "Firefox's store (a)", content: .lacksCA, remedy: "`certutil -i ROOT`"),
            .init(id: "chromium", name: "Chromium's store", content: .unread("no certutil"), remedy: ""),
        ]
        #expect(
            checks.checks == [
                DoctorCheck("trust-system", .ok, "the system's store has the CA"),
                DoctorCheck(
                    "trust-firefox", .warning, "Firefox's store (a) does not have the CA",
                    todo: "`certutil -i /ca/root.pem`"),
                DoctorCheck("trust-chromium", .skipped, "Chromium's store was not looked at: no certutil"),
            ])
    }

    @Test(
        "paths are written as a shell takes them",
        arguments: [
            ("/u/me/ca/root.pem", "$HOME/ca/root.pem"), ("/u/me2/root.pem", "/u/me2/root.pem"),
            ("/u/me/a b/root.pem", "'/u/me/a b/root.pem'"), ("/x/it's", "'/x/it'\\''s'"),
            ("/x/$(id)", "'/x/$(id)'"),
        ])
    func paths(path: String, expected: String) { #expect(TrustChecks.shellPath(path, home: "/u/me") == expected) }
}
