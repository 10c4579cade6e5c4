import Facts
import Pins

/// A host's certificates and builds as bars, from today to their ends.
///
/// With the builds that pin each certificate, and what CAs do meanwhile.
struct TimelinePicture {
    /// One certificate: how far its bar reaches, of 1.
    struct Bar: Hashable {
        var certificate: DatedCertificate
        var length: Double
        var isPinned: Bool
        /// Other builds that pin it, where there are any.
        var builds: [String]
    }

    /// One version of the app.
    struct BuildBar: Hashable {
        var build: BuildSpan
        /// Up to the day that locks it out, or takes its pins away.
        var length: Double

        /// What the bar ends with; nil: nothing that is known.
        var end: (date: CalendarDate, words: String)? {
            if let breaks = build.breaks { return (breaks, "out") }
            return build.unprotected.map { ($0, "off") }
        }
    }

    let bars: [Bar]
    /// Only where there is something to compare, or to come.
    let builds: [BuildBar]
    /// What CAs do, and where on the scale.
    let marks: [(event: TimelineEvent, place: Double)]
    /// Pins that name nothing here.
    let spare: [String]
    let from: CalendarDate
    /// The last end that is drawn to scale.
    let until: CalendarDate
    private let type: TerminalText

    /// Roots live for decades, and leaves for weeks: what ends later than this many days reaches to the right edge.
    static let longest = 3 * 366

    init(
        _ host: RehearsalReport.Host, _ events: [TimelineEvent] = [], from: CalendarDate,
        _ type: TerminalText = TerminalText()
    ) {
        self.type = type
        self.from = from
        let start = from.daysSince1970
        func days(_ date: CalendarDate) -> Int { max(0, date.daysSince1970 - start) }
        let span = max(1, min(Self.longest, host.certificates.map { days($0.ends) }.max() ?? 1))
        func place(_ date: CalendarDate) -> Double { min(1, Double(days(date)) / Double(span)) }
        until = CalendarDate(daysSince1970: start + span)
        bars = host.certificates.map { one in
            let isPinned = host.pins.contains { $0.key == one.key }
            let builds = host.builds.count > 1 ? host.builds.filter { $0.pins.contains(one.key) }.map(\.name) : []
            return Bar(certificate: one, length: place(one.ends), isPinned: isPinned || !builds.isEmpty, builds: builds)
        }
        let spans = host.builds.map { one in
            BuildBar(build: one, length: (one.breaks ?? one.unprotected).map(place) ?? 1)
        }
        builds = spans.count > 1 || spans.contains { $0.end != nil } ? spans : []
        marks = events.filter { $0.isOfCA && $0.host == host.host && days($0.date) <= span }.map {
            ($0, place($0.date))
        }
        spare = host.pins.filter { pin in !host.certificates.contains { $0.key == pin.key } }.map(\.key)
    }

    private static let titleWidth = 26
    private static let barWidth = 34

    /// Of at most 78 columns.
    var lines: [String] {
        let head =
            String(repeating: " ", count: Self.titleWidth + 2)
            + "\(from)".padded(to: Self.barWidth - 10) + "\(until)"
        let certificates = bars.flatMap { bar -> [String] in
            let row = row(
                bar.certificate.title, drawn(bar.length), "\(bar.certificate.ends)\(bar.isPinned ? " pin" : "")")
            guard !bar.builds.isEmpty else { return [row] }
            return [row] + indented("pinned by \(bar.builds.joined(separator: ", "))")
        }
        let events = marks.map { event, place in
            let before = min(Self.barWidth - 1, Int((place * Double(Self.barWidth)).rounded()))
            return row("CA event", String(repeating: " ", count: before) + "|", "\(event.date)")
        }
        let versions = builds.map { bar in
            row("build \(bar.build.name)", drawn(bar.length), bar.end.map { "\($0.date) \($0.words)" } ?? "")
        }
        let others = spare.map { "\("a pin of no chain here".padded(to: Self.titleWidth))  sha256/\($0.prefix(16))..." }
        return [head] + certificates + others + events + versions
    }

    private func drawn(_ length: Double) -> String {
        String(repeating: "=", count: Int((length * Double(Self.barWidth)).rounded()))
    }

    private func row(_ title: String, _ bar: String, _ end: String) -> String {
        let title = type.shorten(type.safe(title), Self.titleWidth).padded(to: Self.titleWidth)
        return end.isEmpty ? "\(title)  \(bar)" : "\(title)  \(bar.padded(to: Self.barWidth)) \(end)"
    }

    private func indented(_ words: String) -> [String] {
        let indent = String(repeating: " ", count: Self.titleWidth + 2)
        return type.wrap(words, 78 - indent.count).map { indent + $0 }
    }
}
