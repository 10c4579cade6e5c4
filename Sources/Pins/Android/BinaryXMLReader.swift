import Facts

/// Android's compiled XML (AOSP, ResourceTypes.h: ResXMLTree), with the lines of its source.
///
///     BinaryXMLReader.recognises(bytes)           // 03 00 08 00
///     let root = try BinaryXMLReader.read(bytes)
///
/// Attributes have `compiled` values. A prefix is kept where the document declares one; the platform goes by resource
/// ids in a manifest and by bare names elsewhere.
package struct BinaryXMLReader {
    /// Bytes of text put together from the pool: each use of a string may cost its length again.
    static let textLimit = 16 << 20

    /// Chunk types.
    private enum Chunk {
        static let stringPool = 0x0001
        static let xml = 0x0003
        static let startNamespace = 0x0100
        static let startElement = 0x0102
        static let endElement = 0x0103
        static let text = 0x0104
        static let resourceMap = 0x0180
    }

    private let bytes: LittleEndianBytes
    private var pool = StringPool.empty
    private var resources: Range<Int> = 0..<0
    private var prefixes: [String: String] = [:]
    private var open: [XMLElement] = []
    private var root: XMLElement?
    private var nodes = 0
    private var textBytes = 0

    package static func recognises(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [3, 0, 8, 0]) }

    /// - Throws: where it is broken or over a bound.
    package static func read(_ bytes: [UInt8]) throws(PinFileFault) -> XMLElement {
        guard bytes.count <= XMLReader.sizeLimit else {
            throw PinFileFault(
                line: nil, "it has more than \(XMLReader.sizeLimit >> 20) MB, the most that is read of an XML file")
        }
        var reader = BinaryXMLReader(bytes: LittleEndianBytes(bytes))
        return try reader.document()
    }

    private init(bytes: LittleEndianBytes) { self.bytes = bytes }

    private static func broken(_ what: String) -> PinFileFault {
        PinFileFault(line: nil, "the compiled XML is broken: \(what)")
    }

    private mutating func document() throws(PinFileFault) -> XMLElement {
        guard let whole = bytes.chunk(at: 0, before: bytes.count), whole.type == Chunk.xml else {
            throw Self.broken("it is shorter than it says")
        }
        var at = whole.body.lowerBound
        while at < whole.body.upperBound {
            guard let chunk = bytes.chunk(at: at, before: whole.body.upperBound) else {
                throw Self.broken("a chunk at byte \(at) ends outside of it")
            }
            try read(chunk)
            at = chunk.whole.upperBound
        }
        if let last = open.last { throw Self.broken("it ends within <\(Printable.excerpt(last.name))>") }
        guard let root else { throw Self.broken("there is no element in it") }
        return root
    }

    private mutating func read(_ chunk: LittleEndianBytes.Chunk) throws(PinFileFault) {
        switch chunk.type {
        case Chunk.stringPool where pool.isEmpty:
            guard let pool = StringPool(bytes, chunk) else { throw Self.broken("its strings end outside of it") }
            self.pool = pool
        case Chunk.resourceMap: resources = chunk.body
        case Chunk.startNamespace:
            let at = chunk.body.lowerBound
            if let prefix = try string(bytes.uint32(at)), let name = try string(bytes.uint32(at + 4)) {
                prefixes[name] = prefix
            }
        case Chunk.startElement: try startElement(chunk)
        case Chunk.endElement: try endElement()
        case Chunk.text: try text(chunk)
        default: break
        }
    }

    private mutating func startElement(_ chunk: LittleEndianBytes.Chunk) throws(PinFileFault) {
        let at = chunk.body.lowerBound
        let inside = LittleEndianBytes(bytes, upTo: chunk.whole.upperBound)
        guard let name = try string(inside.uint32(at + 4)), let start = inside.uint16(at + 8),
            let size = inside.uint16(at + 10), let count = inside.uint16(at + 12)
        else { throw Self.broken("an element at byte \(chunk.whole.lowerBound) has no name") }
        guard root == nil || !open.isEmpty else { throw Self.broken("there is more than one outermost element") }
        guard open.count < XMLReader.depthLimit else {
            throw Self.broken("elements lie more than \(XMLReader.depthLimit) deep")
        }
        var element = XMLElement(name, line: line(of: chunk))
        try visit(1 + count)
        guard count == 0 || size >= 20 else { throw Self.broken("an attribute has \(size) bytes, and needs 20") }
        for index in 0..<count {
            guard let attribute = try attribute(inside, at: at + start + index * size, line: element.line) else {
                throw Self.broken("the attributes of <\(Printable.excerpt(name))> end outside of it")
            }
            element.attributes.append(attribute)
        }
        open.append(element)
    }

    private mutating func attribute(
        _ inside: LittleEndianBytes, at: Int, line: Int
    ) throws(PinFileFault) -> XMLElement.Attribute? {
        guard let space = inside.uint32(at), let nameIndex = inside.uint32(at + 4), let raw = inside.uint32(at + 8),
            let type = inside.uint8(at + 15), let data = inside.uint32(at + 16)
        else { return nil }
        var name = try string(nameIndex) ?? ""
        if let space = try string(space) {
            name = "\(prefixes[space] ?? "unknown"):\(name)"
            try spend(name)
        }
        let compiled = CompiledValue(resource: resource(of: nameIndex), type: type, data: data)
        var value = try string(raw)
        if value == nil { value = type == CompiledValue.Kind.string ? try string(data) : compiled.text }
        return XMLElement.Attribute(name, value ?? "", line: line, compiled: compiled)
    }

    /// Names and resources have the same index.
    private func resource(of name: UInt32) -> UInt32 {
        let at = resources.lowerBound + Int(name) * 4
        return at + 4 <= resources.upperBound ? bytes.uint32(at) ?? 0 : 0
    }

    private mutating func endElement() throws(PinFileFault) {
        guard let element = open.popLast() else { throw Self.broken("an element ends that has not begun") }
        if open.isEmpty {
            root = element
        } else {
            open[open.count - 1].children.append(element)
        }
    }

    private mutating func text(_ chunk: LittleEndianBytes.Chunk) throws(PinFileFault) {
        try visit(1)
        guard !open.isEmpty, let text = try string(bytes.uint32(chunk.body.lowerBound)) else { return }
        try spend(text)
        let last = open.count - 1
        if !open[last].text.isEmpty { open[last].hasSplitText = true }
        open[last].text += text
    }

    private func line(of chunk: LittleEndianBytes.Chunk) -> Int {
        // The node's own header is that long: its line follows the chunk's eight bytes.
        max(1, Int(bytes.uint32(chunk.whole.lowerBound + 8) ?? 1) & 0xff_ffff)
    }

    private mutating func string(_ index: UInt32?) throws(PinFileFault) -> String? {
        guard let index, index != UInt32.max else { return nil }
        let (text, isNew) = pool.string(Int(index))
        if isNew, let text { try spend(text) }
        return text
    }

    private mutating func spend(_ text: String) throws(PinFileFault) {
        textBytes += text.utf8.count
        guard textBytes <= Self.textLimit else {
            throw Self.broken("its strings come to more than \(Self.textLimit >> 20) MB")
        }
    }

    private mutating func visit(_ more: Int) throws(PinFileFault) {
        nodes += more
        guard nodes <= XMLReader.nodeLimit else {
            throw Self.broken("it has more than \(XMLReader.nodeLimit) elements and attributes")
        }
    }
}

extension CompiledValue {
    /// As the platform makes a string of it (AOSP, TypedValue.java), as far as configurations have it.
    var text: String {
        switch type {
        case Kind.null: data == 1 ? "@empty" : "@null"
        case Kind.reference, Kind.dynamicReference: "@0x\(String(data, radix: 16))"
        case Kind.attribute: "?0x\(String(data, radix: 16))"
        case Kind.boolean: data != 0 ? "true" : "false"
        case Kind.hexadecimal: "0x\(String(data, radix: 16))"
        case Kind.float: "\(Float(bitPattern: data))"
        case let type where Kind.integers.contains(type): "\(Int32(bitPattern: data))"
        default: ""
        }
    }
}
