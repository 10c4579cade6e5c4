@testable import Flows

/// As much of HPACK as tests need: literals, and a dynamic table without a limit; no Huffman codes.
///
/// Each of its blocks adds what it says to the table, so that a block that is lost makes those after it unreadable.
final class TestHPACK: HeaderBlockDecoder {
    /// Of every decoder of a test, in the order in which they were allowed.
    final class Log {
        var tables: [[Int]] = []
    }

    private var table: [HeaderField] = []
    private let log: Log?
    private let number: Int

    init(_ log: Log? = nil) {
        self.log = log
        number = log?.tables.count ?? 0
        log?.tables.append([])
    }

    static func tools(_ log: Log? = nil) -> DecodingTools {
        DecodingTools(headerBlocks: { TestHPACK(log) }, inflater: { _ in nil })
    }

    func allowTable(of size: Int) { log?.tables[number].append(size) }

    func decode(_ block: [UInt8]) throws(DecodingFault) -> [HeaderField] {
        var at = 0
        var fields: [HeaderField] = []
        while at < block.count {
            let first = block[at]
            at += 1
            if first & 0x80 != 0 {
                let place = Int(first & 0x7f) - 62
                guard table.indices.contains(place) else {
                    throw DecodingFault(offset: at - 1, reason: "no field has index \(first & 0x7f)")
                }
                fields.append(table[place])
                continue
            }
            guard first == 0 || first == 0x40 else { throw DecodingFault(offset: at - 1, reason: "not in tests") }
            let name = try string(block, &at)
            let field = HeaderField(name: name, value: try string(block, &at))
            if first == 0x40 { table.insert(field, at: 0) }
            fields.append(field)
        }
        return fields
    }

    private func string(_ block: [UInt8], _ at: inout Int) throws(DecodingFault) -> ArraySlice<UInt8> {
        guard at < block.count, block[at] < 127, at + 1 + Int(block[at]) <= block.count else {
            throw DecodingFault(offset: at, reason: "a string does not fit")
        }
        defer { at += 1 + Int(block[at]) }
        return block[(at + 1)..<(at + 1 + Int(block[at]))]
    }

    /// - Parameter first: 0 leaves the table alone, 0x40 adds every field.
    static func encode(_ fields: [(String, String)], first: UInt8 = 0) -> [UInt8] {
        fields.flatMap { name, value in
            [first, UInt8(name.utf8.count)] + Array(name.utf8) + [UInt8(value.utf8.count)] + Array(value.utf8)
        }
    }
}
