import Facts
import Policy
import Verdict

/// `junit.xml`: a test case per host and expectation, as Jenkins and GitLab read it.
///
/// All its cases are green exactly when the gate's result is `pass`: a CI system that reads nothing but this file
/// comes to the same answer as one that looks at the exit status.
package enum JUnitReport {
    package static func text(_ input: ReportInput) -> String { document(input).source }

    private static func document(_ input: ReportInput) -> XMLText {
        let times = HostTimes(input)
        var cases = input.judgement.hosts.map { Case($0, in: input.judgement, seconds: times.seconds(of: $0)) }
        if let gap = gap(input, besides: cases) { cases.append(gap) }
        let count = { (isCounted: (Status) -> Bool) in cases.count { isCounted($0.status) } }
        let time = Summary.decimal(input.seconds)
        let counts: XMLText =
            "tests=\"\(cases.count)\" failures=\"\(count(\.isFailure))\" errors=\"\(count(\.isError))\" "
            + "skipped=\"\(count(\.isSkipped))\" time=\"\(time)\""

        let classname = XMLText.text(input.profile)
        var xml: XMLText = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        xml += "<testsuites name=\"pinproof\" \(counts)>\n"
        xml += "  <testsuite name=\"pinproof \(classname)\" \(counts) timestamp=\"\(input.started)\">\n"
        xml += "    <properties>\n"
        for (name, value) in properties(input) {
            xml += "      <property name=\"\(name)\" value=\"\(value)\"/>\n"
        }
        xml += "    </properties>\n"
        for test in cases {
            // One class a client: a CI system groups by it.
            xml += test.xml(classname: classname + (test.client.map { ".\($0)" } ?? ""))
        }
        let folders = input.runFolders.map { "run folder: \($0)" }
        let about = [Summary.line(input.judgement)] + folders + input.judgement.findings.map(Self.line)
        xml += "    <system-out>\(XMLText.lines(about))</system-out>\n"
        return xml + "  </testsuite>\n</testsuites>\n"
    }

    private static func properties(_ input: ReportInput) -> [(String, String)] {
        [
            ("pinproof.version", input.pinproof), ("pinproof.result", input.judgement.result.rawValue),
            ("pinproof.exit_status", "\(input.judgement.result.exitStatus)"),
            ("pinproof.ca.sha256", input.ca.sha256),
            ("pinproof.attacks", input.attacks.map(\.rawValue).joined(separator: ",")),
        ] + input.sortedLabels.map { ("pinproof.label.\($0.key)", $0.value) }
            + input.artefacts.map { ("pinproof.artefact.\($0.file)", "sha256:\($0.sha256), \($0.bytes) bytes") }
    }

    /// A case for the run itself, where no host's case says why the result is not `pass`.
    private static func gap(_ input: ReportInput, besides cases: [Case]) -> Case? {
        let judgement = input.judgement
        let isGreen = cases.allSatisfy { $0.status == .passed || $0.status.isSkipped }
        guard judgement.fault != nil || (isGreen && judgement.result != .pass) else { return nil }
        let reason = Summary.reason(judgement)
        let status: Status =
            switch judgement.result {
            case .invalid: .error(type: "invalid-environment")
            case .inconclusive: .failure(type: "inconclusive")
            case .fail, .pass: .failure(type: judgement.result.rawValue)
            }
        // Hosts have what there is of time.
        return Case(name: "run", status: status, message: reason, details: [reason], notes: [], seconds: 0)
    }

    static func line(_ finding: Finding) -> String {
        let at = finding.evidence.isEmpty ? "" : " (evidence \(Summary.ranges(finding.evidence)))"
        let mark = finding.mark.map { " (\($0))" } ?? ""
        return "\(finding.severity.rawValue): \(finding.text)\(mark)\(at) [\(finding.label)]"
    }
}

extension JUnitReport {
    private enum Status: Equatable {
        case passed, skipped
        case failure(type: String)
        case error(type: String)

        var isFailure: Bool { if case .failure = self { true } else { false } }
        var isError: Bool { if case .error = self { true } else { false } }
        var isSkipped: Bool { self == .skipped }
    }

    private struct Case {
        var name: String
        var client: String?
        var status: Status
        var message: String
        /// The body of a failure, line by line.
        var details: [String]
        /// What was seen, for `system-out`.
        var notes: [String]
        var seconds: Double

        init(name: String, status: Status, message: String, details: [String], notes: [String], seconds: Double) {
            self.seconds = seconds
            self.name = name
            self.status = status
            self.message = message
            self.details = details
            self.notes = notes
        }

        init(_ verdict: HostVerdict, in judgement: Judgement, seconds: Double) {
            let host = Summary.told(verdict, in: judgement)
            self.seconds = seconds
            name = "\(host.host) expect \(host.expect.rawValue)"
            client = host.client
            status =
                switch host.standing {
                case .met: .passed
                case .contradicted: .failure(type: host.verdict.rawValue)
                // Nobody asked for a proof of an optional host; a witness against it counts all the same.
                case .invalid, .unproven: host.required ? Self.gap(host.standing) : .skipped
                }
            message = "\(host.verdict.rawValue): \(host.why)"
            details = [host.why]
            if !host.missing.isEmpty {
                details.append("missing: " + host.missing.map(\.name).joined(separator: ", "))
            }
            details += Advice.steps(for: host, in: judgement).flatMap {
                $0.seen.map { "seen: \($0)" } + ["next: \($0.text)"]
            }
            notes = ["verdict: \(host.verdict.rawValue)"]
            if let claim = Claim(host) { notes += ["claim: \(claim.text)"] + claim.limits.map { "limit: \($0)" } }
            notes += host.attacks.map(Self.line) + host.findings.map(JUnitReport.line)
        }

        private static func gap(_ standing: Standing) -> Status {
            standing == .invalid ? .error(type: "invalid-environment") : .failure(type: "inconclusive")
        }

        private static func line(_ tally: AttackTally) -> String {
            "\(tally.title): \(tally.summary)"
                + (tally.evidence.isEmpty ? "" : " (evidence \(Summary.ranges(tally.evidence)))")
        }

        func xml(classname: XMLText) -> XMLText {
            let time = Summary.decimal(seconds)
            var xml: XMLText = "    <testcase classname=\"\(classname)\" name=\"\(name)\" time=\"\(time)\">\n"
            let about: XMLText = "message=\"\(message)\""
            switch status {
            case .passed: break
            case .skipped: xml += "      <skipped \(about)/>\n"
            case .failure(let type):
                xml += "      <failure type=\"\(type)\" \(about)>\(XMLText.lines(details))</failure>\n"
            case .error(let type):
                xml += "      <error type=\"\(type)\" \(about)>\(XMLText.lines(details))</error>\n"
            }
            if !notes.isEmpty { xml += "      <system-out>\(XMLText.lines(notes))</system-out>\n" }
            return xml + "    </testcase>\n"
        }
    }
}
