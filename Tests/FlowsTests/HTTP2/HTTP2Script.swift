import Facts
import Testing

@testable import Flows

/// What both sides of an HTTP/2 connection say, in turn.
struct HTTP2Script {
    var turns: [(direction: ExchangeDirection, bytes: [UInt8])] = []

    /// - Parameter opened: both have said what a connection begins with.
    init(opened: Bool = true) {
        guard opened else { return }
        turns = [
            (.up, HTTP2Reader.preface + Self.frame(4, flags: 0, stream: 0, [])),
            (.down, Self.frame(4, flags: 0, stream: 0, [])), (.up, Self.frame(4, flags: 1, stream: 0, [])),
            (.down, Self.frame(4, flags: 1, stream: 0, [])),
        ]
    }

    static func frame(_ kind: UInt8, flags: UInt8, stream: Int, _ payload: [UInt8]) -> [UInt8] {
        [UInt8(payload.count >> 16 & 255), UInt8(payload.count >> 8 & 255), UInt8(payload.count & 255), kind, flags]
            + number(stream) + payload
    }

    static func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (24 - 8 * $0) & 255) } }

    mutating func raw(_ direction: ExchangeDirection, _ bytes: [UInt8]) { turns.append((direction, bytes)) }

    mutating func frame(
        _ direction: ExchangeDirection, _ kind: UInt8, flags: UInt8 = 0, stream: Int = 0, _ payload: [UInt8] = []
    ) {
        raw(direction, Self.frame(kind, flags: flags, stream: stream, payload))
    }

    mutating func headers(
        _ direction: ExchangeDirection, _ stream: Int, _ fields: [(String, String)], ends: Bool = false
    ) {
        frame(direction, 1, flags: ends ? 5 : 4, stream: stream, TestHPACK.encode(fields))
    }

    mutating func ask(_ stream: Int, _ path: String, method: String = "GET", ends: Bool = true) {
        headers(
            .up, stream, [(":method", method), (":scheme", "https"), (":authority", "a.test"), (":path", path)],
            ends: ends)
    }

    mutating func answer(_ stream: Int, _ status: Int = 200, ends: Bool = false) {
        headers(.down, stream, [(":status", String(status)), ("x-a", "b")], ends: ends)
    }

    mutating func data(_ direction: ExchangeDirection, _ stream: Int, _ text: String, ends: Bool = false) {
        frame(direction, 0, flags: ends ? 1 : 0, stream: stream, Array(text.utf8))
    }

    /// What is read of it; it must not depend on where the bytes are cut.
    func read(
        alpn: String? = "h2", ends: Bool = true, _ tools: @escaping () -> DecodingTools = { TestHPACK.tools() },
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> [String] {
        let lines = { (cuts: (Int) -> [Int]) -> [String] in
            var talk = Conversation(alpn: alpn, tools: tools())
            for (direction, bytes) in turns {
                var start = 0
                for end in cuts(bytes.count) + [bytes.count] where end > start && end <= bytes.count {
                    talk.say(direction, Array(bytes[start..<end]))
                    start = end
                }
            }
            if ends { talk.end() }
            return talk.lines
        }
        let whole = lines { _ in [] }
        #expect(lines { Array(0..<$0) } == whole, "in single bytes", sourceLocation: sourceLocation)
        for cut in 1..<min(600, turns.map(\.bytes.count).max() ?? 1) {
            let parts = lines { _ in [cut] }
            if parts != whole {
                Issue.record("cut at \(cut): \(parts)", sourceLocation: sourceLocation)
                break
            }
        }
        return whole
    }
}
