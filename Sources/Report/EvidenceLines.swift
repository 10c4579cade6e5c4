import Facts
import Verdict

/// The lines of evidence that a page shows, and where.
///
/// Numbers count within a run; where several were judged as one, a number stands for the line of each that is about the
/// host.
struct EvidenceLines {
    /// Of one attack at one host: whoever needs more reads the file.
    static let perAttack = 25
    /// Of a page. A line is about 1 KB of it: a report is mailed, and opened on a phone.
    static let limit = 400

    struct Line {
        let number: Int
        /// From 1; nil where there is one run.
        let run: Int?
        let words: EvidenceWords
    }

    private let runs: [[Int: EvidenceRecord]]
    private var shown: Set<Int> = []

    init(_ input: ReportInput) {
        let judgement = input.judgement
        let wanted = Set(
            judgement.hosts.flatMap { $0.attacks.flatMap(\.evidence) + $0.findings.flatMap(\.evidence) }
                + judgement.findings.flatMap(\.evidence))
        runs = input.runs.map { run in
            var lines: [Int: EvidenceRecord] = [:]
            for record in run.records where wanted.contains(record.line) { lines[record.line] = record.record }
            return lines
        }
    }

    /// Takes those of `numbers` that no place has shown, as far as there is room; what is left out is counted.
    mutating func take(_ numbers: [Int], of host: HostVerdict? = nil) -> (lines: [Line], left: Int) {
        var lines: [Line] = []
        var left = 0
        for number in numbers where !shown.contains(number) {
            let found = found(number, host)
            guard !found.isEmpty else { continue }
            guard lines.count < Self.perAttack, shown.count < Self.limit else {
                left += 1
                continue
            }
            shown.insert(number)
            lines += found
        }
        return (lines, left)
    }

    func isShown(_ number: Int) -> Bool { shown.contains(number) }

    private func found(_ number: Int, _ host: HostVerdict?) -> [Line] {
        runs.enumerated().compactMap { index, lines in
            guard let record = lines[number] else { return nil }
            // Of several runs the one whose line is the host's; of one run every line is what the number says.
            if runs.count > 1, let host, let seen = record.observation,
                seen.host?.text != host.host, !seen.asked.contains(where: { $0.text == host.host })
            {
                return nil
            }
            return Line(number: number, run: runs.count > 1 ? index + 1 : nil, words: EvidenceWords(record))
        }
    }
}
