/// The certificates of a key store of Bouncy Castle's (BKS), as Android apps carry them.
///
/// They stand in it in the clear, whatever its password is. The layout is that of `BcKeyStoreSpi.saveStore`: a version, a
/// salt, rounds, and entries until a zero. A store as a whole encrypted (UBER) begins alike, and is found damaged.
enum BouncyCastleStore {
    private static let entryLimit = 10_000
    /// Bytes of the salt, which every version writes.
    private static let saltSize = 20
    private static let name = "key store of Bouncy Castle"

    /// nil where the bytes are no such store.
    static func certificates(in bytes: [UInt8]) throws(PinMaterialFault) -> [PinMaterial]? {
        var reader = JavaKeyStore.Reader(rest: bytes[...])
        guard let version = reader.number(4), version <= 2, reader.number(4) == saltSize,
            reader.bytes(saltSize) != nil, reader.number(4) != nil
        else { return nil }
        var out: [PinMaterial] = []
        for _ in 0..<entryLimit {
            guard let kind = reader.number(1) else { throw broken }
            if kind == 0 { return out }
            guard kind <= 4, reader.text() != nil, reader.number(8) != nil, let chain = reader.number(4),
                chain <= entryLimit
            else { throw broken }
            for _ in 0..<chain { out.append(try certificate(&reader)) }
            switch kind {
            case 1: out.append(try certificate(&reader))
            case 2:
                // A key in the clear: its kind, its format, its algorithm.
                guard reader.number(1) != nil, reader.text() != nil, reader.text() != nil, reader.block() != nil else {
                    throw broken
                }
            default: guard reader.block() != nil else { throw broken }
            }
        }
        throw broken
    }

    private static let broken = PinMaterialFault.damaged(name, OpenSSLError(operation: "read its entries", entries: []))

    private static func certificate(_ reader: inout JavaKeyStore.Reader) throws(PinMaterialFault) -> PinMaterial {
        guard reader.text() != nil, let der = reader.block() else { throw broken }
        do throws(OpenSSLError) { return PinMaterial(try Certificate(der: Array(der))) } catch {
            throw .damaged(name, error)
        }
    }
}
