import Facts
import Filters
import Flows
import Formats
import Inspector
import Store

private enum View: String, CaseIterable { case flow, row }
private enum Order: String, CaseIterable { case asc, desc }

extension Operation {
    private static let filter = Parameter("filter", "the filter language; empty: every flow")
    private static let ids = Parameter("ids", "up to \(Situation.idLimit) numbers with commas between them")

    static let flows = [
        Operation(
            id: "listFlows", method: .get, path: "/api/flows", words: "Flows that match, or those with these numbers.",
            command: .named("flows list"), tool: .named("list_flows"),
            query: [
                filter, ids, Parameter("limit", .integer, "1 to \(pageLimit), usually 100"),
                Parameter("after", "`next` of the answer before"),
                Parameter("before", "the number of a flow at which to stop, in this order"),
                Parameter(
                    "order", .choice(Order.allCases.map(\.rawValue)), "by number; asc, the oldest first, is usual"),
                Parameter("view", .choice(View.allCases.map(\.rawValue)), "row: what a list shows"),
            ],
            result: .json("FlowPage"), errors: [400, 409, 413], work: list),
        Operation(
            id: "index", method: .get, path: "/api/index",
            words: "The numbers of all flows that match, oldest first; or which of `ids` do.",
            command: .none("a list's scroll bar needs it"), tool: .none("a list's scroll bar needs it"),
            query: [filter, ids],
            result: .json("Index"), errors: [400, 409], work: index),
        Operation(
            id: "getFlow", method: .get, path: "/api/flows/{id}", words: "One flow, without its bytes.",
            command: .named("flows show"), tool: .named("get_flow"),
            result: .json("Flow"), errors: [404, 409], work: one),
        Operation(
            id: "listMessages", method: .get, path: "/api/flows/{id}/messages",
            words: "Messages of a WebSocket, an event stream, lines of JSON, gRPC.",
            command: .named("flows show --messages"), tool: .named("get_messages"),
            query: [
                Parameter("after", "`next` of the answer before"),
                Parameter("limit", .integer, "1 to \(messageLimit), usually 200; fewer come where they are large"),
            ],
            result: .json("MessagePage"), errors: [400, 404, 409], work: messages),
    ]

    /// Flows in one answer: some 4 MB of rows' details.
    private static let pageLimit = 1000
    /// Bytes in one, where heads or messages are large: with more it ends early, and says where to go on.
    private static let pageBytes = 16 * 1024 * 1024
    /// As flows in memory, each of whose heads may be a megabyte.
    private static let readAtOnce = 100

    private static let list: Work = { question, situation in
        let limit = Int(try situation.number("limit", question, in: 1...Int64(pageLimit)) ?? 100)
        let after = try situation.number("after", question, in: 0...Int64.max)
        let before = try situation.number("before", question, in: 0...Int64.max)
        let order: Order = try situation.choice("order", question, else: .asc)
        let view: View = try situation.choice("view", question, else: .flow)
        let filter = try situation.filter(question)
        let ids = try situation.ids(question)
        if ids != nil { try situation.requireBlind(filter) }
        guard situation.context.store != nil else { return .json(Array(#"{"flows":[]}"#.utf8)) }
        let hidesSecrets = situation.hidesSecrets
        let bytes = try await situation.read(as: .look(for: filter)) { store in
            let sight = FlowSight(store, hidesSecrets: hidesSecrets)
            var json = JSONWriter()
            json.beginObject()
            json.key("flows")
            json.beginArray()
            // One that is more than all is written all the same.
            func write(_ flow: Flow) {
                switch view {
                case .row: flow.writeRow(to: &json)
                case .flow: flow.write(to: &json)
                }
            }
            var next: Int64?
            if let ids {
                let wanted = filter.isEverything ? ids : try store.ids(ids, matching: filter)
                for start in stride(from: 0, to: wanted.count, by: readAtOnce) {
                    for flow in try store.flows(Array(wanted[start..<min(start + readAtOnce, wanted.count)])) {
                        guard json.bytes.count < pageBytes else {
                            throw Problem(
                                413, "so many flows are more than \(pageBytes >> 20) MiB; ask for fewer ids at a time")
                        }
                        write(sight.flow(flow))
                    }
                }
            } else {
                var left = limit
                next = after
                read: repeat {
                    let page = try sight.page(
                        matching: filter, after: next, before: before, limit: min(left, readAtOnce),
                        order: order == .asc ? .oldestFirst : .newestFirst)
                    for (place, flow) in page.flows.enumerated() {
                        write(flow)
                        if json.bytes.count >= pageBytes, place + 1 < page.flows.count {
                            next = flow.id
                            break read
                        }
                    }
                    left -= page.flows.count
                    next = page.next
                } while left > 0 && next != nil && json.bytes.count < pageBytes
            }
            json.endArray()
            if let next { json.field("next", String(next)) }
            json.endObject()
            return json.bytes
        }
        return .json(bytes)
    }

    private static let index: Work = { question, situation in
        let filter = try situation.filter(question)
        let asked = try situation.ids(question)
        try situation.requireBlind(filter)
        guard situation.context.store != nil else { return .json(Array(#"{"count":0,"ids":[]}"#.utf8)) }
        let bytes = try await situation.read(as: .look(for: filter)) { store in
            let ids = try asked.map { try store.ids($0, matching: filter) } ?? store.ids(matching: filter)
            var json = JSONWriter(reserving: 32 + ids.count * 8)
            json.beginObject()
            json.field("count", ids.count)
            json.key("ids")
            json.beginArray()
            for id in ids { json.value(Int(id)) }
            json.endArray()
            json.endObject()
            return json.bytes
        }
        return .json(bytes)
    }

    private static let one: Work = { _, situation in
        let id = try situation.id
        guard let flow = try await situation.find({ try $0.flow(id) }) else {
            throw Problem.notFound("there is no flow \(id), or it has gone")
        }
        return .json(FlowSight(try situation.store, hidesSecrets: situation.hidesSecrets).flow(flow).json)
    }

    /// Messages in one answer, where they are small; of large ones there are `pageBytes` in it, and one at least.
    private static let messageLimit = 1000

    private static let messages: Work = { question, situation in
        let id = try situation.id
        let after = Int(try situation.number("after", question, in: 0...Int64(Int32.max)) ?? -1)
        let limit = Int(try situation.number("limit", question, in: 1...Int64(messageLimit)) ?? 200)
        let hidesSecrets = situation.hidesSecrets
        let bytes = try await situation.find { store -> [UInt8]? in
            guard let flow = try store.flow(id) else { return nil }
            let page = try FlowSight(store, hidesSecrets: hidesSecrets).messages(
                of: flow, after: after, limit: limit, bytes: pageBytes)
            var json = JSONWriter()
            json.beginObject()
            json.key("messages")
            json.beginArray()
            for message in page.messages { message.write(to: &json) }
            json.endArray()
            if let next = page.next { json.field("next", String(next)) }
            json.endObject()
            return json.bytes
        }
        guard let bytes else { throw Problem.notFound("there is no flow \(id), or it has gone") }
        return .json(bytes)
    }
}
