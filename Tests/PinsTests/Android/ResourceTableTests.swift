import Testing

@testable import Pins

@Suite("Resource tables")
struct ResourceTableTests {
    static let entries: [CompiledTable.Entry] = [
        .init(id: 0x7f03_0002, value: .text("res/xml-v24/nsc.xml"), sdk: 24),
        .init(id: 0x7f03_0002, value: .text("res/aB.xml")),
        .init(id: 0x7f03_0002, value: .reference(0x7f03_0005), sdk: 30),
        .init(id: 0x7f03_0005, value: .text("res/c.xml")),
        .init(id: 0x7f03_0006, value: .reference(0x7f03_0007)),
        .init(id: 0x7f03_0007, value: .reference(0x7f03_0006)),
        .init(id: 0x7f05_0000, value: .number(type: 0x10, data: 1)),
        .init(id: 0x7f04_0000, value: .text("1.2.3")),
    ]

    private func check(_ table: ResourceTable) {
        #expect(table.paths(of: 0x7f03_0002) == ["res/aB.xml", "res/xml-v24/nsc.xml", "res/c.xml"])
        #expect(table.entries(of: 0x7f03_0002).map(\.isDefault) == [true, false, false])
        #expect(table.text(of: 0x7f04_0000) == "1.2.3")
        #expect(table.number(of: 0x7f05_0000) == 1 && table.number(of: 0x7f04_0000) == nil)
        // A ring, another entry, another type, another package.
        for id in [0x7f03_0006, 0x7f03_0001, 0x7f03_ffff, 0x7f09_0000, 0x0103_0002, 0] as [UInt32] {
            #expect(table.values(of: id).isEmpty)
        }
    }

    @Test(
        "entries are found by number in every layout, the default first, references followed",
        arguments: [CompiledTable.Layout.plain, .sparse, .offset16, .compact])
    func compiled(layout: CompiledTable.Layout) throws {
        check(try ResourceTable(compiled: CompiledTable.bytes(Self.entries, layout: layout)))
    }

    @Test("the same of a bundle's table")
    func protobuf() throws {
        check(try ResourceTable(protobuf: ProtobufBytes.table(Self.entries)))
        #expect(ResourceTable().values(of: 0x7f03_0002).isEmpty)
    }

    @Test("a table that is cut or changed anywhere neither traps nor hangs")
    func hostile() throws {
        for (bytes, isCompiled) in [
            (CompiledTable.bytes(Self.entries, layout: .sparse), true), (CompiledTable.bytes(Self.entries), true),
            (ProtobufBytes.table(Self.entries), false),
        ] {
            func ask(_ bytes: [UInt8]) {
                guard
                    let table = try? isCompiled ? ResourceTable(compiled: bytes) : ResourceTable(protobuf: bytes)
                else { return }
                for id in [0x7f03_0002, 0x7f04_0000, 0x7f03_ffff] as [UInt32] { _ = table.values(of: id) }
            }
            for count in 0..<bytes.count { ask(Array(bytes[..<count])) }
            for index in bytes.indices {
                for mask in [0x01, 0x80, 0xff] as [UInt8] {
                    var other = bytes
                    other[index] ^= mask
                    ask(other)
                }
            }
        }
        #expect(throws: PinFileFault.self) { try ResourceTable(compiled: [2, 0, 12, 0, 255, 0, 0, 0]) }
        #expect(throws: PinFileFault.self) { try ResourceTable(protobuf: [0xff]) }
    }
}
