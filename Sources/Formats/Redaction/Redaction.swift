import Facts
import Flows

/// The one policy by which secrets are left out of everything that is exported.
///
///     let (shared, count) = Redaction.redacted(recorded)
///
/// Every value that is one becomes `[redacted]`:
/// - header fields by their names (`SecretNames.isSecretHeader`), cookies (names stay),
/// - a URL's userinfo, and parameters of its query and fragment by their names (`SecretNames`),
/// - fields of JSON, also nested, in arrays and in strings, of forms, multipart bodies, XML and text by their names,
/// - keys that are known by their looks, anywhere (`KeyShapes`).
///
/// The same in messages. A body that was compressed is searched decoded, and is decoded from then on; one that could not
/// be decoded is left out, as raw bytes are, since nobody can say what is in them. A gRPC field without a name cannot be
/// known for a secret by anything but its looks. Hashes of what has changed are left out: short secrets could be found by
/// them.
package enum Redaction {
    /// The flow without its secrets, and how many values were replaced.
    package static func redacted(_ recorded: RecordedFlow) -> (RecordedFlow, count: Int) {
        var work = Work()
        let out = work.clean(recorded)
        return (out, work.redactor.count)
    }

    /// One message of a flow, as `redacted` has it with all others.
    package static func redacted(_ message: FlowMessage) -> (FlowMessage, count: Int) {
        var work = Work()
        let out = work.message(message)
        return (out, work.redactor.count)
    }

    /// Text of no flow, such as what a program printed: without secrets that stand by their names or are known by their looks.
    package static func redacted(text: String) -> String {
        var redactor = Redactor()
        return String(decoding: redactor.text(Array(text.utf8)), as: UTF8.self)
    }

    private struct Work {
        var redactor = Redactor()
        var leftOut: [String] = []

        mutating func clean(_ recorded: RecordedFlow) -> RecordedFlow {
            var flow = recorded.flow
            flow.url = flow.url.map { redactor.url($0) }
            flow.request = side(flow.request)
            // A secret in the address is one, though it stands in two places.
            let count = redactor.count
            if let target = flow.request?.target {
                let text = redactor.url(target.text)
                let isLatin1 = target.isLatin1 && text.unicodeScalars.allSatisfy { $0.value < 256 }
                flow.request?.target = RequestTarget(text, isLatin1: isLatin1)
            }
            redactor.count = count
            flow.response = side(flow.response)
            // What a protocol is that nobody has read nobody can say either.
            let isUnread = (up: flow.isOfAnotherProtocol(.up), down: flow.isOfAnotherProtocol(.down))
            let request = body(recorded.request, of: &flow.request, "request", isUnread: isUnread.up)
            let response = body(recorded.response, of: &flow.response, "response", isUnread: isUnread.down)
            let messages = recorded.messages.map { message($0) }
            if !recorded.rawUp.isEmpty || !recorded.rawDown.isEmpty { leftOut.append("raw") }
            if let failure = flow.failure {
                flow.failure?.text = words(failure.text)
                flow.failure?.hint = failure.hint.map { words($0) }
            }
            if let undecodable = flow.undecodable { flow.undecodable?.why = words(undecodable.why) }
            flow.comment = flow.comment.map { words($0) }
            flow.mark = flow.mark.map { words($0) }
            flow.tags = flow.tags.map { words($0) }
            let before = recorded.redaction ?? RedactionNote()
            return RecordedFlow(
                flow, request: request, response: response, messages: messages,
                redaction: RedactionNote(count: before.count + redactor.count, leftOut: before.leftOut + leftOut))
        }

        private mutating func words(_ text: String) -> String {
            String(decoding: redactor.text(Array(text.utf8)), as: UTF8.self)
        }

        private mutating func side(_ side: FlowSide?) -> FlowSide? {
            guard var side else { return nil }
            side.headers = side.headers.map { redactor.field($0) }
            side.trailers = side.trailers.map { redactor.field($0) }
            for index in side.informational.indices {
                side.informational[index].headers = side.informational[index].headers.map { redactor.field($0) }
                side.informational[index].reason = side.informational[index].reason.map { words($0) }
            }
            side.reason = side.reason.map { words($0) }
            return side
        }

        private mutating func body(
            _ body: RecordedBody, of side: inout FlowSide?, _ name: String, isUnread: Bool
        ) -> RecordedBody {
            guard body.kept != nil else { return body }
            let fields = side?.headers ?? []
            let contentType = fields.values(of: "content-type").last ?? side?.body?.type
            let isHidden = isUnread || Self.hidesMessages(fields, contentType)
            guard let decoded = body.decoded, !isHidden, !Self.isStillCoded(decoded, fields, contentType) else {
                leftOut.append("\(name).body")
                side?.body?.kept = 0
                side?.body?.sha256 = nil
                return RecordedBody()
            }
            let before = redactor.count
            let clean = redactor.content(decoded, contentType: contentType)
            let isSame = redactor.count == before
            if isSame, body.wire == decoded || body.wire == nil { return body }
            let wasCoded = body.wire != nil && body.wire != decoded
            if wasCoded { leftOut.append("\(name).wire") }
            if var known = side?.body {
                let missing = max(0, known.size - known.kept)
                (known.size, known.kept) = (clean.count + missing, clean.count)
                // Of one without a coding it is known once the body is whole.
                if wasCoded || known.decodedSize != nil { known.decodedSize = clean.count }
                known.sha256 = nil
                if wasCoded { known.encoding = nil }
                side?.body = known
            }
            if wasCoded { side?.headers.removeAll { $0.name.lowercased() == "content-encoding" } }
            let size = String(side?.body?.size ?? clean.count)
            let sized = (side?.headers ?? []).map { field in
                field.name.lowercased() == "content-length" ? HeaderField(field.name, size) : field
            }
            side?.headers = sized
            return RecordedBody(plain: clean)
        }

        /// Compressed messages within a body; without their compression they are among the messages.
        private static func hidesMessages(_ fields: [HeaderField], _ contentType: String?) -> Bool {
            let type = MediaType.essence(contentType) ?? ""
            guard type.hasPrefix("application/grpc") || type.hasPrefix("application/connect+") else { return false }
            if type.hasPrefix("application/grpc-web-text") { return true }
            let codings = fields.elements(of: "grpc-encoding") + fields.elements(of: "connect-content-encoding")
            return codings.contains { $0 != "identity" }
        }

        /// What was read has a coding left that nothing here takes away: it says nothing of what is in it.
        ///
        /// Codings of the transfer but `chunked` (RFC 9112 §7); gzip or zstd that no header field speaks of; wide text without
        /// the mark at its beginning that would tell how to read it.
        private static func isStillCoded(_ bytes: [UInt8], _ fields: [HeaderField], _ contentType: String?) -> Bool {
            let transfer = fields.elements(of: "transfer-encoding").map { $0.lowercased() }
            if transfer.contains(where: { $0 != "chunked" && $0 != "identity" }) { return true }
            if bytes.starts(with: [0x1f, 0x8b]) || bytes.starts(with: [0x28, 0xb5, 0x2f, 0xfd]) { return true }
            let type = contentType?.lowercased() ?? ""
            return ["utf-16", "utf-32", "ucs-2", "ucs-4"].contains {
                type.contains("charset=" + $0) || type.contains("charset=\"" + $0)
            }
                && WideText(bytes) == nil && !bytes.isEmpty
        }

        mutating func message(_ message: FlowMessage) -> FlowMessage {
            var out = message
            let data = message.message.data
            switch message.message.kind {
            case .text, .event: out.message.data = redactor.text(data)
            case .binary, .grpc: out.message.data = redactor.content(data, contentType: nil)
            case .close, .ping, .pong: out.message.data = redactor.binary(data)
            }
            out.message.name = message.message.name.map {
                String(decoding: redactor.text(Array($0.utf8)), as: UTF8.self)
            }
            out.message.size = max(0, message.message.size - data.count) + out.message.data.count
            return out
        }
    }
}
