import Facts

/// Values that are no messages.
extension NamedProtobufText {
    enum Scalar: Hashable {
        case number(String)
        case word(String)
        case text(String)
        case bytes(ArraySlice<UInt8>)
        /// A value of an enumeration that has a name.
        case named(String, Int32)
        case unnamed(Int32, of: String)
    }

    func write(_ scalar: Scalar, to out: inout StyledText) {
        switch scalar {
        case .number(let text): out.add(text, .number)
        case .word(let text): out.add(text, .word)
        case .text(let text): out.add(ProtobufText.quoted(text), .string)
        case .bytes(let bytes):
            out.add(Hex.encode(bytes.prefix(64)) + (bytes.count > 64 ? "…" : ""), .number)
            out.add(" (\(English.bytes(bytes.count)))", .faint)
        case .named(let name, let number):
            out.add(name, .word)
            out.add(" (\(number))", .faint)
        case .unnamed(let number, let type):
            out.add(String(number), .number)
            out.add(" (no name in \(type))", .faint)
        }
    }

    /// nil where the value on the wire is not one of that type.
    func scalar(_ value: ProtobufField.Value, _ kind: ProtobufSchema.Kind) -> Scalar? {
        switch value {
        case .varint(let value): varint(value, kind)
        case .fixed64(let value): fixed64(value, kind)
        case .fixed32(let value): fixed32(value, kind)
        case .bytes(let bytes):
            switch kind {
            // A text that is none is shown by its bytes.
            case .string: String(validating: bytes, as: UTF8.self).map { .text($0) } ?? .bytes(bytes)
            case .bytes: .bytes(bytes)
            default: nil
            }
        case .group: nil
        }
    }

    private func varint(_ value: UInt64, _ kind: ProtobufSchema.Kind) -> Scalar? {
        switch kind {
        case .int64: .number(String(Int64(bitPattern: value)))
        case .uint64: .number(String(value))
        case .int32: .number(String(Int32(truncatingIfNeeded: value)))
        case .uint32: .number(String(UInt32(truncatingIfNeeded: value)))
        case .sint64: .number(String(Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)))
        case .sint32:
            .number(String(Int32(truncatingIfNeeded: Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1))))
        case .bool: .word(value == 0 ? "false" : "true")
        case .enumeration(let type): enumeration(Int32(truncatingIfNeeded: value), type)
        default: nil
        }
    }

    private func enumeration(_ number: Int32, _ type: String) -> Scalar {
        schema.enums[type]?[number].map { .named($0, number) } ?? .unnamed(number, of: type)
    }

    private func fixed64(_ value: UInt64, _ kind: ProtobufSchema.Kind) -> Scalar? {
        switch kind {
        case .double: .number("\(Double(bitPattern: value))")
        case .fixed64: .number(String(value))
        case .sfixed64: .number(String(Int64(bitPattern: value)))
        default: nil
        }
    }

    private func fixed32(_ value: UInt32, _ kind: ProtobufSchema.Kind) -> Scalar? {
        switch kind {
        case .float: .number("\(Float(bitPattern: value))")
        case .fixed32: .number(String(value))
        case .sfixed32: .number(String(Int32(bitPattern: value)))
        default: nil
        }
    }

    /// Numbers one behind the other; nil where they are none of that type.
    func packed(_ bytes: ArraySlice<UInt8>, _ kind: ProtobufSchema.Kind) -> [Scalar]? {
        var rest = bytes
        var elements: [Scalar] = []
        while !rest.isEmpty {
            let value: ProtobufField.Value?
            switch kind {
            case .double, .fixed64, .sfixed64: value = ProtobufField.fixed(&rest, 8).map { .fixed64($0) }
            case .float, .fixed32, .sfixed32:
                value = ProtobufField.fixed(&rest, 4).map { .fixed32(UInt32(truncatingIfNeeded: $0)) }
            case .string, .bytes, .message, .group: return nil
            default: value = ProtobufField.varint(&rest).map { .varint($0) }
            }
            guard let value, let element = scalar(value, kind) else { return nil }
            elements.append(element)
        }
        if elements.isEmpty {
            switch kind {
            case .string, .bytes, .message, .group: return nil
            default: return []
            }
        }
        return elements
    }

    /// What a field has that is not there (proto3).
    static func first(of kind: ProtobufSchema.Kind) -> Scalar? {
        switch kind {
        case .string: .text("")
        case .bytes: .bytes([])
        case .bool: .word("false")
        case .enumeration, .message, .group: nil
        default: .number("0")
        }
    }
}
