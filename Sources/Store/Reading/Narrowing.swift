import GRDB

/// What SQL can say of a filter: which flows are worth a look.
///
/// Never fewer than those that match; where it is exact, never more either.
indirect enum Narrowing {
    /// Says nothing: every flow is looked at.
    case everything
    case columns(ColumnCondition, isExact: Bool)
    /// Flows that have all of these letters, three at a time, in the index; never exact.
    case text([String])
    case all([Narrowing])
    case any([Narrowing])

    var isExact: Bool {
        switch self {
        case .columns(_, let isExact): isExact
        case .everything, .text: false
        case .all(let parts), .any(let parts): parts.allSatisfy(\.isExact)
        }
    }

    /// The whole of it, where it is exact.
    var condition: ColumnCondition? {
        switch self {
        case .everything, .text: nil
        case .columns(let condition, let isExact): isExact ? condition : nil
        case .all(let parts): isExact ? .joined(parts.compactMap(\.condition), by: " AND ", orElse: "1") : nil
        case .any(let parts): isExact ? .joined(parts.compactMap(\.condition), by: " OR ", orElse: "0") : nil
        }
    }

    /// One stream of candidates: conditions that are all met, and letters that are all there.
    struct Branch {
        var conditions: [ColumnCondition] = []
        var letters: [String] = []

        var isEverything: Bool { conditions.isEmpty && letters.isEmpty }
    }

    /// More would be slower than looking at everything.
    private static let mostBranches = 8

    /// Streams of which each flow that matches is in at least one; one that says nothing where that is all there is.
    var branches: [Branch] {
        switch self {
        case .everything: return [Branch()]
        case .columns(let condition, _): return [Branch(conditions: [condition])]
        case .text(let letters): return [Branch(letters: letters)]
        case .all(let parts):
            var branches = [Branch()]
            for part in parts {
                let more = part.branches
                guard branches.count * more.count <= Self.mostBranches else {
                    // What would be too many is one condition, or says nothing, which is always true.
                    if let condition = part.condition {
                        for index in branches.indices { branches[index].conditions.append(condition) }
                    }
                    continue
                }
                branches = branches.flatMap { a in
                    more.map { b in Branch(conditions: a.conditions + b.conditions, letters: a.letters + b.letters) }
                }
            }
            return branches
        case .any(let parts):
            let branches = parts.flatMap(\.branches)
            if branches.count <= Self.mostBranches, !branches.contains(where: \.isEverything) { return branches }
            return [Branch(conditions: condition.map { [$0] } ?? [])]
        }
    }
}

/// A condition on columns of `flow`, with the values of its question marks.
struct ColumnCondition {
    /// Said so that SQLite takes no index for it: `+host IN (3)`.
    var sql: String
    /// Said so that it takes one; nil where there is none.
    var indexed: String?
    /// It is that the column has one of these values, and there is an index.
    var column: (name: String, values: [Int64])?
    var arguments: [any DatabaseValueConvertible] = []

    init(_ sql: String, indexed: String? = nil, _ arguments: [any DatabaseValueConvertible] = []) {
        self.sql = sql
        self.indexed = indexed
        self.arguments = arguments
    }

    static var never: ColumnCondition { ColumnCondition("0", indexed: "0") }

    /// One of the values is that of the column.
    static func column(_ name: String, _ values: [Int64], isIndexed: Bool) -> ColumnCondition {
        guard !values.isEmpty else { return never }
        let list = values.map { String($0) }.joined(separator: ", ")
        var condition = ColumnCondition("+\(name) IN (\(list))", indexed: isIndexed ? "\(name) IN (\(list))" : nil)
        if isIndexed { condition.column = (name, values) }
        return condition
    }

    static func joined(_ parts: [ColumnCondition], by word: String, orElse empty: String) -> ColumnCondition {
        guard parts.count != 1 else { return parts[0] }
        guard !parts.isEmpty else { return ColumnCondition(empty) }
        return ColumnCondition(
            "(" + parts.map(\.sql).joined(separator: word) + ")", indexed: nil, parts.flatMap(\.arguments))
    }

    /// What a column lacks fits nothing, so it fits the opposite.
    var negated: ColumnCondition { ColumnCondition("((\(sql)) IS NOT TRUE)", indexed: nil, arguments) }
}
