import Facts
import Inspector
import Store

extension Operation {
    private static let filter = Parameter("filter", "the filter language; empty: every flow")

    static let findings = [
        Operation(
            id: "searchFlows", method: .get, path: "/api/search",
            words: "Where a text stands: in addresses, headers, text bodies and messages, with what is around it.",
            command: .named("flows search"), tool: .named("search_flows"),
            query: [
                Parameter("text", "as it stands there, letters' case apart"), filter,
                Parameter("after", "`next` of the answer before"),
                Parameter("limit", .integer, "1 to \(searchLimit) flows, usually 20"),
            ],
            result: .json("SearchPage"), errors: [400, 409], work: search),
        Operation(
            id: "compareFlows", method: .get, path: "/api/compare",
            words: "What two flows differ in: place by place, JSON by its members, text by its lines.",
            command: .named("flows compare"), tool: .named("compare_flows"),
            query: [
                Parameter("first", .integer, "a flow's number"), Parameter("second", .integer, "another one's"),
            ],
            result: .json("Comparison"), errors: [400, 404, 409], work: compare),
        Operation(
            id: "explainFlow", method: .get, path: "/api/flows/{id}/explanation",
            words: "Why a flow failed or is not decrypted, what else is known of its host, and what to do.",
            command: .named("flows explain"), tool: .named("explain_flow"), result: .json("Explanation"),
            errors: [404, 409], work: explain),
        Operation(
            id: "statistics", method: .get, path: "/api/stats",
            words: "Counts, bytes and durations (p50, p95, p99) by host, status and type.",
            command: .named("flows stats"), tool: .named("get_stats"), query: [filter], result: .json("Statistics"),
            errors: [400, 409], work: statistics),
    ]

    /// Each of them is read whole, with its bodies.
    private static let searchLimit = 100

    private static let search: Work = { question, situation in
        guard let text = question.query["text"], !text.isEmpty else { throw Problem(400, "text: what to look for") }
        let limit = Int(try situation.number("limit", question, in: 1...Int64(searchLimit)) ?? 20)
        let after = try situation.number("after", question, in: 0...Int64.max)
        let search = FlowsSearch(text, filter: try situation.filter(question))
        let hidesSecrets = situation.hidesSecrets
        return .json(
            try await situation.read(as: .longLook) { store in
                let page = try search.page(
                    in: store, FlowSight(store, hidesSecrets: hidesSecrets), after: after, limit: limit)
                var json = JSONWriter()
                json.beginObject()
                json.key("found")
                json.beginArray()
                for one in page.found {
                    json.beginObject()
                    json.key("flow")
                    one.flow.writeRow(to: &json)
                    json.key("matches")
                    json.beginArray()
                    for match in one.matches {
                        json.beginObject()
                        json.field("place", match.place)
                        json.field("offset", match.offset)
                        json.field("excerpt", match.excerpt)
                        json.endObject()
                    }
                    json.endArray()
                    if one.hasMore { json.field("more", true) }
                    json.endObject()
                }
                json.endArray()
                if let next = page.next { json.field("next", String(next)) }
                json.endObject()
                return json.bytes
            })
    }

    private static let compare: Work = { question, situation in
        func id(_ name: String) throws -> Int64 {
            guard let id = try situation.number(name, question, in: 1...Int64.max) else {
                throw Problem(400, "\(name): a flow's number")
            }
            return id
        }
        let (first, second) = (try id("first"), try id("second"))
        let hidesSecrets = situation.hidesSecrets
        let bytes = try await situation.find(as: .longLook) { store -> [UInt8]? in
            let sight = FlowSight(store, hidesSecrets: hidesSecrets)
            guard let comparison = try FlowsCompare.comparison(first, second, sight) else { return nil }
            var json = JSONWriter()
            FlowsCompare.write(comparison, first, second, to: &json)
            return json.bytes
        }
        guard let bytes else { throw Problem.notFound("one of the flows \(first) and \(second) is not there") }
        return .json(bytes)
    }

    private static let explain: Work = { _, situation in
        let id = try situation.id
        let hidesSecrets = situation.hidesSecrets
        let bytes = try await situation.find { store -> [UInt8]? in
            guard let flow = try store.flow(id) else { return nil }
            let sight = FlowSight(store, hidesSecrets: hidesSecrets)
            var json = JSONWriter()
            try FlowExplanation(sight.flow(flow), in: store).write(to: &json)
            return json.bytes
        }
        guard let bytes else { throw Problem.notFound("there is no flow \(id), or it has gone") }
        return .json(bytes)
    }

    private static let statistics: Work = { question, situation in
        let filter = try situation.filter(question)
        try situation.requireBlind(filter)
        return .json(
            try await situation.read(as: .look(for: filter)) { store in
                var json = JSONWriter()
                try store.statistics(matching: filter).write(to: &json)
                return json.bytes
            })
    }
}
