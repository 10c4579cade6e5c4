import Facts
import Policy
import Report
import Testing

@testable import Verdict

private func judged(_ waivers: [Waiver], baseline: Baseline? = nil, sound: Bool = false) -> Judgement {
    var profile = Profile.test()
    profile.waivers = waivers
    var run = Edited()
    if !sound {
        run.addTrial("resumed-session", [.resumed(90)])
    }
    return Judge.judge(profile: profile, runs: [RunEvidence(run.records)], baseline: baseline)
}

private func waiver(
    _ until: String, finding: String = "session-cache-bypass", host: HostPattern? = "api.test"
) throws -> Waiver {
    Waiver(finding: finding, host: host, until: try #require(CalendarDate(until)), reason: "ticket 12")
}

@Suite struct WaiversTests {
    @Test("a waived finding shows as waived, blocks no proof and fails nothing, on its last day too")
    func waived() throws {
        #expect(judged([]).result == .inconclusive)
        for until in ["2026-06-15", "2027-01-31"] {
            for host in [HostPattern?.none, "api.test", "**.test"] {
                let judgement = judged([try waiver(until, host: host)])
                let verdict = try judgement.host("api.test")
                #expect(verdict.verdict == .provenPinned)
                let finding = try verdict.finding("session-cache-bypass")
                #expect(finding.waived?.reason == "ticket 12")
                #expect(finding.waived?.until.description == until)
                #expect(judgement.findings.isEmpty)
                #expect(judgement.result == .pass)
            }
        }
    }

    @Test("an expired waiver fails the run where its finding still stands, and is to be removed where it does not")
    func expired() throws {
        let judgement = judged([try waiver("2026-06-14")])
        #expect(judgement.result == .fail)
        #expect(judgement.findings.map(\.id) == ["waiver-expired"])
        #expect(judgement.findings.first?.text.contains("ticket 12") == true)
        #expect(try judgement.host("api.test").finding("session-cache-bypass").waived == nil)

        let gone = judged([try waiver("2026-06-14")], sound: true)
        #expect(gone.result == .pass)
        #expect(gone.findings.map(\.id) == ["waiver-unused"])
        #expect(gone.findings.map(\.severity) == [.warning])
    }

    @Test("a waiver for another finding or host waives nothing, and says so")
    func unused() throws {
        for waiver in [try waiver("2027-01-01", finding: "retry-storm"), try waiver("2027-01-01", host: "other.test")] {
            let judgement = judged([waiver])
            #expect(judgement.result == .inconclusive)
            #expect(judgement.findings.map(\.id) == ["waiver-unused"])
            #expect(judgement.findings.map(\.severity) == [.note])
        }
    }

    @Test("a waiver never touches a verdict")
    func witnesses() throws {
        var profile = Profile.test()
        profile.waivers = [try waiver("2027-01-01", finding: "never-pinned")]
        let judgement = App(visits: [.accepting("cdn.test"), .accepting("api.test")]).judge(profile)
        #expect(try judgement.host("api.test").verdict == .notPinned)
        #expect(judgement.result == .fail)
    }

    @Test("cleartext that is waived does not stand in the way under its other name either")
    func cleartextWaived() throws {
        var run = Edited()
        var plain = Observation(via: .http)
        plain.host = "api.test"
        plain.action = .forwarded
        plain.bytesUp = 100
        plain.trial = run.numbers(.trustedCA)[0]
        run.records.append(.connection(plain))
        var profile = Profile.test()
        profile.waivers = [try waiver("2027-01-01", finding: "leak-after-refusal")]
        #expect(try run.verdict(profile).verdict == .provenPinned)
    }

    @Test("without a run's date no waiver holds")
    func undated() throws {
        var profile = Profile.test()
        profile.waivers = [try waiver("2027-01-01")]
        var run = Edited()
        run.records = run.records.map { record in
            guard case .header(var header) = record else { return record }
            header.started = ""
            return .header(header)
        }
        let judgement = Judge.judge(profile: profile, runs: [RunEvidence(run.records)])
        #expect(judgement.findings.map(\.id) == ["waiver-unused"])
    }

    @Test("with a baseline a finding that it does not know fails the run; a known or a waived one does not")
    func baseline() throws {
        let entry = Baseline.Entry(host: "api.test", finding: "session-cache-bypass")
        let new = judged([], baseline: Baseline([]))
        #expect(new.result == .fail)
        #expect(new.findings.map(\.id) == ["new-finding"])
        #expect(new.findings.first?.text.contains("session-cache-bypass at api.test") == true)

        let known = judged([], baseline: Baseline([entry]))
        #expect(known.result == .inconclusive, "known, and it stands in the way of a proof all the same")
        #expect(try known.host("api.test").finding("session-cache-bypass").isKnown)
        #expect(judged([try waiver("2027-01-01")], baseline: Baseline([])).result == .pass)
        #expect(judged([], baseline: Baseline([]), sound: true).result == .pass)
        #expect(Baseline(judged([])).entries == [entry])
        #expect(Baseline(judged([try waiver("2027-01-01")])).entries.isEmpty)
    }
}
