import Facts

/// `pinproof.lint/1`: the findings as scripts read them.
package enum LintJSON {
    /// Ends with a line feed.
    ///
    /// - Parameter problems: hosts that could not be asked.
    package static func bytes(_ findings: [LintFinding], problems: [HostProblem] = []) -> [UInt8] {
        var json = JSONWriter(layout: .indented, reserving: 256 * findings.count)
        json.beginObject()
        json.field("schema", "pinproof.lint/1")
        json.key("findings")
        json.beginArray()
        for finding in findings { write(finding, to: &json) }
        json.endArray()
        HostProblem.write(problems, to: &json)
        json.endObject()
        return json.bytes + [UInt8(ascii: "\n")]
    }

    /// One finding as an object, for other reports that list some (`pinproof.inspect/1`).
    package static func write(_ finding: LintFinding, to json: inout JSONWriter) {
        json.beginObject()
        json.field("id", finding.rule.id)
        json.field("name", finding.rule.name)
        json.field("severity", finding.severity.rawValue)
        json.field("file", finding.file)
        json.field("line", finding.line)
        json.field("host", orNull: finding.host)
        json.field("text", finding.text)
        json.field("fix", finding.fix)
        json.endObject()
    }
}
