import Facts
import Flows

/// Writes HAR 1.2, entry by entry, so that no file has to fit into memory.
///
///     var har = HARWriter(version: "0.9.0")
///     out += har.begin()
///     for flow in flows { out += har.entry(flow) }
///     out += har.end()
///
/// What HAR has no place for stands in `_pinproof`, and only that: whoever takes something out of a HAR file has taken it
/// out. `HARReader` makes the same flow of it. WebSocket messages are Chrome's `_webSocketMessages`; a failed flow has
/// status 0 and `_error`.
package struct HARWriter {
    private let version: String
    private var isFirst = true

    /// - Parameter version: of this program.
    package init(version: String) { self.version = version }

    package func begin() -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.field("version", "1.2")
        json.key("creator")
        json.beginObject()
        json.field("name", "pinproof")
        json.field("version", version)
        json.endObject()
        json.key("pages")
        json.beginArray()
        json.endArray()
        json.endObject()
        return Array("{\"log\":".utf8) + json.bytes.dropLast() + Array(",\"entries\":[".utf8)
    }

    package mutating func entry(_ recorded: RecordedFlow) -> [UInt8] {
        var out: [UInt8] = []
        entry(recorded, messages: recorded.feed) { out += $0 }
        return out
    }

    /// The same, with messages that are not in memory.
    package mutating func entry(
        _ recorded: RecordedFlow, messages: MessageFeed, _ write: ([UInt8]) throws -> Void
    ) rethrows {
        try write(isFirst ? [0x0a] : [UInt8(ascii: ","), 0x0a])
        isFirst = false
        var json = JSONWriter(reserving: 4096)
        try HAREntry(recorded).write(to: &json, messages: messages)
        try write(json.take())
    }

    package func end() -> [UInt8] { Array("\n]}}\n".utf8) }
}
