import Facts

/// A protobuf message by the names of its schema; what the schema does not have, by numbers.
///
///     name: "text"
///     kind: ADMIN (2)
///     scores: [1, 2, 3]
///     labels["env"]: "prod"
///     7: 150 (not in pkg.User)
struct NamedProtobufText {
    let schema: ProtobufSchema
    let depth: Int

    private static let anyType = "google.protobuf.Any"

    func write(_ fields: [ProtobufField], as type: String, level: Int, to out: inout StyledText) {
        let message = schema.messages[type]
        if type == Self.anyType, writeAny(fields, level: level, to: &out) { return }
        for (place, field) in fields.enumerated() where !out.isFull {
            if place > 0 || level > 0 { out.line(indent: depth + level) }
            guard let known = message?.fields[field.number] else {
                writeUnknown(field, of: type, level: level, to: &out)
                continue
            }
            if !write(field.value, of: known, level: level, to: &out) {
                out.add(known.name, .name)
                out.add(" ", .faint)
                writeUnknown(field, of: type, level: level, to: &out, isOdd: true)
            }
        }
    }

    private func writeUnknown(
        _ field: ProtobufField, of type: String, level: Int, to out: inout StyledText, isOdd: Bool = false
    ) {
        ProtobufText.write(field, depth: depth + level, level: level, to: &out)
        if isOdd {
            out.add(" (not as \(type) says)", .faint)
        } else if schema.messages[type] != nil {
            out.add(" (not in \(type))", .faint)
        }
    }

    /// False where the bytes are not what the schema says; nothing is written then.
    private func write(
        _ value: ProtobufField.Value, of field: ProtobufSchema.Field, level: Int, to out: inout StyledText
    ) -> Bool {
        if field.isRepeated, case .bytes(let bytes) = value, let elements = packed(bytes, field.kind) {
            out.add(field.name, .name)
            out.add(": [")
            for (place, element) in elements.enumerated() where !out.isFull {
                if place > 0 { out.add(", ") }
                write(element, to: &out)
            }
            out.add("]")
            return true
        }
        if let scalar = scalar(value, field.kind) {
            out.add(field.name, .name)
            out.add(": ")
            write(scalar, to: &out)
            writeOneof(field, to: &out)
            return true
        }
        guard level < ProtobufField.depthLimit, let (type, fields) = message(value, field.kind) else { return false }
        if schema.messages[type]?.isMapEntry == true, writeEntry(fields, type, field.name, level: level, to: &out) {
            return true
        }
        out.add(field.name, .name)
        out.add(" {")
        writeOneof(field, to: &out)
        write(fields, as: type, level: level + 1, to: &out)
        out.line(indent: depth + level)
        out.add("}")
        return true
    }

    private func writeOneof(_ field: ProtobufSchema.Field, to out: inout StyledText) {
        if let oneof = field.oneof { out.add(" (oneof \(oneof))", .faint) }
    }

    private func message(
        _ value: ProtobufField.Value, _ kind: ProtobufSchema.Kind
    ) -> (type: String, fields: [ProtobufField])? {
        switch (kind, value) {
        case (.message(let type), .bytes(let bytes)): ProtobufField.fields(of: bytes).map { (type, $0) }
        case (.group(let type), .group(let fields)), (.message(let type), .group(let fields)): (type, fields)
        case (.group(let type), .bytes(let bytes)): ProtobufField.fields(of: bytes).map { (type, $0) }
        default: nil
        }
    }

    // MARK: Maps and Any

    /// `labels["env"]: "prod"`; what is missing has its type's first value.
    private func writeEntry(
        _ fields: [ProtobufField], _ type: String, _ name: String, level: Int, to out: inout StyledText
    ) -> Bool {
        guard let entry = schema.messages[type], let key = entry.fields[1], let value = entry.fields[2],
            fields.allSatisfy({ $0.number == 1 || $0.number == 2 })
        else { return false }
        let keys = fields.filter { $0.number == 1 }
        let values = fields.filter { $0.number == 2 }
        guard keys.count <= 1, values.count <= 1 else { return false }
        guard let shown = keys.first.map({ scalar($0.value, key.kind) }) ?? Self.first(of: key.kind) else {
            return false
        }
        if let found = values.first, scalar(found.value, value.kind) == nil, message(found.value, value.kind) == nil {
            return false
        }
        out.add(name, .name)
        out.add("[")
        write(shown, to: &out)
        out.add("]")
        guard let found = values.first else {
            if let first = Self.first(of: value.kind) {
                out.add(": ")
                write(first, to: &out)
            } else {
                out.add(" {}")
            }
            return true
        }
        if let scalar = scalar(found.value, value.kind) {
            out.add(": ")
            write(scalar, to: &out)
        } else if let (type, fields) = message(found.value, value.kind) {
            out.add(" {")
            write(fields, as: type, level: level + 1, to: &out)
            out.line(indent: depth + level)
            out.add("}")
        }
        return true
    }

    /// `type_url` and the message itself, where its type is known.
    private func writeAny(_ fields: [ProtobufField], level: Int, to out: inout StyledText) -> Bool {
        guard level < ProtobufField.depthLimit, let url = fields.text(1), !url.isEmpty,
            fields.allSatisfy({ $0.number == 1 || $0.number == 2 })
        else { return false }
        let type = String(url.split(separator: "/").last ?? "")
        // One in another would go deeper at the same level, without end.
        guard type != Self.anyType, schema.messages[type] != nil, fields.count(where: { $0.number == 2 }) <= 1 else {
            return false
        }
        var inner: [ProtobufField] = []
        if case .bytes(let bytes)? = fields.last(where: { $0.number == 2 })?.value {
            guard let read = ProtobufField.fields(of: bytes) else { return false }
            inner = read
        }
        if level > 0 { out.line(indent: depth + level) }
        out.add("@type", .name)
        out.add(": ")
        out.add("\"\(url)\"", .string)
        // On lines of its own, at the same level.
        if level == 0, !inner.isEmpty { out.line(indent: depth) }
        write(inner, as: type, level: level, to: &out)
        return true
    }
}
