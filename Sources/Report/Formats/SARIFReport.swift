import Facts
import Policy
import Verdict

/// `report.sarif` (SARIF 2.1.0): a result for each finding and each unexpected verdict.
package enum SARIFReport {
    package static func bytes(_ input: ReportInput) -> [UInt8] {
        let results = results(input)
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
        json.key("rules")
        json.beginArray()
        var rules: [String] = []
        for result in results where !rules.contains(result.rule) {
            rules.append(result.rule)
            json.beginObject()
            json.field("id", result.rule)
            json.key("shortDescription")
            json.message(result.about)
            if let uri = result.standards.helpURI { json.field("helpUri", uri) }
            json.key("properties")
            json.beginObject(inline: true)
            json.field("tags", ["security"] + result.standards.tags)
            json.endObject()
            json.endObject()
        }
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
        json.field("startTimeUtc", input.started)
        json.endObject()
        json.endArray()
        json.key("results")
        json.beginArray()
        for result in results { result.write(to: &json) }
        json.endArray()
        json.endObject()
        json.endArray()
        json.endObject()
        return json.bytes + [UInt8(ascii: "\n")]
    }

    private static func results(_ input: ReportInput) -> [Result] {
        var results: [Result] = []
        if let fault = input.judgement.fault {
            results.append(
                Result(rule: "no-verdict", about: "the run cannot give a verdict", level: "error", message: fault))
        }
        results += input.judgement.findings.map { Result($0, host: nil) }
        for host in input.judgement.hosts {
            if host.standing != .met { results.append(Result(host)) }
            results += host.findings.map { Result($0, host: host.label) }
        }
        return results
    }

    private struct Result {
        var rule: String
        var about: String
        var level: String
        var message: String
        var host: String?
        var evidence: [Int] = []
        var standards = Standards.none
        var finding: Finding?

        init(rule: String, about: String, level: String, message: String) {
            self.rule = rule
            self.about = about
            self.level = level
            self.message = message
        }

        init(_ finding: Finding, host: String?) {
            self.init(
                rule: finding.id, about: FindingCatalogue.kind(finding.id)?.about ?? finding.id,
                level: finding.severity.rawValue, message: finding.text)
            self.host = host ?? finding.host
            self.finding = finding
            evidence = finding.evidence
            standards = finding.standards
        }

        init(_ host: HostVerdict) {
            let level =
                switch host.standing {
                case .contradicted: "error"
                case .invalid: host.required ? "error" : "note"
                case .unproven: host.required ? "warning" : "note"
                case .met: "none"
                }
            var message = "\(host.label), expected to \(host.expect.rawValue): \(host.verdict.rawValue). \(host.why)"
            if !host.missing.isEmpty {
                message += " Missing: " + host.missing.map(\.name).joined(separator: ", ") + "."
            }
            self.init(
                rule: host.verdict.rawValue, about: "host \(host.verdict.phrase)", level: level, message: message)
            self.host = host.label
            standards = host.standards
            // What a witness sent is the place to look at; of anything else, the attacked connections.
            let telling = host.attacks.filter { $0.outcomes[.data, default: 0] > 0 }
            let attacked = host.attacks.filter { $0.attack != .passthrough }
            evidence = (telling.isEmpty ? attacked : telling).flatMap(\.evidence).sorted()
        }

        func write(to json: inout JSONWriter) {
            json.beginObject()
            json.field("ruleId", rule)
            json.field("level", level)
            if let finding {
                // SARIF's own words for what a team has accepted, and for what it knows.
                if finding.isKnown { json.field("baselineState", "unchanged") }
                json.key("suppressions")
                json.beginArray(inline: true)
                if let waived = finding.waived {
                    json.beginObject()
                    json.field("kind", "external")
                    json.field("status", "accepted")
                    json.field("justification", "until \(waived.until): \(Printable.escaped(waived.reason))")
                    json.endObject()
                }
                json.endArray()
            }
            json.key("message")
            json.message(message)
            if host != nil || !evidence.isEmpty {
                json.key("locations")
                json.beginArray()
                json.beginObject()
                if let line = evidence.first {
                    json.key("physicalLocation")
                    json.beginObject(inline: true)
                    json.key("artifactLocation")
                    json.beginObject()
                    json.field("uri", "evidence.jsonl")
                    json.endObject()
                    json.key("region")
                    json.beginObject()
                    json.field("startLine", line)
                    json.endObject()
                    json.endObject()
                }
                if let host {
                    json.key("logicalLocations")
                    json.beginArray(inline: true)
                    json.beginObject()
                    json.field("name", host)
                    json.field("kind", "resource")
                    json.endObject()
                    json.endArray()
                }
                json.endObject()
                json.endArray()
            }
            json.key("partialFingerprints")
            json.beginObject(inline: true)
            json.field("pinproof/v1", "\(rule)@\(host ?? "")")
            json.endObject()
            json.endObject()
        }
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

extension JSONWriter {
    /// Brackets begin links and braces placeholders in a message of SARIF, and readers differ in how they are
    /// escaped: none is left, so that text of a client can be neither.
    fileprivate mutating func message(_ text: String) {
        let plain: [Character: Character] = ["[": "(", "]": ")", "{": "(", "}": ")"]
        beginObject(inline: true)
        field("text", String(Printable.escaped(text).map { plain[$0] ?? $0 }))
        endObject()
    }
}
