/// The fields of one protocol buffer message, in the order of its bytes.
///
/// Android app bundles keep manifest, resources and XML so (AOSP, aapt2: Resources.proto). A message that breaks off
/// ends where it does; `isWhole` tells.
struct ProtobufMessage: Sequence, IteratorProtocol {
    enum Value {
        case varint(UInt64)
        case fixed32(UInt32)
        case fixed64
        case bytes(ArraySlice<UInt8>)

        var number: UInt64? { if case .varint(let value) = self { value } else { nil } }
        var message: ProtobufMessage? { if case .bytes(let bytes) = self { ProtobufMessage(bytes) } else { nil } }
        var text: String? { if case .bytes(let bytes) = self { String(decoding: bytes, as: UTF8.self) } else { nil } }
    }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// Its fields end with its bytes; checked at this level alone.
    var isWhole: Bool {
        var copy = self
        while copy.next() != nil {}
        return copy.rest.isEmpty
    }

    /// The last of that number, as the format has it for what does not repeat.
    func last(_ number: Int) -> Value? { reduce(nil) { $1.number == number ? $1.value : $0 } }

    mutating func next() -> (number: Int, value: Value)? {
        let start = rest
        guard let key = varint(), key >> 3 > 0, key >> 3 < 1 << 29, let value = value(Int(key & 7)) else {
            rest = start
            return nil
        }
        return (Int(key >> 3), value)
    }

    private mutating func value(_ wireType: Int) -> Value? {
        switch wireType {
        case 0: return varint().map { .varint($0) }
        case 1: return take(8).map { _ in .fixed64 }
        case 2: return varint().flatMap { Int(exactly: $0) }.flatMap { take($0) }.map { .bytes($0) }
        case 5: return take(4).map { .fixed32($0.reversed().reduce(0) { $0 << 8 | UInt32($1) }) }
        default: return nil
        }
    }

    private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    private mutating func varint() -> UInt64? {
        var value: UInt64 = 0
        // Ten bytes carry 64 bits; bits beyond are nobody's.
        for (index, byte) in rest.prefix(10).enumerated() {
            value |= UInt64(byte & 0x7f) << UInt64(7 * index)
            if byte & 0x80 == 0 {
                rest = rest.dropFirst(index + 1)
                return value
            }
        }
        return nil
    }
}
