import Filters
import Flows
import GRDB

/// Counts, sizes and times of flows, by host, status and type.
package struct FlowStatistics: Hashable, Sendable {
    /// Flows that have something in common.
    package struct Group: Hashable, Sendable {
        /// nil: they have none.
        package var name: String?
        package var count: Int
        package var requestBytes: Int
        package var responseBytes: Int
        /// In milliseconds; nil where no flow of it has one.
        package var p50: Double?
        package var p95: Double?
        package var p99: Double?
    }

    package var all: Group
    /// The most frequent first.
    package var hosts: [Group]
    package var statuses: [Group]
    package var types: [Group]
}

extension FlowStore {
    package func statistics(matching filter: Filter = .everything) throws(StoreError) -> FlowStatistics {
        try read { db in
            let query = try FlowQuery(filter, FlowRange(), db, self)
            let find = try db.makeStatement(
                sql: "SELECT host, status, type, request_size, response_size, duration FROM flow WHERE id = ?")
            var all = Tally()
            var hosts: [Int64?: Tally] = [:]
            var statuses: [Int64?: Tally] = [:]
            var types: [Int64?: Tally] = [:]
            while let id = try query.nextID() {
                guard let row = try Row.fetchOne(find, arguments: [id]) else { continue }
                let sample = Sample(
                    request: try row.optional(3) ?? 0, response: try row.optional(4) ?? 0,
                    duration: try row.optional(5))
                all.add(sample)
                hosts[try row.optional(0), default: Tally()].add(sample)
                statuses[try row.optional(1), default: Tally()].add(sample)
                types[try row.optional(2), default: Tally()].add(sample)
            }
            let word = try db.makeStatement(sql: "SELECT text FROM word WHERE id = ?")
            func text(_ id: Int64) throws -> String? { try String.fetchOne(word, arguments: [id]) }
            return FlowStatistics(
                all: all.group(nil), hosts: try Self.groups(hosts, text),
                statuses: Self.groups(statuses) { String($0) }, types: try Self.groups(types, text))
        }
    }

    private struct Sample {
        var request: Int
        var response: Int
        var duration: Int64?
    }

    private struct Tally {
        private var count = 0
        private var request = 0
        private var response = 0
        /// Microseconds; the longest that fits is an hour, and longer ones are as long as that.
        private var durations: [UInt32] = []

        mutating func add(_ sample: Sample) {
            count += 1
            request = request.addingReportingOverflow(sample.request).partialValue
            response = response.addingReportingOverflow(sample.response).partialValue
            if let duration = sample.duration { durations.append(UInt32(clamping: duration)) }
        }

        func group(_ name: String?) -> FlowStatistics.Group {
            let sorted = durations.sorted()
            // The nearest rank: a time that a flow really took.
            func percentile(_ part: Double) -> Double? {
                guard !sorted.isEmpty else { return nil }
                let rank = Int((part * Double(sorted.count)).rounded(.up))
                return Double(sorted[max(0, min(sorted.count - 1, rank - 1))]) / 1000
            }
            return FlowStatistics.Group(
                name: name, count: count, requestBytes: request, responseBytes: response, p50: percentile(0.5),
                p95: percentile(0.95), p99: percentile(0.99))
        }
    }

    private static func groups(
        _ tallies: [Int64?: Tally], _ name: (Int64) throws -> String?
    ) rethrows -> [FlowStatistics.Group] {
        try tallies.map { key, tally in tally.group(try key.flatMap(name)) }
            .sorted { ($1.count, $0.name ?? "") < ($0.count, $1.name ?? "") }
    }
}
