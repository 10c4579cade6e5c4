import Facts
import Policy
import Report
import Verdict

/// A plan as people read it: a line for each cold start, and how many there will be.
struct OutlineListing {
    let profile: Profile
    let outline: Outline
    let coldStarts: Int
    /// There is no COMMAND: a person goes through the phases.
    var isByHand = false
    /// Of the terminal; nil: a line is as long as it gets.
    var columns: Int?

    var text: String {
        let rows = outline.steps.enumerated().map { index, step in
            [String(index + 1), name(step.trial), targets(step.trial), purpose(index, step)]
        }
        let widths = (0..<3).map { column in rows.map { $0[column].count }.max() ?? 0 }
        let lines = rows.flatMap { row in
            let number = row[0].indented(by: widths[0] - row[0].count)
            return line("\(number)  \(row[1].padded(to: widths[1]))  \(row[2].padded(to: widths[2]))  ", row[3])
        }
        return (lines + [""] + wrap(total) + wrap(rest)).joined(separator: "\n") + "\n"
    }

    /// What something is for beside it, or below where there is no room for it.
    private func line(_ head: String, _ purpose: String) -> [String] {
        guard let columns else { return [head + purpose] }
        let room = columns - head.count
        if purpose.count <= room { return [head + purpose] }
        let isBeside = room >= Self.leastBeside
        let indent = isBeside ? head.count : Self.indent
        let lines = TerminalText().wrap(purpose, columns - indent)
        guard isBeside, let first = lines.first else {
            let above = head.split(separator: " ").joined(separator: " ")
            return TerminalText().wrap(above, columns) + lines.map { $0.indented(by: indent) }
        }
        return [head + first] + lines.dropFirst().map { $0.indented(by: indent) }
    }

    private func wrap(_ text: String) -> [String] { columns.map { TerminalText().wrap(text, $0) } ?? [text] }

    /// Fewer columns break a sentence into too many lines.
    private static let leastBeside = 30
    private static let indent = 6

    private var total: String {
        let unit = isByHand ? "phases" : "runs of COMMAND"
        let count = "about \(outline.typical) \(unit) where all is refused, at most \(outline.atMost)"
        let measured = isByHand ? "" : " (pinproof check measures how long they take)"
        return "\(count); \(coldStarts) of them under trusted-ca\(measured)"
    }

    private var rest: String {
        let reserve =
            outline.inReserve.isEmpty
            ? "" : "; \(outline.inReserve.joined(separator: ", ")) follow, where there is an occasion and room"
        return "What stays unclear is run again, and a host that another host's refusal blocks is attacked "
            + "alone\(reserve). The maximum above includes all of that, but not what a client's fifth connection and further "
            + "ones take: a \(isByHand ? "phase" : "run") each."
    }

    private func name(_ trial: Trial) -> String {
        guard let attack = trial.attack, let variant = trial.variant else { return trial.id.rawValue }
        return attack.name(of: variant)
    }

    private func targets(_ trial: Trial) -> String {
        guard trial.attack != nil else { return "-" }
        let targets =
            trial.only.isEmpty
            ? profile.rules.filter { $0.expect == .refuse }.map(\.pattern.description)
            : trial.only.sorted().map(\.text)
        // A long list is the profile's, and stands there.
        return targets.count <= 2 ? targets.joined(separator: ", ") : "\(targets[0]) and \(targets.count - 1) more"
    }

    private func purpose(_ index: Int, _ step: Scheduler.Step) -> String {
        guard let attack = step.trial.attack else {
            let place = index == 0 ? "before" : index == outline.steps.count - 1 ? "after" : "between"
            return "nothing is touched: the hosts have to work \(place) the attacks"
        }
        let condition = step.condition.map { "; only if \(words($0))" } ?? ""
        return attack.presents + condition
    }

    private func words(_ occasion: Occasion) -> String {
        switch occasion {
        case .connection(.atOnce), .connection(.afterOutage), .connection(.afterLostAnswer),
            .connection(.afterNoAnswer),
            .connection(.afterRefusedConnect):
            "it is asked for untouched"
        case .connection(.only(let place)), .connection(.allBut(let place)):
            place <= 2
                ? "a host is seen to open a second connection untouched"
                : "a host is seen to open \(place) connections untouched"
        case .connection(.afterConnections(let count)):
            "a host is seen to open \(count == 1 ? "a second connection" : "more than \(count) connections") untouched"
        case .connection(.afterCut): "a connection to a host is seen to last a second untouched"
        case .connection(.afterSeconds(let seconds)):
            "a host is seen to open a connection \(seconds.formatted) s after its first one, untouched"
        case .connection(.afterRequests(let count)):
            "a host is seen to open a connection after \(count) requests, untouched"
        case .stateLeft(.afterAttacked): "a start under trusted-ca left something in PINPROOF_STATE"
        case .stateLeft: "an untouched start left something in PINPROOF_STATE"
        case .version(let version): "a client offers \(version)"
        case .moreThanOrigin: "a client offers TLS 1.3 or HTTP/2 where the origin takes less"
        case .sendingOn: "a host with `expect: accept` is asked for untouched, or this one by plain HTTP"
        case .olderVersion: "a client offers TLS 1.2 where the origin takes 1.3"
        case .dialogue: "a client comes to TLS in a dialogue that begins in the clear (STARTTLS), untouched"
        case .finishing: "a client finishes a handshake under trusted-ca"
        }
    }
}

extension Double {
    /// Without a fraction where there is none.
    fileprivate var formatted: String { self == rounded() ? String(Int(self)) : String(self) }
}
