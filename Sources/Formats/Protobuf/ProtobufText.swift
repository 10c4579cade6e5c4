import Facts

/// A protobuf message without its schema: field numbers, and what their values may be.
///
///     1: 150
///     2: "text"
///     3 {
///       1: 1.5 (fixed32 0x3fc00000)
///     }
enum ProtobufText {
    /// Deeper messages are shown as bytes.
    private static let depthLimit = 32

    /// False where it is none.
    static func write(_ bytes: [UInt8], depth: Int, to out: inout StyledText) -> Bool {
        guard let fields = fields(bytes[...]) else { return false }
        if let view = out.protobuf {
            NamedProtobufText(schema: view.schema, depth: depth).write(fields, as: view.message, level: 0, to: &out)
        } else {
            write(fields, depth: depth, level: 0, to: &out)
        }
        return true
    }

    private static func write(_ fields: [ProtobufField], depth: Int, level: Int, to out: inout StyledText) {
        for (place, field) in fields.enumerated() where !out.isFull {
            if place > 0 || level > 0 { out.line(indent: depth) }
            write(field, depth: depth, level: level, to: &out)
        }
    }

    /// One field by its number, on the line that has begun.
    static func write(_ field: ProtobufField, depth: Int, level: Int, to out: inout StyledText) {
        out.add(String(field.number), .name)
        switch field.value {
        case .varint(let value):
            out.add(": ")
            out.add(String(value), .number)
            if value > UInt64(Int64.max) { out.add(" (\(Int64(bitPattern: value)))", .faint) }
        case .fixed64(let value):
            out.add(": ")
            out.add("\(Double(bitPattern: value))", .number)
            out.add(" (fixed64 0x\(String(value, radix: 16)))", .faint)
        case .fixed32(let value):
            out.add(": ")
            out.add("\(Float(bitPattern: value))", .number)
            out.add(" (fixed32 0x\(String(value, radix: 16)))", .faint)
        case .bytes(let bytes): write(bytes, depth: depth, level: level, to: &out)
        case .group(let fields):
            out.add(" {")
            write(fields, depth: depth + 1, level: level + 1, to: &out)
            out.line(indent: depth)
            out.add("}")
        }
    }

    /// On one line, as people write it in source.
    static func quoted(_ text: String) -> String {
        var out = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": out += "\\n"
            case "\r": out += "\\r"
            case "\t": out += "\\t"
            case "\"", "\\": out += "\\\(scalar)"
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out + "\""
    }

    /// Text, a message, or bytes: whichever it can be first.
    private static func write(_ bytes: ArraySlice<UInt8>, depth: Int, level: Int, to out: inout StyledText) {
        if let text = String(validating: bytes, as: UTF8.self),
            text.unicodeScalars.allSatisfy({ $0.isPrintable || $0 == "\n" || $0 == "\r" || $0 == "\t" })
        {
            out.add(": ")
            out.add(quoted(text), .string)
        } else if level < depthLimit, let fields = fields(bytes) {
            out.add(" {")
            write(fields, depth: depth + 1, level: level + 1, to: &out)
            out.line(indent: depth)
            out.add("}")
        } else {
            let more = bytes.count > 64 ? "…" : ""
            out.add(": ")
            out.add(Hex.encode(bytes.prefix(64)) + more, .number)
            out.add(" (\(English.bytes(bytes.count)))", .faint)
        }
    }

    private static func fields(_ bytes: ArraySlice<UInt8>) -> [ProtobufField]? {
        ProtobufField.fields(of: bytes).flatMap { $0.isEmpty ? nil : $0 }
    }
}
