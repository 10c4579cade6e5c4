/// The outermost members of JSON objects, found without reading what is in them.
///
/// For bodies of which there may be no more than a beginning: what was cut off is left out, or lacks its end.
struct JSONOutline {
    /// One value as it is written.
    struct Value {
        var bytes: ArraySlice<UInt8>

        var isString: Bool { bytes.first == UInt8(ascii: "\"") }

        /// Of a string: its text, as far as names and documents need it. Escapes beyond ASCII become question marks.
        var text: [UInt8] {
            guard isString else { return [] }
            var rest = bytes.dropFirst()
            var out: [UInt8] = []
            out.reserveCapacity(rest.count)
            while let byte = rest.popFirst() {
                switch byte {
                case UInt8(ascii: "\""): return out
                case UInt8(ascii: "\\"): out.append(Self.escaped(&rest))
                default: out.append(byte)
                }
            }
            return out
        }

        private static func escaped(_ rest: inout ArraySlice<UInt8>) -> UInt8 {
            guard let byte = rest.popFirst() else { return UInt8(ascii: "?") }
            switch byte {
            case UInt8(ascii: "n"): return UInt8(ascii: "\n")
            case UInt8(ascii: "r"): return UInt8(ascii: "\r")
            case UInt8(ascii: "t"): return UInt8(ascii: "\t")
            case UInt8(ascii: "u"):
                let digits = rest.prefix(4)
                rest = rest.dropFirst(4)
                let value = UInt16(String(decoding: digits, as: UTF8.self), radix: 16) ?? 0xffff
                return value < 0x80 ? UInt8(value) : UInt8(ascii: "?")
            default: return byte
            }
        }
    }

    /// Of an array's objects: batches of more exist only in attacks.
    static let objectLimit = 50
    /// Of one object's members: those that matter stand among the first.
    static let memberLimit = 100

    private var rest: ArraySlice<UInt8>

    /// Those of the object that the text is, or of each object in the array that it is; the last of equal names counts.
    static func objects(in text: ArraySlice<UInt8>) -> [[String: Value]] {
        var reader = JSONOutline(rest: text)
        reader.skipSpace()
        guard reader.rest.first == UInt8(ascii: "[") else { return reader.object().map { [$0] } ?? [] }
        reader.rest.removeFirst()
        var objects: [[String: Value]] = []
        while objects.count < objectLimit {
            reader.skipSpace()
            guard let object = reader.object() else { break }
            objects.append(object)
            reader.skipSpace()
            guard reader.rest.popFirst() == UInt8(ascii: ",") else { break }
        }
        return objects
    }

    private mutating func object() -> [String: Value]? {
        guard rest.first == UInt8(ascii: "{") else { return nil }
        rest.removeFirst()
        var members: [String: Value] = [:]
        for _ in 0..<Self.memberLimit {
            skipSpace()
            if rest.first == UInt8(ascii: "}") {
                rest.removeFirst()
                break
            }
            guard rest.first == UInt8(ascii: "\"") else { break }
            let name = Value(bytes: value()).text
            skipSpace()
            guard rest.popFirst() == UInt8(ascii: ":") else { break }
            skipSpace()
            members[String(decoding: name, as: UTF8.self)] = Value(bytes: value())
            skipSpace()
            if rest.first == UInt8(ascii: ",") { rest.removeFirst() }
        }
        return members
    }

    private mutating func skipSpace() {
        rest = rest.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0a || $0 == 0x0d }
    }

    /// To the value's end, or to the text's.
    private mutating func value() -> ArraySlice<UInt8> {
        let start = rest
        var depth = 0
        while let byte = rest.first {
            switch byte {
            case UInt8(ascii: "\""): skipString()
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                rest.removeFirst()
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth > 0 { rest.removeFirst() }
                depth -= 1
            case UInt8(ascii: ",") where depth == 0: return start[..<rest.startIndex]
            default: rest.removeFirst()
            }
            let isScalar =
                depth == 0 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "}") && byte != UInt8(ascii: "]")
            if depth <= 0, !isScalar { break }
        }
        return start[..<rest.startIndex]
    }

    private mutating func skipString() {
        rest.removeFirst()
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\\") { rest = rest.dropFirst() }
            if byte == UInt8(ascii: "\"") { return }
        }
    }
}
