import Facts
import Testing

@testable import Inspector

@Suite("ProxyChecks")
struct ProxyChecksTests {
    private static let now = 1_780_000_000.0
    private static let day = 86_400.0
    private static let ca = AboutProxy.CA(
        name: "pinproof root", sha256: "aaaa1111bbbb2222", notBefore: now - 100 * day, notAfter: now + 400.5 * day)
    private static let root = LocalCA.Root(
        sha256: ca.sha256, notBefore: now - 100 * day, notAfter: now + 400.5 * day, rootPath: "/ca/root.pem")

    private func checks(
        _ answer: ProxyAnswer, at proxy: String = "127.0.0.1:8080", owner: PortOwner? = nil,
        ca: LocalCA = .found(root), isCANamed: Bool = false, now: Double = now
    ) throws -> ProxyChecks {
        ProxyChecks(
            proxy: try #require(Endpoint(proxy)), answer: answer, owner: owner, ca: ca, isCANamed: isCANamed, now: now,
            version: "0.1.0")
    }

    private func about(_ ca: AboutProxy.CA? = ca, time: Double? = now) -> ProxyAnswer {
        .pinproof(AboutProxy(version: "0.1.0", ca: ca, time: time))
    }

    private func check(_ id: String, _ checks: ProxyChecks) throws -> DoctorCheck {
        try #require(checks.checks.first { $0.id == id }, "\(checks.checks)")
    }

    @Test("where everything is well, five lines say so")
    func well() throws {
        let all = try checks(about()).checks
        #expect(all.map(\.id) == ["proxy", "ca", "ca-dates", "ca-files", "clock"])
        #expect(all.allSatisfy { $0.status == .ok && $0.todo == nil }, "\(all)")
        #expect(all[0].what == "pinproof 0.1.0 answers on 127.0.0.1:8080")
        #expect(all[2].what == "the CA is valid until 2027-07-03, 400 days from now")
    }

    @Test("where nobody listens, the proxy is to be started, there as it was asked for")
    func nothing() throws {
        let usual = try check("proxy", checks(.nothingListens))
        #expect(usual.status == .failed && usual.what == "nothing listens on 127.0.0.1:8080")
        #expect(usual.todo?.hasPrefix("start `pinproof proxy`,") == true)
        let other = try check("proxy", checks(.nothingListens, at: "[::1]:9000"))
        #expect(other.todo?.hasPrefix("start `pinproof proxy --listen [::1]:9000`") == true)
        let elsewhere = try check("proxy", checks(.nothingListens, at: "192.0.2.7:8080"))
        #expect(elsewhere.todo?.contains("--listen 0.0.0.0:8080") == true)
    }

    @Test("another program that has the port is named, by the system or by itself")
    func taken() throws {
        let named = try check("proxy", checks(.other(server: "x"), owner: PortOwner(name: "node", process: 7)))
        #expect(named.status == .failed && named.what == "another program has 127.0.0.1:8080: node (process 7)")
        #expect(named.todo?.contains("`pinproof proxy --listen 127.0.0.1:0`") == true)
        #expect(try check("proxy", checks(.other(server: "nginx"))).what.hasSuffix(": it calls itself nginx"))
        #expect(try check("proxy", checks(.other(server: nil))).what == "another program has 127.0.0.1:8080")
        let old = try check("proxy", checks(.other(server: nil), owner: PortOwner(name: "pinproof", process: 7)))
        #expect(old.what.contains("does not say what it is") && old.todo?.contains("older") == true)
        let silent = try check("proxy", checks(.silent(reason: "no answer within 5 s")))
        #expect(silent.status == .failed && silent.what.hasSuffix("does not answer: no answer within 5 s"))
    }

    @Test("another CA than the one here is wrong on this machine, and a note of a proxy elsewhere")
    func otherCA() throws {
        var used = Self.ca
        used.sha256 = "cccc"
        let here = try check("ca", checks(about(used)))
        #expect(here.status == .failed && here.what.contains("cccc…") && here.what.contains("aaaa1111bbbb…"))
        #expect(here.todo?.contains("http://pinproof.test/") == true)
        #expect(try check("ca", checks(about(used), at: "192.0.2.7:8080")).status == .warning)
        #expect(try check("ca", checks(about(used), ca: .missing(path: "/ca"))).status == .warning)
        #expect(try check("ca", checks(about(nil))).status == .skipped)
    }

    @Test("dates count by this machine's clock, of the proxy's CA before those of the one here")
    func dates() throws {
        let late = try check("ca-dates", checks(about(), now: Self.now + 401 * Self.day))
        #expect(late.status == .failed && late.what.hasPrefix("the CA ended on 2027-07-03"))
        let early = try checks(about(), now: Self.now - 101 * Self.day)
        #expect(try check("ca-dates", early).status == .failed && !early.hasGoodDates)
        #expect(try check("ca-dates", early).todo?.contains("clock") == true)
        let soon = try check("ca-dates", checks(.nothingListens, now: Self.now + 380 * Self.day))
        #expect(soon.status == .warning && soon.what.contains("20 days"))
    }

    @Test(
        "a clock may be off by a minute",
        arguments: [(0.0, true), (60, true), (-60, true), (61, false), (-7300, false)])
    func clock(off: Double, isWell: Bool) throws {
        let check = try check("clock", checks(about(time: Self.now - off)))
        #expect((check.status == .ok) == isWell, "\(check)")
        if off == -7300 { #expect(check.what == "the clock here is 2 hours behind the proxy's") }
        if off == 61 { #expect(check.what == "the clock here is 61 seconds ahead of the proxy's") }
    }

    @Test("dates are good by a clock that is off by no more than leaves are made for")
    func goodDates() throws {
        #expect(try checks(about(time: Self.now - 3600)).hasGoodDates)
        #expect(!(try checks(about(time: Self.now - 2 * Self.day)).hasGoodDates))
    }

    @Test("a time that no clock says is a note, and nothing worse")
    func absurdTime() throws {
        #expect(try check("clock", checks(about(time: -1e300))).what.contains("1000000 days"))
    }

    @Test("a CA that is not there is wrong where it was named, and one that cannot be read always")
    func files() throws {
        let missing = LocalCA.missing(path: "/ca")
        let usual = try checks(.nothingListens, ca: missing)
        #expect(try check("ca-files", usual).status == .skipped && !usual.isCAUnreadable)
        let named = try checks(.nothingListens, ca: missing, isCANamed: true)
        #expect(try check("ca-files", named).status == .failed && named.isCAUnreadable)
        let open = try checks(
            about(), ca: .unusable(Explanation("others can read it", hints: ["chmod 600 x"]), isReadable: true))
        #expect(
            try check("ca-files", open) == DoctorCheck("ca-files", .failed, "others can read it", todo: "chmod 600 x"))
        #expect(!open.isCAUnreadable)
        #expect(try checks(about(), ca: .unusable(Explanation("damaged"), isReadable: false)).isCAUnreadable)
    }
}
