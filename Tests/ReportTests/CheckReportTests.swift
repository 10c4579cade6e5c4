import Facts
import Foundation
import Policy
import Testing

@testable import Report
@testable import Verdict

/// `pinproof check --json`, as a script reads it.
@Suite("CheckReport") struct CheckReportTests {
    private let profile = Profile(
        name: "p", rules: [HostRule(pattern: HostPattern(exactly: "api.test"), expect: .refuse)],
        controls: [HostPattern(exactly: "cdn.test")])

    private func read(_ change: (inout FirstLook) -> Void) throws -> [String: Any] {
        var look = FirstLook(RunEvidence([]), profile: profile)
        look.connections = 4
        look.ends = [
            TrialEnd(trial: 1, exit: 0, seconds: 30, at: 30), TrialEnd(trial: 2, exit: 1, seconds: 50, at: 80),
        ]
        for index in look.hosts.indices { look.hosts[index].untouched = .data }
        look.hosts[0].forged = .refused(alert: "bad_certificate")
        look.hosts[0].hasPin = true
        look.hosts[0].origin = .init(verified: true, chain: ["aa", "bb"], spki: ["cGlu", "cm9vdA=="])
        look.hosts[1].forged = .accepted
        look.stacks = [["openssl"], []].map { names in
            FirstLook.Stack(
                ja4: "t13", names: names.compactMap(StackName.init(rawValue:)), versions: [.tls13], alpn: [], hosts: [],
                trustsCA: false)
        }
        change(&look)
        let text = CheckReport.text(
            CheckText(look: look, profile: profile, typical: 26, worst: 113, folder: "runs/1-p"))
        return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    @Test("a set-up that works")
    func ready() throws {
        let report = try read { _ in }
        #expect(report["schema"] as? String == "pinproof.check/1" && report["profile"] as? String == "p")
        #expect(report["ready"] as? Bool == true && report["exit_status"] as? Int == 0)
        #expect(report["ca_trusted"] as? Bool == true && report["past_proxy"] is NSNull)
        #expect(report["seconds_per_start"] as? Double == 40)
        #expect(report["gate_starts"] as? [String: Int] == ["typical": 26, "most": 113])
        let stacks = try #require(report["stacks"] as? [[String: Any]])
        #expect(stacks.map { $0["names"] as? [String] } == [["openssl"], []])
        let hosts = try #require(report["hosts"] as? [[String: Any]])
        let api = try #require(hosts.first)
        #expect(hosts.map { $0["role"] as? String } == ["refuse", "control"])
        #expect(api["untouched"] as? String == "data" && api["under_ca"] as? String == "refused")
        #expect(api["under_ca_detail"] as? String == "bad_certificate" && api["has_pin"] as? Bool == true)
        let genuine = try #require(api["genuine"] as? [String: Any])
        #expect(genuine["pins"] as? [String] == ["sha256/cGlu", "sha256/cm9vdA=="])
        #expect(hosts[1]["genuine"] is NSNull && hosts[1]["has_pin"] is NSNull)
    }

    @Test("what is to be done first, and where nobody was shown the CA")
    func notReady() throws {
        let report = try read { look in
            look.past = 2
            look.hosts[0].untouched = .failed("refused: nobody listens")
            look.hosts[0].forged = .notServed("no chain")
            look.hosts[1].forged = .notAskedFor
            look.ends = []
            look.early = EarlyEnd(.originUnusable)
        }
        #expect(report["ready"] as? Bool == false && report["exit_status"] as? Int == 3)
        let problems = try #require(report["problems"] as? [[String: Any]])
        #expect(problems.first?["environment"] as? Bool == true)
        #expect((problems.first?["text"] as? String)?.contains("nobody listens") == true)
        #expect(report["ca_trusted"] is NSNull && report["past_proxy"] as? Int == 2)
        #expect(report["seconds_per_start"] is NSNull && report["ended_early"] as? String == "origin-unusable")
    }
}
