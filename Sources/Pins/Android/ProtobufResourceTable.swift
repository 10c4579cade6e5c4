/// An app bundle's `resources.pb` (AOSP, aapt2: Resources.proto, ResourceTable).
struct ProtobufResourceTable {
    private let table: ProtobufMessage

    init(_ bytes: [UInt8]) throws(PinFileFault) {
        table = ProtobufMessage(bytes[...])
        guard table.isWhole else { throw PinFileFault(line: nil, "resources.pb is no resource table, or is cut") }
    }

    func entries(of id: UInt32) -> [ResourceTable.Entry] {
        let package = Self.messages(2, of: table).first { Self.id(of: $0) == id >> 24 }
        let type = package.flatMap { Self.messages(3, of: $0).first { Self.id(of: $0) == id >> 16 & 0xff } }
        let entry = type.flatMap {
            Self.messages(3, of: $0).prefix(ResourceTable.typeLimit).first { Self.id(of: $0) == id & 0xffff }
        }
        guard let entry else { return [] }
        return Self.messages(6, of: entry).prefix(ResourceTable.entryLimit).compactMap(Self.entry)
    }

    private static func messages(_ number: Int, of message: ProtobufMessage) -> some Sequence<ProtobufMessage> {
        message.lazy.filter { $0.number == number }.compactMap { $0.value.message }
    }

    /// Packages, types and entries all have theirs in a message of its own; without one it is 0.
    private static func id(of message: ProtobufMessage) -> UInt32 {
        UInt32(truncatingIfNeeded: message.last(1)?.message?.last(1)?.number ?? 0)
    }

    private static func entry(_ config: ProtobufMessage) -> ResourceTable.Entry? {
        guard let item = config.last(2)?.message?.last(4)?.message.flatMap(ProtobufItem.init) else { return nil }
        let value: ResourceTable.Value =
            switch item {
            case .text(let text), .file(let text): .text(text)
            case .value(CompiledValue.Kind.reference, let data): .reference(data)
            case .value(let type, let data): .number(type: type, data: data)
            }
        // A configuration without a field is the default.
        let isDefault = config.last(1)?.message?.first { _ in true } == nil
        return ResourceTable.Entry(isDefault: isDefault, value: value)
    }
}
