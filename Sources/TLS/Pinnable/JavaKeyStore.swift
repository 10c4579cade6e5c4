/// The certificates of a Java key store in its old form, JKS or JCEKS.
///
/// They stand in it in the clear; its keys are encrypted, and their public halves are in their certificates. The layout
/// is that of OpenJDK's `sun.security.provider.JavaKeyStore`: big-endian, texts with a length of two bytes before them.
enum JavaKeyStore {
    private static let entryLimit = 10_000

    /// nil where the bytes are no such store.
    static func certificates(in bytes: [UInt8]) throws(PinMaterialFault) -> [PinMaterial]? {
        guard bytes.starts(with: [0xfe, 0xed, 0xfe, 0xed]) || bytes.starts(with: [0xce, 0xce, 0xce, 0xce]) else {
            return nil
        }
        var reader = Reader(rest: bytes[4...])
        guard let version = reader.number(4), version == 1 || version == 2, let count = reader.number(4),
            count <= entryLimit
        else { throw broken }
        var out: [PinMaterial] = []
        for _ in 0..<count {
            guard let tag = reader.number(4), reader.text() != nil, reader.number(8) != nil else { throw broken }
            switch tag {
            case 1:
                guard reader.block() != nil, let chain = reader.number(4), chain <= entryLimit else { throw broken }
                for _ in 0..<chain { out.append(try certificate(&reader, version)) }
            case 2: out.append(try certificate(&reader, version))
            // A secret key of JCEKS is a serialised object, whose end only Java finds.
            default: return out
            }
        }
        return out
    }

    private static let broken = PinMaterialFault.damaged(
        "Java key store", OpenSSLError(operation: "read its entries", entries: []))

    private static func certificate(_ reader: inout Reader, _ version: Int) throws(PinMaterialFault) -> PinMaterial {
        if version == 2, reader.text() == nil { throw broken }
        guard let der = reader.block() else { throw broken }
        do throws(OpenSSLError) { return PinMaterial(try Certificate(der: Array(der))) } catch {
            throw .damaged("Java key store", error)
        }
    }

    /// Numbers and texts as Java's DataOutputStream writes them.
    struct Reader {
        var rest: ArraySlice<UInt8>

        mutating func number(_ size: Int) -> Int? {
            guard let bytes = bytes(size) else { return nil }
            return bytes.reduce(0) { $0 &<< 8 | Int($1) }
        }

        mutating func text() -> ArraySlice<UInt8>? { number(2).flatMap { bytes($0) } }
        mutating func block() -> ArraySlice<UInt8>? { number(4).flatMap { bytes($0) } }

        mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
            guard count >= 0, count <= rest.count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }
    }
}
