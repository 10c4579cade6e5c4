import Facts
import Policy
import Verdict

/// `report.md`, for a CI job's summary (`$GITHUB_STEP_SUMMARY`).
package enum MarkdownReport {
    package static func text(_ input: ReportInput) -> String {
        let judgement = input.judgement
        let hosts = Summary.worstFirst(judgement.hosts)
        var out = "## \(mark(judgement.result)) pinproof: \(judgement.result.rawValue)\n\n"
        out += "\(capitalized(Markdown.text(Summary.reason(judgement)))).\n\n"
        out += "Profile <code>\(Markdown.text(input.profile))</code>, exit status \(judgement.result.exitStatus), "
        out += "\(Summary.duration(input.seconds)), pinproof \(Markdown.text(input.pinproof)).\n"
        if let clients = judgement.clientLine { out += "\nClients: \(Markdown.text(clients)).\n" }
        if !hosts.isEmpty {
            out += "\n| | Host | Expected | Verdict | Why | Missing |\n|---|---|---|---|---|---|\n"
            for host in hosts { out += row(host) }
        }
        let advice = Advice.entries(for: judgement)
        if !advice.isEmpty {
            out += "\n### What to do next\n\n"
            for entry in advice {
                let hosts = entry.hosts.map { "<code>\(Markdown.text($0))</code>" }.joined(separator: ", ")
                out += "- **\(Markdown.text(entry.topic))** (\(hosts)): \(Markdown.prose(entry.text))\n"
                out += seen(entry.seen)
            }
        }
        if !judgement.findings.isEmpty {
            out += "\n### Findings\n\n"
            for finding in Summary.worstFirst(judgement.findings) { out += bullet(finding) }
        }
        for host in hosts { out += details(host) }
        out += "\n"
        if !input.attacks.isEmpty {
            out +=
                "Attacks in this run: \(input.attacks.map { Markdown.text($0.rawValue) }.joined(separator: ", ")).  \n"
        }
        for folder in input.runFolders { out += "Run folder: <code>\(Markdown.text(folder))</code>  \n" }
        return out
    }

    private static func row(_ host: HostVerdict) -> String {
        let strength = host.strength.map { " (\($0.rawValue))" } ?? host.subtype.map { " (\($0.rawValue))" } ?? ""
        let cells = [
            mark(host.standing),
            "<code>\(Markdown.text(host.host))</code>" + (host.client.map { ", \(Markdown.text($0))" } ?? ""),
            host.expect.rawValue + (host.required ? "" : ", optional"), "**\(host.verdict.rawValue)**\(strength)",
            Markdown.text(host.why), host.missing.map { Markdown.text($0.name) }.joined(separator: ", "),
        ]
        return "| " + cells.joined(separator: " | ") + " |\n"
    }

    private static func details(_ host: HostVerdict) -> String {
        let name = Markdown.text(host.label)
        var out = "\n<details><summary><code>\(name)</code> – \(host.verdict.rawValue)</summary>\n\n"
        if let rule = host.rule, rule != host.host { out += "Rule: <code>\(Markdown.text(rule))</code>\n\n" }
        if let bound = host.printedBoundPercent {
            out += "Cold starts with a delivered refusal: \(host.coldStarts), so that acceptances are at most "
            out += "\(bound) of all starts (95% bound).\n\n"
        }
        if !host.attacks.isEmpty { out += attacks(host.attacks) }
        let steps = Advice.steps(for: host)
        for step in steps {
            out += "- **\(Markdown.text(step.topic))**: \(Markdown.prose(step.text))\n" + seen(step.seen)
        }
        for finding in Summary.worstFirst(host.findings) { out += bullet(finding) }
        if !steps.isEmpty || !host.findings.isEmpty { out += "\n" }
        if let claim = Claim(host) {
            out += "\(Markdown.text(claim.text))\n\n"
            for limit in claim.limits { out += "- \(Markdown.text(limit))\n" }
            out += "\n"
        }
        return out + "</details>\n"
    }

    /// Below the advice that it is about.
    private static func seen(_ lines: [String]) -> String { lines.map { "  - \(Markdown.text($0))\n" }.joined() }

    private static func attacks(_ tallies: [AttackTally]) -> String {
        var out = "| Attack | Connections |"
        for outcome in Outcome.allCases { out += " \(outcome.rawValue) |" }
        out += " Alerts, bytes | Evidence lines |\n|---|--:|"
        out += String(repeating: "--:|", count: Outcome.allCases.count) + "---|---|\n"
        for tally in tallies {
            out += "| \(Markdown.text(tally.title)) | \(tally.connections) |"
            for outcome in Outcome.allCases { out += " \(tally.cell(outcome)) |" }
            out +=
                " \(Markdown.text(tally.attack == .passthrough ? tally.byteCounts : tally.alertList)) | \(Summary.ranges(tally.evidence)) |\n"
        }
        return out + "\n"
    }

    private static func bullet(_ finding: Finding) -> String {
        let at = finding.evidence.isEmpty ? "" : " (evidence \(Summary.ranges(finding.evidence)))"
        let mark = finding.mark.map { " – *\(Markdown.text($0))*" } ?? ""
        return
            "- **\(finding.severity.rawValue)** \(Markdown.text(finding.text))\(mark)\(at) (\(Markdown.text(finding.label)))\n"
    }

    private static func mark(_ result: Judgement.Result) -> String {
        switch result {
        case .pass: "✅"
        case .fail: "❌"
        case .inconclusive: "❔"
        case .invalid: "⚠️"
        }
    }

    private static func mark(_ standing: Standing) -> String {
        switch standing {
        case .met: "✅"
        case .contradicted: "❌"
        case .unproven: "❔"
        case .invalid: "⚠️"
        }
    }

    private static func capitalized(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
}
