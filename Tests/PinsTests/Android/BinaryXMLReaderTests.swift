import Facts
import Testing

@testable import Pins

@Suite("Compiled XML")
struct BinaryXMLReaderTests {
    private static let source = """
        <network-security-config>
          <base-config cleartextTrafficPermitted="false"/>
          <domain-config>
            <domain includeSubdomains="true">api.exämple.com</domain>
            <pin-set expiration="2027-06-01">
              <pin digest="SHA-256">AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=</pin>
            </pin-set>
            <trust-anchors><certificates src="@raw/my_ca" overridePins="true"/></trust-anchors>
          </domain-config>
        </network-security-config>
        """

    /// As the resource compiler leaves it.
    static func compiled(_ element: XMLElement) -> XMLElement {
        var out = element
        for index in out.attributes.indices {
            let value: CompiledValue? =
                switch out.attributes[index].value {
                case "true": CompiledValue(type: CompiledValue.Kind.boolean, data: UInt32.max)
                case "false": CompiledValue(type: CompiledValue.Kind.boolean, data: 0)
                case let text where text.hasPrefix("@"):
                    CompiledValue(type: CompiledValue.Kind.reference, data: 0x7f01_0000)
                default: nil
                }
            out.attributes[index].compiled = out.attributes[index].compiled ?? value
        }
        out.children = out.children.map(compiled)
        return out
    }

    @Test("it reads as its source does, in UTF-8 and UTF-16", arguments: [true, false])
    func same(isUTF8: Bool) throws {
        let source = try XMLReader.read(Self.source)
        let bytes = CompiledXML.bytes(Self.compiled(source), isUTF8: isUTF8)
        #expect(BinaryXMLReader.recognises(bytes) && AndroidConfigReader.recognises(PinFileContent(bytes)))
        let file = try AndroidConfigReader.read(PinFileContent(bytes), path: "nsc")
        var expected = try AndroidConfigReader.read(PinFileContent(Self.source), path: "nsc")
        // The compiled file has no name of the anchors any more.
        expected.notes = expected.notes.filter { $0.id != .privateAnchors && $0.id != .overridePins }
        #expect(file.hosts == expected.hosts)
        #expect(file.notes.filter { $0.id != .privateAnchors && $0.id != .overridePins } == expected.notes)
        #expect(file.settings.map(\.kind) == expected.settings.map(\.kind))
        let certificates = try BinaryXMLReader.read(bytes).children[1].first("trust-anchors")?.first("certificates")
        #expect(certificates?.attribute("src")?.value == "@0x7f010000" && certificates?.line == 8)
        #expect(certificates?.attribute("src")?.compiled?.reference == 0x7f01_0000)
    }

    @Test("values have their types, and attributes their resources")
    func values() throws {
        let attributes: [XMLElement.Attribute] = [
            .init("android:versionCode", "", line: 1, compiled: .init(resource: 0x0101_021b, type: 0x10, data: 45)),
            .init("android:theme", "", line: 1, compiled: .init(resource: 0x0101_0000, type: 0x01, data: 0x7f02_0003)),
            .init("hex", "", line: 1, compiled: .init(type: 0x11, data: 255)),
            .init("minus", "", line: 1, compiled: .init(type: 0x10, data: UInt32.max)),
            .init("yes", "", line: 1, compiled: .init(type: 0x12, data: 1)),
            .init("text", "true", line: 1),
        ]
        let root = try BinaryXMLReader.read(CompiledXML.bytes(XMLElement("manifest", attributes: attributes, line: 7)))
        #expect(root.line == 7)
        #expect(root.attributes.map(\.name) == ["android:versionCode", "android:theme", "hex", "minus", "yes", "text"])
        #expect(root.attributes.map(\.value) == ["45", "@0x7f020003", "0xff", "-1", "true", "true"])
        #expect(root.attributes.map { $0.compiled?.resource } == [0x0101_021b, 0x0101_0000, 0, 0, 0, 0])
        #expect(root.attributes.map { $0.compiled?.boolean } == [true, nil, true, true, true, nil])
    }

    @Test("a string that looks like a boolean is none to the platform")
    func strings() throws {
        var source = Self.compiled(try XMLReader.read(Self.source))
        source.children[1].children[0].attributes[0].compiled = nil
        let config = try AndroidConfigParser.parse(BinaryXMLReader.read(CompiledXML.bytes(source)))
        #expect(config.entries[0].domains.map(\.includesSubdomains) == [false])
    }

    @Test("a file cut anywhere is refused, and one with a bit turned neither traps nor hangs")
    func broken() throws {
        let bytes = CompiledXML.bytes(Self.compiled(try XMLReader.read(Self.source)))
        for count in 4..<bytes.count {
            #expect(throws: PinFileFault.self) { try BinaryXMLReader.read(Array(bytes[..<count])) }
        }
        for index in bytes.indices {
            var other = bytes
            other[index] ^= index % 3 == 0 ? 0xff : index % 3 == 1 ? 0x80 : 0x01
            _ = try? AndroidConfigReader.read(PinFileContent(other), path: "")
        }
    }

    @Test("depth, elements and text are bounded")
    func bounds() throws {
        var deep = XMLElement("a")
        for _ in 0..<XMLReader.depthLimit { deep = XMLElement("a", children: [deep]) }
        #expect(throws: PinFileFault.self) { try BinaryXMLReader.read(CompiledXML.bytes(deep)) }
        // One long text, used by many elements.
        let text = String(repeating: "x", count: 30_000)
        let bomb = XMLElement("a", children: Array(repeating: XMLElement("b", text: text), count: 600))
        #expect(throws: PinFileFault.self) { try BinaryXMLReader.read(CompiledXML.bytes(bomb)) }
    }
}
