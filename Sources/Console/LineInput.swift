import Dispatch
import Loop

/// Lines typed at a terminal, read on a thread of their own.
package final class LineInput: Sendable {
    // Serial: two readers at once would share one line.
    private let queue = DispatchQueue(label: "pinproof.stdin")

    package init() {}

    /// Waits for Enter; false at the end of input.
    package func next() async -> Bool {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: Self.line() != nil) }
        }
    }

    /// What is typed before Enter; nil at the end of input.
    package func nextLine() async -> String? {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: Self.line()) }
        }
    }

    /// Bytes of a line that are kept: nobody types more than a word here.
    private static let limit = 4096

    private static func line() -> String? {
        var bytes: [UInt8] = []
        while let byte = StandardStream.input.nextByte() {
            if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
            if bytes.count < limit { bytes.append(byte) }
        }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }
}
