import Facts
import Flows

/// A body as people read it: `flows show` on a terminal.
///
///     BodyText.pretty(body, contentType: "application/json; charset=utf-8", isColored: true)
///
/// JSON and XML are indented, forms and multipart bodies taken apart, gRPC and protobuf shown by their fields, anything
/// else in its charset, or as hexadecimal digits. Nothing of it can act on a terminal, and it has a limit.
package enum BodyText {
    /// More than anybody scrolls through; who wants all of it asks for the bytes.
    package static let limit = 1024 * 1024

    /// - Parameters:
    ///   - body: decoded.
    ///   - contentType: the field's value, with its parameters.
    ///   - limit: of the text, in bytes, colours apart.
    ///   - protobuf: the schema of its protobuf messages.
    /// - Returns: lines, each with its end.
    package static func pretty(
        _ body: [UInt8], contentType: String?, isColored: Bool = false, limit: Int = limit,
        protobuf: ProtobufView? = nil
    ) -> String {
        var out = StyledText(isColored: isColored, limit: limit, protobuf: protobuf)
        write(body, contentType, depth: 0, to: &out)
        if out.isFull {
            return out.text + "\n… there is more of it; it has \(body.count) bytes\n"
        }
        return out.text.isEmpty || out.text.hasSuffix("\n") ? out.text : out.text + "\n"
    }

    /// One line, and what was said, for each.
    package static func pretty(_ messages: [FlowMessage], isColored: Bool = false, limit: Int = limit) -> String {
        var out = StyledText(isColored: isColored, limit: limit)
        for message in messages where !out.isFull {
            let arrow = message.message.from == .up ? "→" : "←"
            let milliseconds = (message.atMS * 1000).rounded() / 1000
            out.add(
                "\(arrow) \(message.message.label), \(English.bytes(message.message.size)), at \(milliseconds) ms",
                .faint)
            if message.message.isCut { out.add(", cut", .faint) }
            out.line(indent: 1)
            let data = message.message.data
            switch message.message.kind {
            case .close where data.count >= 2:
                out.add(String(Int(data[0]) << 8 | Int(data[1])), .number)
                out.add(" " + String(decoding: data[2...], as: UTF8.self))
            case .grpc: write(data, "application/x-protobuf", depth: 1, to: &out)
            default: write(data, nil, depth: 1, to: &out)
            }
            out.line()
        }
        return out.text
    }

    static func write(_ body: [UInt8], _ contentType: String?, depth: Int, to out: inout StyledText) {
        guard !body.isEmpty else { return }
        let type = MediaType.essence(contentType) ?? ""
        if type.hasPrefix("multipart/"), depth < 4 {
            let boundary = contentType.flatMap { MediaType.parameter("boundary", of: $0) }
            let parts = Multipart.parts(of: body[...], boundary: boundary)
            if !parts.isEmpty { return write(parts, of: body, depth: depth, to: &out) }
        }
        if type.hasPrefix("application/grpc"), !type.contains("text"),
            GRPCText.write(body, isJSON: type.hasSuffix("json"), depth: depth, to: &out)
        {
            return
        }
        if type.contains("protobuf"), ProtobufText.write(body, depth: depth, to: &out) { return }
        guard !type.contains("protobuf"), let text = text(body, contentType) else {
            return HexText.write(body, type, depth: depth, to: &out)
        }
        if type == "application/x-www-form-urlencoded" { return writeForm(text, depth: depth, to: &out) }
        let first = text.utf8.first { !$0.isSpace }
        if MediaType.isJSON(type) || !MediaType.isCode(type) && (first == 0x7b || first == 0x5b) {
            return JSONText.write(Array(text.utf8), depth: depth, to: &out)
        }
        if MediaType.isXML(type), type != "text/html" { return XMLText.write(Array(text.utf8), depth: depth, to: &out) }
        for (place, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            if out.isFull { return }
            if place > 0 { out.line(indent: depth) }
            // A tab is text.
            out.add(String(line.replacing("\t", with: "    ")))
        }
    }

    /// In its charset: UTF-8, UTF-16 with a mark, or ISO 8859-1 where it says that it is text. Nil: no text.
    private static func text(_ body: [UInt8], _ contentType: String?) -> String? {
        if let wide = WideText(body) { return String(decoding: wide.utf8, as: UTF8.self) }
        let type = MediaType.essence(contentType) ?? ""
        let odd = body.prefix(4096).count { $0 < 0x09 || $0 > 0x0d && $0 < 0x20 && $0 != 0x1b }
        if let text = String(validating: body, as: UTF8.self), odd == 0 || MediaType.isText(type) { return text }
        guard odd == 0 || MediaType.isText(type) else { return nil }
        let charset = contentType.flatMap { MediaType.parameter("charset", of: $0) }?.lowercased()
        if let charset, charset.hasPrefix("iso-8859") || charset.hasPrefix("windows-125") {
            return String(String.UnicodeScalarView(body.map { Unicode.Scalar($0) }))
        }
        // Cut in the middle of a character, or nearly UTF-8.
        guard MediaType.isText(type) || String(validating: body.dropLast(3), as: UTF8.self) != nil else { return nil }
        return String(decoding: body, as: UTF8.self)
    }

    private static func writeForm(_ text: String, depth: Int, to out: inout StyledText) {
        for (place, pair) in FormFields.pairs(text).enumerated() where !out.isFull {
            if place > 0 { out.line(indent: depth) }
            out.add(pair.name, .name)
            out.add(": ")
            out.add(pair.value, .string)
        }
    }

    private static func write(_ parts: [Multipart.Part], of body: [UInt8], depth: Int, to out: inout StyledText) {
        for (place, part) in parts.enumerated() where !out.isFull {
            if place > 0 { out.line(indent: depth) }
            out.add(part.name ?? "part \(place + 1)", .name)
            var about = part.fileName.map { ", file \($0)" } ?? ""
            if let type = part.type { about += ", \(type)" }
            out.add("\(about), \(English.bytes(part.content.count))", .faint)
            out.line(indent: depth + 1)
            write(Array(body[part.content]), part.type, depth: depth + 1, to: &out)
        }
    }
}

extension English {
    static func bytes(_ count: Int) -> String { count == 1 ? "1 byte" : "\(count) bytes" }
}
