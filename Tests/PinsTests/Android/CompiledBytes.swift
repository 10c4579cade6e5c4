@testable import Pins

/// Writes parts of compiled resources as Android's compiler does, for tests.
struct CompiledBytes {
    var bytes: [UInt8] = []

    mutating func add8(_ value: Int) { bytes.append(UInt8(truncatingIfNeeded: value)) }
    mutating func add16(_ value: Int) {
        add8(value)
        add8(value >> 8)
    }
    mutating func add32(_ value: Int) {
        add16(value)
        add16(value >> 16)
    }
    mutating func align() { while bytes.count % 4 != 0 { add8(0) } }

    /// A chunk: its type, what its header has beyond the first eight bytes, and its body.
    static func chunk(_ type: Int, header: [UInt8] = [], _ body: [UInt8]) -> [UInt8] {
        var out = CompiledBytes()
        out.add16(type)
        out.add16(8 + header.count)
        out.add32(8 + header.count + body.count)
        return out.bytes + header + body
    }

    static func words(_ values: Int...) -> [UInt8] {
        var out = CompiledBytes()
        for value in values { out.add32(value) }
        return out.bytes
    }

    /// - Parameter repeated: so many offsets lead to the last string.
    static func pool(_ strings: [String], isUTF8: Bool = true, repeated: Int = 1) -> [UInt8] {
        var offsets = CompiledBytes()
        var texts = CompiledBytes()
        for string in strings {
            offsets.add32(texts.bytes.count)
            if isUTF8 {
                for length in [string.utf16.count, string.utf8.count] {
                    if length > 0x7f { texts.add8(length >> 8 | 0x80) }
                    texts.add8(length)
                }
                texts.bytes += Array(string.utf8) + [0]
            } else {
                if string.utf16.count > 0x7fff { texts.add16(string.utf16.count >> 16 | 0x8000) }
                texts.add16(string.utf16.count)
                for unit in string.utf16 { texts.add16(Int(unit)) }
                texts.add16(0)
            }
        }
        texts.align()
        let last = offsets.bytes.suffix(4)
        for _ in 1..<repeated { offsets.bytes += last }
        let start = 28 + offsets.bytes.count
        return chunk(
            1, header: words(strings.count + repeated - 1, 0, isUTF8 ? 0x100 : 0, start, 0), offsets.bytes + texts.bytes
        )
    }
}

/// Writes compiled XML (ResXMLTree) of an element.
struct CompiledXML {
    static let android = "http://schemas.android.com/apk/res/android"

    private let isUTF8: Bool
    private var strings: [String] = []
    private var resources: [Int] = []
    private var nodes: [UInt8] = []

    /// Attributes named `android:…` have that namespace, and the resource of their `compiled`.
    static func bytes(_ root: XMLElement, isUTF8: Bool = true) -> [UInt8] {
        var writer = CompiledXML(isUTF8: isUTF8)
        writer.collectResources(root)
        let space = [writer.index("android"), writer.index(android)]
        writer.nodes += node(0x0100, line: root.line, CompiledBytes.words(space[0], space[1]))
        writer.add(root)
        writer.nodes += node(0x0101, line: root.line, CompiledBytes.words(space[0], space[1]))
        var map = CompiledBytes()
        for resource in writer.resources { map.add32(resource) }
        return CompiledBytes.chunk(
            3,
            CompiledBytes.pool(writer.strings, isUTF8: isUTF8) + CompiledBytes.chunk(0x0180, map.bytes) + writer.nodes)
    }

    private init(isUTF8: Bool) { self.isUTF8 = isUTF8 }

    /// Names with resources come first in the pool: the map has the same order.
    private mutating func collectResources(_ element: XMLElement) {
        for attribute in element.attributes {
            guard let resource = attribute.compiled?.resource, resource != 0 else { continue }
            let name = XMLElement.local(attribute.name)
            guard !strings.contains(name) else { continue }
            strings.append(name)
            resources.append(Int(resource))
        }
        for child in element.children { collectResources(child) }
    }

    private mutating func index(_ string: String) -> Int {
        if let index = strings.firstIndex(of: string) { return index }
        strings.append(string)
        return strings.count - 1
    }

    private static func node(_ type: Int, line: Int, _ body: [UInt8]) -> [UInt8] {
        CompiledBytes.chunk(type, header: CompiledBytes.words(line, -1), body)
    }

    private mutating func add(_ element: XMLElement) {
        var body = CompiledBytes()
        body.add32(-1)
        body.add32(index(element.name))
        for value in [20, 20, element.attributes.count, 0, 0, 0] { body.add16(value) }
        for attribute in element.attributes {
            let hasSpace = attribute.name.hasPrefix("android:")
            let isText = attribute.compiled == nil || attribute.compiled?.type == CompiledValue.Kind.string
            let value = isText ? index(attribute.value) : -1
            body.add32(hasSpace ? index(Self.android) : -1)
            body.add32(index(attribute.localName))
            body.add32(value)
            body.add16(8)
            body.add8(0)
            body.add8(isText ? 3 : Int(attribute.compiled?.type ?? 0))
            body.add32(isText ? value : Int(attribute.compiled?.data ?? 0))
        }
        nodes += Self.node(0x0102, line: element.line, body.bytes)
        if element.text.contains(where: { !$0.isWhitespace }) {
            let text = CompiledBytes.words(index(element.text), 8, 0)
            nodes += Self.node(0x0104, line: element.textLine, text)
        }
        for child in element.children { add(child) }
        nodes += Self.node(0x0103, line: element.line, CompiledBytes.words(-1, index(element.name)))
    }
}
