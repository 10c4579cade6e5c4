import Facts
import Policy
import Verdict

/// `report.sarif` (SARIF 2.1.0), as code scanning takes it.
///
/// It has a result for each issue, at the host's line of the profile.
package enum SARIFReport {
    package static func bytes(_ input: ReportInput) -> [UInt8] {
        let issues = ReportIssue.all(input)
        var json = JSONWriter(layout: .indented, reserving: 8 << 10)
        json.beginObject()
        json.field("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
        json.field("version", "2.1.0")
        json.key("runs")
        json.beginArray()
        json.beginObject()
        json.key("tool")
        json.beginObject()
        json.key("driver")
        json.beginObject()
        json.field("name", "pinproof")
        json.field("version", input.pinproof)
        let rules = rules(of: issues)
        json.key("rules")
        json.beginArray()
        for rule in rules { write(rule.rule, rule.standards, to: &json) }
        json.endArray()
        json.endObject()
        json.endObject()
        json.key("automationDetails")
        json.beginObject(inline: true)
        json.field("id", "pinproof/\(input.profile)/")
        json.endObject()
        json.key("invocations")
        json.beginArray()
        json.beginObject()
        json.field("executionSuccessful", input.judgement.result != .invalid)
        json.field("exitCode", Int(input.judgement.result.exitStatus))
        if UTCTime.unix(rfc3339: input.started) != nil { json.field("startTimeUtc", input.started) }
        json.endObject()
        json.endArray()
        json.key("results")
        json.beginArray()
        for issue in issues {
            write(issue, rule: rules.firstIndex { $0.rule.id == issue.rule.id }, input.source, to: &json)
        }
        json.endArray()
        json.key("properties")
        json.beginObject()
        RunFacts.write(input, to: &json)
        json.endObject()
        json.endObject()
        json.endArray()
        json.endObject()
        return json.bytes + [UInt8(ascii: "\n")]
    }

    /// Each once, with all that its results are called by.
    private static func rules(of issues: [ReportIssue]) -> [(rule: IssueRule, standards: Standards)] {
        var rules: [(rule: IssueRule, standards: Standards)] = []
        for issue in issues {
            if let index = rules.firstIndex(where: { $0.rule.id == issue.rule.id }) {
                rules[index].standards = .union([rules[index].standards, issue.standards])
            } else {
                rules.append((issue.rule, issue.standards))
            }
        }
        return rules
    }

    private static func write(_ rule: IssueRule, _ standards: Standards, to json: inout JSONWriter) {
        json.beginObject()
        json.field("id", rule.id)
        json.field("name", rule.name)
        json.key("shortDescription")
        json.sarifMessage(rule.title)
        json.key("fullDescription")
        json.sarifMessage(rule.about)
        json.key("help")
        json.beginObject(inline: true)
        json.field("text", rule.plainHelp)
        json.field("markdown", MarkdownText.prose(rule.help).source)
        json.endObject()
        if let uri = standards.helpURI { json.field("helpUri", uri) }
        json.key("defaultConfiguration")
        json.beginObject(inline: true)
        json.field("level", rule.level.rawValue)
        json.endObject()
        json.key("properties")
        json.beginObject(inline: true)
        // Code scanning shows a severity of security only where the tag says that it is one.
        json.field("tags", ((rule.severity == nil ? [] : ["security"]) + standards.tags).prefix(tagLimit).map(\.self))
        if let severity = rule.severity { json.field("security-severity", severity) }
        json.endObject()
        json.endObject()
    }

    /// GitHub refuses a rule with more.
    private static let tagLimit = 20
    /// Of a result; a retry storm has thousands, and the run folder has them all.
    private static let evidenceLimit = 100

    private static func write(
        _ issue: ReportIssue, rule index: Int?, _ source: ProfileSource?, to json: inout JSONWriter
    ) {
        json.beginObject()
        json.field("ruleId", issue.rule.id)
        if let index { json.field("ruleIndex", index) }
        json.field("level", issue.level.rawValue)
        // SARIF's own words for what a team has accepted, and for what it knows.
        if issue.isKnown { json.field("baselineState", "unchanged") }
        json.key("suppressions")
        json.beginArray(inline: true)
        if let waived = issue.waived {
            json.beginObject()
            json.field("kind", "external")
            json.field("status", "accepted")
            json.field("justification", "until \(waived.until): \(Printable.escaped(waived.reason))")
            json.endObject()
        }
        json.endArray()
        json.key("message")
        json.sarifMessage(issue.message)
        json.sarifLocations(
            uri: source?.uri ?? "profile.yaml", line: source?.line(of: issue.profileRule) ?? 1, host: issue.host)
        json.key("partialFingerprints")
        json.beginObject(inline: true)
        // The one that GitHub reads: with it an alert stays the same when lines of the profile move.
        json.field("primaryLocationLineHash", Fingerprint(of: issue.identity).hex)
        json.field("pinproof/v2", issue.identity)
        json.endObject()
        if !issue.evidence.isEmpty {
            json.key("properties")
            json.beginObject(inline: true)
            json.key("evidence")
            json.beginArray()
            for line in issue.evidence.prefix(evidenceLimit) { json.value(line) }
            json.endArray()
            json.endObject()
        }
        json.endObject()
    }
}

extension Standards {
    /// Code scanning reads weaknesses off tags of this form.
    fileprivate var tags: [String] { cwe.map { "external/cwe/\($0.lowercased())" } + maswe + mastg }

    fileprivate var helpURI: String? {
        if let number = cwe.first?.dropFirst(4) { return "https://cwe.mitre.org/data/definitions/\(number).html" }
        return mastg.isEmpty ? nil : "https://mas.owasp.org/MASTG/"
    }
}
