import Dispatch
import Evidence
import Facts
import Filters
import Inspector
import Loop
import Store

/// `pinproof mcp`: tools for an agent, over standard input and output.
package struct AgentServer: Sendable {
    package struct Place: Sendable {
        /// The file of flows; it need not be there yet.
        package var store: String
        /// The folder of gate runs.
        package var runs: String
        /// Filters that have names.
        package var book: FilterBook
        /// Where a proxy that records into this store answers; nil: it is not looked for.
        package var socket: String?

        package init(store: String, runs: String, book: FilterBook, socket: String?) {
            self.store = store
            self.runs = runs
            self.book = book
            self.socket = socket
        }
    }

    private let session: AgentSession

    package init(_ place: Place, _ options: AgentOptions) {
        let began = MonotonicClock.now
        session = AgentSession(
            AnyAsker(live: place.socket.map { SocketAsker(path: $0) }) { try Self.saved(place, began) }, options)
    }

    /// - Throws: `StoreError`.
    private static func saved(_ place: Place, _ began: Double) throws -> LocalAsker {
        let context = PageContext(
            store: try FlowsAccess(store: place.store).store, flush: { _ in true }, dropped: { 0 },
            fault: { "no pinproof proxy runs with this store: this is what was saved" }, book: place.book, proxies: [],
            hosts: { [:] }, setHost: { _, _ in throw NoProxy(store: place.store) }, runs: place.runs)
        return LocalAsker(
            situation: Situation(context: context, hub: EventHub(), began: began, listen: "", flushed: Locked(0)))
    }

    private struct NoProxy: ExplainedError {
        let store: String
        var cause: ErrorCause { .environment }
        var explanations: [Explanation] { [Explanation("no pinproof proxy runs with \(store): start one first")] }
    }

    /// Answers line after line until the input ends.
    ///
    /// - Parameters:
    ///   - read: waits for the next bytes; none at the end. On a thread of its own.
    ///   - write: takes a line with its end.
    package func run(
        read: @escaping @Sendable () -> [UInt8], write: @escaping @Sendable ([UInt8]) throws -> Void
    ) async throws {
        let (lines, input) = AsyncStream<[UInt8]>.makeStream(bufferingPolicy: .unbounded)
        // Reading waits, and Swift's own threads must not. What waits here is what a program of the same user has said
        // before it was answered.
        DispatchQueue(label: "mcp").async {
            var cutter = LineCutter(limit: AgentSession.lineLimit + 1)
            while true {
                let bytes = read()
                guard !bytes.isEmpty else { break }
                for line in cutter.add(bytes) { input.yield(line) }
            }
            if let rest = cutter.end() { input.yield(rest) }
            input.finish()
        }
        for await line in lines {
            guard let answer = await session.answer(to: line) else { continue }
            try write(answer + [UInt8(ascii: "\n")])
        }
    }
}

/// Bytes to lines.
struct LineCutter {
    /// Bytes of a line that are kept: whoever looks at it sees that it is too long.
    let limit: Int
    private var rest: [UInt8] = []

    init(limit: Int) { self.limit = limit }

    /// Without their ends.
    mutating func add(_ bytes: [UInt8]) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        for part in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            if part.offset > 0 {
                lines.append(rest)
                rest = []
            }
            rest += part.element.prefix(max(0, limit - rest.count))
        }
        return lines
    }

    mutating func end() -> [UInt8]? {
        defer { rest = [] }
        return rest.isEmpty ? nil : rest
    }
}
