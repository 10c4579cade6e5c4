/// What an expression of source code is, as far as its file shows it.
indirect enum SourceValue: Sendable {
    case text(String)
    case number(Int)
    case bool(Bool)
    case null
    /// Lists, sets, arrays and tuples of more than two.
    case list([SourceItem])
    case dictionary([SourceEntry])
    case pair(SourceItem, SourceItem)
    /// A call of something that is not defined here, or of a constructor.
    case call(SourceCall)
    /// A type of this file.
    case type(String)
    /// A function without a name: the place of its first token.
    case closure(Int)
    /// Not to be known from this file, as written.
    case unknown(String)
}

/// A value, and the line on which it stands.
struct SourceItem: Sendable {
    var value: SourceValue
    /// From 1: of the literal itself, not of the name by which it is used.
    var line: Int

    init(_ value: SourceValue, line: Int) {
        self.value = value
        self.line = line
    }
}

/// A key and its value, and the line on which they are put together.
struct SourceEntry: Sendable {
    var key: SourceItem
    var value: SourceItem
    /// From 1: of the entry, not of what its key was once called.
    var line: Int

    init(key: SourceItem, value: SourceItem, line: Int? = nil) {
        self.key = key
        self.value = value
        self.line = line ?? key.line
    }
}

/// A call as written, with what its arguments are.
struct SourceCall: Sendable {
    struct Argument: Sendable {
        var label: String?
        var item: SourceItem
    }

    /// With dots: `Base64.decode`; of an Objective-C message its selector.
    var name: String
    var receiver: SourceItem?
    var arguments: [Argument]
    /// The place of the `{` of a trailing closure.
    var closure: Int?

    /// The last part of its name.
    var method: String { name.split(separator: ".").last.map(String.init) ?? name }

    /// By its label, or by its place among those without one.
    func argument(_ label: String?, _ place: Int? = nil) -> SourceItem? {
        if let label, let found = arguments.first(where: { $0.label == label }) { return found.item }
        guard let place else { return nil }
        let unlabelled = arguments.filter { $0.label == nil }
        return unlabelled.indices.contains(place) ? unlabelled[place].item : nil
    }
}

extension SourceItem {
    var text: String? { if case .text(let text) = value { text } else { nil } }
    var list: [SourceItem]? { if case .list(let list) = value { list } else { nil } }
    var dictionary: [SourceEntry]? { if case .dictionary(let entries) = value { entries } else { nil } }
    var call: SourceCall? { if case .call(let call) = value { call } else { nil } }
    var isNull: Bool { if case .null = value { true } else { false } }

    /// As the languages at hand write it: `true`, `@YES`, `1`, `NSNumber(value: true)`.
    var bool: Bool? {
        switch value {
        case .bool(let bool): bool
        case .number(let number): number != 0
        case .text(let text): ["YES": true, "NO": false, "true": true, "false": false][text]
        case .call(let call) where ["NSNumber", "numberWithBool:"].contains(call.method):
            call.arguments.first?.item.bool
        default: nil
        }
    }

    /// Itself, or what a list and the lists within it hold.
    var flattened: [SourceItem] {
        guard case .list(let items) = value else { return [self] }
        return items.flatMap(\.flattened)
    }

    /// For a message: what stands there.
    var shown: String {
        switch value {
        case .text(let text): "\"\(text)\""
        case .number(let number): "\(number)"
        case .bool(let bool): "\(bool)"
        case .null: "null"
        case .list(let items):
            items.prefix(3).map(\.shown).joined(separator: ", ")
                + (items.count > 3 ? ", …" : items.isEmpty ? "nothing" : "")
        case .dictionary, .pair: "a collection"
        case .call(let call): "\(call.name)(…)"
        case .type(let name): name
        case .closure: "a function"
        case .unknown(let text): text.isEmpty ? "an expression" : text
        }
    }
}
