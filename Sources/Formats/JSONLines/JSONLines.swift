import Facts
import Flows

/// Flows as JSON lines: one `pinproof.flow/1` object a line, with all bytes.
package enum JSONLines {
    /// One flow, with the line's end.
    package static func line(_ recorded: RecordedFlow) -> [UInt8] { recorded.json + [UInt8(ascii: "\n")] }

    /// The same, with messages that are not in memory.
    package static func write(
        _ recorded: RecordedFlow, messages: MessageFeed, _ write: ([UInt8]) throws -> Void
    ) rethrows {
        var json = JSONWriter(reserving: 4096)
        try recorded.write(to: &json, messages: messages)
        try write(json.take() + [UInt8(ascii: "\n")])
    }
}
