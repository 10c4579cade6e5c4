import Facts
import Flows

/// `pinproof.flow/1` with all bytes: what the lines of an export are.
///
/// A body has its decoded bytes as `text` or `base64`. `raw` (base64) are those of the wire where they differ; `raw` is
/// null where the wire's are not known. The flow has `message_list`, and `raw` with what could not be decoded.
extension RecordedFlow {
    package func write(to json: inout JSONWriter) { write(to: &json, messages: feed) }

    /// - Parameter messages: hands them out in place of the flow's own.
    func write(to json: inout JSONWriter, messages: MessageFeed) rethrows {
        try flow.write(
            to: &json,
            body: { direction, json in body(direction).write(to: &json) },
            more: { json in try writeRest(to: &json, messages) })
    }

    /// On one line, without its end.
    package var json: [UInt8] {
        let size = [request.wire, request.decoded, response.wire, response.decoded].reduce(0) { $0 + ($1?.count ?? 0) }
        var json = JSONWriter(reserving: 2048 + size)
        write(to: &json)
        return json.bytes
    }

    private func writeRest(to json: inout JSONWriter, _ messages: MessageFeed) rethrows {
        let count = try json.list("message_list", of: messages)
        if !rawUp.isEmpty || !rawDown.isEmpty {
            json.key("raw")
            json.beginObject(inline: true)
            if !rawUp.isEmpty { json.field("request", Base64.encode(rawUp)) }
            if !rawDown.isEmpty { json.field("response", Base64.encode(rawDown)) }
            json.endObject()
        }
        if var redaction {
            redaction.count += count
            json.key("redacted")
            redaction.write(to: &json)
        }
    }

    /// From what `write` wrote. Members that are unknown are passed over.
    package init(json: JSONValue) throws(FlowFault) {
        let flow = try Flow(json: json)
        let list = json["message_list"]?.array ?? []
        var messages: [FlowMessage] = []
        for (index, value) in list.enumerated() {
            guard let message = FlowMessage(json: value, index: index) else {
                throw FlowFault(reason: "message \(index + 1) of \"message_list\" has no \"from\", \"type\" or data")
            }
            messages.append(message)
        }
        self.init(
            flow, request: try RecordedBody(json: json["request"]?["body"]),
            response: try RecordedBody(json: json["response"]?["body"]), messages: messages,
            rawUp: try Self.bytes(json["raw"]?["request"]) ?? [],
            rawDown: try Self.bytes(json["raw"]?["response"]) ?? [],
            redaction: json["redacted"].flatMap(RedactionNote.init(json:)))
        if !messages.isEmpty { self.flow.messages = max(self.flow.messages, messages.count) }
    }

    static func bytes(_ value: JSONValue?) throws(FlowFault) -> [UInt8]? {
        guard let value, value != .null else { return nil }
        guard let text = value.string, let bytes = Base64.decoded(Array(text.utf8)[...]) else {
            throw FlowFault(reason: "bytes are no base64")
        }
        return bytes
    }
}

extension RecordedBody {
    /// Members of a body's object.
    func write(to json: inout JSONWriter) {
        if let decoded { json.bytes(decoded, text: "text", base64: "base64") }
        if wire == decoded { return }
        json.field("raw", orNull: wire.map(Base64.encode))
    }

    init(json: JSONValue?) throws(FlowFault) {
        self.init()
        guard let json else { return }
        decoded =
            if let text = json["text"]?.string { Array(text.utf8) } else { try RecordedFlow.bytes(json["base64"]) }
        wire = if let raw = json["raw"] { try RecordedFlow.bytes(raw) } else { decoded }
    }
}

extension RedactionNote {
    func write(to json: inout JSONWriter) {
        json.beginObject(inline: true)
        json.field("count", count)
        if !leftOut.isEmpty { json.field("left_out", leftOut) }
        json.endObject()
    }

    init?(json: JSONValue) {
        guard let count = json["count"]?.int else { return nil }
        self.init(count: count, leftOut: json["left_out"]?.array?.compactMap(\.string) ?? [])
    }
}

extension JSONWriter {
    /// Bytes as a text member where they are UTF-8, else as base64: one that is cut in the middle of a character is none.
    mutating func bytes(_ bytes: [UInt8], text: String, base64: String) {
        if let string = BodyString.text(bytes) {
            field(text, string)
        } else {
            field(base64, Base64.encode(bytes))
        }
    }
}
