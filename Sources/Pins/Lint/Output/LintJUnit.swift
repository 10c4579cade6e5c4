import Facts

/// The findings as JUnit, for CI systems.
///
/// A case for each file and rule that has found something, and one for each file that is clean. Errors fail, as the exit
/// status does; warnings and notes are told in the output of a case that passes.
package enum LintJUnit {
    /// - Parameters:
    ///   - files: every path that was looked at, in any order.
    ///   - problems: hosts that could not be asked; each is an error.
    package static func text(_ findings: [LintFinding], files: [String], problems: [HostProblem] = []) -> String {
        let paths = Set(files).union(findings.map(\.file)).sorted()
        let cases = paths.flatMap { path -> [JUnitXML.Case] in
            let own = findings.filter { $0.file == path }
            guard !own.isEmpty else { return [JUnitXML.Case(name: "pins lint", classname: path)] }
            return Dictionary(grouping: own) { $0.rule }.sorted { number($0.key) < number($1.key) }.map {
                testCase($0.key, $0.value, path)
            }
        }
        return JUnitXML(name: "pinproof pins lint", cases: HostProblem.cases(problems) + cases).text
    }

    private static func number(_ rule: LintRule) -> Int { Int(rule.id.dropFirst()) ?? 0 }

    private static func testCase(_ rule: LintRule, _ findings: [LintFinding], _ path: String) -> JUnitXML.Case {
        let errors = findings.filter { $0.severity == .error }
        var test = JUnitXML.Case(name: "\(rule.id) \(rule.name)", classname: path)
        if let first = errors.first {
            test.failure = JUnitXML.Failure(
                type: rule.name, message: "\(path):\(first.line): \(first.text)", lines: errors.flatMap(lines))
        }
        test.output = findings.filter { $0.severity != .error }.flatMap(lines)
        return test
    }

    private static func lines(_ finding: LintFinding) -> [String] {
        ["\(finding.file):\(finding.line): \(finding.severity.rawValue): \(finding.text)", "fix: \(finding.fix)"]
    }
}
