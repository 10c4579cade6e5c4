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

    private let proto: ProtoFile?
    private let width: Int?

    /// - Parameter proto: names for protobuf messages; with them they are shown as text wherever the result goes.
    package init(
        _ access: FlowsAccess, _ part: Part, isRaw: Bool, isForTerminal: Bool, isColored: Bool, proto: ProtoFile? = nil,
        width: Int? = nil
    ) {
        self.width = width
        self.proto = proto
        self.isColored = isColored
        self.access = access
        self.part = part
        self.isRaw = isRaw
        self.isForTerminal = isForTerminal
    }

    /// - Parameter note: told that a body is only as much as could be decoded of it; nil: such a body is a complaint.
    /// - Returns: nil where there is no such flow.
    /// - Throws: `Complaint` where the flow has no such part.
    package func bytes(of id: Int64, note: ((String) -> Void)? = nil) throws -> [UInt8]? {
        guard let flow = try access.store.flow(id) else { return nil }
        switch part {
        case .overview: return Array(FlowOverview.text(flow, width: width, isColored: isColored).utf8)
        case .json: return flow.json + [UInt8(ascii: "\n")]
        case .messages: return try messages(of: flow)
        case .body(let direction): return try body(of: flow, direction, note)
        }
    }

    private func body(of flow: Flow, _ direction: ExchangeDirection, _ note: ((String) -> Void)?) throws -> [UInt8] {
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
            return isForTerminal && !isRaw ? Array(shown(raw, nil, nil).utf8) : try asItIs(raw, of: flow)
        }
        let wire: [UInt8]
        do { wire = try access.store.body(of: flow.id, direction) } catch {
            guard case .bodyGone = error else { throw error }
            throw Complaint(error.explanations, status: .fail)
        }
        if isRaw { return try asItIs(wire, of: flow) }
        let decoded: [UInt8]
        switch FlowsAccess.decoding(wire, of: body) {
        case .success(let bytes):
            if let words = Self.lack(of: body, in: flow) { note?("flow \(flow.id): \(words)") }
            decoded = bytes
        case .failure(.cutOff(let part)) where note != nil && !part.isEmpty:
            note?("flow \(flow.id): \(Self.unfinished(flow))")
            decoded = part
        case .failure(.broken(let part)) where note != nil && !part.isEmpty:
            note?(
                "flow \(flow.id): the rest of this body is no \(body.encoding ?? "coding") that can be decoded; --raw has it"
            )
            decoded = part
        case .failure(let why):
            guard !isForTerminal else { return Array(shown(wire, nil, nil).utf8) }
            throw Complaint(
                "flow \(flow.id): the \(name)'s body \(Self.words(why, body.encoding ?? "coding", flow))",
                hints: ["--raw gives its bytes as they were on the wire"], status: .fail)
        }
        let view = try proto?.view(of: flow, direction)
        guard isForTerminal || view != nil else { return decoded }
        let type = side.headers.values(of: "content-type").last
        return Array(
            shown(decoded, view.map { ProtoFile.contentType(type, isFramed: $0.isFramed) } ?? type, view?.view).utf8)
    }

    /// - Throws: `Complaint` where the bytes would steer the terminal that they are for.
    private func asItIs(_ bytes: [UInt8], of flow: Flow) throws -> [UInt8] {
        guard isForTerminal, !Self.isHarmless(bytes) else { return bytes }
        throw Complaint(
            "flow \(flow.id): these bytes hold control characters, which a terminal would obey",
            hints: ["send them to a file or a program: > FILE, | less, | xxd"], status: .fail)
    }

    /// Text without control characters, those of lines and tabs apart, and without such that change the direction of what
    /// stands there.
    static func isHarmless(_ bytes: [UInt8]) -> Bool {
        guard let text = String(validating: bytes, as: UTF8.self) else { return false }
        let lines: Set<Unicode.Scalar> = ["\n", "\r", "\t"]
        return text.unicodeScalars.allSatisfy { $0.isPrintable || lines.contains($0) }
    }

    private static func unfinished(_ flow: Flow) -> String {
        flow.state == .open ? "this body is not whole yet" : "this body was cut off, and this is its beginning"
    }

    /// What is missing of a body that needs no decoding, or was decoded as far as it was kept.
    private static func lack(of body: FlowBody, in flow: Flow) -> String? {
        if body.isCut { return "\(body.kept) of this body's \(English.count(body.size, "byte")) were kept" }
        // The size is known once the body is whole.
        return body.encoding == nil && body.decodedSize == nil && flow.state != .complete ? unfinished(flow) : nil
    }

    private static func words(_ why: FlowsAccess.Undecoded, _ coding: String, _ flow: Flow) -> String {
        switch why {
        case .broken: "is no \(coding) that can be decoded"
        case .cutOff where flow.state == .open: "is not whole yet, and nothing is decoded of its \(coding) here"
        case .cutOff: "was cut off before the end of its \(coding), and nothing is decoded of it here"
        case .tooLarge: "is more than \(FlowsAccess.decodedLimit >> 20) MiB without its \(coding)"
        }
    }

    /// For a terminal.
    private func shown(_ bytes: [UInt8], _ type: String?, _ view: ProtobufView?) -> String {
        BodyText.pretty(bytes, contentType: type, isColored: isColored, protobuf: view)
    }

    private func messages(of flow: Flow) throws -> [UInt8] {
        guard flow.messages > 0 else {
            throw Complaint("flow \(flow.id) has no messages", status: .fail)
        }
        var out: [UInt8] = []
        let views = try proto.map { (up: try $0.view(of: flow, .up), down: try $0.view(of: flow, .down)) }
        try access.forEachMessage(of: flow) { message in
            let view = message.message.from == .up ? views?.up : views?.down
            if let view, [.grpc, .binary].contains(message.message.kind) {
                out += Array(named(message, view.view).utf8)
                return
            }
            if isForTerminal || views != nil {
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

    /// A message below its line, by the names of a schema.
    private func named(_ message: FlowMessage, _ view: ProtobufView) -> String {
        let text = BodyText.pretty(
            message.message.data, contentType: "application/x-protobuf", isColored: isColored, protobuf: view)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: true).map { "    \($0)\n" }.joined()
        return Self.head(message) + "  \(view.message)\n" + lines
    }

    private func line(_ message: FlowMessage) -> String {
        let one = message.message
        if one.kind == .close, one.data.count >= 2 {
            let reason = Printable.escaped(String(decoding: one.data[2...], as: UTF8.self))
            return Self.head(message) + "  \(Int(one.data[0]) << 8 | Int(one.data[1])) \(reason)" + Self.fault(one)
        }
        // Bytes that happen to be text are one only where a control of it would not be.
        let text = String(validating: one.data, as: UTF8.self).flatMap { text in
            one.kind == .grpc && text.unicodeScalars.contains { !$0.isPrintable } ? nil : Printable.escaped(text)
        }
        let more = text == nil && one.data.count > 64 ? "…" : ""
        return Self.head(message) + "  " + (text ?? Hex.encode(Array(one.data.prefix(64))) + more) + Self.fault(one)
    }

    private static func fault(_ message: ExchangeMessage) -> String { message.fault.map { "  (\($0))" } ?? "" }

    private static func head(_ message: FlowMessage) -> String {
        let one = message.message
        return "\(Milliseconds.text(message.atMS))  \(one.from == .up ? "↑" : "↓") \(one.label)  "
            + "\(ByteCount.text(one.size))\(one.isCut ? " (cut)" : "")"
    }
}
