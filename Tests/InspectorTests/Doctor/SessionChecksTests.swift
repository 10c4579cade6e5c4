import Facts
import Flows
import Testing

@testable import Inspector

@Suite("SessionChecks")
struct SessionChecksTests {
    private typealias Seen = SessionSeenTests

    private func checks(_ flows: [Flow], addedRoots: Set<String> = []) -> [DoctorCheck] {
        SessionChecks(reading: .seen(Seen.seen(flows)), addedRoots: addedRoots).checks
    }

    @Test("a store that is not there is wrong only where it was named; one that cannot be read always")
    func stores() {
        let usual = SessionChecks(reading: .missing(path: "/s"))
        #expect(usual.checks.map(\.status) == [.skipped] && !usual.isStoreUnreadable)
        let named = SessionChecks(reading: .missing(path: "/s"), isStoreNamed: true)
        #expect(named.checks.map(\.status) == [.failed] && named.isStoreUnreadable)
        let damaged = SessionChecks(reading: .unreadable(Explanation("/s: damaged", hints: ["move it"])))
        #expect(damaged.checks == [DoctorCheck("store", .failed, "/s: damaged", todo: "move it")])
        #expect(damaged.isStoreUnreadable)
        #expect(checks([]).map(\.what) == ["nothing was recorded in the last day"])
    }

    @Test("a day that went well is three lines")
    func well() {
        let all = checks([Seen.flow(.http, "a.test", issuer: "CN=Public Root"), Seen.flow(.http, "b.test")])
        #expect(all.map(\.id) == ["decrypted", "quic", "interceptor"] && all.allSatisfy { $0.status == .ok })
        #expect(all[0].what == "in the last day 2 hosts could be read: a.test and b.test")
    }

    @Test("refusals, closed connections and tunnels are told in the proxy's own words, with what to do")
    func session() throws {
        let all = checks([
            Seen.flow(.failure, "pay.test", failure: .clientRefusedCertificate), Seen.flow(.http, "a.test"),
            Seen.flow(.failure, "spare.test", failure: .clientClosedAfterHandshake), Seen.flow(.tunnel, "bank.test"),
        ])
        var seen = SeenTraffic()
        seen.note(Seen.flow(.failure, "pay.test", failure: .clientRefusedCertificate))
        let reason = try #require(WhyNothing.refusals(seen.failures).first)
        #expect(
            all.contains(DoctorCheck("client-refused-certificate", .failed, reason.text, todo: reason.hint)), "\(all)")
        #expect(all.contains { $0.id == "client-closed-after-handshake" && $0.status == .warning })
        let tunnel = try #require(all.first { $0.id == "tunnel" })
        #expect(
            tunnel.what == "1 connection passed unread (bank.test)" && tunnel.todo?.contains("expect: tunnel") == true)
    }

    @Test("hosts that offered HTTP/3 may be reached past the proxy")
    func quic() throws {
        let all = checks([Seen.flow(.http, "a.test", altSvc: "h3=\":443\"")])
        let quic = try #require(all.first { $0.id == "quic" })
        #expect(quic.status == .warning && quic.what.hasPrefix("a.test offered QUIC"))
        #expect(quic.todo?.contains("--disable-quic") == true && quic.todo?.contains("UDP port 443") == true)
    }

    @Test("a known interceptor is called by its name; a public CA is none")
    func known() throws {
        let all = checks([Seen.flow(.http, "a.test", issuer: "CN=Zscaler Root CA,O=Zscaler Inc.")])
        let check = try #require(all.first { $0.id == "interceptor" })
        #expect(check.status == .warning && check.what.hasPrefix("Zscaler stands between the proxy and a.test"))
        for issuer in [
            "CN=ISRG Root X1,O=Internet Security Research Group,C=US",
            "CN=Cloudflare Inc ECC CA-3,O=Cloudflare\\, Inc.",
        ] {
            #expect(KnownInterceptors.name(in: issuer) == nil)
        }
    }

    @Test("a root that was added here is one only above hosts of different owners")
    func added() {
        let issuer = "CN=Corp Root"
        let one = checks(
            ["a.corp.test", "b.corp.test"].map { Seen.flow(.http, $0, issuer: issuer) }, addedRoots: [issuer])
        #expect(one.first { $0.id == "interceptor" }?.status == .ok)
        let flows = ["a.corp.test", "shop.test"].map { Seen.flow(.http, $0, issuer: issuer) }
        #expect(checks(flows, addedRoots: [issuer]).first { $0.id == "interceptor" }?.status == .warning)
        #expect(checks(flows).first { $0.id == "interceptor" }?.status == .ok)
    }

    @Test("chains that lead to no known root are suspicious for several owners, and else told as the failure is")
    func strange() throws {
        let text = "the certificate of a.test was not accepted: self-signed certificate in certificate chain"
        let failure = { (host: String, text: String) in
            Seen.flow(.failure, host, failure: .originCertificate, text: text)
        }
        let one = checks([failure("a.test", text), failure("b.test", "expired")])
        #expect(one.contains(DoctorCheck("origin", .warning, text, todo: "do this")))
        let two = try #require(
            checks([failure("a.test", text), failure("b.test", text)]).first { $0.id == "interceptor" })
        #expect(two.status == .failed && two.what.contains("a.test and b.test"))
        // Its root was named since.
        #expect(checks([Seen.flow(.http, "a.test"), failure("a.test", text)]).allSatisfy { $0.status == .ok })
    }

    @Test("hosts' names are nobody's to write with")
    func hostile() {
        let all = checks([Seen.flow(.http, "a\u{1b}[2J.test", altSvc: "h3=\":443\"")])
        #expect(!"\(all.map(\.what))".contains("\u{1b}"))
    }
}
