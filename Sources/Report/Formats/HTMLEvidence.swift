import Facts
import Verdict

/// What the numbers of evidence lines in `report.html` stand for, on the same page.
///
/// A number is a link into a closed `<details>`, which browsers open for it: no script is needed.
struct HTMLEvidence {
    /// One attack at one host, or what only findings name.
    struct Block {
        let title: String
        let lines: [EvidenceLines.Line]
        /// Of its lines, those that did not fit.
        let left: Int
    }

    private var lines: EvidenceLines
    /// By place in the list of hosts.
    private(set) var blocks: [[Block]] = []
    /// What concerns the run alone.
    private(set) var rest: Block?

    /// - Parameter hosts: in the page's order.
    init(_ input: ReportInput, _ hosts: [HostVerdict]) {
        lines = EvidenceLines(input)
        for host in hosts {
            var own: [Block] = []
            for tally in host.attacks { add(tally.title, tally.evidence, of: host, to: &own) }
            add("findings", host.findings.flatMap(\.evidence).sorted(), of: host, to: &own)
            blocks.append(own)
        }
        var others: [Block] = []
        add("findings of the run", input.judgement.findings.flatMap(\.evidence).sorted(), of: nil, to: &others)
        rest = others.first
    }

    private mutating func add(_ title: String, _ numbers: [Int], of host: HostVerdict?, to blocks: inout [Block]) {
        let (taken, left) = lines.take(numbers, of: host)
        guard !taken.isEmpty else { return }
        blocks.append(Block(title: title, lines: taken, left: left))
    }

    /// `5, 11, 17-18`, each a link to its first line where that is on the page.
    func numbers(_ evidence: [Int], limit: Int = 8) -> HTMLText {
        let (ranges, rest) = Summary.rangeList(evidence, limit: limit)
        let shown = ranges.map { range -> HTMLText in
            let text = Summary.text(of: range)
            return lines.isShown(range.lowerBound)
                ? "<a href=\"#line-\(range.lowerBound)\">\(text)</a>" : HTMLText.text(text)
        }
        return (shown + (rest > 0 ? [HTMLText("and \(rest) more")] : [])).joined(separator: ", ")
    }

    static func section(_ block: Block) -> HTMLText {
        let count = English.count(block.lines.count, "line")
        var out: HTMLText =
            "<details class=\"evidence\"><summary>Evidence: \(block.title) <small>\(count)</small></summary>\n"
        for line in block.lines { out += item(line) }
        if block.left > 0 {
            out +=
                "<p class=\"quiet\">\(block.left) more: a page shows at most \(EvidenceLines.perAttack) lines of an attack, "
            out +=
                "and \(EvidenceLines.limit) in all, to stay small enough to mail; <code>evidence.jsonl</code> has every one.</p>\n"
        }
        return out + "</details>\n"
    }

    private static func item(_ line: EvidenceLines.Line) -> HTMLText {
        let run = line.run.map { HTMLText(" <small>of run \($0)</small>") } ?? ""
        // The number of a line is an anchor once, also where several runs have such a line.
        let id = (line.run ?? 1) == 1 ? "line-\(line.number)" : "line-\(line.number)-\(line.run ?? 1)"
        var out: HTMLText =
            "<div class=\"line\" id=\"\(id)\"><p><strong>\(line.number)</strong>\(run) \(line.words.title)</p>\n<dl>\n"
        for fact in line.words.facts {
            out += "<div><dt>\(fact.name)</dt><dd>\(fact.text)</dd></div>\n"
        }
        return out + "</dl></div>\n"
    }
}
