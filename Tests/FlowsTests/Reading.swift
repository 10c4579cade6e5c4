import Facts
import Testing

@testable import Flows

/// What a reader makes of a conversation, in a form that is easy to compare.
struct Conversation {
    private var reader: ConnectionReader
    private var steps = ExchangeSteps()
    /// Of `Conversation.read`, so far.
    private(set) var lines: [String] = []
    private(set) var messages: [ExchangeMessage] = []
    /// What was kept as it came, by direction.
    private(set) var raw: [ExchangeDirection: [UInt8]] = [:]

    init(alpn: String? = nil, tools: DecodingTools = .init()) {
        reader = ConnectionReader(alpn: alpn, tools: tools)
    }

    /// - Parameter piece: how many bytes come at once.
    mutating func say(_ direction: ExchangeDirection, _ bytes: [UInt8], in piece: Int = .max) {
        var rest = bytes[...]
        while !rest.isEmpty {
            reader.read(rest.prefix(piece), direction, &steps)
            rest = rest.dropFirst(piece)
        }
        collect()
    }

    mutating func up(_ text: String, in piece: Int = .max) { say(.up, Array(text.utf8), in: piece) }
    mutating func down(_ text: String, in piece: Int = .max) { say(.down, Array(text.utf8), in: piece) }

    mutating func shed(_ count: Int, _ direction: ExchangeDirection) {
        reader.shed(count, direction, &steps)
        collect()
    }

    mutating func end() {
        reader.end("closed", &steps)
        collect()
    }

    /// Content and raw bytes that follow one another are one line, however they were cut.
    private mutating func collect() {
        for step in steps.take() where step.kind != .began {
            if case .message(let message) = step.kind { messages.append(message) }
            if case .raw(let direction, let bytes) = step.kind { raw[direction, default: []] += bytes }
            let line = Self.line(step)
            if let last = lines.last, let joined = Self.joined(last, line) {
                lines[lines.count - 1] = joined
            } else {
                lines.append(line)
            }
        }
    }

    private static func joined(_ last: String, _ line: String) -> String? {
        for word in [" content up: ", " content down: ", " raw up: ", " raw down: "] {
            guard let one = last.firstRange(of: word), let other = line.firstRange(of: word),
                last[..<one.lowerBound] == line[..<other.lowerBound]
            else { continue }
            return last + line[other.upperBound...]
        }
        return nil
    }

    private static func line(_ step: ExchangeStep) -> String {
        "\(step.exchange) " + text(step.kind)
    }

    private static func text(_ kind: ExchangeStep.Kind) -> String {
        switch kind {
        case .began: "began"
        case .asked(let head):
            "asked \(head.method) \(head.target) \(head.version) \(place(head))\(text(head.fields))"
        case .informed(let head): "informed \(head.status) \(text(head.fields))"
        case .answered(let head): "answered \(head.status) \(head.reason ?? "-") \(head.version) \(text(head.fields))"
        case .content(let direction, let bytes): "content \(direction): \(text(bytes))"
        case .shed(let direction, let count): "shed \(direction) \(count)"
        case .trailers(let direction, let fields): "trailers \(direction) \(text(fields))"
        case .ended(let direction): "ended \(direction)"
        case .upgraded(let name): "upgraded \(name)"
        case .message(let message):
            "message \(message.from) \(message.kind) \(message.size)\(message.isCut ? " cut" : ""): \(text(message.data[...]))"
        case .raw(let direction, let bytes): "raw \(direction): \(text(bytes))"
        case .undecodable(let direction, let at, let why): "undecodable \(direction) \(at): \(why)"
        case .cutShort(let direction): "cut short \(direction)"
        case .misplaced(let direction, let at, let why): "misplaced \(direction) \(at): \(why)"
        case .aborted(let why, _): "aborted: \(why)"
        }
    }

    /// HTTP/2's: stream, scheme and authority.
    private static func place(_ head: RequestHead) -> String {
        head.stream.map { "#\($0) \(head.scheme ?? "-")://\(head.authority ?? "-") " } ?? ""
    }

    private static func text(_ fields: [HeaderField]) -> String {
        "[" + fields.map { "\($0.name)=\($0.value)" }.joined(separator: "|") + "]"
    }

    /// What is not ASCII is a replacement character for each byte, as bytes may be cut within a character.
    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(String.UnicodeScalarView(bytes.map { $0 < 0x80 ? Unicode.Scalar($0) : "\u{fffd}" }))
    }
}

extension Conversation {
    /// The same conversation, cut in every way: what is read of it must not depend on that.
    static func lines(of script: [(ExchangeDirection, String)], ends: Bool = true) -> [String] {
        var whole = Conversation()
        for (direction, text) in script { whole.say(direction, Array(text.utf8)) }
        if ends { whole.end() }
        for piece in 1...(script.map(\.1.utf8.count).max() ?? 1) {
            var cut = Conversation()
            for (direction, text) in script { cut.say(direction, Array(text.utf8), in: piece) }
            if ends { cut.end() }
            guard cut.lines != whole.lines else { continue }
            Issue.record("in pieces of \(piece): \(cut.lines)")
            break
        }
        return whole.lines
    }
}
