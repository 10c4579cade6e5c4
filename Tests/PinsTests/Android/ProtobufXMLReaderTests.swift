import Testing

@testable import Pins

@Suite("A bundle's XML")
struct ProtobufXMLReaderTests {
    @Test("it reads as compiled XML does")
    func same() throws {
        let source = BinaryXMLReaderTests.compiled(try XMLReader.read(AppSample.config))
        let compiled = try BinaryXMLReader.read(CompiledXML.bytes(source))
        let file = try AndroidConfigReader.read(try ProtobufXMLReader.read(ProtobufBytes.xml(source)), path: "nsc")
        let expected = try AndroidConfigReader.read(compiled, path: "nsc")
        #expect(file.hosts == expected.hosts && file.hosts.count == 1)
        #expect(file.settings == expected.settings && file.settings.count == 1)
    }

    @Test("texts on both sides of a comment stay two, and blank ones are none")
    func text() throws {
        let node = { (text: String) in ProtobufBytes.field(5, ProtobufBytes.field(2, text)) }
        func read(_ texts: [String]) throws -> XMLElement {
            try ProtobufXMLReader.read(
                ProtobufBytes.field(1, ProtobufBytes.field(3, "a") + texts.flatMap(node)))
        }
        #expect(try read([" ", "x", "\n"]).text == "x" && read([" ", "x", "\n"]).hasSplitText == false)
        #expect(try read(["x", "y"]).hasSplitText)
    }

    @Test("one that is cut or changed anywhere neither traps nor hangs, and depth is bounded")
    func hostile() throws {
        let bytes = ProtobufBytes.xml(BinaryXMLReaderTests.compiled(try XMLReader.read(AppSample.config)))
        // Without its last field, the line of the root, it is whole again.
        for count in stride(from: 0, to: bytes.count - 4, by: 3) {
            #expect(throws: PinFileFault.self) { try ProtobufXMLReader.read(Array(bytes[..<count])) }
        }
        for index in stride(from: 0, to: bytes.count, by: 3) {
            var other = bytes
            other[index] ^= index % 2 == 0 ? 0xff : 0x01
            _ = try? ProtobufXMLReader.read(other)
        }
        var deep = XMLElement("a")
        for _ in 0..<XMLReader.depthLimit { deep = XMLElement("a", children: [deep]) }
        #expect(throws: PinFileFault.self) { try ProtobufXMLReader.read(ProtobufBytes.xml(deep)) }
    }
}
