import Facts
import Formats
import Store

/// `pinproof flows compare`: what two flows differ in.
package enum FlowsCompare {
    /// Fields whose values are hidden from sight, and differ, are among the differences.
    ///
    /// - Returns: nil where one of them is not there.
    package static func comparison(_ first: Int64, _ second: Int64, _ sight: FlowSight) throws -> FlowComparison? {
        guard let one = try sight.recorded(first), let other = try sight.recorded(second) else { return nil }
        var comparison = FlowComparison(one, other)
        guard sight.hidesSecrets else { return comparison }
        let open = FlowSight(sight.store, hidesSecrets: false)
        guard let whole = try open.recorded(first), let otherWhole = try open.recorded(second) else { return nil }
        comparison.noteHidden(FlowComparison(whole, otherWhole))
        return comparison
    }

    /// For a terminal: a place, and below it what stands there in the first and in the second.
    package static func text(_ comparison: FlowComparison, _ first: Int64, _ second: Int64) -> String {
        guard !comparison.differences.isEmpty else { return "flows \(first) and \(second) are the same\n" }
        let width = max(String(first).count, String(second).count)
        func line(_ id: Int64, _ value: String?) -> String {
            let number = String(repeating: " ", count: width - String(id).count) + String(id)
            return "  \(number)  " + (value.map { Printable.escaped($0) } ?? "(nothing)")
        }
        var lines: [String] = []
        for one in comparison.differences {
            lines += [Printable.escaped(one.place), line(first, one.first), line(second, one.second)]
        }
        if comparison.more > 0 { lines.append("and \(English.count(comparison.more, "difference")) more") }
        return lines.joined(separator: "\n") + "\n"
    }

    package static func write(
        _ comparison: FlowComparison, _ first: Int64, _ second: Int64, to json: inout JSONWriter
    ) {
        json.beginObject()
        json.field("first", Int(first))
        json.field("second", Int(second))
        json.key("differences")
        json.beginArray()
        for one in comparison.differences {
            json.beginObject()
            json.field("place", one.place)
            if let value = one.first { json.field("first", value) }
            if let value = one.second { json.field("second", value) }
            json.endObject()
        }
        json.endArray()
        if comparison.more > 0 { json.field("more", comparison.more) }
        json.endObject()
    }
}
