/// One field of a protobuf message as it is on the wire.
struct ProtobufField: Hashable {
    enum Value: Hashable {
        case varint(UInt64)
        case fixed64(UInt64)
        case fixed32(UInt32)
        case bytes(ArraySlice<UInt8>)
        case group([ProtobufField])
    }

    var number: UInt64
    var value: Value

    /// Groups that are nested deeper make a message none.
    static let depthLimit = 32

    /// nil where the bytes are no message; empty bytes are one without fields.
    static func fields(of bytes: ArraySlice<UInt8>) -> [ProtobufField]? {
        var rest = bytes
        return fields(&rest, group: nil, level: 0)
    }

    /// Up to the end, or that of the group.
    private static func fields(_ rest: inout ArraySlice<UInt8>, group: UInt64?, level: Int) -> [ProtobufField]? {
        guard level < depthLimit else { return nil }
        var fields: [ProtobufField] = []
        while !rest.isEmpty {
            guard let key = varint(&rest), key >> 3 > 0, key >> 3 < 1 << 29 else { return nil }
            let number = key >> 3
            switch key & 7 {
            case 0:
                guard let value = varint(&rest) else { return nil }
                fields.append(Self(number: number, value: .varint(value)))
            case 1:
                guard let value = fixed(&rest, 8) else { return nil }
                fields.append(Self(number: number, value: .fixed64(value)))
            case 2:
                guard let length = varint(&rest), length <= UInt64(rest.count) else { return nil }
                fields.append(Self(number: number, value: .bytes(rest.prefix(Int(length)))))
                rest = rest.dropFirst(Int(length))
            case 3:
                guard let inner = Self.fields(&rest, group: number, level: level + 1) else { return nil }
                fields.append(Self(number: number, value: .group(inner)))
            case 4: return group == number ? fields : nil
            case 5:
                guard let value = fixed(&rest, 4) else { return nil }
                fields.append(Self(number: number, value: .fixed32(UInt32(truncatingIfNeeded: value))))
            default: return nil
            }
        }
        return group == nil ? fields : nil
    }

    static func varint(_ rest: inout ArraySlice<UInt8>) -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 70, by: 7) {
            guard let byte = rest.popFirst() else { return nil }
            value |= shift < 64 ? UInt64(byte & 0x7f) << shift : 0
            if byte < 0x80 { return value }
        }
        return nil
    }

    static func fixed(_ rest: inout ArraySlice<UInt8>, _ count: Int) -> UInt64? {
        guard rest.count >= count else { return nil }
        let value = rest.prefix(count).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        rest = rest.dropFirst(count)
        return value
    }
}

/// What a reader of descriptors asks of a message's fields: the last of a number counts (protobuf's merging of scalars).
extension [ProtobufField] {
    func text(_ number: UInt64) -> String? {
        for field in reversed() where field.number == number {
            if case .bytes(let bytes) = field.value { return String(decoding: bytes, as: UTF8.self) }
        }
        return nil
    }

    func varint(_ number: UInt64) -> UInt64? {
        for field in reversed() where field.number == number {
            if case .varint(let value) = field.value { return value }
        }
        return nil
    }

    /// Each of the messages of that number; nil where one of them is none.
    func messages(_ number: UInt64) -> [[ProtobufField]]? {
        var messages: [[ProtobufField]] = []
        for case .bytes(let bytes) in lazy.filter({ $0.number == number }).map(\.value) {
            guard let fields = ProtobufField.fields(of: bytes) else { return nil }
            messages.append(fields)
        }
        return messages
    }
}
