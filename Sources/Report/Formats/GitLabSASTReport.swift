import Facts
import Policy

/// `gl-sast-report.json`: what GitLab's vulnerability report lists.
///
/// Its schema has no place for what could not be found out: that is among the scan's messages, and its status says
/// whether the run supports a verdict.
package enum GitLabSASTReport {
    static let schema = "15.0.6"
    /// The schema's own limits, in characters.
    private static let nameLimit = 255
    private static let solutionLimit = 7000
    private static let descriptionLimit = 1 << 16

    package static func bytes(_ input: ReportInput) -> [UInt8] {
        let issues = ReportIssue.all(input).filter { $0.waived == nil }
        var json = JSONWriter(layout: .indented, reserving: 8 << 10)
        json.beginObject()
        json.field("version", schema)
        json.key("scan")
        json.beginObject()
        writeTool("analyzer", input, to: &json)
        writeTool("scanner", input, to: &json)
        json.field("type", "sast")
        let start = UTCTime.unix(rfc3339: input.started) ?? 0
        json.field("start_time", moment(start))
        json.field("end_time", moment(start + (input.seconds.isFinite ? max(0, input.seconds) : 0)))
        json.field("status", input.judgement.result == .invalid ? "failure" : "success")
        json.key("messages")
        json.beginArray()
        for issue in issues where issue.kind == .gate {
            json.beginObject(inline: true)
            json.field("level", issue.level == .error ? "fatal" : "warn")
            json.field("value", Printable.escaped("\(issue.rule.id): \(issue.message)"))
            json.endObject()
        }
        json.endArray()
        json.endObject()
        json.key("vulnerabilities")
        json.beginArray()
        for issue in issues where issue.kind == .weakness { write(issue, input, to: &json) }
        json.endArray()
        json.endObject()
        return json.bytes + [UInt8(ascii: "\n")]
    }

    private static func writeTool(_ key: String, _ input: ReportInput, to json: inout JSONWriter) {
        json.key(key)
        json.beginObject(inline: true)
        json.field("id", "pinproof")
        json.field("name", "pinproof")
        json.field("version", input.pinproof.isEmpty ? "unknown" : Printable.escaped(input.pinproof))
        json.key("vendor")
        json.beginObject()
        json.field("name", "pinproof")
        json.endObject()
        json.endObject()
    }

    private static func write(_ issue: ReportIssue, _ input: ReportInput, to json: inout JSONWriter) {
        json.beginObject()
        json.field("id", Fingerprint(of: issue.identity).uuid)
        json.field("name", String(issue.rule.title.prefix(nameLimit)))
        // GitLab reads Markdown here.
        json.field("description", MarkdownText.text(issue.message.prefix(descriptionLimit)).source)
        json.field("severity", issue.level == .error ? "High" : "Medium")
        json.field("solution", String((issue.next ?? issue.rule.help).filter { $0 != "`" }.prefix(solutionLimit)))
        json.key("identifiers")
        json.beginArray()
        // The first one and the place tell vulnerabilities apart: two hosts may share a rule, and a line.
        json.beginObject(inline: true)
        json.field("type", "pinproof")
        json.field("name", "pinproof: \(Printable.escaped(issue.rule.id))")
        json.field("value", Printable.escaped(issue.identity))
        json.endObject()
        for weakness in issue.standards.cwe {
            let number = weakness.dropFirst(4)
            json.beginObject(inline: true)
            json.field("type", "cwe")
            json.field("name", weakness)
            json.field("value", String(number))
            json.field("url", "https://cwe.mitre.org/data/definitions/\(number).html")
            json.endObject()
        }
        json.endArray()
        json.key("location")
        json.beginObject(inline: true)
        json.field("file", input.source?.path ?? "profile.yaml")
        json.field("start_line", input.source?.line(of: issue.profileRule) ?? 1)
        json.endObject()
        json.endObject()
    }

    /// `2026-01-01T00:00:00`, which is UTC by the schema's word.
    private static func moment(_ unix: Double) -> String { String(UTCTime(unix: unix).rfc3339.dropLast()) }
}
