import Facts

/// Reads server-sent events (WHATWG HTML §9.2.6): an event's data is the message.
///
/// Comments, `id` and `retry` are no messages; they are in the body.
struct EventStreamReader {
    private static let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]
    /// Of an event's name: what is longer is no name that anybody listens for.
    private static let nameLimit = 1024

    private let direction: ExchangeDirection
    /// Of a line that has not ended.
    private var line = MessageBytes()
    private var isFirstLine = true
    private var lastWasReturn = false
    /// The rest of a line of which the beginning is missing.
    private var isSkipping = false
    /// Of the event that has not ended.
    private var data: MessageBytes?
    private var name: String?
    /// Its beginning is missing.
    private var isCut = false

    var held: Int { line.data.count + (data?.data.count ?? 0) }

    init(_ direction: ExchangeDirection) { self.direction = direction }

    mutating func read(_ bytes: ArraySlice<UInt8>, _ messages: inout [ExchangeMessage]) {
        var rest = bytes
        while !rest.isEmpty {
            if lastWasReturn {
                lastWasReturn = false
                if rest.first == UInt8(ascii: "\n") {
                    rest.removeFirst()
                    continue
                }
            }
            guard let end = rest.firstIndex(where: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) else {
                return isSkipping ? () : line.append(rest)
            }
            lastWasReturn = rest[end] == UInt8(ascii: "\r")
            if isSkipping {
                isSkipping = false
            } else if line.size == 0 {
                lineEnded(rest[..<end], missing: 0, &messages)
            } else {
                line.append(rest[..<end])
                let whole = line
                line = MessageBytes()
                lineEnded(whole.data[...], missing: whole.size - whole.data.count, &messages)
                line = whole
                line.clear()
            }
            rest = rest[(end + 1)...]
        }
    }

    /// What comes next may belong to another event, whose beginning is missing.
    mutating func shed(_ count: Int, _ messages: inout [ExchangeMessage]) {
        cut(count, &messages)
        isCut = true
        isSkipping = true
        isFirstLine = false
        lastWasReturn = false
    }

    /// An event counts with the empty line behind it; one that lacks it reaches no app (§9.2.6), and is in the body alone.
    mutating func end() {
        line.clear()
        data = nil
    }

    private mutating func cut(_ missing: Int, _ messages: inout [ExchangeMessage]) {
        if line.size > 0, !isSkipping {
            let whole = line
            line.clear()
            lineEnded(whole.data[...], missing: whole.size - whole.data.count, &messages)
        }
        data?.miss(missing)
        dispatch(&messages)
    }

    private mutating func lineEnded(_ bytes: ArraySlice<UInt8>, missing: Int, _ messages: inout [ExchangeMessage]) {
        var bytes = bytes
        if isFirstLine {
            isFirstLine = false
            if bytes.starts(with: Self.byteOrderMark) { bytes = bytes.dropFirst(Self.byteOrderMark.count) }
        }
        if bytes.isEmpty { return dispatch(&messages) }
        let colon = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
        var value = bytes[min(colon + 1, bytes.endIndex)...]
        if value.first == UInt8(ascii: " ") { value.removeFirst() }
        let field = bytes[..<colon]
        if field.elementsEqual("data".utf8) {
            if data == nil { data = MessageBytes() } else { data?.append([UInt8(ascii: "\n")]) }
            data?.append(value)
            if missing > 0 { data?.miss(missing) }
        } else if field.elementsEqual("event".utf8) {
            name = String(decoding: value.prefix(Self.nameLimit), as: UTF8.self)
        }
    }

    private mutating func dispatch(_ messages: inout [ExchangeMessage]) {
        defer {
            data = nil
            name = nil
            isCut = false
        }
        guard let data else { return }
        messages.append(
            ExchangeMessage(
                from: direction, .event, name: name?.isEmpty == true ? nil : name, data.data, size: data.size,
                isCut: data.isCut || isCut))
    }
}
