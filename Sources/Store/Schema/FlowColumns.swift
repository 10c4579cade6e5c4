import Facts
import Filters
import Flows
import GRDB

/// What words in the columns are about; the numbers are in files and never change.
enum WordKind: Int, CaseIterable {
    case host = 1
    case method, scheme, type, client, address, alpn, tls, ja4, failure, tag
}

extension Flow.State {
    /// As it stands in the file; `complete` is 1, for which there is no index.
    var number: Int {
        switch self {
        case .open: 0
        case .complete: 1
        case .aborted: 2
        }
    }
}

extension Flow.Kind {
    /// As it stands in the file; `http` is 0, for which there is no index.
    var number: Int {
        switch self {
        case .http: 0
        case .websocket: 1
        case .raw: 2
        case .tunnel: 3
        case .failure: 4
        }
    }
}

extension Flow {
    /// Unix seconds, exactly as they are read from the flow's JSON, which has microseconds.
    var writtenStart: Double {
        let whole = started.rounded(.down)
        let micros = ((started - whole) * 1_000_000).rounded()
        return micros < 1_000_000 ? whole + micros / 1_000_000 : whole + 1
    }

    var flags: Int {
        let traits: [FilterTrait] = [.marked, .commented, .undecodable, .cut, .cached]
        return traits.enumerated().reduce(0) { sum, trait in has(trait.element) ? sum | 1 << trait.offset : sum }
    }

    /// The values of `FlowColumns.names`, in their order.
    ///
    /// As SQLite's own values: boxes of different types would cost more than the row.
    func columns(words: (WordKind, String) throws -> Int64) rethrows -> [DatabaseValue] {
        func word(_ kind: WordKind, _ text: String?) throws -> DatabaseValue {
            try text.map { try words(kind, $0).databaseValue } ?? .null
        }
        func number(_ number: (some BinaryInteger)?) -> DatabaseValue {
            number.flatMap { Int64(exactly: $0) }?.databaseValue ?? .null
        }
        return [
            state.number.databaseValue, kind.number.databaseValue, writtenStart.databaseValue,
            try word(.host, server.host), number(server.port), try word(.method, method), try word(.scheme, scheme),
            number(status), try word(.type, responseType), try word(.client, client.name),
            try word(.address, clientHost.map { String($0) }), try word(.alpn, tls?.alpn), try word(.tls, tls?.version),
            try word(.ja4, tls?.ja4), try word(.failure, failure?.id.rawValue),
            number(connection), number(requestSize), number(responseSize),
            number(durationMicroseconds), messages.databaseValue, flags.databaseValue,
        ]
    }
}

/// The columns of `flow` that are made from a flow.
enum FlowColumns {
    static let names = [
        "state", "kind", "started", "host", "port", "method", "scheme", "status", "type", "client", "address",
        "alpn", "tls", "ja4", "failure", "connection", "request_size", "response_size", "duration", "messages", "flags",
    ]

    static let list = names.joined(separator: ", ")
    static let marks = names.map { _ in "?" }.joined(separator: ", ")
    static let assignments = names.map { "\($0) = ?" }.joined(separator: ", ")
}

/// Numbers of words, found or given; what it has seen it remembers.
///
/// Words are never taken out of a store, so a number that was right stays right.
struct WordBook {
    private struct Word: Hashable {
        let kind: WordKind
        let text: String
    }

    /// A few MiB: more than any app has hosts, and an end for a client that makes them up.
    private static let limit = 50_000

    private var numbers: [Word: Int64] = [:]

    mutating func number(_ kind: WordKind, _ text: String, _ db: Database) throws -> Int64 {
        let word = Word(kind: kind, text: text)
        if let number = numbers[word] { return number }
        let find = try db.cachedStatement(sql: "SELECT id FROM word WHERE kind = ? AND text = ?")
        let number: Int64
        if let found = try Int64.fetchOne(find, arguments: [kind.rawValue, text]) {
            number = found
        } else {
            try db.cachedStatement(sql: "INSERT INTO word (kind, text) VALUES (?, ?)")
                .execute(arguments: [kind.rawValue, text])
            number = db.lastInsertedRowID
        }
        if numbers.count >= Self.limit { numbers.removeAll(keepingCapacity: true) }
        numbers[word] = number
        return number
    }

    /// After a transaction that was undone: what it added is not there.
    mutating func forget() { numbers.removeAll() }
}

/// Bits of `flow.flags`, of what few flows have; the numbers are in files and never change.
enum FlowFlags {
    static let marked = 1
    static let commented = 2
    static let undecodable = 4
    static let cut = 8
    static let cached = 16
}
