import Facts
import Pins

/// What `pinproof rehearse` prints, in 80 columns.
package struct RehearsalText {
    private let report: RehearsalReport
    private let type: TerminalText
    private static let columns = 80

    package init(_ report: RehearsalReport, unicode: Bool = true) {
        self.report = report
        type = TerminalText(unicode: unicode)
    }

    /// One line.
    package var summary: String { "rehearsal: \(report.headline)\n" }

    package var text: String {
        var lines = ["rehearsal of \(type.safe(report.build)): \(report.headline)"]
        if let fault = report.fault { lines += type.wrap(fault, Self.columns) }
        if report.isInterrupted { lines.append("it was interrupted: what was not seen by then is unclear") }
        for host in report.hosts { lines += ["", type.safe(host.host)] + scenarios(of: host) }
        if !report.timeline.isEmpty { lines += ["", "timeline"] + events + picture }
        lines += ["", "the run: \(type.safe(report.run))"]
        return lines.joined(separator: "\n") + "\n"
    }

    private func scenarios(of host: RehearsalReport.Host) -> [String] {
        if let fault = host.fault { return type.wrap(fault, Self.columns - 2).map { "  " + $0 } }
        let width = min(24, host.scenarios.map(\.name.count).max() ?? 0)
        return host.scenarios.flatMap { one -> [String] in
            let name = type.shorten(type.safe(one.name), width).padded(to: width)
            let head = "  \(name)  \(one.outcome.rawValue.padded(to: 10))  "
            let rest = type.wrap(one.why, Self.columns - head.count)
            let indent = String(repeating: " ", count: head.count)
            return rest.enumerated().map { ($0.offset == 0 ? head : indent) + $0.element }
        }
    }

    private var events: [String] {
        report.timeline.map { event in
            let breaks = event.consequence.map { ": \($0)" } ?? ""
            return type.wrap("\(event.date)  \(event.host): \(event.event)\(breaks)", Self.columns - 2)
        }.flatMap { lines in lines.enumerated().map { ($0.offset == 0 ? "  " : "              ") + $0.element } }
    }

    private var picture: [String] {
        report.hosts.filter { !$0.certificates.isEmpty }.flatMap { host in
            ["", "  \(type.safe(host.host))"]
                + TimelinePicture(host, report.timeline, from: report.today, type).lines.map { "  " + $0 }
        }
    }
}

extension TimelineEvent {
    /// What follows for the builds; nil: nothing.
    var consequence: String? {
        guard !breaks.isEmpty else { return isUnclear ? "whether what follows works is not clear" : nil }
        return "with a new key there, \(breaks.joined(separator: ", ")) \(breaks.count == 1 ? "is" : "are") locked out"
            + (isUnclear ? ", and of others it is not clear" : "")
    }
}
