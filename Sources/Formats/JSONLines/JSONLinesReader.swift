import Facts
import Flows

/// Reads flows out of JSON lines, as the bytes come.
///
/// A line that is none is told with its number, and the rest is read all the same: a file may have been cut off, or
/// edited.
///
///     var reader = JSONLinesReader()
///     for step in reader.read(bytes) { … }
///     for step in reader.finish() { … }
package struct JSONLinesReader {
    /// Two bodies of `--max-body`'s default, decoded and as on the wire, in base64, have room many times over.
    package static let lineLimit = 512 * 1024 * 1024

    private let limit: Int
    private var held: [UInt8] = []
    private var line = 1
    private var isTooLong = false

    package init(limit: Int = lineLimit) { self.limit = limit }

    package mutating func read(_ bytes: ArraySlice<UInt8>) -> [ImportStep] {
        var steps: [ImportStep] = []
        var rest = bytes
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            hold(rest[..<end])
            endLine(&steps)
            rest = rest[(end + 1)...]
        }
        hold(rest)
        return steps
    }

    /// The file has ended; its last line needs no line end.
    package mutating func finish() -> [ImportStep] {
        var steps: [ImportStep] = []
        endLine(&steps)
        return steps
    }

    private mutating func hold(_ bytes: ArraySlice<UInt8>) {
        guard !isTooLong else { return }
        guard bytes.count <= limit - held.count else {
            isTooLong = true
            held = []
            return
        }
        held += bytes
    }

    private mutating func endLine(_ steps: inout [ImportStep]) {
        defer {
            held.removeAll(keepingCapacity: held.count < 1024 * 1024)
            isTooLong = false
            line += 1
        }
        let place = "line \(line)"
        guard !isTooLong else {
            steps.append(.fault(ImportFault(place: place, reason: "it is longer than \(limit) bytes")))
            return
        }
        var text = held[...]
        if line == 1, text.starts(with: [0xef, 0xbb, 0xbf]) { text = text.dropFirst(3) }
        guard !text.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0d }) else { return }
        do {
            steps.append(.flow(try RecordedFlow(json: try JSONValue.parse(text))))
        } catch let fault as JSONFault {
            steps.append(.fault(ImportFault(place: "\(place), column \(fault.offset + 1)", reason: fault.reason)))
        } catch let fault as FlowFault {
            steps.append(.fault(ImportFault(place: place, reason: fault.reason)))
        } catch {
            steps.append(.fault(ImportFault(place: place, reason: "it could not be read")))
        }
    }
}
