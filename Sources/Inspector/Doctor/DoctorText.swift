import Facts

/// A doctor's report for people: a line for each check, what to do below it.
struct DoctorText: Sendable {
    /// Columns that there are.
    var width: Int
    var isColored = false
    /// The terminal shows more than ASCII.
    var hasUnicode = true
    /// Only what is wrong, and notes.
    var isQuiet = false

    /// Less leaves no room for words beside the signs.
    private static let leastWidth = 40
    private static let margin = 9

    func text(_ report: DoctorReport) -> String {
        report.checks.filter { !isQuiet || $0.status == .failed || $0.status == .warning }.flatMap(lines)
            .map { $0 + "\n" }.joined()
    }

    private func lines(_ check: DoctorCheck) -> [String] {
        let sign = sign(check.status).padded(to: Self.margin)
        var lines = wrapped(Printable.escaped(check.what))
        if let first = lines.first {
            lines[0] =
                (isColored ? "\u{1b}[\(color(check.status))m\(sign)\u{1b}[0m" : sign) + first.dropFirst(Self.margin)
        }
        return lines + (check.todo.map { wrapped(Printable.escaped($0), further: 2) } ?? [])
    }

    /// A word beside each sign: neither a colour nor a shape has to be known.
    private func sign(_ status: DoctorCheck.Status) -> String {
        switch status {
        case .ok: "ok"
        case .warning: "! note"
        case .failed: hasUnicode ? "✕ wrong" : "x wrong"
        case .skipped: hasUnicode ? "– info" : "- info"
        }
    }

    private func color(_ status: DoctorCheck.Status) -> Int {
        switch status {
        case .ok: 32
        case .warning: 33
        case .failed: 31
        case .skipped: 2
        }
    }

    /// Broken between words, behind the margin. Where a line ends within a command in backticks, it ends with `\`: the
    /// command can be copied as it stands.
    private func wrapped(_ text: String, further: Int = 0) -> [String] {
        let margin = Self.margin + further
        let room = max(Self.leastWidth, width) - margin
        var lines: [String] = []
        var line = ""
        var isCommand = false
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            let ticks = word.count { $0 == "`" }
            // Room for what a broken command ends with.
            let end = isCommand || ticks == 1 ? 2 : 0
            if line.isEmpty {
                line = String(word)
            } else if line.count + 1 + word.count + end <= room {
                line += " " + word
            } else {
                lines.append(isCommand ? line + " \\" : line)
                line = String(word)
            }
            if ticks % 2 == 1 { isCommand.toggle() }
        }
        lines.append(line)
        return lines.map { $0.indented(by: margin) }
    }
}
