import Facts

/// What fields of protobuf messages are called: the types of a descriptor set.
///
///     protoc --include_imports --descriptor_set_out=api.desc api.proto
///
/// What is defined twice, as well-known types are where several sets were joined, counts as it was defined first. What a
/// set refers to and does not have is shown by its numbers.
package struct ProtobufSchema: Hashable, Sendable {
    struct Field: Hashable, Sendable {
        var name: String
        var kind: Kind
        var isRepeated: Bool
        /// It is one of several, of which one is there at most.
        var oneof: String?
    }

    /// The types of descriptor.proto, with the full name of what they refer to.
    enum Kind: Hashable, Sendable {
        case double, float, int64, uint64, int32, fixed64, fixed32, bool, string, bytes, uint32, sfixed32, sfixed64
        case sint32, sint64
        case group(String)
        case message(String)
        case enumeration(String)
    }

    struct Message: Hashable, Sendable {
        var fields: [UInt64: Field] = [:]
        /// An entry of a map: its key is 1, its value 2.
        var isMapEntry = false
    }

    struct Method: Hashable, Sendable {
        var input: String
        var output: String
    }

    /// By full name: `pkg.Message.Inner`.
    private(set) var messages: [String: Message] = [:]
    private(set) var enums: [String: [Int32: String]] = [:]
    /// By path: `/pkg.Service/Method`.
    private(set) var methods: [String: Method] = [:]

    /// Of a set; the largest that are in use, of whole companies, have some ten.
    package static let sizeLimit = 64 * 1024 * 1024
    /// Types in types; compilers go to 32 or less.
    private static let depthLimit = 64

    /// - Throws: where the bytes are no FileDescriptorSet.
    package init(descriptorSet bytes: [UInt8]) throws(ProtobufSchemaFault) {
        guard let set = ProtobufField.fields(of: bytes[...]) else { throw Self.fault(bytes) }
        guard let files = set.messages(1), !files.isEmpty, set.allSatisfy({ $0.number == 1 }) else {
            throw Self.fault(bytes)
        }
        var extensions: [[ProtobufField]] = []
        for file in files {
            let package = file.text(2) ?? ""
            let place = package.isEmpty ? "" : package + "."
            guard let types = file.messages(4), let enums = file.messages(5), let services = file.messages(6),
                let more = file.messages(7)
            else { throw ProtobufSchemaFault("a file in it (\(Printable.excerpt(file.text(1) ?? "?"))) is not whole") }
            for type in types { try add(message: type, in: place, depth: 0, &extensions) }
            for type in enums { add(enumeration: type, in: place) }
            for service in services { add(service: service, in: place) }
            extensions += more
        }
        for field in extensions { add(extension: field) }
        guard !messages.isEmpty else { throw ProtobufSchemaFault("it has no message types") }
    }

    private static func fault(_ bytes: [UInt8]) -> ProtobufSchemaFault {
        let isText = String(validating: bytes.prefix(256).dropLast(4), as: UTF8.self)
            .map { $0.contains("syntax") || $0.contains("message ") || $0.contains("package ") }
        return ProtobufSchemaFault(
            isText == true ? "it looks like the source, and a compiled one is wanted" : "it is no descriptor set")
    }

    // MARK: Reading

    private mutating func add(
        message: [ProtobufField], in place: String, depth: Int, _ extensions: inout [[ProtobufField]]
    ) throws(ProtobufSchemaFault) {
        guard depth < Self.depthLimit, let name = message.text(1), let fields = message.messages(2),
            let types = message.messages(3), let enums = message.messages(4), let more = message.messages(6),
            let options = message.messages(7), let oneofs = message.messages(8)
        else { throw ProtobufSchemaFault("a message in it (\(Printable.excerpt(place))…) is not whole") }
        let full = place + name
        var type = Message()
        type.isMapEntry = options.contains { $0.varint(7) == 1 }
        let choices = oneofs.map { $0.text(1) ?? "" }
        for field in fields {
            guard let number = field.varint(3), let known = Self.field(field, choices) else { continue }
            type.fields[number] = known
        }
        if messages[full] == nil { messages[full] = type }
        for inner in types { try add(message: inner, in: full + ".", depth: depth + 1, &extensions) }
        for inner in enums { add(enumeration: inner, in: full + ".") }
        extensions += more
    }

    private static func field(_ field: [ProtobufField], _ oneofs: [String]) -> Field? {
        guard let name = field.text(1), let type = field.varint(5) else { return nil }
        let reference = field.text(6).map(withoutDot) ?? ""
        guard let kind = kind(type, reference) else { return nil }
        var oneof: String?
        // That of an optional field of proto3 is made up.
        if let index = field.varint(9), field.varint(17) != 1, index < UInt64(oneofs.count) {
            oneof = oneofs[Int(index)]
        }
        return Field(name: name, kind: kind, isRepeated: field.varint(4) == 3, oneof: oneof)
    }

    /// By the numbers of FieldDescriptorProto.Type.
    private static func kind(_ type: UInt64, _ reference: String) -> Kind? {
        switch type {
        case 1: .double
        case 2: .float
        case 3: .int64
        case 4: .uint64
        case 5: .int32
        case 6: .fixed64
        case 7: .fixed32
        case 8: .bool
        case 9: .string
        case 10: .group(reference)
        case 11: .message(reference)
        case 12: .bytes
        case 13: .uint32
        case 14: .enumeration(reference)
        case 15: .sfixed32
        case 16: .sfixed64
        case 17: .sint32
        case 18: .sint64
        default: nil
        }
    }

    private mutating func add(enumeration: [ProtobufField], in place: String) {
        guard let name = enumeration.text(1), let values = enumeration.messages(2), enums[place + name] == nil else {
            return
        }
        var names: [Int32: String] = [:]
        for value in values {
            let number = Int32(truncatingIfNeeded: value.varint(2) ?? 0)
            // Of an alias the first name counts.
            if let name = value.text(1), names[number] == nil { names[number] = name }
        }
        enums[place + name] = names
    }

    private mutating func add(service: [ProtobufField], in place: String) {
        guard let name = service.text(1), let all = service.messages(2) else { return }
        for method in all {
            guard let own = method.text(1), let input = method.text(2), let output = method.text(3) else { continue }
            let path = "/\(place)\(name)/\(own)"
            if methods[path] == nil {
                methods[path] = Method(input: Self.withoutDot(input), output: Self.withoutDot(output))
            }
        }
    }

    private mutating func add(extension field: [ProtobufField]) {
        guard let extendee = field.text(2).map(Self.withoutDot), let number = field.varint(3),
            var known = Self.field(field, []), messages[extendee] != nil, messages[extendee]?.fields[number] == nil
        else { return }
        known.name = "[\(known.name)]"
        messages[extendee]?.fields[number] = known
    }

    /// Names in descriptors are absolute: `.pkg.Message`.
    private static func withoutDot(_ name: String) -> String { name.hasPrefix(".") ? String(name.dropFirst()) : name }
}

/// Why a file is no descriptor set.
package struct ProtobufSchemaFault: Error, Hashable, Sendable {
    package let reason: String

    init(_ reason: String) { self.reason = reason }
}
