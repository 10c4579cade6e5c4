import Facts
import Flows

/// Chrome's `_webSocketMessages`.
///
///     {"type": "send", "time": 1767225600.123, "opcode": 1, "data": "hello"}
///
/// Data of every opcode but 1 is base64. What those members cannot say is in `_pinproof`.
enum HARMessages {
    /// - Returns: secrets that were left out.
    static func write(_ messages: MessageFeed, started: Double, to json: inout JSONWriter) rethrows -> Int {
        json.key("_webSocketMessages")
        json.beginArray()
        var place = 0
        let count = try messages(&json) { message, json in
            write(message, place, started: started, to: &json)
            place += 1
        }
        json.endArray()
        return count
    }

    private static func write(_ message: FlowMessage, _ place: Int, started: Double, to json: inout JSONWriter) {
        let data = message.message.data
        let opcode = opcode(of: message.message.kind)
        let time = started + message.atMS / 1000
        json.beginObject()
        json.field("type", message.message.from == .up ? "send" : "receive")
        json.field("time", time)
        json.field("opcode", opcode)
        let text = opcode == 1 ? String(validating: data, as: UTF8.self) : nil
        let shown = text ?? (opcode == 1 ? String(decoding: data, as: UTF8.self) : Base64.encode(data))
        json.field("data", shown)
        writeExtras(of: message, place, isLossy: opcode == 1 && text == nil, time - started, to: &json)
        json.endObject()
    }

    private static func writeExtras(
        of message: FlowMessage, _ place: Int, isLossy: Bool, _ seconds: Double, to json: inout JSONWriter
    ) {
        let atMS = rounded(message.atMS)
        var extras = JSONWriter()
        extras.beginObject()
        if rounded(seconds * 1000) != atMS { extras.field("at_ms", atMS) }
        if message.message.kind == .event || message.message.kind == .grpc {
            extras.field("type", message.message.kind.rawValue)
        }
        if let name = message.message.name { extras.field("name", name) }
        if message.index != place { extras.field("index", message.index) }
        if message.message.size != message.message.data.count { extras.field("size", message.message.size) }
        if message.message.isCut { extras.field("cut", true) }
        if isLossy { extras.field("base64", Base64.encode(message.message.data)) }
        extras.endObject()
        guard extras.bytes.count > 2, let value = try? JSONValue.parse(extras.bytes) else { return }
        json.key("_pinproof")
        json.value(value)
    }

    private static func opcode(of kind: ExchangeMessage.Kind) -> Int {
        switch kind {
        case .text, .event: 1
        case .binary, .grpc: 2
        case .close: 8
        case .ping: 9
        case .pong: 10
        }
    }

    static func read(_ json: JSONValue, started: Double) -> [FlowMessage] {
        (json.array ?? []).enumerated().compactMap { place, message in
            let opcode = message["opcode"]?.int ?? 1
            let extras = message["_pinproof"]
            let kind: ExchangeMessage.Kind? =
                switch opcode {
                case 1: .text
                case 0, 2: .binary
                case 8: .close
                case 9: .ping
                case 10: .pong
                default: nil
                }
            guard let kind = extras?["type"]?.string.flatMap(ExchangeMessage.Kind.init) ?? kind else { return nil }
            let text = message["data"]?.string ?? ""
            let bytes = Array(text.utf8)
            let exact = extras?["base64"]?.string.flatMap { Base64.decoded(Array($0.utf8)[...]) }
            let data = exact ?? (opcode == 1 ? bytes : Base64.decoded(bytes[...]) ?? bytes)
            let at = extras?["at_ms"]?.double ?? rounded(((message["time"]?.double ?? started) - started) * 1000)
            let isSent = message["type"]?.string == "send" || message["type"]?.string == "request"
            return FlowMessage(
                index: extras?["index"]?.int ?? place, atMS: max(0, at),
                ExchangeMessage(
                    from: isSent ? .up : .down, kind, name: extras?["name"]?.string, data,
                    size: extras?["size"]?.int, isCut: extras?["cut"]?.bool ?? false))
        }
    }

    private static func rounded(_ milliseconds: Double) -> Double { (milliseconds * 1000).rounded() / 1000 }
}
