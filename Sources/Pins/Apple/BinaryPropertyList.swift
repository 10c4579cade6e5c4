/// Reads `bplist00`: objects, a table of their offsets, and a trailer.
///
/// Source: CFBinaryPList.c of Apple's CoreFoundation.
///
/// Objects refer to each other by number, so that a file of a kilobyte may stand for as many values as there are atoms:
/// what is built is counted each time that it is referred to, cycles and depth are refused.
struct BinaryPropertyList {
    static let mark = Array("bplist00".utf8)
    private static let trailerSize = 32

    private let bytes: [UInt8]
    private let offsetSize: Int
    private let referenceSize: Int
    private let count: Int
    private let table: Int
    private var nodes = 0
    /// Containers that are being read: one that refers to one of them is in a cycle.
    private var open: Set<Int> = []
    /// A long string that is referred to often is decoded, and kept, once.
    private var leaves: [Int: PropertyList.Value] = [:]
    /// Bytes of strings and data that were decoded; objects that overlap could make many files of one.
    private var decoded = 0

    static func read(_ bytes: [UInt8]) throws(PinFileFault) -> PropertyList {
        var reader = try BinaryPropertyList(bytes)
        let top = try reader.number(at: bytes.count - 16, size: 8)
        guard let top = Int(exactly: top) else { throw fault("its top object does not exist") }
        return try reader.object(top)
    }

    private init(_ bytes: [UInt8]) throws(PinFileFault) {
        guard bytes.starts(with: Self.mark), bytes.count >= Self.mark.count + 1 + Self.trailerSize else {
            throw Self.fault("it is cut off")
        }
        guard bytes.count <= XMLReader.sizeLimit else {
            throw Self.fault("it has more than \(XMLReader.sizeLimit >> 20) MB, the most that is read of one")
        }
        self.bytes = bytes
        let trailer = bytes.count - Self.trailerSize
        offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
            let count = Self.plainNumber(bytes, trailer + 8), let table = Self.plainNumber(bytes, trailer + 24),
            // Each object takes a byte and an entry of the table at least, so neither product can overflow.
            count > 0, count <= bytes.count, table >= Self.mark.count, table <= trailer,
            count * offsetSize <= trailer - table
        else { throw Self.fault("its trailer is broken, or it is cut off") }
        self.count = count
        self.table = table
    }

    private static func fault(_ message: String) -> PinFileFault {
        PinFileFault(line: 1, "the binary property list is broken: \(message)")
    }

    private static func plainNumber(_ bytes: [UInt8], _ at: Int) -> Int? {
        Int(exactly: bytes[at..<(at + 8)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }

    // MARK: Objects

    private mutating func object(_ index: Int) throws(PinFileFault) -> PropertyList {
        nodes += 1
        guard nodes <= PropertyList.nodeLimit else {
            throw PinFileFault(
                line: 1, "it stands for more than \(PropertyList.nodeLimit) values, the most that are read")
        }
        guard index >= 0, index < count else { throw Self.fault("it refers to an object that it does not have") }
        if let leaf = leaves[index] { return PropertyList(leaf) }
        let offset = try number(at: table + index * offsetSize, size: offsetSize)
        guard let at = Int(exactly: offset), at >= Self.mark.count, at < table else {
            throw Self.fault("an object lies outside of it")
        }
        let kind = bytes[at] >> 4
        guard kind == 0xa || kind == 0xc || kind == 0xd else {
            let value = try leaf(at)
            leaves[index] = value
            return PropertyList(value)
        }
        guard open.count < PropertyList.depthLimit else {
            throw PinFileFault(line: 1, "it is nested more than \(PropertyList.depthLimit) deep")
        }
        guard open.insert(index).inserted else { throw Self.fault("a container contains itself") }
        defer { open.remove(index) }
        return PropertyList(kind == 0xd ? try dictionary(at) : .array(try array(at)))
    }

    private mutating func array(_ at: Int) throws(PinFileFault) -> [PropertyList] {
        let (count, start) = try length(at, unit: referenceSize)
        var values: [PropertyList] = []
        for place in 0..<count { values.append(try object(try reference(start + place * referenceSize))) }
        return values
    }

    private mutating func dictionary(_ at: Int) throws(PinFileFault) -> PropertyList.Value {
        let (count, start) = try length(at, unit: 2 * referenceSize)
        var entries: [PropertyList.Entry] = []
        for place in 0..<count {
            guard let key = try object(try reference(start + place * referenceSize)).string else {
                throw Self.fault("a key is no string")
            }
            let value = try object(try reference(start + (count + place) * referenceSize))
            entries.append(.init(key, value))
        }
        return .dictionary(entries)
    }

    private mutating func leaf(_ at: Int) throws(PinFileFault) -> PropertyList.Value {
        let low = bytes[at] & 0xf
        switch bytes[at] >> 4 {
        case 0x0 where low == 8: return .boolean(false)
        case 0x0 where low == 9: return .boolean(true)
        case 0x1 where low <= 4:
            // Of 16 bytes, which hold what is unsigned and over 63 bits, the lower eight are taken, as Apple does.
            let size = 1 << Int(low)
            let tail = try number(at: at + 1 + max(0, size - 8), size: min(size, 8))
            return .integer(Int64(bitPattern: tail))
        case 0x2 where low == 2:
            return .real(Double(Float(bitPattern: UInt32(truncatingIfNeeded: try number(at: at + 1, size: 4)))))
        case 0x2 where low == 3: return .real(Double(bitPattern: try number(at: at + 1, size: 8)))
        case 0x3 where low == 3:
            // Seconds since 2001.
            return .date(Double(bitPattern: try number(at: at + 1, size: 8)) + 978_307_200)
        case 0x4:
            let (count, start) = try extent(at, unit: 1)
            return .data(Array(bytes[start..<(start + count)]))
        case 0x5:
            let (count, start) = try extent(at, unit: 1)
            return .string(String(decoding: bytes[start..<(start + count)], as: UTF8.self))
        case 0x6:
            let (count, start) = try extent(at, unit: 2)
            let units = (0..<count).map { UInt16(bytes[start + 2 * $0]) << 8 | UInt16(bytes[start + 2 * $0 + 1]) }
            return .string(String(decoding: units, as: UTF16.self))
        case 0x8 where low < 8: return .reference(try number(at: at + 1, size: Int(low) + 1))
        default: throw Self.fault("an object is of a kind that is not known")
        }
    }

    // MARK: Numbers

    /// How many units of so many bytes an object has, and where they begin; all of them lie before the table.
    private func length(_ at: Int, unit: Int) throws(PinFileFault) -> (count: Int, start: Int) {
        var count = Int(bytes[at] & 0xf)
        var start = at + 1
        if count == 15 {
            guard start < table, bytes[start] >> 4 == 1, bytes[start] & 0xf <= 3 else {
                throw Self.fault("a length is no number")
            }
            let size = 1 << Int(bytes[start] & 0xf)
            guard let long = Int(exactly: try number(at: start + 1, size: size)) else {
                throw Self.fault("an object is longer than the file")
            }
            count = long
            start += 1 + size
        }
        guard start <= table, count <= (table - start) / unit else {
            throw Self.fault("an object is longer than the file")
        }
        return (count, start)
    }

    /// Of a string or of data, which is counted.
    private mutating func extent(_ at: Int, unit: Int) throws(PinFileFault) -> (count: Int, start: Int) {
        let (count, start) = try length(at, unit: unit)
        decoded += count * unit
        guard decoded <= bytes.count else { throw Self.fault("its objects overlap") }
        return (count, start)
    }

    private func reference(_ at: Int) throws(PinFileFault) -> Int {
        guard let index = Int(exactly: try number(at: at, size: referenceSize)) else {
            throw Self.fault("it refers to an object that it does not have")
        }
        return index
    }

    private func number(at: Int, size: Int) throws(PinFileFault) -> UInt64 {
        guard at >= 0, at <= bytes.count - size else { throw Self.fault("it is cut off") }
        return bytes[at..<(at + size)].reduce(0) { $0 << 8 | UInt64($1) }
    }
}
