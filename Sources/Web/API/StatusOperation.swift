import Evidence
import Facts
import Flows
import Inspector
import Loop
import Store

extension Operation {
    static let status = [
        Operation(
            id: "status", method: .get, path: "/api/status", words: "What is running, and how much it has recorded.",
            command: .none("pinproof proxy says it when it starts and ends"), tool: .named("status"),
            result: .json("Status"), work: report),
        Operation(
            id: "events", method: .get, path: "/api/events",
            words: "A WebSocket that tells of flows as they begin, change and end.", command: .named("flows follow"),
            tool: .none("answers of tools are given once; list_flows goes on from `next`"),
            query: [Parameter("redact", .flag, "1: without passwords, cookies and tokens")], result: .webSocket,
            errors: [400, 503]
        ) { question, situation in
            let hidesSecrets = try situation.hidesSecrets || situation.flag("redact", question)
            guard let reader = situation.hub.reader(hidesSecrets: hidesSecrets) else {
                throw Problem(503, "\(EventHub.readerLimit) pages are open already: close some")
            }
            return Answer(status: 101, type: "", .events(reader))
        },
    ]

    private static let report: Work = { _, situation in
        let context = situation.context
        let told = situation.hub.told
        let fault = context.fault()
        let (flows, bytes) =
            context.store == nil ? (0, 0) : try await situation.read { (try $0.count(), $0.size) }
        var json = JSONWriter()
        json.beginObject()
        json.field("version", Version.pinproof)
        json.field("store", orNull: context.store?.path)
        json.field("recording", context.store != nil && fault == nil)
        if let fault { json.field("fault", fault) }
        json.field("flows", flows)
        json.field("bytes", bytes)
        json.field("dropped", context.dropped())
        json.field("behind", context.store != nil && fault == nil && situation.isBehind(told))
        json.field("uptime_s", ((MonotonicClock.now - situation.began) * 1000).rounded() / 1000)
        json.field("proxy", context.proxies)
        json.field("devices", context.devices().map(\.description))
        json.field("ui", situation.listen)
        await writeHosts(situation, to: &json)
        json.key("filters")
        json.beginArray()
        for entry in context.book.filters + context.book.mutes {
            json.beginObject()
            json.field("name", entry.name)
            // What somebody looks for can be a secret itself.
            if !situation.hidesSecrets { json.field("filter", entry.text) }
            json.endObject()
        }
        json.endArray()
        json.endObject()
        return .json(json.bytes)
    }
}
