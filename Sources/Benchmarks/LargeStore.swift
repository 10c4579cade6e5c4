import Filters
import Flows
import Foundation
import Loop
import Store

/// A store of a million flows: how long it takes to fill, to be indexed, and to answer.
struct LargeStore {
    var flows = 1_000_000
    /// Flows a second; nil: as many as fit.
    var rate: Int?

    private static let questions = [
        ("the first page", "", FlowOrder.oldestFirst), ("the last 100", "", .newestFirst),
        ("by host", "host:pay.example.com", .oldestFirst), ("by status", "status:500", .newestFirst),
        ("by host, status, method", "host:api.example.com status:>=400 method:POST", .oldestFirst),
        ("by time and type", "type:json after:2026-01-01T00:01:00Z", .oldestFirst),
        ("a word that is everywhere", "willow", .oldestFirst), ("the same, last first", "willow", .newestFirst),
        ("a word that is in one", "req-2863311531", .oldestFirst),
        ("a number that is in few", "body:\"123456\"", .oldestFirst),
        ("a word that is nowhere", "nonesuchword", .oldestFirst),
        ("a word and a status", "spruce status:404", .newestFirst),
    ]

    func run(_ say: (String) -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.path + "/pinproof-bench-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/flows.db"
        // The samples are old, and none of them is to go.
        let limits = StoreLimits(bytes: 64 << 30, days: 36_500)
        let store = try FlowStore.open(path: path, limits: limits, tools: StoreBenchmarks.tools)
        let writer = try FlowWriter(store, limits: limits)
        defer {
            writer.close()
            store.close()
        }
        try fill(writer, say)
        say("store: \(try store.count()) flows, \(store.size >> 20) MiB, dropped \(writer.dropped)")
        for (name, text, order) in Self.questions { say(try ask(store, name, text, order)) }
    }

    private func fill(_ writer: FlowWriter, _ say: (String) -> Void) throws {
        let (began, used) = (MonotonicClock.now, ProcessorTime.used)
        let batch = rate.map { max(1, $0 / 25) } ?? 500
        for first in stride(from: 0, to: flows, by: batch) {
            if let rate {
                let due = began + Double(first) / Double(rate)
                let early = due - MonotonicClock.now
                if early > 0 { Thread.sleep(forTimeInterval: early) }
            }
            writer.record((0..<min(batch, flows - first)).flatMap { _ in SampleFlows.changes(writer.nextID()) })
            if rate == nil, first / batch % 4 == 3 { writer.flush() }
        }
        writer.flush()
        let (written, writing) = (MonotonicClock.now, ProcessorTime.used)
        say("written in \(seconds(written - began)), processor \(each(writing - used)) a flow")
        writer.settle()
        let all = each(ProcessorTime.used - used)
        say("indexed \(seconds(MonotonicClock.now - written)) later, processor \(all) a flow in all")
    }

    private func ask(_ store: FlowStore, _ name: String, _ text: String, _ order: FlowOrder) throws -> String {
        var times: [Double] = []
        var found = 0
        for _ in 0..<5 {
            let began = MonotonicClock.now
            let filter = try Filter.parse(text, in: StoreBenchmarks.context)
            found = try store.flows(matching: filter, limit: 100, order: order).flows.count
            times.append(MonotonicClock.now - began)
        }
        let median = times.sorted()[times.count / 2]
        return "\(milliseconds(times[0])) at first, \(milliseconds(median)) then: \(name) (\(found) found)"
    }

    private func seconds(_ value: Double) -> String { "\((value * 10).rounded() / 10) s" }
    private func milliseconds(_ value: Double) -> String { "\((value * 10_000).rounded() / 10) ms" }
    private func each(_ value: Double) -> String { "\((value / Double(flows) * 1e7).rounded() / 10) µs" }
}
