import Facts
import Flows

/// What a list shows of a flow: some 150 bytes, where the flow itself may have a header of a megabyte.
extension Flow {
    /// Characters of a path or a failure's words: no list shows more.
    private static let rowTextLimit = 300

    func writeRow(to json: inout JSONWriter) {
        json.beginObject()
        json.field("id", Int(id))
        json.field("kind", kind.rawValue)
        json.field("state", state.rawValue)
        json.field("started", UTCTime.microseconds(unix: started))
        if let durationMS { json.field("duration_ms", (durationMS * 1000).rounded() / 1000) }
        if let client = client.name ?? client.address { json.field("client", client) }
        if let host = server.host ?? server.address { json.field("host", String(host.prefix(Self.rowTextLimit))) }
        if let port = server.port { json.field("port", port) }
        if let scheme { json.field("scheme", String(scheme.prefix(32))) }
        if let method { json.field("method", String(method.prefix(32))) }
        if let path = rowPath { json.field("path", path) }
        if let status { json.field("status", status) }
        if let type = response?.body?.type { json.field("type", String(type.prefix(128))) }
        if let size = response?.body?.size { json.field("size", size) }
        if messages > 0 { json.field("messages", messages) }
        if let connection {
            json.key("connection")
            json.value(connection)
        }
        if let mark { json.field("mark", String(mark.prefix(Self.rowTextLimit))) }
        if comment != nil { json.field("commented", true) }
        if let failure {
            json.field("failure", failure.id.rawValue)
            json.field("text", String(failure.text.prefix(Self.rowTextLimit)))
        } else if let undecodable {
            json.field(
                "text",
                String("not decodable from byte \(undecodable.at): \(undecodable.why)".prefix(Self.rowTextLimit)))
        }
        if !tags.isEmpty { json.field("tags", tags.prefix(8).map { String($0.prefix(128)) }) }
        json.endObject()
    }

    /// From its first slash on, with the query.
    private var rowPath: String? {
        guard let url else { return nil }
        guard let scheme = url.range(of: "://") else { return String(url.prefix(Self.rowTextLimit)) }
        let rest = url[scheme.upperBound...]
        guard let slash = rest.firstIndex(where: { $0 == "/" || $0 == "?" }) else { return "/" }
        return String(rest[slash...].prefix(Self.rowTextLimit))
    }
}
