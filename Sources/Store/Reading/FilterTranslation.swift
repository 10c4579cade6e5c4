import Facts
import Filters
import Flows
import GRDB

/// Filters to what SQL can say of them. Lives within one read.
struct FilterTranslation {
    /// Words of one kind that a pattern may fit: beyond it, rows are compared rather than words.
    private static let mostWords = 2000

    private let db: Database

    init(_ db: Database) { self.db = db }

    func narrowing(_ node: FilterNode) throws -> Narrowing {
        switch node {
        case .all(let nodes):
            return .all(try nodes.map(narrowing))
        case .any(let nodes): return .any(try nodes.map(narrowing))
        case .not(let node):
            let narrowing = try narrowing(node)
            return narrowing.condition.map { .columns($0.negated, isExact: true) } ?? .everything
        case .term(let term): return try narrowing(term)
        }
    }

    private func narrowing(_ term: FilterTerm) throws -> Narrowing {
        switch term {
        case .anywhere(let text), .body(_, let text), .part(.url, let text): return Self.text(text.literals)
        case .part(.comment, _): return .columns(Self.flag(FlowFlags.commented), isExact: false)
        case .header(_, let name, let value): return Self.text(name.literals + (value?.literals ?? []))
        case .value(let field, let patterns): return try narrowing(field, patterns)
        case .number(.status, let ranges): return try statuses(ranges)
        case .number(let number, let ranges):
            return .any(ranges.map { .columns(Self.condition(number, $0), isExact: true) })
        case .kind(let kinds): return Self.kinds(kinds)
        case .failure(let ids):
            let names = Set(ids.map(\.rawValue))
            return try words("failure", .failure, isIndexed: true) { names.contains($0) }
        case .tls(let versions):
            return try words("tls", .tls) { TLSVersion(named: $0).map(versions.contains) ?? false }
        case .after(let moment):
            return .columns(ColumnCondition("+started >= ?", indexed: "started >= ?", [moment]), isExact: true)
        case .before(let moment):
            return .columns(ColumnCondition("+started < ?", indexed: "started < ?", [moment]), isExact: true)
        case .trait(let trait): return try narrowing(trait)
        }
    }

    // MARK: Values

    private func narrowing(_ field: FilterField, _ patterns: [FilterPattern]) throws -> Narrowing {
        let fits = { (text: String) in patterns.contains { $0.isAll(of: text) } }
        switch field {
        case .host: return try words("host", .host, isIndexed: true, fits)
        case .method: return try words("method", .method, isIndexed: true, fits)
        case .scheme: return try words("scheme", .scheme, fits)
        case .type:
            return try words("type", .type, isIndexed: true) { type in
                patterns.contains { Flow.isType(type, $0) }
            }
        case .alpn: return try words("alpn", .alpn, fits)
        case .ja4: return try words("ja4", .ja4, fits)
        case .mark: return .columns(Self.flag(FlowFlags.marked), isExact: false)
        case .path:
            // A path of a URL that has none begins with a slash that is not in the URL.
            return .any(patterns.map { Self.text($0.literals.map { String($0.drop { $0 == "/" }) }) })
        case .port: return Self.ports(patterns)
        case .tag: return try tagged(fits)
        case .client:
            // Only an address has a colon; one with its port is in no column.
            guard patterns.allSatisfy({ !$0.hasStar && !$0.segments[0].contains(":") }) else { return .everything }
            return .any([try words("client", .client, fits), try words("address", .address, fits)])
        }
    }

    private static func ports(_ patterns: [FilterPattern]) -> Narrowing {
        var ports: [Int64] = []
        for pattern in patterns {
            guard !pattern.hasStar, let port = Int64(pattern.segments[0]), String(port) == pattern.segments[0] else {
                return .everything
            }
            ports.append(port)
        }
        return .columns(.column("port", ports, isIndexed: false), isExact: true)
    }

    /// Those that occur: a few dozen. Other numbers stay ranges.
    private func statuses(_ ranges: [FilterRange]) throws -> Narrowing {
        let sql = """
            WITH RECURSIVE seen(status) AS (
                SELECT min(status) FROM flow
                UNION ALL
                SELECT (SELECT min(status) FROM flow WHERE status > seen.status) FROM seen WHERE seen.status IS NOT NULL)
            SELECT status FROM seen WHERE status IS NOT NULL LIMIT \(Self.mostWords + 1)
            """
        let seen = try Int64.fetchAll(db.cachedStatement(sql: sql))
        guard seen.count <= Self.mostWords else {
            return .any(ranges.map { .columns(Self.condition(.status, $0), isExact: true) })
        }
        let values = seen.filter { status in ranges.contains { $0.contains(status) } }
        return .columns(.column("status", values, isIndexed: true), isExact: true)
    }

    private func words(
        _ column: String, _ kind: WordKind, isIndexed: Bool = false, _ fits: (String) -> Bool
    ) throws -> Narrowing {
        guard let numbers = try numbers(kind, fits) else { return .everything }
        return .columns(.column(column, numbers, isIndexed: isIndexed), isExact: true)
    }

    /// A flow may have lost a tag since; so it is looked at.
    private func tagged(_ fits: (String) -> Bool) throws -> Narrowing {
        guard let numbers = try numbers(.tag, fits) else { return .everything }
        let list = numbers.map { String($0) }.joined(separator: ", ")
        let tagged = "IN (SELECT flow FROM tag WHERE word IN (\(list)))"
        return .columns(ColumnCondition("+id \(tagged)", indexed: "id \(tagged)"), isExact: false)
    }

    /// nil: too many.
    private func numbers(_ kind: WordKind, _ fits: (String) -> Bool) throws -> [Int64]? {
        let find = try db.cachedStatement(sql: "SELECT id, text FROM word WHERE kind = ?")
        let rows = try Row.fetchCursor(find, arguments: [kind.rawValue])
        var numbers: [Int64] = []
        while let row = try rows.next() {
            guard fits(try row.value(1)) else { continue }
            guard numbers.count < Self.mostWords else { return nil }
            numbers.append(try row.value(0))
        }
        return numbers
    }

    // MARK: Conditions

    private static func condition(_ number: FilterNumber, _ range: FilterRange) -> ColumnCondition {
        // From where on there is an index: SQLite wants to read its condition word for word.
        let (column, index): (String, (from: Int64, condition: String)?) =
            switch number {
            case .status: ("status", (.min, "1"))
            case .port: ("port", nil)
            case .requestSize: ("request_size", (65_536, "request_size >= 65536"))
            case .responseSize: ("response_size", (65_536, "response_size >= 65536"))
            case .duration: ("duration", (1_000_000, "duration >= 1000000"))
            case .messages: ("messages", (1, "messages > 0"))
            case .connection: ("connection", (.min, "1"))
            case .id: ("id", nil)
            }
        var parts: [String] = []
        if let lower = range.lower { parts.append("\(column) >= \(literal(lower))") }
        if let upper = range.upper { parts.append("\(column) <= \(literal(upper))") }
        if parts.isEmpty { parts = ["\(column) IS NOT NULL"] }
        var indexed: String?
        if let index, range.lower ?? .min >= index.from {
            indexed = (parts + [index.condition]).joined(separator: " AND ")
        }
        // The numbers themselves are the order in which flows are read: there is nothing to hide from SQLite.
        let sql = number == .id ? parts : parts.map { "+" + $0 }
        return ColumnCondition("(\(sql.joined(separator: " AND ")))", indexed: indexed)
    }

    /// The least number cannot be written in SQL: its digits alone are too large.
    private static func literal(_ number: Int64) -> String {
        number == .min ? "(-9223372036854775807 - 1)" : "\(number)"
    }

    /// Few flows are anything but HTTP, and those are in an index.
    private static func kinds(_ kinds: [Flow.Kind]) -> Narrowing {
        var condition = ColumnCondition.column("kind", kinds.map { Int64($0.number) }, isIndexed: false)
        if !kinds.contains(.http) { condition.indexed = "\(condition.sql.dropFirst()) AND kind <> 0" }
        return .columns(condition, isExact: true)
    }

    private static func flag(_ flag: Int) -> ColumnCondition {
        ColumnCondition("+flags & \(flag) <> 0", indexed: "flags <> 0 AND flags & \(flag) <> 0")
    }

    private static func state(_ state: Flow.State) -> Narrowing {
        let sql = "state = \(state.number)"
        return .columns(
            ColumnCondition("+\(sql)", indexed: state == .complete ? nil : "\(sql) AND state <> 1"), isExact: true)
    }

    private func narrowing(_ trait: FilterTrait) throws -> Narrowing {
        switch trait {
        case .failed:
            let failed = ColumnCondition("+failure IS NOT NULL", indexed: "failure IS NOT NULL")
            return .any([.columns(failed, isExact: true), Self.kinds([.failure])])
        case .open: return Self.state(.open)
        case .complete: return Self.state(.complete)
        case .aborted: return Self.state(.aborted)
        case .http: return Self.kinds([.http])
        case .websocket: return Self.kinds([.websocket])
        case .raw: return Self.kinds([.raw])
        case .tunnel: return Self.kinds([.tunnel])
        case .redirect: return .columns(.column("status", [301, 302, 303, 307, 308], isIndexed: true), isExact: true)
        case .cached: return .columns(Self.flag(FlowFlags.cached), isExact: true)
        case .graphql, .grpc, .sse:
            return try tagged { $0 == trait.rawValue || $0.hasPrefix(trait.rawValue + ":") }
        case .marked: return .columns(Self.flag(FlowFlags.marked), isExact: true)
        case .commented: return .columns(Self.flag(FlowFlags.commented), isExact: true)
        case .undecodable: return .columns(Self.flag(FlowFlags.undecodable), isExact: true)
        case .cut: return .columns(Self.flag(FlowFlags.cut), isExact: true)
        }
    }

    // MARK: Text

    /// More letters make the answer no smaller, and the question slower.
    private static let mostLetters = 24

    /// Of the parts in ASCII: those are the same in the index whatever their case, and other letters may not be.
    private static func text(_ literals: [String]) -> Narrowing {
        var letters: [String] = []
        for literal in literals {
            for run in literal.utf8.split(whereSeparator: { $0 >= 0x80 || $0 == 0 }) {
                let folded = run.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }
                for start in folded.indices.dropLast(2) {
                    let three = String(decoding: folded[start..<(start + 3)], as: UTF8.self)
                    if !letters.contains(three) { letters.append(three) }
                }
            }
        }
        guard !letters.isEmpty else { return .everything }
        guard letters.count > mostLetters else { return .text(letters) }
        // From all over the text, for its beginning may be what all have.
        return .text((0..<mostLetters).map { letters[$0 * letters.count / mostLetters] })
    }
}
