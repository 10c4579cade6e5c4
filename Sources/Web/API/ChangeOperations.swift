import Facts
import Filters
import Flows
import Inspector
import Store

extension Operation {
    static let changes = [
        Operation(
            id: "deleteFlows", method: .delete, path: "/api/flows", words: "Removes the flows that match.",
            command: .named("flows clear"), tool: .named("delete_flows"),
            query: [Parameter("filter", "the filter language; empty: every flow")],
            result: .json("Deleted"), errors: [400, 409], work: delete),
        Operation(
            id: "annotateFlow", method: .post, path: "/api/flows/{id}",
            words: "Marks a flow, or says something of it; an empty text takes that away.",
            command: .named("flows mark"), tool: .named("annotate_flow"), body: "Annotation",
            result: .json("Row"), errors: [400, 404, 409, 411, 413], work: annotate),
        Operation(
            id: "setHost", method: .post, path: "/api/hosts",
            words: "Intercepts a host from its next connection on, or leaves it alone; for this run of the proxy.",
            command: .none("it is for a proxy that runs: its profile says it for good"), tool: .named("set_host"),
            body: "HostChange", result: .json("Hosts"), errors: [400, 409, 411, 413], work: setHost),
    ]

    private static let delete: Work = { question, situation in
        let filter = try situation.filter(question)
        try situation.requireBlind(filter)
        let count = try await situation.read(patience: nil, as: .change) { try $0.delete(matching: filter) }
        if count > 0 { situation.hub.noteReload() }
        return .json(Array("{\"deleted\":\(count)}".utf8))
    }

    private static let annotate: Work = { question, situation in
        let id = try situation.id
        let object = try situation.object(question)
        func text(_ name: String, _ limit: Int) throws -> String? {
            guard let value = object[name] else { return nil }
            guard let text = value.string, text.count <= limit else {
                throw Problem(400, "\(name): a text of at most \(limit) characters")
            }
            return text
        }
        let (mark, comment) = (try text("mark", FlowNote.markLimit), try text("comment", FlowNote.commentLimit))
        guard mark != nil || comment != nil else { throw Problem(400, "the body has neither a mark nor a comment") }
        guard let flow = try await situation.find(as: .change, { try $0.annotate(id, mark: mark, comment: comment) })
        else {
            throw Problem.notFound("there is no flow \(id), or it has gone")
        }
        situation.hub.note([.flow(flow)])
        var json = JSONWriter()
        FlowSight(try situation.store, hidesSecrets: situation.hidesSecrets).flow(flow).writeRow(to: &json)
        return .json(json.bytes)
    }

    private static let setHost: Work = { question, situation in
        let object = try situation.object(question)
        guard let host = object["host"]?.string.flatMap({ HostName($0) }) else {
            throw Problem(400, "host: a host name or an IP address, without a port")
        }
        guard let action = object["action"]?.string.flatMap(HostAction.init) else {
            throw Problem(400, "action: tunnel or intercept")
        }
        do {
            try await situation.context.setHost(host, action)
        } catch let error as any ExplainedError {
            throw Problem(409, error.description)
        }
        return .json(await hosts(situation))
    }

    private static func hosts(_ situation: Situation) async -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        await writeHosts(situation, to: &json)
        json.endObject()
        return json.bytes
    }

    /// The member `hosts`: what was said of single ones.
    static func writeHosts(_ situation: Situation, to json: inout JSONWriter) async {
        let hosts = await situation.context.hosts()
        json.key("hosts")
        json.beginObject()
        for (host, action) in hosts.sorted(by: { $0.key < $1.key }) { json.field(host.text, action.rawValue) }
        json.endObject()
    }
}
