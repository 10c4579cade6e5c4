import Facts
import Policy
import Testing
import Verdict

@testable import Report

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite struct JSONReportTests {
    @Test("one refused host, byte for byte")
    func golden() {
        var host = Samples.unproven
        host.findings = [
            Finding(
                id: "quic-seen", severity: .warning, fact: .run(.remark("it was asked for over QUIC")),
                evidence: [8, 9])
        ]
        let text = String(
            decoding: JSONReport.bytes(Samples.input(Judgement(result: .inconclusive, hosts: [host]))), as: UTF8.self)
        let expected = """
            {
              "schema": "pinproof.report/1",
              "pinproof": "0.1.0",
              "profile": "release",
              "result": "inconclusive",
              "exit_status": 2,
              "started": "2026-01-01T00:00:00Z",
              "seconds": 12.345,
              "ca": {"sha256": "\(String(repeating: "ab", count: 32))", "scope": ["example.com", "pinproof.invalid"]},
              "self_test": {"passed": true, "problems": []},
              "hosts": [
                {
                  "host": "api.example.com",
                  "expect": "refuse",
                  "verdict": "refused-unproven",
                  "strength": null,
                  "subtype": null,
                  "missing": ["trust-control", "attack:other-host"],
                  "why": "it refused every forged chain, but nothing shows that it trusts the CA there",
                  "cold_starts": 3,
                  "acceptance_bound_95": 0.63,
                  "attacks": [
                    {
                      "attack": "trusted-ca",
                      "outcomes": {"data": 0, "alert": 3, "silent": 0, "post": 0, "idle": 0, "early": 0, "negotiation": 0, "resumed": 0},
                      "connections": 3,
                      "alerts": {"bad_certificate": 3},
                      "evidence": [7, 13, 19],
                      "bytes_up": 0,
                      "bytes_down": 0
                    }
                  ],
                  "findings": [
                    {
                      "id": "quic-seen",
                      "severity": "warning",
                      "text": "it was asked for over QUIC",
                      "evidence": [8, 9],
                      "host": null,
                      "mastg": [],
                      "maswe": [],
                      "cwe": [],
                      "waived": null,
                      "known": false
                    }
                  ],
                  "mastg": ["MASTG-TEST-0244"],
                  "maswe": ["MASWE-0028"],
                  "cwe": ["CWE-295"],
                  "rule": "api.example.com",
                  "required": true,
                  "claim": null,
                  "limits": [],
                  "next": [
                    "\(MissingAdvice.text(for: .trustControl))",
                    "\(MissingAdvice.text(for: .attack("other-host")))",
                    "\(FindingAdvice.text(for: "quic-seen") ?? "")"
                  ],
                  "genuine": null
                }
              ],
              "findings": [],
              "fault": null,
              "attacks": ["trusted-ca", "untrusted-ca", "wrong-key", "smuggled-chain", "other-host", "expired"],
              "runs": [
                "runs/20260101T000000Z-release"
              ],
              "labels": {},
              "artefacts": [],
              "ended_early": null,
              "retries": []
            }

            """
        #expect(text == expected)
    }

    @Test("the documented keys can be read by another program, for every verdict")
    func keys() throws {
        let report = try JSONDecoder().decode(Document.self, from: Data(JSONReport.bytes(Samples.input(Samples.mixed))))
        #expect(report.schema == "pinproof.report/1")
        #expect(report.result == "fail" && report.exit_status == 1)
        #expect(report.hosts.map(\.host) == Samples.mixed.hosts.map(\.host))
        #expect(report.hosts.map(\.verdict) == Samples.mixed.hosts.map(\.verdict.rawValue))
        #expect(report.hosts.map(\.acceptance_bound_95) == [0.63, nil, 0.63, nil, nil, nil, nil])
        for host in report.hosts {
            #expect(host.mastg.contains("MASTG-TEST-0244") == (host.expect == "refuse"))
            for attack in host.attacks { #expect(Set(attack.outcomes.keys) == Set(Outcome.allCases.map(\.rawValue))) }
        }
        #expect(report.hosts.first?.claim?.hasPrefix("This build, in this journey") == true)
        #expect(report.findings.map(\.id) == ["undeclared-host", "evidence-cut"])
    }

    @Test("passthrough has bytes and no outcomes, whatever was counted")
    func passthrough() throws {
        var host = Samples.tunnelled
        host.attacks[0].outcomes = [.data: 1]
        let bytes = JSONReport.bytes(Samples.input(Judgement(result: .pass, hosts: [host])))
        let attack = try #require(try JSONDecoder().decode(Document.self, from: Data(bytes)).hosts.first?.attacks.first)
        #expect(attack.outcomes.values.allSatisfy { $0 == 0 })
        #expect(attack.bytes_up == 10 && attack.bytes_down == 20)
    }

    @Test("text from outside comes back as it was", arguments: Samples.texts.indices)
    func hostile(_ index: Int) throws {
        let bytes = JSONReport.bytes(Samples.hostileInput(index))
        #expect(!bytes.contains { $0 < 0x20 && $0 != UInt8(ascii: "\n") })
        let report = try JSONDecoder().decode(Document.self, from: Data(bytes))
        #expect(report.hosts.allSatisfy { Array($0.why.utf8) == Array(Samples.texts[index].utf8) })
        #expect(report.seconds == nil)
    }

    private struct Document: Decodable {
        struct Host: Decodable {
            let host, expect, verdict, why: String
            let missing, mastg: [String]
            let cold_starts: Int
            let acceptance_bound_95: Double?
            let attacks: [Attack]
            let claim: String?
        }

        struct Attack: Decodable {
            let attack: String
            let outcomes, alerts: [String: Int]
            let connections, bytes_up, bytes_down: Int
            let evidence: [Int]
        }

        struct Finding: Decodable {
            let id, severity, text: String
            let evidence: [Int]
        }

        let schema, pinproof, profile, result, started: String
        let exit_status: Int
        let seconds: Double?
        let hosts: [Host]
        let findings: [Finding]
    }
}
