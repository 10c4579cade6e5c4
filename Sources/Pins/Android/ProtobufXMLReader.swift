/// The XML of Android app bundles (AOSP, aapt2: Resources.proto, XmlNode).
struct ProtobufXMLReader {
    private var nodes = 0
    private var prefixes: [String: String] = [:]

    /// - Throws: where it is broken or over a bound.
    static func read(_ bytes: [UInt8]) throws(PinFileFault) -> XMLElement {
        guard bytes.count <= XMLReader.sizeLimit else {
            throw PinFileFault(
                line: nil, "it has more than \(XMLReader.sizeLimit >> 20) MB, the most that is read of an XML file")
        }
        var reader = ProtobufXMLReader()
        let node = ProtobufMessage(bytes[...])
        guard node.isWhole, let element = node.last(1)?.message else { throw broken("there is no element in it") }
        return try reader.element(element, line: line(node), depth: 1)
    }

    private static func broken(_ what: String) -> PinFileFault {
        PinFileFault(line: nil, "the bundle's XML is broken: \(what)")
    }

    private static func line(_ node: ProtobufMessage, source: Int = 3) -> Int {
        let number = node.last(source)?.message?.last(1)?.number ?? 1
        return Int(min(max(number, 1), 0xff_ffff))
    }

    private mutating func element(
        _ message: ProtobufMessage, line: Int, depth: Int
    ) throws(PinFileFault) -> XMLElement {
        guard depth <= XMLReader.depthLimit else {
            throw Self.broken("elements lie more than \(XMLReader.depthLimit) deep")
        }
        guard message.isWhole else { throw Self.broken("an element of line \(line) breaks off") }
        var element = XMLElement(message.last(3)?.text ?? "", line: line)
        try count()
        for (number, value) in message {
            guard let field = value.message else { continue }
            switch number {
            case 1:
                // It is put before every attribute of its name: a long one is nobody's.
                if let uri = field.last(2)?.text, let prefix = field.last(1)?.text, prefix.utf8.count <= 64 {
                    prefixes[uri] = prefix
                }
            case 4:
                try count()
                element.attributes.append(attribute(field, line: line))
            case 5:
                if let child = field.last(1)?.message {
                    element.children.append(try self.element(child, line: Self.line(field), depth: depth + 1))
                } else if let text = field.last(2)?.text {
                    try count()
                    add(text, Self.line(field), to: &element)
                }
            default: break
            }
        }
        return element
    }

    /// Blank texts are kept in bundles, and dropped where an app is made of one.
    private func add(_ text: String, _ line: Int, to element: inout XMLElement) {
        guard text.utf8.contains(where: { $0 > 32 }) else { return }
        if element.text.isEmpty { element.textLine = line } else { element.hasSplitText = true }
        element.text += text
    }

    private func attribute(_ message: ProtobufMessage, line: Int) -> XMLElement.Attribute {
        var name = message.last(2)?.text ?? ""
        if let uri = message.last(1)?.text, !uri.isEmpty { name = "\(prefixes[uri] ?? "unknown"):\(name)" }
        let resource = UInt32(truncatingIfNeeded: message.last(5)?.number ?? 0)
        var value = message.last(3)?.text ?? ""
        var compiled = CompiledValue(resource: resource, type: CompiledValue.Kind.string, data: 0)
        if let item = message.last(6)?.message.flatMap(ProtobufItem.init) {
            switch item {
            case .text(let text), .file(let text): value = text
            case .value(let type, let data):
                (compiled.type, compiled.data) = (type, data)
                if value.isEmpty { value = compiled.text }
            }
        }
        let line = message.last(4) == nil ? line : Self.line(message, source: 4)
        return XMLElement.Attribute(name, value, line: line, compiled: compiled)
    }

    private mutating func count() throws(PinFileFault) {
        nodes += 1
        guard nodes <= XMLReader.nodeLimit else {
            throw Self.broken("it has more than \(XMLReader.nodeLimit) elements and attributes")
        }
    }
}

/// A value of a bundle (Resources.proto, Item), in the terms of compiled resources.
enum ProtobufItem {
    case text(String)
    /// A path within the module.
    case file(String)
    case value(type: UInt8, data: UInt32)

    /// nil for what has no single value.
    init?(_ message: ProtobufMessage) {
        for (number, value) in message {
            guard let field = value.message else { continue }
            switch number {
            case 1:
                let isAttribute = field.last(1)?.number == 1
                self = .value(
                    type: isAttribute ? CompiledValue.Kind.attribute : CompiledValue.Kind.reference,
                    data: UInt32(truncatingIfNeeded: field.last(2)?.number ?? 0))
                return
            case 2, 3, 4:
                self = .text(field.last(1)?.text ?? "")
                return
            case 5:
                self = .file(field.last(1)?.text ?? "")
                return
            case 7:
                guard let primitive = Self.primitive(field) else { return nil }
                self = primitive
                return
            default: continue
            }
        }
        return nil
    }

    private static func primitive(_ message: ProtobufMessage) -> ProtobufItem? {
        for (number, value) in message {
            switch (number, value) {
            case (1, _): return .value(type: CompiledValue.Kind.null, data: 0)
            case (2, _): return .value(type: CompiledValue.Kind.null, data: 1)
            case (3, .fixed32(let bits)): return .value(type: CompiledValue.Kind.float, data: bits)
            // From int_decimal_value to color_rgb4_value, of which the fourth kind begins the colours.
            case (6...8, .varint(let bits)):
                return .value(
                    type: CompiledValue.Kind.decimal + UInt8(number - 6), data: UInt32(truncatingIfNeeded: bits))
            case (9...12, .varint(let bits)):
                return .value(type: 0x1c + UInt8(number - 9), data: UInt32(truncatingIfNeeded: bits))
            default: continue
            }
        }
        return nil
    }
}
