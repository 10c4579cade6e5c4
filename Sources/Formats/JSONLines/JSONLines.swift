import Facts
import Flows

/// Flows as JSON lines: one `pinproof.flow/1` object a line, with all bytes.
package enum JSONLines {
    /// One flow, with the line's end.
    package static func line(_ recorded: RecordedFlow) -> [UInt8] { recorded.json + [UInt8(ascii: "\n")] }
}
