import Evidence
import Facts
import Flows
import Formats
import TLS

/// Flows as a capture, in the order of time.
///
/// Each connection is laid out anew from what it carried.
/// First it is planned what comes when, of all flows, some 200 bytes for each; then one after the other is read and laid out.
struct FlowsCapture {
    let access: FlowsAccess

    /// A piece of a flow, and when.
    private struct Step {
        var at: UInt64
        var flow: Int64
        var connection: Int
        var kind: Kind
    }

    private enum Kind {
        case request, requestBody, response, responseBody
        /// By its place among the flow's messages.
        case message(Int)
        case rest
    }

    /// What a connection is told by.
    private struct Key: Hashable {
        /// Of a plain one nil: a client's next request may be another connection to the recorder.
        var connection: UInt64?
        var client: String?
        var server: String
        /// What has no connection that is known is one of its own.
        var flow: Int64?
    }

    /// Where a connection is in the plan.
    private struct Known {
        var index: Int
        /// Greatest of its streams: they grow, so that a smaller one belongs to another run of the proxy.
        var stream = 0
        /// HTTP/1's order: when the last request and the last answer were whole.
        var asked: UInt64 = 0
        var answered: UInt64 = 0
    }

    private var steps: [Step] = []
    private var known: [Key: Known] = [:]
    private var connections = 0
    private(set) var flows = 0

    init(_ access: FlowsAccess) { self.access = access }

    mutating func run(_ write: ([UInt8]) throws -> Void) throws {
        try access.forEachID { id in if let flow = try access.store.flow(id) { try plan(flow) } }
        known = [:]
        var order = Array(steps.indices)
        // What came at one time stays in its order.
        order.sort { (steps[$0].at, $0) < (steps[$1].at, $1) }
        var last: [Int: Int] = [:]
        for place in order { last[steps[place].connection] = place }
        var blocks = PcapngBlocks()
        blocks.begin(
            application: "pinproof \(Version.pinproof)", interface: "pinproof flows",
            comment:
                "Laid out from pinproof's records of flows, and not captured: heads, bodies and messages are as they were "
                + "said, with the times that are recorded; packets, TLS with its keys, and the framing of HTTP are made up."
        )
        var open: [Int: FlowConversation] = [:]
        var begun: [Int64: RecordedFlow] = [:]
        var held = 0
        for place in order {
            let step = steps[place]
            let recorded: RecordedFlow
            if let known = begun[step.flow] {
                recorded = known
            } else {
                // It may have been pruned since it was planned.
                guard let found = try access.recorded(step.flow) else { continue }
                recorded = found.flow
                let size = Self.size(recorded)
                if held + size <= Self.heldLimit {
                    begun[step.flow] = recorded
                    held += size
                }
            }
            var conversation =
                open[step.connection]
                ?? FlowConversation(recorded.flow, number: UInt64(step.connection)) { secret in
                    RecordSealer(secret: secret).map { sealer in { sealer.seal($0, $1) } }
                }
            if let part = Self.part(step.kind, recorded) {
                conversation.add(part, of: recorded, at: step.at, into: &blocks)
            }
            if case .rest = step.kind, begun.removeValue(forKey: step.flow) != nil { held -= Self.size(recorded) }
            if last[step.connection] == place {
                conversation.finish(at: step.at, into: &blocks)
                open[step.connection] = nil
            } else {
                open[step.connection] = conversation
            }
            if blocks.count >= Self.pieceSize { try write(blocks.take()) }
        }
        blocks.statistics(at: order.last.map { steps[$0].at } ?? 0, received: UInt64(blocks.packetCount), dropped: 0)
        try write(blocks.take())
    }

    /// Bytes that are put together before they are written.
    private static let pieceSize = 256 * 1024
    /// Bytes of flows that have begun and are not at their end: those beyond are read anew for each of their pieces.
    private static let heldLimit = 256 * 1024 * 1024

    private static func size(_ recorded: RecordedFlow) -> Int {
        let bodies = [
            recorded.request.wire, recorded.request.decoded, recorded.response.wire, recorded.response.decoded,
        ]
        return 4096 + bodies.reduce(0) { $0 + ($1?.count ?? 0) } + recorded.rawUp.count + recorded.rawDown.count
            + recorded.messages.reduce(0) { $0 + $1.message.data.count + 128 }
    }

    private static func part(_ kind: Kind, _ recorded: RecordedFlow) -> FlowConversation.Part? {
        switch kind {
        case .request: .request
        case .requestBody: .requestBody
        case .response: .response
        case .responseBody: .responseBody
        case .message(let index): recorded.messages.indices.contains(index) ? .message(recorded.messages[index]) : nil
        case .rest: .rest
        }
    }

    // MARK: The plan

    private mutating func plan(_ flow: Flow) throws {
        flows += 1
        let key = Self.key(flow)
        var place = known[key] ?? newConnection()
        let stream = flow.stream ?? 0
        if stream > 0, stream <= place.stream { place = newConnection() }
        place.stream = stream
        let moment = { (ms: Double?) in Self.nanoseconds(flow.started + (ms ?? 0) / 1000) }
        let began = moment(nil)
        let end = max(began, moment(flow.durationMS ?? flow.timing.lastByteMS))
        var request = began
        var requestBody = max(began, flow.timing.sentMS.map { moment($0) } ?? began)
        var response = max(began, flow.timing.firstByteMS.map { moment($0) } ?? end)
        var responseBody = max(response, flow.timing.lastByteMS.map { moment($0) } ?? response)
        if !FlowConversation.isHTTP2(flow) {
            request = max(request, place.asked)
            requestBody = max(requestBody, request)
            response = max(response, place.answered, request)
            responseBody = max(responseBody, response)
            (place.asked, place.answered) = (requestBody, responseBody)
        }
        known[key] = place
        let add = { (steps: inout [Step], at: UInt64, kind: Kind) in
            steps.append(Step(at: at, flow: flow.id, connection: place.index, kind: kind))
        }
        add(&steps, request, .request)
        // Also without a byte: it may have a chunk of none, or trailers.
        if flow.method != nil { add(&steps, requestBody, .requestBody) }
        if flow.status != nil {
            add(&steps, response, .response)
            // The same; and it may end with the connection.
            add(&steps, responseBody, .responseBody)
        }
        var over = max(end, requestBody, responseBody)
        if flow.kind == .websocket {
            for (index, message) in try access.store.messages(of: flow.id).enumerated() {
                let at = max(response, moment(message.atMS))
                over = max(over, at)
                add(&steps, at, .message(index))
            }
        }
        add(&steps, over, .rest)
    }

    private mutating func newConnection() -> Known {
        defer { connections += 1 }
        return Known(index: connections)
    }

    private static func key(_ flow: Flow) -> Key {
        let server = "\(flow.server.host ?? ""):\(flow.server.port ?? 0) \(flow.server.address ?? "")"
        let carries = flow.method != nil
        guard carries, let connection = flow.connection else { return Key(server: server, flow: flow.id) }
        let isPlain = !FlowConversation.isTLS(flow) && flow.client.address != nil && flow.kind == .http
        return Key(connection: isPlain ? nil : connection, client: flow.client.address, server: server)
    }

    private static func nanoseconds(_ unix: Double) -> UInt64 {
        unix > 0 && unix < 4e9 ? UInt64((unix * 1e6).rounded()) * 1000 : 0
    }
}
