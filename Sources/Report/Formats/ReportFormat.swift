import Facts

/// The report formats that a run folder can hold (`--format`).
package enum ReportFormat: String, CaseIterable, Hashable, Sendable {
    case json, junit, sarif, markdown, html
    case gitlabCodeQuality = "gitlab-codequality"
    case gitlabSAST = "gitlab-sast"

    /// What `--format` is when nobody says.
    package static let standard: [ReportFormat] = [.json, .junit, .markdown]

    /// All of them, for people.
    package static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

    package var fileName: String {
        switch self {
        case .json: "report.json"
        case .junit: "junit.xml"
        case .sarif: "report.sarif"
        case .markdown: "report.md"
        case .html: "report.html"
        case .gitlabCodeQuality: "gl-code-quality-report.json"
        case .gitlabSAST: "gl-sast-report.json"
        }
    }

    /// The file's content, UTF-8, with a newline at its end.
    package func render(_ input: ReportInput) -> [UInt8] {
        switch self {
        case .json: JSONReport.bytes(input)
        case .junit: Array(JUnitReport.text(input).utf8)
        case .sarif: SARIFReport.bytes(input)
        case .markdown: Array(MarkdownReport.text(input).utf8)
        case .html: Array(HTMLReport.text(input).utf8)
        case .gitlabCodeQuality: GitLabCodeQualityReport.bytes(input)
        case .gitlabSAST: GitLabSASTReport.bytes(input)
        }
    }

    /// Parses `json,junit`, or `all`: case and blanks around a name do not matter, a repeated one counts once.
    package static func parse(list: String) throws(ReportError) -> [ReportFormat] {
        var formats: [ReportFormat] = []
        for part in list.split(separator: ",", omittingEmptySubsequences: false) {
            var name = part.drop { $0 == " " }
            while name.last == " " { name.removeLast() }
            guard !name.isEmpty else { throw .noFormat }
            let named = name.lowercased() == "all" ? allCases : ReportFormat(rawValue: name.lowercased()).map { [$0] }
            guard let named else { throw .unknownFormat(String(name)) }
            formats += named.filter { !formats.contains($0) }
        }
        return formats
    }
}

/// What is wrong with a list of report formats.
package enum ReportError: Error, Hashable, CustomStringConvertible {
    case unknownFormat(String)
    /// The list, or a place in it, is empty.
    case noFormat

    package var description: String {
        switch self {
        case .unknownFormat(let name): "unknown report format \"\(Printable.escaped(name))\""
        case .noFormat: "a report format is missing"
        }
    }

    package var hints: [String] {
        ["the formats are \(ReportFormat.names), and all"]
    }
}
