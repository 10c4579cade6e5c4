import Facts

/// Reads newline-delimited JSON: each line that is not blank is a message.
///
/// Lines are not looked into. JSON text sequences (RFC 7464) begin each with a record separator, which is taken off.
struct JSONLinesReader {
    private static let recordSeparator: UInt8 = 0x1e

    private let direction: ExchangeDirection
    private var line = MessageBytes()
    /// The rest of a line of which the beginning is missing.
    private var isSkipping = false

    var held: Int { line.data.count }

    init(_ direction: ExchangeDirection) { self.direction = direction }

    mutating func read(_ bytes: ArraySlice<UInt8>, _ messages: inout [ExchangeMessage]) {
        var rest = bytes
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            if !isSkipping {
                line.append(rest[..<end])
                lineEnded(isCut: false, &messages)
            }
            isSkipping = false
            rest = rest[(end + 1)...]
        }
        if !isSkipping { line.append(rest) }
    }

    /// What comes next is the rest of another line.
    mutating func shed(_ count: Int, _ messages: inout [ExchangeMessage]) {
        if line.size > 0 {
            line.miss(count)
            lineEnded(isCut: true, &messages)
        }
        isSkipping = true
    }

    /// - Parameter isWhole: the content has ended by itself, so that its last line needs no end of its own.
    mutating func end(isWhole: Bool, _ messages: inout [ExchangeMessage]) {
        lineEnded(isCut: !isWhole, &messages)
    }

    private mutating func lineEnded(isCut: Bool, _ messages: inout [ExchangeMessage]) {
        defer { line.clear() }
        let start = line.data.firstIndex { !Self.isBlank($0) && $0 != Self.recordSeparator }
        guard let start, let end = line.data.lastIndex(where: { !Self.isBlank($0) }) else { return }
        let text = Array(line.data[start...max(start, end)])
        let size = line.isCut ? line.size : text.count
        messages.append(ExchangeMessage(from: direction, .text, text, size: size, isCut: isCut || line.isCut))
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
    }
}
