import Facts

/// Lines that GitHub Actions makes annotations of (`::error file=…,line=…,title=…::…`).
package enum GitHubAnnotations {
    /// So many of a level GitHub shows of one step; the rest it drops without a word.
    static let limit = 10
    /// Nobody reads more in a box beside a line.
    private static let textLimit = 2000

    /// What is waived or known is not shouted about in every build.
    package static func lines(_ input: ReportInput) -> [String] {
        let issues = ReportIssue.all(input).filter { $0.waived == nil && !$0.isKnown }
        return lines(issues.filter { $0.level == .error }, "error", input)
            + lines(issues.filter { $0.level == .warning }, "warning", input)
    }

    private static func lines(_ issues: [ReportIssue], _ level: String, _ input: ReportInput) -> [String] {
        guard issues.count > limit else { return issues.map { line($0, level, input) } }
        let rest = English.count(issues.count - limit + 1, "more \(level)")
        let folder = input.runFolders.first.map { " (\(Printable.escaped($0)))" } ?? ""
        return issues.prefix(limit - 1).map { line($0, level, input) } + [
            "::\(level) title=pinproof::" + data("\(rest): see the reports in the run folder\(folder)")
        ]
    }

    private static func line(_ issue: ReportIssue, _ level: String, _ input: ReportInput) -> String {
        var properties: [(String, String)] = []
        if let source = input.source {
            properties += [("file", source.path), ("line", "\(source.line(of: issue.profileRule))")]
        }
        let title = (["pinproof:", issue.rule.id] + [issue.host].compactMap(\.self)).joined(separator: " ")
        properties.append(("title", title))
        // Hosts and reasons may come from a client; a line break is ours alone.
        var text = Printable.escaped(String(issue.message.prefix(textLimit)))
        if let next = issue.next { text += "\nwhat to do: \(Printable.escaped(next.filter { $0 != "`" }))" }
        let list = properties.map { "\($0.0)=\(property($0.1))" }.joined(separator: ",")
        return "::\(level) \(list)::\(data(text))"
    }

    /// As `@actions/core` does: `%` first, or the others would be escaped twice.
    private static func data(_ text: String) -> String {
        var out = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "%": out += "%25"
            case "\r": out += "%0D"
            case "\n": out += "%0A"
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }

    private static func property(_ text: String) -> String {
        var out = ""
        for scalar in data(Printable.escaped(text)).unicodeScalars {
            switch scalar {
            case ":": out += "%3A"
            case ",": out += "%2C"
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }
}
