import Coding
import Console
import Facts
import Flows
import Formats
import Store

/// `pinproof flows show`: one flow, or its bytes.
package struct FlowsShow: Sendable {
    package enum Part: Hashable, Sendable {
        case overview, json
        case body(ExchangeDirection)
        case messages
    }

    package let access: FlowsAccess
    package let part: Part
    /// As on the wire, not decoded.
    package let isRaw: Bool
    /// The result goes to a terminal, which shows text in colours and no bytes.
    package let isForTerminal: Bool
    private let isColored: Bool

    package init(_ access: FlowsAccess, _ part: Part, isRaw: Bool, isForTerminal: Bool, isColored: Bool) {
        self.isColored = isColored
        self.access = access
        self.part = part
        self.isRaw = isRaw
        self.isForTerminal = isForTerminal
    }

    /// - Returns: nil where there is no such flow.
    /// - Throws: `Complaint` where the flow has no such part.
    package func bytes(of id: Int64) throws -> [UInt8]? {
        guard let flow = try access.store.flow(id) else { return nil }
        switch part {
        case .overview: return Array(FlowOverview.text(flow).utf8)
        case .json: return flow.json + [UInt8(ascii: "\n")]
        case .messages: return try messages(of: flow)
        case .body(let direction): return try body(of: flow, direction)
        }
    }

    private func body(of flow: Flow, _ direction: ExchangeDirection) throws -> [UInt8] {
        let name = direction == .up ? "request" : "response"
        let raw = try access.store.raw(of: flow.id, direction)
        if flow.kind == .tunnel {
            throw Complaint(
                "flow \(flow.id) is a tunnel: what it carried was not decrypted, and is not kept", status: .fail)
        }
        guard let side = flow.side(direction), let body = side.body, flow.kind != .raw else {
            guard !raw.isEmpty else {
                throw Complaint("flow \(flow.id): its \(name) has no body", status: .fail)
            }
            return isForTerminal && !isRaw ? Array(shown(raw, nil, nil).utf8) : raw
        }
        let wire = try access.store.body(of: flow.id, direction)
        if isRaw { return wire }
        guard let decoded = FlowsAccess.decoded(wire, of: body) else {
            guard isForTerminal else {
                throw Complaint(
                    "flow \(flow.id): the \(name)'s body is no \(body.encoding ?? "coding") that can be decoded",
                    hints: ["--raw gives its bytes as they were on the wire"], status: .invalid)
            }
            return Array(shown(wire, nil, nil).utf8)
        }
        guard isForTerminal else { return decoded }
        return Array(shown(decoded, side.headers.values(of: "content-type").last, side).utf8)
    }

    /// For a terminal.
    private func shown(_ bytes: [UInt8], _ type: String?, _ side: FlowSide?) -> String {
        BodyText.pretty(bytes, contentType: type, isColored: isColored)
    }

    private func messages(of flow: Flow) throws -> [UInt8] {
        guard flow.messages > 0 else {
            throw Complaint("flow \(flow.id) has no messages", status: .fail)
        }
        var out: [UInt8] = []
        for message in try access.store.messages(of: flow.id) {
            if isForTerminal {
                out += Array(line(message).utf8)
            } else {
                var json = JSONWriter()
                message.write(to: &json)
                out += json.bytes
            }
            out.append(UInt8(ascii: "\n"))
        }
        return out
    }

    private func line(_ message: FlowMessage) -> String {
        let one = message.message
        let text = String(validating: one.data, as: UTF8.self).map { Printable.escaped($0) }
        let shown = text ?? Hex.encode(Array(one.data.prefix(64)))
        return "\(Milliseconds.text(message.atMS))  \(one.from == .up ? "↑" : "↓") \(one.kind.rawValue)  "
            + "\(ByteCount.text(one.size))\(one.isCut ? " (cut)" : "")  \(shown)"
    }
}
