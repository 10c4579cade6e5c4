import Facts
import Policy
import Verdict

/// The table that the gate prints: verdict first, the reason next, what to do last.
///
/// Never wider than `columns`; colour carries nothing that the words do not say.
package struct TableReport: Sendable {
    package var color: Bool
    /// False: ASCII only, for terminals without UTF-8.
    package var unicode: Bool
    /// From 40 to 100, whatever is asked for: less breaks words in two, more is hard to read.
    package var columns: Int

    package init(color: Bool = false, unicode: Bool = true, columns: Int = Self.widest) {
        self.color = color
        self.unicode = unicode
        self.columns = Self.fitting(columns)
    }

    static func fitting(_ columns: Int) -> Int { min(max(columns, narrowest), widest) }

    private static let narrowest = 40
    /// Below it columns beside each other leave no room for a reason: a host's facts stand below one another.
    private static let sideBySide = 80

    /// What terminals and CI logs show without breaking lines.
    package static let widest = 100

    package func text(_ input: ReportInput) -> String {
        var lines: [String] = []
        let hosts = Summary.shown(input.judgement)
        if !hosts.isEmpty { lines += (columns < Self.sideBySide ? list(hosts) : table(hosts)) + [""] }
        lines += result(input.judgement)
        lines += advice(input.judgement)
        lines += findings(input.judgement)
        lines += footing(input)
        return lines.joined(separator: "\n") + "\n"
    }

    /// The summary alone, for `-q`.
    package func summaryLine(_ input: ReportInput) -> String {
        result(input.judgement).joined(separator: "\n") + "\n"
    }

    // MARK: the table

    private struct Widths {
        let verdict: Int
        let host: Int
        let why: Int
    }

    private func table(_ hosts: [HostVerdict]) -> [String] {
        let verdict = hosts.reduce("verdict".count) { max($0, $1.verdict.rawValue.count) }
        // Mark, three gaps of two and `expected`: what is left is for host and reason, the reason getting more.
        let rest = columns - 2 - verdict - 3 * 2 - "expected".count
        let host = min(
            max(4, hosts.map { max(type.safe($0.host).count, $0.client.map { $0.count + 3 } ?? 0) }.max() ?? 4),
            rest * 9 / 20)
        let widths = Widths(verdict: verdict, host: host, why: rest - host)

        var lines = [
            paint(.dim, row(["verdict", "host", "expected", "why, and what is missing"], widths)), rule,
        ]
        for (index, verdict) in hosts.enumerated() {
            if index > 0 { lines.append("") }
            lines += rows(of: verdict, widths)
        }
        return lines + [rule]
    }

    /// For narrow terminals: the verdict, below it the host, what is expected of it, and why.
    private func list(_ hosts: [HostVerdict]) -> [String] {
        var lines = [rule]
        for (index, host) in hosts.enumerated() {
            if index > 0 { lines.append("") }
            let tone = tone(of: host.standing)
            let detail = [host.strength?.rawValue, host.subtype?.rawValue].compactMap(\.self).joined(separator: ", ")
            let verdict = paint(tone, "\(mark(of: host.standing)) \(host.verdict.rawValue)")
            lines.append(verdict + (detail.isEmpty ? "" : paint(.dim, " (\(detail))")))
            lines += type.wrapHost(host.host, columns - 2).map { "  " + paint(.bold, $0) }
            let optional = host.required ? "" : ", optional"
            let who = host.client.map { "on \($0), " } ?? ""
            lines += type.wrap("\(who)expected: \(host.expect.rawValue)\(optional)", columns - 2)
                .map { "  " + paint(.dim, $0) }
            lines += reasons(of: host, columns - 4).map { "    " + paint($0.tone, $0.text) }
        }
        return lines + [rule]
    }

    /// Why, and what is missing.
    private func reasons(of host: HostVerdict, _ width: Int) -> [(text: String, tone: Tone)] {
        var why = type.wrap(host.why, width).map { ($0, Tone.none) }
        if let bound = host.printedBoundPercent, host.standing == .met {
            let starts = English.count(host.coldStarts, "cold start")
            why += type.wrap("\(starts): accepts in at most \(bound) (95% bound)", width).map { ($0, .dim) }
        }
        if !host.missing.isEmpty {
            let missing = "missing: " + host.missing.map(\.name).joined(separator: ", ")
            why += type.wrap(missing, width).map { ($0, .yellow) }
        }
        return why
    }

    private func rows(of host: HostVerdict, _ widths: Widths) -> [String] {
        let tone = tone(of: host.standing)
        let verdict = [host.verdict.rawValue, host.strength?.rawValue, host.subtype?.rawValue].compactMap { $0 }
        let names =
            type.wrapHost(host.host, widths.host)
            + (host.client.map { type.wrap("on \($0)", widths.host) } ?? [])
        let expected = [host.expect.rawValue] + (host.required ? [] : ["optional"])
        let why = reasons(of: host, widths.why)
        return (0..<max(verdict.count, names.count, expected.count, why.count)).map { index in
            let mark = index == 0 ? mark(of: host.standing) : " "
            let word = index < verdict.count ? verdict[index] : ""
            let name = index < names.count ? names[index] : ""
            let expectation = index < expected.count ? expected[index] : ""
            let reason = index < why.count ? why[index] : (text: "", tone: .none)
            return trimmed([
                paint(tone, mark) + " " + paint(index == 0 ? tone : .dim, word, widths.verdict),
                paint(index < names.count ? .bold : .none, name, widths.host),
                paint(index == 0 ? .none : .dim, expectation, "expected".count), paint(reason.tone, reason.text),
            ])
        }
    }

    private func row(_ cells: [String], _ widths: Widths) -> String {
        "  " + cells[0].padded(to: widths.verdict) + "  " + cells[1].padded(to: widths.host) + "  "
            + cells[2] + "  " + cells[3]
    }

    private var rule: String { paint(.dim, String(repeating: unicode ? "─" : "-", count: columns)) }

    // MARK: below it

    private func result(_ judgement: Judgement) -> [String] {
        let lines = type.wrap(Summary.line(judgement), columns - 2)
        let tone: Tone =
            switch judgement.result {
            case .pass: .green
            case .fail, .invalid: .red
            case .inconclusive: .yellow
            }
        return lines.enumerated().map { $0.offset == 0 ? paint(tone.strong, $0.element) : "  " + $0.element }
    }

    private func advice(_ judgement: Judgement) -> [String] {
        let entries = Advice.entries(for: judgement)
        guard !entries.isEmpty else { return [] }
        var lines = ["", paint(.bold, "what to do next")]
        for entry in entries {
            let hosts = named(entry.hosts)
            let topic = type.safe(entry.topic)
            let named = type.wrap(hosts, columns - 4 - topic.count)
            // A topic so long that nothing fits beside it stands alone.
            if topic.count < columns / 2, let first = named.first {
                lines.append("  " + paint(.yellow, topic) + "  " + paint(.dim, first))
                lines += named.dropFirst().map { paint(.dim, $0.indented(by: 4 + topic.count)) }
            } else {
                lines += type.wrap(entry.topic, columns - 2).map { "  " + paint(.yellow, $0) }
                lines += type.wrap(hosts, columns - 4).map { paint(.dim, $0.indented(by: 4)) }
            }
            for seen in entry.seen {
                lines += type.wrap(seen, columns - 6).enumerated().map {
                    ($0.offset == 0 ? "    - " : "      ") + $0.element
                }
            }
            lines += type.wrap(entry.text, columns - 4).map { $0.indented(by: 4) }
        }
        return lines
    }

    private func findings(_ judgement: Judgement) -> [String] {
        let all =
            judgement.findings.map { ($0, String?.none) }
            + together(judgement.hosts).map { ($0.finding, .some(named($0.hosts))) }
        guard !all.isEmpty else { return [] }
        var lines = ["", paint(.bold, "findings")]
        let worstFirst = [Finding.Severity.error, .warning, .note].flatMap { severity in
            all.filter { $0.0.severity == severity }
        }
        for (finding, host) in worstFirst {
            let at = finding.evidence.isEmpty ? "" : " (evidence \(Summary.ranges(finding.evidence)))"
            let mark = finding.mark.map { " - \($0)" } ?? ""
            let text = "\(host.map { "\($0): " } ?? "")\(finding.text)\(mark)\(at) [\(finding.label)]"
            let label = finding.severity.rawValue.padded(to: 7)
            for (index, line) in type.wrap(text, columns - 11).enumerated() {
                let tone = finding.waived == nil ? finding.severity.tone : .dim
                lines.append("  " + paint(tone, index == 0 ? label : "       ") + "  " + line)
            }
        }
        return lines
    }

    /// The findings of hosts; what is said of several in the same words, without evidence of each, is said once.
    private func together(_ hosts: [HostVerdict]) -> [(finding: Finding, hosts: [String])] {
        var entries: [(finding: Finding, hosts: [String])] = []
        var places: [Finding: Int] = [:]
        for host in hosts {
            for finding in host.findings {
                if finding.evidence.isEmpty, let place = places[finding] {
                    entries[place].hosts.append(host.label)
                } else {
                    places[finding] = entries.count
                    entries.append((finding, [host.label]))
                }
            }
        }
        return entries
    }

    private func named(_ hosts: [String]) -> String {
        let few = hosts.prefix(Self.hostsNamed).joined(separator: ", ")
        return hosts.count > Self.hostsNamed ? "\(few) and \(hosts.count - Self.hostsNamed) more" : few
    }

    /// What the verdicts rest on, as far as no finding says it already, and where the rest can be read.
    private func footing(_ input: ReportInput) -> [String] {
        var facts: [(String, String)] = []
        func isTold(_ id: String, of host: HostVerdict) -> Bool { host.findings.contains { $0.id == id } }
        let hosts = input.judgement.hosts
        if !input.attacks.isEmpty, !hosts.contains(where: { isTold("attacks-tried", of: $0) }) {
            facts.append(("attacks", input.attacks.map(\.rawValue).joined(separator: ", ")))
        }
        let assumptions = hosts.compactMap { host in
            host.standing == .met && !isTold("control-assumption", of: host) ? Claim.assumption(host.strength) : nil
        }
        var told: [String] = []
        for assumption in assumptions where !told.contains(assumption) {
            told.append(assumption)
            facts.append(("assumed", assumption))
        }
        if let clients = input.judgement.clientLine { facts.append(("clients", clients)) }
        let stacks = SeenStacks(input)
        if let line = stacks.line { facts.append(("stacks", line)) }
        for trap in stacks.traps { facts.append(("note", trap)) }
        if let line = input.forcedEndLine { facts.append(("starts", line)) }
        if let labels = input.labelLine { facts.append(("labels", labels)) }
        facts += input.artefacts.map { ("tested", $0.line) }
        for folder in input.runFolders { facts.append(("run", folder)) }
        guard !facts.isEmpty else { return [] }
        return [""]
            + facts.flatMap { name, text in
                type.wrap(text, columns - 11).enumerated().map { index, line in
                    "  " + paint(.dim, (index == 0 ? name : "").padded(to: 7)) + "  " + line
                }
            }
    }

    /// Hosts named in one piece of advice or in one finding; the table has them all.
    private static let hostsNamed = 3
}
