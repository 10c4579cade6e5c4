import Facts
import Verdict

/// The result in one line, and hosts in the order a reader needs them.
enum Summary {
    /// `result: fail - 1 host not pinned, 2 proven pinned (exit status 1)`; not escaped yet.
    static func line(_ judgement: Judgement) -> String {
        "result: \(judgement.result.rawValue) - \(reason(judgement)) (exit status \(judgement.result.exitStatus))"
    }

    static func reason(_ judgement: Judgement) -> String {
        if let fault = judgement.fault { return fault }
        let order: [VerdictWord] = [
            .notPinned, .refused, .invalidEnvironment, .refusedUnproven, .notExercised, .provenPinned, .accepted,
            .tunnelled,
        ]
        let counts = order.compactMap { word -> (VerdictWord, Int)? in
            let count = judgement.hosts.count { $0.verdict == word }
            return count > 0 ? (word, count) : nil
        }
        guard let first = counts.first else { return "no host was judged" }
        let head = "\(English.count(first.1, "host")) \(first.0.phrase)"
        return (accounts(judgement) + [head] + counts.dropFirst().map { "\($0.1) \($0.0.phrase)" })
            .joined(separator: ", ")
    }

    /// What findings have to do with the result, where no host's verdict says it.
    private static func accounts(_ judgement: Judgement) -> [String] {
        guard judgement.result != .pass else { return [] }
        var words: [String] = []
        if judgement.findings.contains(where: { $0.id == "waiver-expired" }) { words.append("a waiver has expired") }
        if judgement.findings.contains(where: { $0.id == "new-finding" }) {
            words.append("findings that the baseline does not know")
        }
        let standing = judgement.hosts.filter { $0.standing == .met && $0.required }.flatMap(\.findings)
            .filter(\.isBlocking).map(\.id)
        return words + Set(standing).sorted().map { "the finding \($0) stands" }
    }

    /// The hosts for a reader. Where the run was ended, most is missing for the reason that the advice tells.
    static func shown(_ judgement: Judgement) -> [HostVerdict] {
        worstFirst(judgement.hosts).map { told($0, in: judgement) }
    }

    static func told(_ host: HostVerdict, in judgement: Judgement) -> HostVerdict {
        guard judgement.ending != nil else { return host }
        var shown = host
        shown.missing.removeAll { $0 != .trustControl && MissingAdvice.isOfRest($0, of: host) }
        return shown
    }

    /// What needs a reader first stands first; otherwise the profile's order.
    static func worstFirst(_ hosts: [HostVerdict]) -> [HostVerdict] {
        Standing.allCases.flatMap { standing in hosts.filter { $0.standing == standing } }
    }

    static func worstFirst(_ findings: [Finding]) -> [Finding] {
        [Finding.Severity.error, .warning, .note].flatMap { severity in findings.filter { $0.severity == severity } }
    }

    /// `[12, 13, 14, 20]` is `"12-14, 20"`; of many ranges the first are named and the others counted.
    static func ranges(_ lines: [Int], limit: Int = 8) -> String {
        let (ranges, rest) = rangeList(lines, limit: limit)
        return (ranges.map(text) + (rest > 0 ? ["and \(rest) more"] : [])).joined(separator: ", ")
    }

    /// `12-14`, or `20`.
    static func text(of range: ClosedRange<Int>) -> String {
        range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound)-\(range.upperBound)"
    }

    /// The first ranges, and how many lines are in none of them.
    static func rangeList(_ lines: [Int], limit: Int) -> (ranges: [ClosedRange<Int>], rest: Int) {
        var ranges: [ClosedRange<Int>] = []
        for line in lines.sorted() {
            if let last = ranges.last, line - last.upperBound <= 1 {
                ranges[ranges.count - 1] = last.lowerBound...line
            } else {
                ranges.append(line...line)
            }
        }
        return (Array(ranges.prefix(limit)), ranges.dropFirst(limit).reduce(0) { $0 + $1.count })
    }

    /// `"12.3 s"`, `"2 min 5 s"`.
    static func duration(_ seconds: Double) -> String {
        // A clock that went backwards or a sum that overflowed is shown as nothing, and never traps below.
        guard seconds.isFinite, seconds >= 0, seconds < 1e9 else { return "0 s" }
        if seconds < 100 { return "\(Double(Int(seconds * 10 + 0.5)) / 10) s" }
        let whole = Int(seconds + 0.5)
        return "\(whole / 60) min \(whole % 60) s"
    }
    /// `12.3`, for attributes that hold a number of seconds.
    static func decimal(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds >= 0, seconds < 1e9 else { return "0" }
        let millis = Int((seconds * 1000).rounded())
        return (Double(millis) / 1000).description
    }
}
