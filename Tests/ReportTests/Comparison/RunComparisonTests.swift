import Facts
import Policy
import Testing
import Verdict

@testable import Report

@Suite struct RunComparisonTests {
    private func changes(_ before: ReportInput, _ after: ReportInput) -> [String] {
        RunComparison(from: before, to: after).changes.map {
            "\($0.host.isEmpty ? "run" : $0.host): \($0.what): \($0.before) > \($0.after) \($0.turn?.rawValue ?? "-")"
        }
    }

    @Test("a run does not differ from itself")
    func same() {
        let input = Samples.marked(Samples.mixed)
        #expect(changes(input, input).isEmpty)
        #expect(RunComparison(from: input, to: input).summary.hasPrefix("nothing changed"))
    }

    @Test("what got worse stands first, and each change says from what to what")
    func worse() {
        var leaking = Samples.pinned
        (leaking.verdict, leaking.strength, leaking.subtype) = (.notPinned, nil, .plain)
        leaking.attacks[1] = AttackTally(attack: .trustedCA, outcomes: [.data: 3], connections: 3)
        leaking.attacks.removeAll { $0.attack == "expired" }
        leaking.findings = [Finding(id: "weak-pin", severity: .error, fact: .run(.remark("x")))]
        var after = Samples.input(Judgement(result: .fail, hosts: [Samples.accepted, leaking]))
        after.attacks.removeAll { $0 == "expired" }
        after.labels = ["build": "43"]
        #expect(
            changes(Samples.input(Samples.passed), after) == [
                "run: result: pass > fail worse", "run: attacks left out: – > expired -",
                "run: label build: – > 43 -", "pay.example.com (refuse): verdict: proven-pinned > not-pinned worse",
                "pay.example.com (refuse): strength: S2a > – -", "pay.example.com (refuse): subtype: – > plain -",
                "pay.example.com (refuse): attack trusted-ca: 3 alert, 1 early > 3 data worse",
                "pay.example.com (refuse): attack expired: 2 post > not tried -",
                "pay.example.com (refuse): finding: – > weak-pin worse",
            ])
        // And back again it is all for the better.
        let back = RunComparison(from: after, to: Samples.input(Samples.passed))
        #expect(back.count(.better) == 4 && back.count(.worse) == 0)
    }

    @Test("more connections of the same ends are no change; a host that is new or gone is one")
    func hosts() {
        var more = Samples.accepted
        more.attacks[0].outcomes = [.data: 30]
        let before = Samples.input(Judgement(result: .pass, hosts: [Samples.accepted, Samples.tunnelled]))
        let after = Samples.input(Judgement(result: .pass, hosts: [more, Samples.pinned]))
        #expect(
            changes(before, after) == [
                "pay.example.com (refuse): host: not in it > proven-pinned -",
                "track.example.net (tunnel): host: tunnelled > not in it -",
            ])
    }

    @Test("another leaf is told by its hash and its end, another key by its pin")
    func chains() {
        let before = GenuineChainsTests.input([
            GenuineChainsTests.connection("pay.example.com", ["aa", "bb"], ["p0", "p1"], described: true)
        ])
        let after = GenuineChainsTests.input([
            GenuineChainsTests.connection("pay.example.com", ["cc", "bb"], ["p9", "p1"])
        ])
        #expect(
            changes(before, after) == [
                "pay.example.com (refuse): genuine leaf: aa (until 2026-02-01) > cc -",
                "pay.example.com (refuse): genuine leaf's pin: sha256/p0 > sha256/p9 -",
            ])
        // A host that was not intercepted shows no chain: that says nothing of it.
        #expect(changes(before, GenuineChainsTests.input([])).isEmpty)
    }

    @Test("the text is worst first, with what would fill the screen folded", arguments: [60, 80, 100])
    func text(_ columns: Int) {
        let comparison = RunComparison(
            from: Samples.input(Samples.passed), to: Samples.input(Judgement(result: .fail, hosts: [Samples.leaking])))
        let text = ComparisonText(columns: columns).text(comparison)
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= columns })
        #expect(text.contains("\n  worse   result: pass → fail\n"))
        #expect(ComparisonText(unicode: false).text(comparison).allSatisfy { $0.isASCII })
        #expect(ComparisonText(color: true).text(comparison).contains("\u{1b}[1;31mworse\u{1b}[0m"))
    }

    @Test("no text from outside gets out of its place", arguments: Samples.texts.indices)
    func hostile(_ index: Int) {
        var input = Samples.hostileInput(index)
        let comparison = RunComparison(from: Samples.plainInput, to: input)
        for columns in [60, 100] {
            let text = ComparisonText(columns: columns).text(comparison)
            #expect(text.split(separator: "\n").allSatisfy { $0.unicodeScalars.count <= columns })
            #expect(text.unicodeScalars.allSatisfy { $0.isPrintable || $0 == "\n" })
        }
        input.comparison = comparison
        #expect(!HTMLReport.text(input).contains("<script"))
        #expect(!MarkdownReport.text(input).contains("<script"))
    }
}
