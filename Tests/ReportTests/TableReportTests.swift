import Facts
import Testing
import Verdict

@testable import Report

@Suite struct TableReportTests {
    @Test("tells of starts in which COMMAND was ended, as they are what makes a run long")
    func forcedEnds() {
        var input = Samples.input(Judgement(result: .pass, hosts: [Samples.pinned]))
        func ends(_ timedOut: [Bool]) -> RunEvidence {
            RunEvidence(timedOut.map { .trialEnded(TrialEnd(trial: 1, timedOut: $0, seconds: 30, at: 9)) })
        }
        input.runs = [ends([false])]
        #expect(!TableReport().text(input).contains("--attempt-timeout"))
        input.runs = [ends([true, false]), ends([true])]
        let words = TableReport().text(input).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(
            words.contains("starts COMMAND was ended after 30.0 s in 2 of 3 starts, 60.0 s in all (--attempt-timeout)"))
    }

    @Test("a run with every verdict, as it is printed")
    func golden() {
        let expected = """
              verdict              host                 expected  why, and what is missing
            ────────────────────────────────────────────────────────────────────────────────────────────────────
            ✗ not-pinned           login.example.com    refuse    it sent 412 bytes of a request under
              bypass                                              smuggled-chain, variant "after"

            ! invalid-environment  updates.example.com  accept    it cannot be reached untouched: connection
                                                                  refused by 192.0.2.7:443
                                                                  missing: passthrough-before

            ? refused-unproven     api.example.com      refuse    it refused every forged chain, but nothing
                                                                  shows that it trusts the CA there
                                                                  missing: trust-control, attack:other-host

            ? not-exercised        *.cdn.example.com    accept    no connection to it was seen
                                                        optional

            ✓ proven-pinned        pay.example.com      refuse    it refused every forged chain, while
              S2a                                                 cdn.example.com accepted the same CA in the
                                                                  same runs
                                                                  3 cold starts: accepts in at most 63% (95%
                                                                  bound)

            ✓ accepted             cdn.example.com      accept    it carried data under the trusted CA

            ✓ tunnelled            track.example.net    tunnel    it was never touched
                                                        optional
            ────────────────────────────────────────────────────────────────────────────────────────────────────

            result: fail - 1 host not pinned, 1 without a usable environment, 1 refused but unproven, 1 not
              exercised, 1 proven pinned, 1 accepted as expected, 1 tunnelled (exit status 1)

            what to do next
              not-pinned  login.example.com
                Match the pins against the keys of the chain that was verified, not against the certificates as
                they were presented, and not by looking for bytes in them: the pin is there and can be got
                around.
              passthrough-before  updates.example.com
                Let the app exchange data with the genuine host while nothing is attacked: the first untouched
                run carried none, and client/ says what COMMAND printed in it.
              trust-control  api.example.com
                Show that this build trusts the forging CA: install the CA where the app looks for it, and name
                under `controls:` a host that the app contacts without a pin; or give the evidence of a twin
                without pins (`--evidence-from`).
              attack:other-host  api.example.com
                Let the app contact the host in every run: not every TLS stack of the app that reaches this host
                was seen to refuse other-host; or leave out with `--attacks` what need not be tried, and the
                claim will say that it was not.
              not-exercised  *.cdn.example.com
                Let COMMAND's journey contact the host; if it does so already, see that the app goes through the
                proxy and not around it (proxy variables, device settings, QUIC).

            findings
              error    login.example.com: its pin matches certificates that were not verified (evidence 27)
                       [pin-on-presented-chain]
              warning  the last line of the evidence is cut [evidence-cut]
              note     track.example.net was contacted and is not in the profile (evidence 30) [undeclared-host]

              attacks  trusted-ca, untrusted-ca, wrong-key, smuggled-chain, other-host, expired
              assumed  S2a assumes that the build gives the host the same trust anchors as the control, and no
                       other policy for it alone.
              run      runs/20260101T000000Z-release

            """
        #expect(TableReport().text(Samples.input(Samples.mixed)) == expected)
    }

    @Test("a pass in ASCII, as it is printed")
    func goldenASCII() {
        let expected = """
              verdict        host             expected  why, and what is missing
            --------------------------------------------------------------------------------
            + proven-pinned  pay.example.com  refuse    it refused every forged chain, while
              S2a                                       cdn.example.com accepted the same CA
                                                        in the same runs
                                                        3 cold starts: accepts in at most
                                                        63% (95% bound)

            + accepted       cdn.example.com  accept    it carried data under the trusted CA
            --------------------------------------------------------------------------------

            result: pass - 1 host proven pinned, 1 accepted as expected (exit status 0)

              attacks  trusted-ca, untrusted-ca, wrong-key, smuggled-chain, other-host,
                       expired
              assumed  S2a assumes that the build gives the host the same trust anchors as
                       the control, and no other policy for it alone.
              run      runs/20260101T000000Z-release

            """
        #expect(TableReport(unicode: false, columns: 80).text(Samples.input(Samples.passed)) == expected)
    }

    @Test("a narrow terminal has each host's facts below one another")
    func narrow() {
        let judgement = Judgement(result: .fail, hosts: [Samples.leaking, Samples.pinned, Samples.unseen])
        let expected = """
            ────────────────────────────────────────────────────────────
            ✗ not-pinned (bypass)
              login.example.com
              expected: refuse
                it sent 412 bytes of a request under smuggled-chain,
                variant "after"

            ? not-exercised
              *.cdn.example.com
              expected: accept, optional
                no connection to it was seen

            ✓ proven-pinned (S2a)
              pay.example.com
              expected: refuse
                it refused every forged chain, while cdn.example.com
                accepted the same CA in the same runs
                3 cold starts: accepts in at most 63% (95% bound)
            ────────────────────────────────────────────────────────────

            result: fail - 1 host not pinned, 1 not exercised, 1
              proven pinned (exit status 1)

            """
        #expect(TableReport(columns: 60).text(Samples.input(judgement)).hasPrefix(expected))
        #expect(TableReport(columns: 10).columns == 40 && TableReport(columns: 300).columns == 100)
    }

    @Test("labels and artefacts stand below the table")
    func marks() {
        let text = TableReport().text(Samples.marked(Samples.passed))
        #expect(text.contains("\n  labels   build=42, commit=1a2b3c\n  tested   shop.apk (31415926 bytes, SHA-256"))
    }

    @Test(
        "no text from outside makes a line too long, starts a line or reaches the terminal's controls",
        arguments: Samples.texts.indices)
    func hostile(_ index: Int) {
        for columns in [40, 60, 79, 80, 93, 100, 1000] {
            for unicode in [true, false] {
                let table = TableReport(unicode: unicode, columns: columns)
                let text = table.text(Samples.hostileInput(index))
                let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
                for line in lines {
                    #expect(line.unicodeScalars.count <= min(columns, 100), "\(line)")
                    #expect(line.unicodeScalars.allSatisfy { Self.isOneColumn($0, unicode) }, "\(line)")
                }
                #expect(lines.count { $0.hasPrefix("result:") } == 1)
            }
        }
    }

    @Test("colour adds escape sequences and nothing else", arguments: [Samples.mixed, Samples.passed])
    func colour(_ judgement: Judgement) {
        let plain = TableReport().text(Samples.input(judgement))
        let coloured = TableReport(color: true).text(Samples.input(judgement))
        #expect(!plain.contains("\u{1b}"))
        #expect(coloured.contains("\u{1b}[1;3"))
        #expect(Self.withoutColour(coloured) == plain)
    }

    @Test("every colour is switched off on its own line", arguments: Samples.texts.indices)
    func colourEnds(_ index: Int) {
        for line in TableReport(color: true).text(Samples.hostileInput(index)).split(separator: "\n") {
            let sequences = line.split(separator: "\u{1b}").dropFirst(line.first == "\u{1b}" ? 0 : 1)
            #expect(sequences.count % 2 == 0)
            #expect(sequences.enumerated().allSatisfy { $0.element.hasPrefix("[0m") == ($0.offset % 2 == 1) })
        }
    }

    @Test("the summary alone is the table's result line")
    func summary() {
        #expect(
            TableReport().summaryLine(Samples.input(Samples.passed))
                == "result: pass - 1 host proven pinned, 1 accepted as expected (exit status 0)\n")
    }

    @Test("what findings say already is not repeated below them, and of several hosts it is said once")
    func saidOnce() {
        let tried = Finding(
            id: "attacks-tried", severity: .note, fact: .run(.remark("the verdict rests on trusted-ca")))
        let assumed = Finding(id: "control-assumption", severity: .note, fact: .run(.remark("S2a assumes anchors")))
        let hosts = (1...5).map { index in
            var host = Samples.pinned
            host.host = "h\(index).example"
            host.findings = [tried, assumed]
            return host
        }
        let text = TableReport().text(Samples.input(Judgement(result: .pass, hosts: hosts)))
        let below = text.split(separator: "\n").drop { $0 != "findings" }
        #expect(
            below == [
                "findings",
                "  note     h1.example, h2.example, h3.example and 2 more: the verdict rests on trusted-ca",
                "           [attacks-tried]",
                "  note     h1.example, h2.example, h3.example and 2 more: S2a assumes anchors [control-assumption]",
                "  run      runs/20260101T000000Z-release",
            ])
    }

    @Test("findings with evidence of their own stay apart, and one host's finding does not speak for another's")
    func saidApart() {
        var first = Samples.pinned
        first.findings = [
            Finding(id: "control-assumption", severity: .note, fact: .run(.remark("same")), evidence: [1])
        ]
        var second = Samples.pinned
        second.host = "other.example.com"
        second.findings = []
        var third = second
        third.host = "third.example.com"
        third.findings = [
            Finding(id: "control-assumption", severity: .note, fact: .run(.remark("same")), evidence: [2])
        ]
        let text = TableReport().text(Samples.input(Judgement(result: .pass, hosts: [first, second, third])))
        #expect(text.contains("pay.example.com: same (evidence 1)") && text.contains("com: same (evidence 2)"))
        #expect(text.contains("  assumed  S2a assumes that"))
    }

    @Test("of many hosts that need the same advice a few are named")
    func manyHosts() {
        let hosts = (1...9).map { index in
            var host = Samples.unproven
            host.host = "h\(index).example"
            host.missing = [.trustControl]
            return host
        }
        let text = TableReport().text(Samples.input(Judgement(result: .inconclusive, hosts: hosts)))
        #expect(text.contains("  trust-control  h1.example, h2.example, h3.example and 6 more\n"))
    }

    static func isOneColumn(_ scalar: Unicode.Scalar, _ unicode: Bool) -> Bool {
        if (0x20..<0x7f).contains(scalar.value) { return true }
        return unicode
            && ("─✓✗…–".unicodeScalars.contains(scalar)
                || (0xa1...0x24f).contains(scalar.value) && scalar.value != 0xad)
    }

    static func withoutColour(_ text: String) -> String {
        var out = ""
        var inside = false
        for character in text {
            if character == "\u{1b}" {
                inside = true
            } else if inside {
                inside = character != "m"
            } else {
                out.append(character)
            }
        }
        return out
    }
}
