import Facts
import Verdict

/// Where several clients were judged, whose a verdict is.
extension HostVerdict {
    /// `api.example.com`, or `api.example.com (pixel-8)`.
    var label: String { client.map { "\(host) (\($0))" } ?? host }
}

extension Judgement {
    /// `"pixel-8 pass, tablet fail"`; nil where clients are not told apart.
    var clientLine: String? {
        clients.isEmpty ? nil : clients.map { "\($0.client) \($0.result.rawValue)" }.joined(separator: ", ")
    }
}

extension JSONReport {
    /// After the other keys, and only where clients are told apart.
    static func write(_ clients: [ClientResult], to json: inout JSONWriter) {
        guard !clients.isEmpty else { return }
        json.key("clients")
        json.beginArray()
        for client in clients {
            json.beginObject(inline: true)
            json.field("client", client.client)
            json.field("result", client.result.rawValue)
            json.endObject()
        }
        json.endArray()
    }
}
