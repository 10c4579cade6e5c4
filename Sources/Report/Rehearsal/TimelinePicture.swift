import Facts
import Pins

/// Certificates of a host as bars from today to their ends, with the pins that name them.
struct TimelinePicture {
    /// One certificate: how far its bar reaches, of 1.
    struct Bar: Hashable {
        var certificate: DatedCertificate
        var length: Double
        var isPinned: Bool
    }

    let bars: [Bar]
    /// Pins that name nothing here.
    let spare: [String]
    let from: CalendarDate
    /// The last end that is drawn to scale.
    let until: CalendarDate
    private let type: TerminalText

    /// Roots live for decades, and leaves for weeks: what ends later than this many days reaches to the right edge.
    static let longest = 3 * 366

    init(_ host: RehearsalReport.Host, from: CalendarDate, _ type: TerminalText = TerminalText()) {
        self.type = type
        self.from = from
        let start = from.daysSince1970
        func days(_ one: DatedCertificate) -> Int { max(0, one.ends.daysSince1970 - start) }
        let span = max(1, min(Self.longest, host.certificates.map(days).max() ?? 1))
        until = CalendarDate(daysSince1970: start + span)
        bars = host.certificates.map { one in
            Bar(
                certificate: one, length: min(1, Double(days(one)) / Double(span)),
                isPinned: host.pins.contains { $0.key == one.key })
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
        let rows = bars.map { bar in
            let title = type.shorten(type.safe(bar.certificate.title), Self.titleWidth).padded(to: Self.titleWidth)
            let count = Int((bar.length * Double(Self.barWidth)).rounded())
            let drawn = String(repeating: "=", count: count).padded(to: Self.barWidth)
            return "\(title)  \(drawn) \(bar.certificate.ends)\(bar.isPinned ? " pin" : "")"
        }
        let others = spare.map { "\("a pin of no chain here".padded(to: Self.titleWidth))  sha256/\($0.prefix(16))..." }
        return [head] + rows + others
    }
}
