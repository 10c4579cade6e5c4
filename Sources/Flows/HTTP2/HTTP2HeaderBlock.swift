import Facts

/// A header block as it was on the wire (RFC 9113 §4.3).
///
/// That is HEADERS or PUSH_PROMISE, and what CONTINUATION adds.
struct HTTP2HeaderBlock: Hashable {
    /// Compressed; without padding and priority.
    var fragment: [UInt8]
    var stream: Int
    /// The stream that PUSH_PROMISE speaks of.
    var promised: Int?
    var endsStream: Bool

    /// - Parameter wire: whole frames, the first of them HEADERS or PUSH_PROMISE, the others CONTINUATION.
    /// - Returns: nil where padding or priority do not fit into their frame.
    init?(_ wire: [UInt8]) {
        guard let first = HTTP2Frame(wire[...]) else { return nil }
        stream = first.stream
        endsStream = first.kind == HTTP2Frame.Kind.headers && first.has(HTTP2Frame.Flag.endStream)
        fragment = []
        var at = 0
        while let frame = HTTP2Frame(wire[at...]) {
            var start = at + HTTP2Frame.headerLength
            var end = min(start + frame.length, wire.count)
            at = end
            if frame.kind != HTTP2Frame.Kind.continuation {
                if frame.has(HTTP2Frame.Flag.padded) {
                    guard start < end else { return nil }
                    end -= Int(wire[start])
                    start += 1
                }
                if frame.kind == HTTP2Frame.Kind.push {
                    guard start + 4 <= end else { return nil }
                    promised = wire[start..<(start + 4)].reduce(0) { $0 << 8 | Int($1) } & 0x7fff_ffff
                    start += 4
                } else if frame.has(HTTP2Frame.Flag.priority) {
                    start += 5
                }
            }
            guard start <= end else { return nil }
            fragment += wire[start..<end]
        }
    }
}

extension RequestHead {
    /// A request of HTTP/2 as it came, well-formed or not.
    ///
    /// Of a pseudo-header field that comes twice the first counts; the second stays among the fields, and so do unknown
    /// ones. One that is missing is empty.
    init(http2 decoded: [HeaderField], stream: Int) {
        var method, path, latin1, scheme, authority, connectProtocol: String?
        let fields = decoded.filter { field in
            guard field.name.utf8.first == UInt8(ascii: ":") else { return true }
            switch field.name {
            case ":method" where method == nil: method = field.value
            case ":path" where path == nil:
                (path, latin1) = field.isLatin1 ? HeaderField.target(field.valueBytes) : (field.value, nil)
            case ":scheme" where scheme == nil: scheme = field.value
            case ":authority" where authority == nil: authority = field.value
            case ":protocol" where connectProtocol == nil: connectProtocol = field.value
            default: return true
            }
            return false
        }
        self.init(
            method: method ?? "", target: path ?? (method == "CONNECT" ? authority ?? "" : ""),
            latin1Target: latin1, scheme: scheme, authority: authority, connectProtocol: connectProtocol, version: "h2",
            stream: stream, fields: fields)
    }
}

extension AnswerHead {
    init(http2 decoded: [HeaderField]) {
        var fields = decoded
        var status: Int?
        if let place = fields.firstIndex(where: { $0.name == ":status" }) {
            status = Self.status(fields.remove(at: place).value)
        }
        self.init(status: status ?? 0, version: "h2", fields: fields)
    }

    /// Three digits (RFC 9110 §15).
    private static func status(_ text: String) -> Int? {
        guard text.utf8.count == 3, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let status = Int(text),
            status >= 100
        else {
            return nil
        }
        return status
    }

    /// What is wrong with the status of an answer in HTTP/2.
    static func statusFault(http2 decoded: [HeaderField]) -> String? {
        guard let value = decoded.first(where: { $0.name == ":status" })?.value else {
            return "an answer without :status (RFC 9113 §8.3.2)"
        }
        guard status(value) == nil else { return nil }
        return "an answer whose :status is \"\(Printable.excerpt(value))\", which is none (RFC 9113 §8.3.2)"
    }
}
