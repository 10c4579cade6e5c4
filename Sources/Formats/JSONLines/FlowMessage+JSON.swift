import Facts
import Flows

/// A message as JSON, the same in exports and for programs.
///
///     {"at_ms": 1.0, "from": "client", "type": "text", "size": 5, "data": "hello"}
///
/// `name` is there where an event has one, `cut` where the last of its data is missing, `index` where it is not its place in the list, `fault` where its
/// standard does not allow it.
extension FlowMessage {
    package func write(to json: inout JSONWriter, place: Int? = nil) {
        json.beginObject(inline: true)
        if place != index { json.field("index", index) }
        json.field("at_ms", (atMS * 1000).rounded() / 1000)
        json.field("from", message.from == .up ? "client" : "server")
        json.field("type", message.kind.rawValue)
        if let name = message.name { json.field("name", name) }
        json.field("size", message.size)
        switch message.kind {
        case .binary, .grpc: json.field("base64", Base64.encode(message.data))
        default: json.bytes(message.data, text: "data", base64: "base64")
        }
        if message.isCut { json.field("cut", true) }
        if let fault = message.fault { json.field("fault", fault) }
        json.endObject()
    }

    /// - Parameter index: its place, where it does not say that itself.
    package init?(json: JSONValue, index: Int) {
        guard let from = json["from"]?.string, from == "client" || from == "server",
            let kind = json["type"]?.string.flatMap(ExchangeMessage.Kind.init)
        else { return nil }
        let data: [UInt8]
        if let text = json["data"]?.string {
            data = Array(text.utf8)
        } else if let text = json["base64"]?.string, let bytes = Base64.decoded(Array(text.utf8)[...]) {
            data = bytes
        } else {
            return nil
        }
        self.init(
            index: json["index"]?.int ?? index, atMS: json["at_ms"]?.double ?? 0,
            ExchangeMessage(
                from: from == "client" ? .up : .down, kind, name: json["name"]?.string, data,
                size: json["size"]?.int, isCut: json["cut"]?.bool ?? false))
    }
}

/// Hands out a flow's messages in their order while the flow is written: all of them may be more than there is memory for.
///
/// It may take away what has been written between two of them. It gives back how many secrets it has left out.
package typealias MessageFeed = (inout JSONWriter, (FlowMessage, inout JSONWriter) -> Void) throws -> Int

extension RecordedFlow {
    /// Of those that are in memory.
    var feed: (inout JSONWriter, (FlowMessage, inout JSONWriter) -> Void) -> Int {
        { json, take in
            for message in messages { take(message, &json) }
            return 0
        }
    }
}

extension JSONWriter {
    /// Nothing where there are none.
    ///
    /// - Returns: secrets that were left out.
    mutating func list(_ name: String, of messages: MessageFeed) rethrows -> Int {
        var place = 0
        let count = try messages(&self) { message, json in
            if place == 0 {
                json.key(name)
                json.beginArray()
            }
            message.write(to: &json, place: place)
            place += 1
        }
        if place > 0 { endArray() }
        return count
    }
}
