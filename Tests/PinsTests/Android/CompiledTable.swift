@testable import Pins

/// Writes resource tables, compiled (resources.arsc) and as protocol buffers (resources.pb).
struct CompiledTable {
    enum Layout { case plain, sparse, offset16, compact }

    struct Entry {
        var id: Int
        var value: ResourceTable.Value
        /// Of the SDK; 0 for the default.
        var sdk = 0
    }

    static func bytes(_ entries: [Entry], layout: Layout = .plain, isUTF8: Bool = true) -> [UInt8] {
        var strings: [String] = []
        var types: [UInt8] = []
        for entry in entries {
            var value = CompiledBytes()
            let (type, data): (Int, Int) =
                switch entry.value {
                case .text(let text):
                    (3, add(text, to: &strings))
                case .reference(let id): (1, Int(id))
                case .number(let type, let data): (Int(type), Int(data))
                }
            if layout == .compact {
                value.add16(0)
                value.add16(8 | type << 8)
                value.add32(data)
            } else {
                value.add16(8)
                value.add16(0)
                value.add32(0)
                value.add16(8)
                value.add8(0)
                value.add8(type)
                value.add32(data)
            }
            types += self.type(entry, value.bytes, layout)
        }
        let pool = CompiledBytes.pool(["t"])
        let header = CompiledBytes.words(0x7f) + Array(repeating: 0, count: 256) + CompiledBytes.words(0, 0, 0, 0, 0)
        let package = CompiledBytes.chunk(0x0200, header: header, pool + pool + types)
        return CompiledBytes.chunk(
            2, header: CompiledBytes.words(1), CompiledBytes.pool(strings, isUTF8: isUTF8) + package)
    }

    private static func add(_ text: String, to strings: inout [String]) -> Int {
        if let index = strings.firstIndex(of: text) { return index }
        strings.append(text)
        return strings.count - 1
    }

    /// One chunk for each entry: a type has one for each configuration.
    private static func type(_ entry: Entry, _ value: [UInt8], _ layout: Layout) -> [UInt8] {
        let index = entry.id & 0xffff
        var offsets = CompiledBytes()
        var count = index + 1
        switch layout {
        case .sparse:
            offsets.add16(index)
            offsets.add16(0)
            count = 1
        case .offset16:
            for _ in 0..<index { offsets.add16(0xffff) }
            offsets.add16(0)
            offsets.align()
        default:
            for _ in 0..<index { offsets.add32(-1) }
            offsets.add32(0)
        }
        var header = CompiledBytes()
        header.add8(entry.id >> 16)
        header.add8(layout == .sparse ? 1 : layout == .offset16 ? 2 : 0)
        header.add16(0)
        header.add32(count)
        // Behind the header with a configuration of 28 bytes, and the offsets.
        header.add32(20 + 28 + offsets.bytes.count)
        var config = CompiledBytes()
        config.add32(28)
        while config.bytes.count < 24 { config.add8(0) }
        config.add16(entry.sdk)
        config.add16(0)
        return CompiledBytes.chunk(0x0201, header: header.bytes + config.bytes, offsets.bytes + value)
    }
}

/// Writes protocol buffers.
struct ProtobufBytes {
    static func varint(_ value: Int) -> [UInt8] {
        var out: [UInt8] = []
        var rest = UInt64(value)
        repeat {
            out.append(UInt8(rest & 0x7f) | (rest > 0x7f ? 0x80 : 0))
            rest >>= 7
        } while rest > 0
        return out
    }

    static func field(_ number: Int, _ value: Int) -> [UInt8] { varint(number << 3) + varint(value) }
    static func field(_ number: Int, _ bytes: [UInt8]) -> [UInt8] {
        varint(number << 3 | 2) + varint(bytes.count) + bytes
    }
    static func field(_ number: Int, _ text: String) -> [UInt8] { field(number, Array(text.utf8)) }

    /// resources.pb.
    static func table(_ entries: [CompiledTable.Entry]) -> [UInt8] {
        let values = entries.map { entry in
            let item: [UInt8] =
                switch entry.value {
                case .text(let text): text.hasPrefix("res/") ? field(5, field(1, text)) : field(2, field(1, text))
                case .reference(let id): field(1, field(2, Int(id)))
                case .number(_, let data): field(7, field(6, Int(data)))
                }
            let config = entry.sdk == 0 ? [] : field(3, entry.sdk)
            return (id: entry.id, bytes: field(6, field(1, config) + field(2, field(4, item))))
        }
        // In steps, each with its type: as one expression it takes the compiler a quarter of a minute.
        let ids = Set(values.map(\.id)).sorted()
        var types: [UInt8] = []
        for type in Set(ids.map { $0 >> 16 }).sorted() {
            var entries: [UInt8] = []
            for id in ids where id >> 16 == type {
                let bytes: [UInt8] = values.filter { $0.id == id }.flatMap(\.bytes)
                let named: [UInt8] = field(1, field(1, id & 0xffff)) + field(2, "name")
                entries += field(3, named + bytes)
            }
            let number: [UInt8] = field(1, field(1, type & 0xff))
            types += field(3, number + entries)
        }
        let package: [UInt8] = field(1, field(1, 0x7f))
        return field(1, "source pool") + field(2, package + types)
    }

    /// An XmlNode of an element.
    static func xml(_ element: XMLElement) -> [UInt8] {
        var out = field(1, field(1, "android") + field(2, CompiledXML.android)) + field(3, element.name)
        for attribute in element.attributes {
            var bytes = attribute.name.hasPrefix("android:") ? field(1, CompiledXML.android) : []
            bytes += field(2, attribute.localName) + field(3, attribute.value) + field(4, field(1, attribute.line))
            if let compiled = attribute.compiled {
                bytes += field(5, Int(compiled.resource))
                switch compiled.type {
                case CompiledValue.Kind.reference: bytes += field(6, field(1, field(2, Int(compiled.data))))
                case CompiledValue.Kind.boolean: bytes += field(6, field(7, field(8, compiled.data == 0 ? 0 : 1)))
                case CompiledValue.Kind.decimal: bytes += field(6, field(7, field(6, Int(compiled.data))))
                default: break
                }
            }
            out += field(4, bytes)
        }
        out += field(5, field(2, "\n  "))
        if !element.text.isEmpty { out += field(5, field(2, element.text) + field(3, field(1, element.textLine))) }
        for child in element.children { out += field(5, xml(child)) }
        return field(1, out) + field(3, field(1, element.line))
    }
}
