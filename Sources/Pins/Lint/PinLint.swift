import Facts

/// Finds in pin files what locks users out, or lets others in.
///
///     PinLint.findings([file], LintSituation(today: today))   // by file, line and rule
///
/// The same files and the same day give the same findings, in the same order.
package enum PinLint {
    package static func findings(_ files: [PinFile], _ situation: LintSituation) -> [LintFinding] {
        let context = LintContext(files, situation)
        let all = LintRuleBook.checks.flatMap { $0.findings(context) }
        var seen: Set<LintFinding> = []
        return all.filter { seen.insert($0).inserted }.sorted(by: precedes)
    }

    /// The worst of them; nil where there is none.
    package static func worst(_ findings: [LintFinding]) -> LintFinding.Severity? { findings.map(\.severity).max() }

    private static func precedes(_ a: LintFinding, _ b: LintFinding) -> Bool {
        if a.file != b.file { return a.file < b.file }
        if a.line != b.line { return a.line < b.line }
        if a.rule != b.rule { return number(a.rule) < number(b.rule) }
        if a.host != b.host { return (a.host ?? "") < (b.host ?? "") }
        return (a.text, a.fix) < (b.text, b.fix)
    }

    private static func number(_ rule: LintRule) -> Int { Int(rule.id.dropFirst()) ?? 0 }
}
