import Facts
import Policy
import Verdict

/// `report.md`, for a CI job's summary (`$GITHUB_STEP_SUMMARY`).
package enum MarkdownReport {
    package static func text(_ input: ReportInput) -> String { document(input).source }

    private static func document(_ input: ReportInput) -> MarkdownText {
        let judgement = input.judgement
        let hosts = Summary.shown(judgement)
        var out: MarkdownText = "## \(mark(judgement.result)) pinproof: \(judgement.result.rawValue)\n\n"
        out += "\(capitalized(Summary.reason(judgement))).\n\n"
        out += "Profile <code>\(input.profile)</code>, exit status \(judgement.result.exitStatus), "
        out += "\(Summary.duration(input.seconds)), pinproof \(input.pinproof).\n"
        for (name, value) in input.sortedLabels { out += "\n- \(name): <code>\(value)</code>" }
        for artefact in input.artefacts {
            out += "\n- tested: <code>\(artefact.file)</code>, \(English.count(artefact.bytes, "byte")), SHA-256 "
            out += "<code>\(artefact.sha256)</code>"
        }
        if !input.labels.isEmpty || !input.artefacts.isEmpty { out += "\n" }
        if let clients = judgement.clientLine { out += "\nClients: \(clients).\n" }
        if !hosts.isEmpty {
            out += "\n| | Host | Expected | Verdict | Why | Missing |\n|---|---|---|---|---|---|\n"
            for host in hosts { out += row(host) }
        }
        let advice = Advice.entries(for: judgement)
        if !advice.isEmpty {
            out += "\n### What to do next\n\n"
            for entry in advice {
                let hosts = entry.hosts.map { MarkdownText("<code>\($0)</code>") }.joined(separator: ", ")
                out += "- **\(entry.topic)** (\(hosts)): \(MarkdownText.prose(entry.text))\n"
                out += seen(entry.seen)
            }
        }
        if !judgement.findings.isEmpty {
            out += "\n### Findings\n\n"
            for finding in Summary.worstFirst(judgement.findings) { out += bullet(finding) }
        }
        if let comparison = input.comparison { out += MarkdownComparison.section(comparison) }
        let genuine = GenuineChains(input)
        for host in hosts {
            out += details(host, Advice.steps(for: host, in: judgement), genuine.chains(of: host))
        }
        out += "\n"
        if !input.attacks.isEmpty {
            out +=
                "Attacks in this run: \(input.attacks.map(\.rawValue).joined(separator: ", ")).  \n"
        }
        for folder in input.runFolders { out += "Run folder: <code>\(folder)</code>  \n" }
        return out
    }

    private static func row(_ host: HostVerdict) -> MarkdownText {
        let strength = host.strength.map { " (\($0.rawValue))" } ?? host.subtype.map { " (\($0.rawValue))" } ?? ""
        let cells: [MarkdownText] = [
            .text(mark(host.standing)), "<code>\(host.host)</code>\(host.client.map { ", \($0)" } ?? "")",
            .text(host.expect.rawValue + (host.required ? "" : ", optional")),
            "**\(host.verdict.rawValue)**\(strength)", .text(host.why),
            .text(host.missing.map(\.name).joined(separator: ", ")),
        ]
        return "| " + cells.joined(separator: " | ") + " |\n"
    }

    private static func details(_ host: HostVerdict, _ steps: [Advice.Step], _ chains: [GenuineChain]) -> MarkdownText {
        let name = host.label
        var out: MarkdownText = "\n<details><summary><code>\(name)</code> – \(host.verdict.rawValue)</summary>\n\n"
        if let rule = host.rule, rule != host.host { out += "Rule: <code>\(rule)</code>\n\n" }
        if let bound = host.printedBoundPercent {
            out += "Cold starts with a delivered refusal: \(host.coldStarts), so that acceptances are at most "
            out += "\(bound) of all starts (95% bound).\n\n"
        }
        if !host.attacks.isEmpty { out += attacks(host.attacks) }
        for step in steps {
            out += "- **\(step.topic)**: \(MarkdownText.prose(step.text))\n" + seen(step.seen)
        }
        for finding in Summary.worstFirst(host.findings) { out += bullet(finding) }
        if !steps.isEmpty || !host.findings.isEmpty { out += "\n" }
        if let claim = Claim(host) {
            out += "\(claim.text)\n\n"
            for limit in claim.limits { out += "- \(limit)\n" }
            out += "\n"
        }
        for chain in chains { out += self.chain(chain) }
        return out + "</details>\n"
    }

    private static func chain(_ chain: GenuineChain) -> MarkdownText {
        var out: MarkdownText = "The genuine chain\(chain.isVerified ? "" : ", which did not verify"):\n\n"
        for certificate in chain.certificates {
            out += "1. \(certificate.subject ?? "SHA-256 \(certificate.sha256)")"
            if let expiry = certificate.notAfter { out += ", until \(expiry.prefix(10))" }
            if let pin = certificate.pin { out += ": <code>\(pin)</code>" }
            out += "\n"
        }
        if let pin = chain.anchorPin {
            out += "1. its trust anchor, which the server does not send: <code>\(pin)</code>\n"
        }
        return out + "\n"
    }

    /// Below the advice that it is about.
    private static func seen(_ lines: [String]) -> MarkdownText { lines.map { "  - \($0)\n" }.joined() }

    private static func attacks(_ tallies: [AttackTally]) -> MarkdownText {
        var out: MarkdownText = "| Attack | Connections |"
        for outcome in Outcome.allCases { out += " \(outcome.rawValue) |" }
        out += " Alerts, bytes | Evidence lines |\n|---|--:|"
        for _ in Outcome.allCases { out += "--:|" }
        out += "---|---|\n"
        for tally in tallies {
            out += "| \(tally.title) | \(tally.connections) |"
            for outcome in Outcome.allCases { out += " \(tally.cell(outcome)) |" }
            out +=
                " \(tally.attack == .passthrough ? tally.byteCounts : tally.alertList) | \(Summary.ranges(tally.evidence)) |\n"
        }
        return out + "\n"
    }

    private static func bullet(_ finding: Finding) -> MarkdownText {
        let at = finding.evidence.isEmpty ? "" : " (evidence \(Summary.ranges(finding.evidence)))"
        let mark = finding.mark.map { MarkdownText(" – *\($0)*") } ?? ""
        return
            "- **\(finding.severity.rawValue)** \(finding.text)\(mark)\(at) (\(finding.label))\n"
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
