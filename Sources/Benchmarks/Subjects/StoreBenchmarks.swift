import Coding
import Filters
import Flows
import Foundation
import Loop
import Store
import TLS

/// What the store does with flows: written in batches, indexed, and found again.
enum StoreBenchmarks {
    private static let count = 5000
    /// Of one batch: what a tenth of a second brings at 5,000 requests a second.
    private static let batch = 500

    static var all: [Benchmark] {
        [
            writing(count, isIndexed: false), writing(count, isIndexed: true),
            Benchmark(name: "filter: parse", unit: "filter") { _ in
                for _ in 0..<2000 { _ = try Filter.parse(filter, in: context) }
                return Benchmark.Work(units: 2000)
            },
            Benchmark(name: "filter: match", unit: "flow") { round in
                let filter = try Filter.parse(filter, in: context)
                let flows = (1...1000).map { SampleFlows.flow($0, 700) }
                round.begin()
                var found = 0
                for _ in 0..<20 { for flow in flows where filter.matches(flow, NoContent()) { found += 1 } }
                guard found > 0 else { throw Failure(name: "filter") }
                return Benchmark.Work(units: 20 * flows.count)
            },
        ]
    }

    /// - Parameter flows: a multiple of a batch.
    static func writing(_ flows: Int, isIndexed: Bool) -> Benchmark {
        Benchmark(name: isIndexed ? "store: write and index" : "store: write, 500 a batch", unit: "flow") { round in
            try inStore(of: flows) { store, writer in
                let batches = sample(flows, writer)
                round.begin()
                for batch in batches {
                    writer.record(batch)
                    writer.flush()
                }
                if isIndexed { writer.settle() }
                round.end()
                return Benchmark.Work(units: flows)
            }
        }
    }

    private static let filter = "host:*.example.com (status:>=400 or path:/v1/orders/*) -type:image/* dur:>5ms order"

    private static func sample(_ count: Int, _ writer: FlowWriter) -> [[FlowChange]] {
        (0..<(count / batch)).map { _ in (0..<batch).flatMap { _ in SampleFlows.changes(writer.nextID()) } }
    }

    private static func inStore(
        of count: Int, _ body: (FlowStore, FlowWriter) throws -> Benchmark.Work
    ) throws -> Benchmark.Work {
        let folder = FileManager.default.temporaryDirectory.path + "/pinproof-bench-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let limits = StoreLimits(days: 36_500)
        let store = try FlowStore.open(path: folder + "/flows.db", limits: limits, tools: tools)
        let writer = try FlowWriter(store, limits: limits)
        defer {
            writer.close()
            store.close()
        }
        let work = try body(store, writer)
        guard writer.dropped.isEmpty, try store.count() == count else { throw Failure(name: "store") }
        return work
    }

    /// Times in filters are in UTC, as they are in the samples.
    static let context = FilterContext(now: 1_767_225_600, localOffset: { _ in 0 }) {
        (pattern, ignoresCase) throws(FilterRegexFault) in
        throw FilterRegexFault("no benchmark has a regular expression")
    }

    static let tools = StoreTools(content: { ContentCoding.decoder(for: $0, limit: $1) }, sha256: { SHA256.digest($0) })
}
