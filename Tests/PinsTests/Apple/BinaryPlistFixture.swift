@testable import Pins

/// Writes binary property lists for tests, sound ones and others.
struct BinaryPlistFixture {
    /// Encoded objects; container objects refer to others by their place here, in one byte.
    var objects: [[UInt8]] = []

    static func string(_ text: String) -> [UInt8] { marked(0x50, text.utf8.count) + Array(text.utf8) }

    static func marked(_ kind: UInt8, _ count: Int) -> [UInt8] {
        if count < 15 { return [kind | UInt8(count)] }
        return [kind | 15, 0x11, UInt8(count >> 8 & 255), UInt8(count & 255)]
    }

    static func array(_ references: [Int]) -> [UInt8] { marked(0xa0, references.count) + references.map { UInt8($0) } }

    static func dictionary(_ pairs: [(Int, Int)]) -> [UInt8] {
        marked(0xd0, pairs.count) + pairs.map { UInt8($0.0) } + pairs.map { UInt8($0.1) }
    }

    func bytes(top: Int = 0) -> [UInt8] {
        var out = Array("bplist00".utf8)
        var table: [UInt8] = []
        for object in objects {
            table += Self.bigEndian(out.count, 4)
            out += object
        }
        let start = out.count
        out += table + [0, 0, 0, 0, 0, 0, 4, 1]
        out += Self.bigEndian(objects.count, 8) + Self.bigEndian(top, 8) + Self.bigEndian(start, 8)
        return out
    }

    static func bigEndian(_ number: Int, _ size: Int) -> [UInt8] {
        (0..<size).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    /// A value that has no more than 255 objects.
    init(_ value: PropertyList.Value) { _ = add(value) }
    init(objects: [[UInt8]]) { self.objects = objects }

    private mutating func add(_ value: PropertyList.Value) -> Int {
        let place = objects.count
        objects.append([])
        switch value {
        case .dictionary(let entries):
            let pairs = entries.map { (add(.string($0.key)), add($0.value.value)) }
            objects[place] = Self.dictionary(pairs)
        case .array(let values): objects[place] = Self.array(values.map { add($0.value) })
        case .string(let text): objects[place] = Self.string(text)
        case .boolean(let flag): objects[place] = [flag ? 9 : 8]
        case .integer(let number): objects[place] = [0x13] + Self.bigEndian(Int(number), 8)
        case .data(let bytes): objects[place] = Self.marked(0x40, bytes.count) + bytes
        case .real, .date, .reference: objects[place] = [0]
        }
        return place
    }
}
