import Facts
import Policy
import Testing
import Verdict

@testable import Report

@Suite struct JUnitReportTests {
    @Test("a failed run, byte for byte")
    func golden() {
        let judgement = Judgement(
            result: .fail, hosts: [Samples.accepted, Samples.leaking, Samples.unseen],
            findings: [
                Finding(
                    id: "undeclared-host", severity: .note, fact: .run(.remark("<x> was contacted")), evidence: [30])
            ])
        let expected = """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites name="pinproof" tests="3" failures="1" errors="0" skipped="1" time="12.345">
              <testsuite name="pinproof release" tests="3" failures="1" errors="0" skipped="1" time="12.345" timestamp="2026-01-01T00:00:00Z">
                <properties>
                  <property name="pinproof.version" value="0.1.0"/>
                  <property name="pinproof.result" value="fail"/>
                  <property name="pinproof.exit_status" value="1"/>
                  <property name="pinproof.ca.sha256" value="\(String(repeating: "ab", count: 32))"/>
                  <property name="pinproof.attacks" value="trusted-ca,untrusted-ca,wrong-key,smuggled-chain,other-host,expired"/>
                </properties>
                <testcase classname="release" name="cdn.example.com expect accept" time="0.0">
                  <system-out>verdict: accepted
            trusted-ca: 3 data (evidence 8, 14, 20)</system-out>
                </testcase>
                <testcase classname="release" name="login.example.com expect refuse" time="0.0">
                  <failure type="not-pinned" message="not-pinned: it sent 412 bytes of a request under smuggled-chain, variant &quot;after&quot;">it sent 412 bytes of a request under smuggled-chain, variant &quot;after&quot;
            next: Match the pins against the keys of the chain that was verified, not against the certificates as they were presented, and not by looking for bytes in them: the pin is there and can be got around.</failure>
                  <system-out>verdict: not-pinned
            trusted-ca: 2 alert (evidence 6, 12)
            smuggled-chain (after): 1 data (evidence 27)
            error: its pin matches certificates that were not verified (evidence 27) [pin-on-presented-chain]</system-out>
                </testcase>
                <testcase classname="release" name="*.cdn.example.com expect accept" time="0.0">
                  <skipped message="not-exercised: no connection to it was seen"/>
                  <system-out>verdict: not-exercised</system-out>
                </testcase>
                <system-out>result: fail - 1 host not pinned, 1 not exercised, 1 accepted as expected (exit status 1)
            run folder: runs/20260101T000000Z-release
            note: &lt;x&gt; was contacted (evidence 30) [undeclared-host]</system-out>
              </testsuite>
            </testsuites>

            """
        #expect(JUnitReport.text(Samples.input(judgement)) == expected)
    }

    @Test("each standing has its element and its type, and the counts agree with the cases")
    func mapping() throws {
        let xml = try #require(XMLSkeleton(JUnitReport.text(Samples.input(Samples.mixed))))
        #expect(xml.all("testcase").map { $0.attributes["name"] }.contains("pay.example.com expect refuse"))
        #expect(xml.all("failure").map { $0.attributes["type"] } == ["not-pinned", "inconclusive"])
        #expect(xml.all("error").map { $0.attributes["type"] } == ["invalid-environment"])
        #expect(xml.all("skipped").count == 1)
        for suite in xml.all("testsuite") + xml.all("testsuites") {
            #expect(suite.attributes["tests"] == "\(xml.all("testcase").count)")
            #expect(suite.attributes["failures"] == "2" && suite.attributes["errors"] == "1")
            #expect(suite.attributes["skipped"] == "1" && suite.attributes["time"] == "12.345")
        }
    }

    @Test("a refused host that should work is a failure of that name")
    func refused() throws {
        var host = Samples.accepted
        host.verdict = .refused
        let xml = try #require(XMLSkeleton(JUnitReport.text(Samples.input(Judgement(result: .fail, hosts: [host])))))
        #expect(xml.all("failure").map { $0.attributes["type"] } == ["refused"])
    }

    @Test("a witness against an optional host fails, a gap at one is skipped")
    func optional() throws {
        var (witness, gap, broken) = (Samples.leaking, Samples.unproven, Samples.broken)
        (witness.required, gap.required, broken.required) = (false, false, false)
        let judgement = Judgement(result: .fail, hosts: [witness, gap, broken])
        let xml = try #require(XMLSkeleton(JUnitReport.text(Samples.input(judgement))))
        #expect(xml.all("failure").count == 1 && xml.all("skipped").count == 2 && xml.all("error").isEmpty)
    }

    @Test(
        "the file is green exactly when the result is pass",
        arguments: [Judgement.Result.pass, .fail, .inconclusive, .invalid])
    func green(_ result: Judgement.Result) throws {
        let faults: [String?] = result == .invalid ? [nil, "the self-test failed"] : [nil]
        for fault in faults {
            for hosts in [[], [Samples.pinned], [Samples.unseen, Samples.accepted]] {
                let judgement = Judgement(result: result, hosts: hosts, fault: fault)
                let xml = try #require(XMLSkeleton(JUnitReport.text(Samples.input(judgement))))
                #expect((xml.all("failure") + xml.all("error")).isEmpty == (result == .pass))
                #expect(xml.all("testcase").count == hosts.count + (result == .pass ? 0 : 1))
                if result == .invalid {
                    #expect(xml.all("error").map { $0.attributes["type"] } == ["invalid-environment"])
                }
            }
        }
    }

    @Test("no text from outside changes the document", arguments: Samples.texts.indices)
    func hostile(_ index: Int) throws {
        let xml = try #require(XMLSkeleton(JUnitReport.text(Samples.hostileInput(index))))
        let plain = try #require(XMLSkeleton(JUnitReport.text(Samples.plainInput)))
        #expect(xml.shape == plain.shape)
        #expect(
            !JUnitReport.text(Samples.hostileInput(index)).unicodeScalars.contains { !$0.isPrintable && $0 != "\n" })
        let text = Samples.texts[index]
        if text.unicodeScalars.allSatisfy(\.isPrintable) {
            #expect(xml.all("testcase").first?.attributes["name"] == "\(text) expect refuse")
        }
    }
}
