import Console
import Facts
import Store

/// `pinproof flows stats`: counts, bytes and times by host, status and type.
package enum FlowsStats {
    /// Rows of each table; the rest is summed up.
    static let rows = 20

    /// - Parameter width: columns that there are; nil: any number.
    package static func text(_ statistics: FlowStatistics, width: Int? = nil) -> String {
        var lines = ["\(English.count(statistics.all.count, "flow")), " + amounts(statistics.all)]
        for (title, groups) in [
            ("host", statistics.hosts), ("status", statistics.statuses), ("type", statistics.types),
        ] where !groups.isEmpty {
            lines.append("")
            lines += table(title, groups, width)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func amounts(_ group: FlowStatistics.Group) -> String {
        "\(ByteCount.text(group.requestBytes)) up, \(ByteCount.text(group.responseBytes)) down"
            + (group.p50.map { ", p50 " + Milliseconds.text($0) } ?? "")
            + (group.p95.map { ", p95 " + Milliseconds.text($0) } ?? "")
            + (group.p99.map { ", p99 " + Milliseconds.text($0) } ?? "")
    }

    private static func table(_ title: String, _ groups: [FlowStatistics.Group], _ width: Int?) -> [String] {
        // Six columns of nine beside it.
        let room = width.map { max(12, $0 - 54) } ?? 60
        let names = groups.prefix(rows).map { Printable.excerpt($0.name ?? "—", limit: room) }
        let broad = max(title.count, names.map(\.count).max() ?? 0)
        var lines = [row([title.padded(broad), "count", "up", "down", "p50", "p95", "p99"])]
        for (name, group) in zip(names, groups) {
            lines.append(
                row([
                    name.padded(broad), String(group.count), ByteCount.text(group.requestBytes),
                    ByteCount.text(group.responseBytes), duration(group.p50), duration(group.p95), duration(group.p99),
                ]))
        }
        if groups.count > rows { lines.append("and \(groups.count - rows) more") }
        return lines
    }

    private static func duration(_ milliseconds: Double?) -> String { milliseconds.map(Milliseconds.text) ?? "—" }

    private static func row(_ cells: [String]) -> String {
        cells[0] + cells.dropFirst().map { "  " + String(repeating: " ", count: max(0, 7 - $0.count)) + $0 }.joined()
    }
}

extension String {
    fileprivate func padded(_ width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}

extension FlowStatistics {
    /// Groups of each kind in an answer: a day's hosts, and no more than a client can show.
    private static let groupLimit = 200

    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.key("all")
        write(all, "all", to: &json)
        for (name, groups) in [("hosts", hosts), ("statuses", statuses), ("types", types)] {
            json.key(name)
            json.beginArray()
            for group in groups.prefix(Self.groupLimit) { write(group, name, to: &json) }
            json.endArray()
        }
        json.endObject()
    }

    private func write(_ group: Group, _ kind: String, to json: inout JSONWriter) {
        json.beginObject(inline: true)
        if kind != "all" { json.field("name", orNull: group.name) }
        json.field("flows", group.count)
        json.field("request_bytes", group.requestBytes)
        json.field("response_bytes", group.responseBytes)
        for (name, value) in [("p50_ms", group.p50), ("p95_ms", group.p95), ("p99_ms", group.p99)] {
            if let value { json.field(name, value) }
        }
        json.endObject()
    }
}
