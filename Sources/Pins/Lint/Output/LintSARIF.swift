import Facts

/// The findings as SARIF 2.1.0, as code scanning takes it.
///
/// A result for each finding, at its file and line. Paths should be relative to the repository: code scanning shows no
/// other. Every rule is there, also one that has found nothing, so that alerts of it are known to be mended.
package enum LintSARIF {
    /// Ends with a line feed.
    ///
    /// - Parameters:
    ///   - problems: hosts that could not be asked.
    ///   - version: of pinproof itself.
    package static func bytes(
        _ findings: [LintFinding], problems: [HostProblem] = [], version: String
    ) -> [UInt8] {
        var json = JSONWriter(layout: .indented, reserving: 32 << 10)
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
        json.field("name", "pinproof pins lint")
        json.field("version", version)
        json.key("rules")
        json.beginArray()
        for entry in LintRuleBook.entries { write(entry, to: &json) }
        json.endArray()
        json.endObject()
        json.endObject()
        json.key("automationDetails")
        json.beginObject(inline: true)
        json.field("id", "pinproof-pins-lint/")
        json.endObject()
        writeInvocation(problems, to: &json)
        json.key("results")
        json.beginArray()
        var seen: [String: Int] = [:]
        for finding in findings.prefix(resultLimit) {
            // Lines move; what is found of a host does not. The same twice is told apart by its number.
            let identity = "\(finding.rule.id) \(finding.file) \(finding.host ?? "") \(finding.text)"
            let number = seen[identity, default: 0]
            seen[identity] = number + 1
            write(finding, identity + (number == 0 ? "" : " \(number)"), to: &json)
        }
        json.endArray()
        json.endObject()
        json.endArray()
        json.endObject()
        return json.bytes + [UInt8(ascii: "\n")]
    }

    /// GitHub takes 25,000 results a run, and shows 5,000.
    static let resultLimit = 5000

    private static func writeInvocation(_ problems: [HostProblem], to json: inout JSONWriter) {
        json.key("invocations")
        json.beginArray()
        json.beginObject()
        json.field("executionSuccessful", problems.isEmpty)
        json.key("toolExecutionNotifications")
        json.beginArray()
        for problem in problems {
            json.beginObject()
            json.field("level", "error")
            json.key("message")
            json.sarifMessage(problem.line)
            json.endObject()
        }
        json.endArray()
        json.endObject()
        json.endArray()
    }

    private static func write(_ entry: LintRuleBook.Entry, to json: inout JSONWriter) {
        json.beginObject()
        json.field("id", entry.rule.id)
        json.field("name", pascal(entry.rule.name))
        json.key("shortDescription")
        json.sarifMessage(entry.title)
        json.key("fullDescription")
        json.sarifMessage(entry.why)
        json.key("help")
        json.beginObject(inline: true)
        json.field("text", "\(entry.why)\n\n\(entry.fix)".filter { $0 != "`" })
        json.field("markdown", markdown(entry))
        json.endObject()
        if let uri = entry.sources.first(where: { $0.hasPrefix("https://") }) { json.field("helpUri", uri) }
        json.key("defaultConfiguration")
        json.beginObject(inline: true)
        json.field("level", entry.severity.rawValue)
        json.endObject()
        json.key("properties")
        json.beginObject(inline: true)
        json.field("tags", ["security", "certificate-pinning", "external/cwe/cwe-295"])
        json.field("precision", entry.severity == .note ? "medium" : "high")
        json.field("problem.severity", entry.severity == .note ? "recommendation" : entry.severity.rawValue)
        json.endObject()
        json.endObject()
    }

    /// Our own sentences: only backquotes mean something in them.
    private static func markdown(_ entry: LintRuleBook.Entry) -> String {
        let sources = entry.sources.map { "- \($0)" }.joined(separator: "\n")
        return "\(entry.why)\n\n**What to do:** \(entry.fix)" + (sources.isEmpty ? "" : "\n\n\(sources)")
    }

    /// `PinproofNoBackupPin`, as rules are named in code scanning.
    private static func pascal(_ name: String) -> String {
        "Pinproof" + name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    private static func write(_ finding: LintFinding, _ identity: String, to json: inout JSONWriter) {
        json.beginObject()
        json.field("ruleId", finding.rule.id)
        if let index = LintRuleBook.entries.firstIndex(where: { $0.rule == finding.rule }) {
            json.field("ruleIndex", index)
        }
        json.field("level", finding.severity.rawValue)
        json.key("message")
        json.sarifMessage("\(finding.text). What to do: \(finding.fix)")
        json.sarifLocations(uri: uri(finding.file), line: finding.line, host: finding.host)
        json.key("partialFingerprints")
        json.beginObject(inline: true)
        // The one that GitHub reads: with it an alert stays the same when lines move.
        json.field("primaryLocationLineHash", hash(identity))
        json.endObject()
        json.endObject()
    }

    /// A path as a reference (RFC 3986): what is not allowed in one is written as `%XX`.
    static func uri(_ path: String) -> String {
        var out: [UInt8] = []
        let bare = path.hasPrefix("./") ? path.dropFirst(2) : path[...]
        for byte in bare.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"), UInt8(ascii: "/"):
                out.append(byte)
            case UInt8(ascii: "\\"): out.append(UInt8(ascii: "/"))
            default:
                out.append(UInt8(ascii: "%"))
                out += Array(Hex.encode([byte]).uppercased().utf8)
            }
        }
        return String(decoding: out, as: UTF8.self)
    }

    /// FNV-1a: nothing is protected by it.
    private static func hash(_ text: String) -> String {
        let sum = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        let digits = String(sum, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
