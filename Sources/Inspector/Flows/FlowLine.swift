import Console
import Facts
import Filters
import Flows
import Foundation

/// One flow on one line of a list: number, time, status, method, address, size, duration.
enum FlowLine {
    /// The time is the local one, as it is in filters.
    ///
    /// - Parameters:
    ///   - width: columns that there are; nil: any number.
    ///   - isColored: what became of it is in colour.
    static func text(_ flow: Flow, width: Int?, isColored: Bool = false) -> String {
        let offset = TimeZone.current.secondsFromGMT(for: Date(timeIntervalSince1970: flow.started))
        let time = UTCTime(unix: flow.started + Double(offset)).rfc3339.dropFirst(11).prefix(8)
        let (start, mark) = ("\(number(flow.id))  \(time)  ", padded(mark(flow), 4))
        let method = Printable.excerpt(flow.method.map { $0 + " " } ?? "", limit: 20)
        let back = "  \(size(flow))" + (flow.durationMS.map { "  " + Milliseconds.text($0) } ?? "")
        let room = width.map { max(20, $0 - start.count - mark.count - method.count - back.count) }
        let middle = subject(flow, room: room)
        let color = isColored ? Self.color(flow) : nil
        return start + (color.map { "\u{1b}[\($0)m\(mark)\u{1b}[0m" } ?? mark) + method + middle + back
    }

    /// By what became of it: red, yellow, cyan, green.
    private static func color(_ flow: Flow) -> Int? {
        if flow.kind == .failure || flow.state == .aborted { return 31 }
        guard flow.state == .complete, let status = flow.status else { return nil }
        switch status {
        case 500...: return 31
        case 400...: return 33
        case 300...: return 36
        case 200...: return 32
        default: return nil
        }
    }

    /// What stands where the status stands: `200`, `✕` for a failure, `…` for what is open.
    static func mark(_ flow: Flow) -> String {
        if flow.kind == .failure { return "✕" }
        if flow.kind == .tunnel || flow.kind == .websocket {
            let ending = flow.state == .open ? "…" : flow.state == .aborted ? "↯" : ""
            return (flow.kind == .tunnel ? "–" : "⇄") + ending
        }
        if flow.state == .open { return "…" }
        if flow.state == .aborted { return flow.status.map { "\($0)↯" } ?? "↯" }
        return flow.status.map(String.init) ?? (flow.kind == .raw ? "raw" : "?")
    }

    /// Where it went, and what was wrong: in words where there is room for them, else by the word that filters know.
    private static func subject(_ flow: Flow, room: Int?) -> String {
        let place = Printable.escaped(flow.url ?? host(flow))
        guard let wrong = wrong(flow) else { return cut(place, room) }
        let text = Printable.escaped(wrong.text)
        // It names the host itself.
        let whole = flow.url == nil ? text : "\(place)  (\(text))"
        guard let room, whole.count > room else { return whole }
        let left = room - text.count - 4
        if flow.url != nil, left >= Self.leastAddress { return "\(cut(place, left))  (\(text))" }
        return "\(cut(place, max(Self.leastAddress / 2, room - wrong.word.count - 4)))  (\(wrong.word))"
    }

    /// In words, and as `failure:` or `is:` has it. What is no HTTP at all stands as `raw` already.
    private static func wrong(_ flow: Flow) -> (text: String, word: String)? {
        if let failure = flow.failure { return (failure.text, failure.id.rawValue) }
        guard flow.url != nil, let undecodable = flow.undecodable else { return nil }
        return ("not decodable from byte \(undecodable.at): \(undecodable.why)", FilterTrait.undecodable.rawValue)
    }

    /// Columns of an address that say which one it is.
    private static let leastAddress = 32

    private static func host(_ flow: Flow) -> String {
        let host = flow.server.host ?? flow.server.address ?? "no host"
        return flow.server.port.map { "\(host):\($0)" } ?? host
    }

    private static func cut(_ text: String, _ room: Int?) -> String {
        guard let room, text.count > room else { return text }
        return text.prefix(max(1, room) - 1) + "…"
    }

    private static func size(_ flow: Flow) -> String {
        if flow.kind == .failure || flow.failure != nil && flow.status == nil && flow.method != nil { return "—" }
        if flow.kind == .websocket { return "\(flow.messages) msg" }
        return ByteCount.text(flow.shownSize)
    }

    static func number(_ id: Int64) -> String { leftPadded(String(id), 5) }
    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
    private static func leftPadded(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
