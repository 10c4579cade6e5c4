import Facts
import Filters
import Flows
import Formats
import Store

/// A text in everything that was recorded, with the places where it stands.
///
///     let search = FlowsSearch("order_id", filter: access.filter)
///     let page = try search.page(in: store, FlowSight(store, hidesSecrets: false), after: nil, limit: 20)
package struct FlowsSearch: Sendable {
    /// Where the text stands.
    package struct Match: Hashable, Sendable {
        /// `url`, `request header cookie`, `response body`, `message 3`.
        package var place: String
        /// Bytes before it, in what was decoded.
        package var offset: Int
        /// It, and what stands around it, on one line.
        package var excerpt: String
    }

    package struct Found: Hashable, Sendable {
        package var flow: Flow
        /// At most `matchLimit`; what an excerpt shows already is not among them.
        package var matches: [Match]
        /// There are others.
        package var hasMore = false
    }

    package struct Page: Hashable, Sendable {
        package var found: [Found]
        /// Goes back as `after`; nil where there are no more.
        package var next: Int64?
    }

    private let pattern: FilterPattern
    private let term: Filter
    private let filter: Filter

    /// Places that are named of one flow: who wants all of them reads its body.
    package static let matchLimit = 5
    /// Places that are looked at in one text; one excerpt may show many.
    private static let placeLimit = 64
    /// Bytes around a match, before and after it.
    private static let around = 60
    /// Of a match itself.
    private static let matchSize = 200

    /// - Parameter text: as it stands there, letters' case apart. Not empty.
    package init(_ text: String, filter: Filter = .everything) {
        pattern = FilterPattern(text)
        term = Filter(.term(.anywhere(.pattern(pattern))))
        self.filter = filter
    }

    /// Oldest first.
    ///
    /// Where secrets are hidden, what stands in them only is not found: asking for a guess would otherwise tell whether it
    /// is right.
    package func page(in store: FlowStore, _ sight: FlowSight, after: Int64?, limit: Int) throws -> Page {
        let asked = sight.hidesSecrets && !filter.isMonotone ? filter.broadened : filter
        let ids = try store.ids(matching: term.and(asked), after: after, limit: limit)
        var found: [Found] = []
        for id in ids {
            guard let recorded = try sight.recorded(id) else { continue }
            let (matches, hasMore) = matches(in: recorded)
            if sight.hidesSecrets, matches.isEmpty || !sight.fits(recorded, filter) { continue }
            found.append(Found(flow: sight.flow(recorded.flow), matches: matches, hasMore: hasMore))
        }
        return Page(found: found, next: ids.count == limit ? ids.last : nil)
    }

    func matches(in recorded: RecordedFlow) -> (matches: [Match], hasMore: Bool) {
        var matches: [Match] = []
        var hasMore = false
        func look(_ place: String, _ bytes: [UInt8]) {
            if hasMore { return }
            var shown = 0
            let places = pattern.places(in: bytes, limit: Self.placeLimit)
            for range in places where range.upperBound > shown {
                guard matches.count < Self.matchLimit else {
                    hasMore = true
                    return
                }
                shown = min(range.upperBound, range.lowerBound + Self.matchSize) + Self.around
                matches.append(Match(place: place, offset: range.lowerBound, excerpt: Self.excerpt(bytes, range)))
            }
            hasMore = places.count == Self.placeLimit
        }
        if let url = recorded.flow.url { look("url", Array(url.utf8)) }
        for (name, direction) in [("request", ExchangeDirection.up), ("response", .down)] {
            let side = recorded.flow.side(direction)
            for (kind, fields) in [("header", side?.headers), ("trailer", side?.trailers)] {
                for field in fields ?? [] {
                    look("\(name) \(kind) \(field.name.lowercased())", Array("\(field.name): \(field.value)".utf8))
                }
            }
            look("\(name) body", recorded.body(direction).shown ?? [])
        }
        for message in recorded.messages { look("message \(message.index)", message.message.data) }
        return (matches, hasMore)
    }

    private static func excerpt(_ bytes: [UInt8], _ range: Range<Int>) -> String {
        let end = min(range.upperBound, range.lowerBound + matchSize)
        var from = max(0, range.lowerBound - around)
        var to = min(bytes.count, end + around)
        // No character is torn.
        while from > 0, from > range.lowerBound - around - 4, bytes[from] & 0xc0 == 0x80 { from -= 1 }
        while to < bytes.count, to < end + around + 4, bytes[to] & 0xc0 == 0x80 { to += 1 }
        let text = String(decoding: bytes[from..<to], as: UTF8.self).map { $0.isNewline ? " " : String($0) }.joined()
        return (from > 0 ? "…" : "") + Printable.escaped(text) + (to < bytes.count ? "…" : "")
    }

    /// For a terminal: a flow's line, and its places below it.
    package static func text(_ found: Found, width: Int?, isColored: Bool) -> String {
        var lines = [FlowLine.text(found.flow, width: width, isColored: isColored)]
        for match in found.matches {
            let head = "    \(Printable.escaped(match.place)), byte \(match.offset): "
            lines.append(head + Printable.excerpt(match.excerpt, limit: width.map { max(20, $0 - head.count) } ?? .max))
        }
        if found.hasMore { lines.append("    … and more: flows show \(found.flow.id) has all of it") }
        return lines.joined(separator: "\n") + "\n"
    }
}
