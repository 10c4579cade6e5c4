import Facts
import Testing
import Verdict

@testable import Report

@Suite struct GenuineChainsTests {
    static let facts = [
        CertificateFacts(
            subject: "CN=pay.example.com", issuer: "CN=ca", notAfter: "2026-02-01T00:00:00Z", sha256: "aa",
            spkiSHA256: "00"),
        CertificateFacts(
            subject: "CN=ca", issuer: "CN=root", notAfter: "2030-01-01T00:00:00Z", sha256: "bb", spkiSHA256: "01"),
    ]

    static func connection(
        _ host: String, _ chain: [String], _ spki: [String], described: Bool = false, verified: Bool = true
    ) -> EvidenceRecord {
        var seen = Observation(connection: 1, trial: 1)
        seen.host = HostName(host)
        var upstream = Observation.Upstream(verified: verified, chain: chain, spki: spki)
        if described { upstream.certificates = facts }
        seen.upstream = upstream
        return .connection(seen)
    }

    static func input(_ records: [EvidenceRecord]) -> ReportInput {
        var input = Samples.input(Samples.passed)
        input.runs = [RunEvidence(records)]
        return input
    }

    @Test("a host's chain is told with its pins, and with what another line says of its certificates")
    func told() throws {
        let input = Self.input([
            Self.connection("pay.example.com", ["aa", "bb"], ["p0", "p1", "p2"]),
            Self.connection("pay.example.com", ["aa", "bb"], ["p0", "p1", "p2"]),
            Self.connection("elsewhere.example.net", ["aa", "bb"], [], described: true),
        ])
        let genuine = GenuineChains(input)
        let chains = genuine.chains(of: Samples.pinned)
        let chain = try #require(chains.first)
        #expect(chains.count == 1 && genuine.count(of: Samples.pinned) == 1 && chain.isVerified)
        #expect(chain.certificates.map(\.pin) == ["sha256/p0", "sha256/p1"] && chain.anchorPin == "sha256/p2")
        #expect(chain.certificates.map(\.subject) == ["CN=pay.example.com", "CN=ca"])
        #expect(chain.expiry == "2026-02-01T00:00:00Z")
        #expect(chain.daysLeft(at: "2026-01-01T12:00:00Z") == 30)
        #expect(chain.daysLeft(at: "2026-03-01T00:00:00Z") == -28)
        #expect(genuine.chains(of: Samples.accepted).isEmpty)
    }

    @Test("older evidence says no more than hashes, and a server of many chains is counted")
    func bounds() {
        let records = (0..<6).map { Self.connection("pay.example.com", ["c\($0)"], [], verified: false) }
        let genuine = GenuineChains(Self.input(records))
        let chains = genuine.chains(of: Samples.pinned)
        #expect(chains.count == 4 && genuine.count(of: Samples.pinned) == 6)
        #expect(chains.allSatisfy { !$0.isVerified && $0.expiry == nil && $0.certificates.first?.pin == nil })
    }

    @Test("the chain is in report.json, Markdown and HTML")
    func formats() {
        let input = Self.input([
            Self.connection("pay.example.com", ["aa", "bb"], ["p0", "p1", "p2"], described: true)
        ])
        let json = String(decoding: JSONReport.bytes(input), as: UTF8.self)
        #expect(json.contains(#"{"sha256": "aa", "pin": "sha256/p0", "subject": "CN=pay.example.com""#))
        #expect(json.contains(#""anchor_pin": "sha256/p2""#) && json.contains(#""genuine": null"#))
        #expect(MarkdownReport.text(input).contains("1. CN=pay.example.com, until 2026-02-01: <code>sha256/p0</code>"))
        let page = HTMLReport.text(input)
        #expect(page.contains("<li>CN=pay.example.com <small>until 2026-02-01</small><br><code>sha256/p0</code></li>"))
    }

    @Test("a certificate that runs out within a month is on the first page")
    func expiry() {
        var input = Self.input([Self.connection("pay.example.com", ["aa", "bb"], [], described: true)])
        #expect(!HTMLReport.text(input).contains("Certificates that run out"))
        input.started = "2026-01-20T00:00:00Z"
        #expect(HTMLReport.text(input).contains("in 12 days, on 2026-02-01"))
    }
}
