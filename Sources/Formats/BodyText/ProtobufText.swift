import Facts

/// A protobuf message without its schema: field numbers, and what their values may be.
///
///     1: 150
///     2: "text"
///     3 {
///       1: 1.5 (fixed32 0x3fc00000)
///     }
enum ProtobufText {
    private enum Value {
        case varint(UInt64)
        case fixed64(UInt64)
        case fixed32(UInt32)
        case bytes(ArraySlice<UInt8>)
        case group([Field])
    }

    private struct Field {
        var number: UInt64
        var value: Value
    }

    /// Deeper messages are shown as bytes.
    private static let depthLimit = 32

    /// False where it is none.
    static func write(_ bytes: [UInt8], depth: Int, to out: inout StyledText) -> Bool {
        guard let fields = fields(bytes[...]) else { return false }
        write(fields, depth: depth, level: 0, to: &out)
        return true
    }

    private static func write(_ fields: [Field], depth: Int, level: Int, to out: inout StyledText) {
        for (place, field) in fields.enumerated() where !out.isFull {
            if place > 0 || level > 0 { out.line(indent: depth) }
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
    }

    /// Text, a message, or bytes: whichever it can be first.
    private static func write(_ bytes: ArraySlice<UInt8>, depth: Int, level: Int, to out: inout StyledText) {
        if let text = String(validating: bytes, as: UTF8.self),
            text.unicodeScalars.allSatisfy({ $0.isPrintable || $0 == "\n" || $0 == "\r" || $0 == "\t" })
        {
            out.add(": ")
            out.add("\"\(text)\"", .string)
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

    // MARK: Reading

    private static func fields(_ bytes: ArraySlice<UInt8>) -> [Field]? {
        var rest = bytes
        guard let (fields, end) = fields(&rest, group: nil, level: 0), end == nil else { return nil }
        return fields.isEmpty ? nil : fields
    }

    /// Up to the end, or that of the group.
    private static func fields(
        _ rest: inout ArraySlice<UInt8>, group: UInt64?, level: Int
    ) -> (fields: [Field], end: UInt64?)? {
        guard level < depthLimit else { return nil }
        var fields: [Field] = []
        while !rest.isEmpty {
            guard let key = varint(&rest), key >> 3 > 0, key >> 3 < 1 << 29 else { return nil }
            let number = key >> 3
            switch key & 7 {
            case 0:
                guard let value = varint(&rest) else { return nil }
                fields.append(Field(number: number, value: .varint(value)))
            case 1:
                guard let value = fixed(&rest, 8) else { return nil }
                fields.append(Field(number: number, value: .fixed64(value)))
            case 2:
                guard let length = varint(&rest), length <= UInt64(rest.count) else { return nil }
                fields.append(Field(number: number, value: .bytes(rest.prefix(Int(length)))))
                rest = rest.dropFirst(Int(length))
            case 3:
                guard let (inner, end) = Self.fields(&rest, group: number, level: level + 1), end == number else {
                    return nil
                }
                fields.append(Field(number: number, value: .group(inner)))
            case 4: return group == number ? (fields, number) : nil
            case 5:
                guard let value = fixed(&rest, 4) else { return nil }
                fields.append(Field(number: number, value: .fixed32(UInt32(truncatingIfNeeded: value))))
            default: return nil
            }
        }
        return group == nil ? (fields, nil) : nil
    }

    private static func varint(_ rest: inout ArraySlice<UInt8>) -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 70, by: 7) {
            guard let byte = rest.popFirst() else { return nil }
            value |= shift < 64 ? UInt64(byte & 0x7f) << shift : 0
            if byte < 0x80 { return value }
        }
        return nil
    }

    private static func fixed(_ rest: inout ArraySlice<UInt8>, _ count: Int) -> UInt64? {
        guard rest.count >= count else { return nil }
        let value = rest.prefix(count).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        rest = rest.dropFirst(count)
        return value
    }
}
