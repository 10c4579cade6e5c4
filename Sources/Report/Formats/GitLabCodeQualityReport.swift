import Facts

/// `gl-code-quality-report.json`: what GitLab shows beside lines in a merge request.
package enum GitLabCodeQualityReport {
    package static func bytes(_ input: ReportInput) -> [UInt8] {
        var json = JSONWriter(layout: .indented, reserving: 4 << 10)
        json.beginArray()
        for issue in ReportIssue.all(input) where issue.waived == nil {
            json.beginObject()
            json.field("description", Printable.escaped(issue.message))
            json.field("check_name", "pinproof/\(Printable.escaped(issue.rule.id))")
            json.field("fingerprint", Fingerprint(of: issue.identity).hex)
            json.field("severity", severity(of: issue))
            json.key("location")
            json.beginObject(inline: true)
            json.field("path", input.source?.path ?? "profile.yaml")
            json.key("lines")
            json.beginObject()
            json.field("begin", input.source?.line(of: issue.profileRule) ?? 1)
            json.endObject()
            json.endObject()
            json.endObject()
        }
        json.endArray()
        return json.bytes + [UInt8(ascii: "\n")]
    }

    private static func severity(of issue: ReportIssue) -> String {
        switch (issue.level, issue.kind) {
        case (.error, .weakness): "blocker"
        case (.error, .gate): "critical"
        case (.warning, .weakness): "major"
        case (.warning, .gate): "minor"
        }
    }
}
