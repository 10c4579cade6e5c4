/// What the resource numbers of an app stand for, by the device's configuration.
///
///     let table = try ResourceTable(compiled: arsc)       // an APK's resources.arsc
///     table.paths(of: 0x7f03_0000)                        // ["res/xml/nsc.xml", "res/xml-v24/nsc.xml"]
///
/// Nothing is read but what is asked for: tables have a million entries, and an inspection asks for five.
struct ResourceTable {
    enum Value: Hashable {
        /// In an APK files are texts, too: their paths.
        case text(String)
        case number(type: UInt8, data: UInt32)
        case reference(UInt32)
    }

    struct Entry: Hashable {
        /// For every device that no other entry is for.
        var isDefault: Bool
        var value: Value
    }

    /// References in a row; the platform follows 20.
    static let hopLimit = 20
    /// Resources that one leads to; an alias for each kind of device is a handful.
    static let aliasLimit = 16
    /// Entries of one type: their numbers have 16 bits.
    static let typeLimit = 1 << 16
    /// Configurations of one resource; every language and density together are some hundred.
    static let entryLimit = 1000

    private enum Storage {
        case none
        case compiled(CompiledResourceTable)
        case protobuf(ProtobufResourceTable)
    }

    private let storage: Storage

    /// Without an entry.
    init() { storage = .none }

    /// - Throws: where it is broken.
    init(compiled bytes: [UInt8]) throws(PinFileFault) { storage = .compiled(try CompiledResourceTable(bytes)) }

    init(protobuf bytes: [UInt8]) throws(PinFileFault) { storage = .protobuf(try ProtobufResourceTable(bytes)) }

    /// Every text of an APK's resources, in pieces: it may be in UTF-16, and is not found as it stands there.
    ///
    /// - Parameter limit: bytes in all.
    func compiledTexts(limit: Int, _ take: (_ piece: [UInt8]) -> Void) {
        if case .compiled(let table) = storage { table.texts(limit: limit, take) }
    }

    /// The default first, else as they stand there.
    func entries(of id: UInt32) -> [Entry] {
        let found: [Entry] =
            switch storage {
            case .none: []
            case .compiled(let table): table.entries(of: id)
            case .protobuf(let table): table.entries(of: id)
            }
        return found.filter(\.isDefault) + found.filter { !$0.isDefault }
    }

    /// References followed, each value once.
    func values(of id: UInt32) -> [Value] {
        var values: [Value] = []
        var ids = [id]
        var seen: Set<UInt32> = [id]
        for _ in 0...Self.hopLimit where !ids.isEmpty {
            let entries = ids.flatMap(entries)
            ids = []
            for entry in entries {
                if case .reference(let next) = entry.value {
                    if seen.count < Self.aliasLimit, seen.insert(next).inserted { ids.append(next) }
                } else if values.count < Self.entryLimit, !values.contains(entry.value) {
                    values.append(entry.value)
                }
            }
        }
        return values
    }

    /// Files by their path, for a resource of type `xml` or `raw`.
    func paths(of id: UInt32) -> [String] {
        values(of: id).compactMap { if case .text(let path) = $0 { path } else { nil } }
    }

    /// The default text, and where there is none, the first.
    func text(of id: UInt32) -> String? { paths(of: id).first }

    func number(of id: UInt32) -> UInt32? {
        for case .number(let type, let data) in values(of: id) where CompiledValue.Kind.integers.contains(type) {
            return data
        }
        return nil
    }
}
