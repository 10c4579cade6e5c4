import Facts

@testable import Flows

/// A connection that is recorded, with a digest that shows what it was made of.
struct Record {
    var recorder: ConnectionRecorder
    private(set) var flows: [Flow] = []

    private final class Shown: BodyDigest {
        var bytes: [UInt8] = []
        func add(_ bytes: ArraySlice<UInt8>) { self.bytes += bytes }
        func finish() -> String { "\(bytes.count):\(String(decoding: bytes, as: UTF8.self))" }
    }

    private final class Counter { var next: Int64 = 7 }

    init(bodyLimit: Int = 1000, scheme: String = "https") {
        var facts = ConnectionRecorder.Facts(connection: 3, scheme: scheme)
        facts.server = Flow.Server(host: "api.test", port: 443)
        facts.timing.connectMS = 1.5
        let limits = ConnectionRecorder.Limits(body: bodyLimit)
        let tools = DecodingTools(digest: { Shown() })
        let counter = Counter()
        recorder = ConnectionRecorder(
            facts, reader: ConnectionReader(alpn: nil, tools: tools), limits: limits, tools: tools,
            clock: FlowClock(unix: 1_000_000, monotonic: 0),
            newID: {
                defer { counter.next += 1 }
                return counter.next
            })
    }

    mutating func up(_ text: String, at now: Double = 0) { recorder.read(Array(text.utf8), .up, at: now) }
    mutating func down(_ text: String, at now: Double = 0) { recorder.read(Array(text.utf8), .down, at: now) }
    mutating func shed(_ count: Int, _ direction: ExchangeDirection) { recorder.shed(count, direction, at: 0) }
    mutating func overload() { recorder.cut(at: 0) }
    mutating func end(_ close: Observation.Close) { recorder.end(by: close, at: 1) }

    mutating func take() -> [FlowChange] {
        var changes: [FlowChange] = []
        recorder.take(into: &changes)
        for case .flow(let flow) in changes { flows.append(flow) }
        return changes
    }
}
