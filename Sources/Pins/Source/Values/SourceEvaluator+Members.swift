/// What is done with a value: members, calls, subscripts.
extension SourceEvaluator {
    /// The value behind one step, and the place behind it; nil where the operand is over.
    func postfix(
        _ next: SourceToken, _ item: SourceItem, from start: Int, at: Int, _ environment: Environment, depth: Int
    ) -> (SourceItem, Int)? {
        guard next.kind == .symbol else { return nil }
        switch next.text {
        case ".", "?.", "->":
            guard next.text != "->" || source.language == .objectiveC || source.language == .cpp else { return nil }
            guard let name = source[at + 1] else { return nil }
            if let place = name.number {
                return (property(String(place), of: item, at: at, depth: depth) ?? unknown(start, at + 2), at + 2)
            }
            guard name.isIdentifier else { return nil }
            return member(name.text, of: item, from: start, at: at + 1, environment, depth: depth)
        case "..", "?..":
            guard source.language == .dart else { return nil }
            // A cascade leaves the value as it is.
            var end = at + 1
            while let token = source[end], !token.is(";"), !token.is(","), !token.is(")"), !token.is(".."),
                !token.is("}")
            {
                let partner = source.end(of: end)
                end = token.kind == .symbol && partner > end && partner < source.tokens.count ? partner + 1 : end + 1
            }
            return (item, end)
        case "!", "!!":
            return next.text == "!!" || source.language != .kotlin && !next.startsLine ? (item, at + 1) : nil
        case "(":
            guard isCall(at) else { return nil }
            switch item.value {
            case .closure(let place):
                let values = arguments(of: at, environment, depth: depth).map(\.item)
                return (
                    invoke(place, values, environment, depth: depth) ?? unknown(start, at + 1),
                    source.end(of: at) + 1
                )
            case .type(let name): return call(name, receiver: nil, from: start, open: at, environment, depth: depth)
            default: return nil
            }
        case "[":
            guard isCall(at), source.language != .objectiveC || source[at - 1]?.isIdentifier == true else { return nil }
            let end = source.end(of: at)
            let key = source.parts(of: at).first.map { value(of: $0, environment, depth: depth + 1) }
            let element = key.flatMap { Self.element($0, of: item) }
            var unknown = unknown(start, min(end + 1, source.tokens.count))
            if item.dictionary != nil, let key, key.text == nil, case .unknown(let text) = unknown.value {
                unknown.value = .unknown("\(text) by a key that is not known")
            }
            return (element ?? unknown, end + 1)
        default: return nil
        }
    }

    private func member(
        _ name: String, of item: SourceItem, from start: Int, at place: Int, _ environment: Environment, depth: Int
    ) -> (SourceItem, Int) {
        var at = place + 1
        if let end = genericEnd(at) { at = end }
        if source.isSymbol("(", at: at), isCall(at) {
            return call(name, receiver: item, from: start, open: at, environment, depth: depth)
        }
        if source.isSymbol("{", at: at), source.language.hasTrailingClosures, Self.closureFunctions.contains(name) {
            return call(name, receiver: item, from: start, open: nil, closure: at, environment, depth: depth)
        }
        return (property(name, of: item, at: place, depth: depth) ?? unknown(start, place + 1), place + 1)
    }

    static func element(_ key: SourceItem, of item: SourceItem) -> SourceItem? {
        switch (item.value, key.value) {
        case (.list(let items), .number(let place)): items.indices.contains(place) ? items[place] : nil
        case (.dictionary(let entries), .text(let text)): entries.last { $0.key.text == text }?.value
        default: nil
        }
    }

    /// A member that is no call; nil where it is not known.
    func property(_ name: String, of item: SourceItem, at place: Int, depth: Int) -> SourceItem? {
        switch item.value {
        case .type(let type):
            if let found = member(name, of: type, depth: depth + 1) { return found }
            if let cases = cases(of: type), ["allCases", "entries", "values"].contains(name) {
                return SourceItem(.list(cases), line: item.line)
            }
            if let inherited = superCall(of: type, depth: depth), inherited.name != type,
                let found = property(
                    name, of: SourceItem(.call(inherited), line: item.line), at: place, depth: depth + 1)
            {
                return found
            }
            // `self.x` of a name that is not the type's own: one of an outer type, or of the file.
            if index.types[name] != nil { return SourceItem(.type(name), line: item.line) }
            if ["shared", "Companion", "INSTANCE", "instance", "default"].contains(name) { return item }
            if source.isWord("self", at: place - 2) || source.isWord("this", at: place - 2) {
                return lookUp(name, at: place, [:], depth: depth + 1)
            }
            return nil
        case .call(let call):
            if let field = field(name, of: call, line: item.line) { return field }
            if index.types[call.name] != nil { return member(name, of: call.name, depth: depth + 1) }
            if ["rawValue", "af", "value"].contains(name) { return item }
            return SourceItem(.call(SourceCall(name: name, receiver: item, arguments: [])), line: item.line)
        case .unknown(let text):
            // A qualified name: `com.example.Pins.LEAF`.
            if index.types[name] != nil, text.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "." || $0 == "_" }) {
                return SourceItem(.type(name), line: item.line)
            }
            if let type = text.split(separator: ".").last, type.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }),
                let found = neighbours?.member(name, of: String(type), for: self, line: item.line, depth: depth + 1)
            {
                return found
            }
            // As much of it as a message can show.
            return text.utf8.count > 200 ? item : SourceItem(.unknown("\(text).\(name)"), line: item.line)
        case .pair(let first, let second):
            return switch name {
            case "first", "key", "0", "left", "component1": first
            case "second", "value", "1", "right", "component2": second
            default: nil
            }
        case .text(let text):
            return Self.property(name, ofText: text).map { SourceItem(.text($0), line: item.line) }
        case .list(let items):
            if let number = Int(name) { return items.indices.contains(number) ? items[number] : nil }
            switch name {
            case "first": return items.first
            case "last": return items.last
            case "indices":
                return SourceItem(
                    .list(items.indices.map { SourceItem(.number($0), line: item.line) }), line: item.line)
            case "values", "entries", "lazy": return item
            default: return nil
            }
        case .dictionary(let entries):
            switch name {
            case "keys", "allKeys": return SourceItem(.list(entries.map(\.key)), line: item.line)
            case "values", "allValues": return SourceItem(.list(entries.map(\.value)), line: item.line)
            case "entries":
                return SourceItem(
                    .list(entries.map { SourceItem(.pair($0.key, $0.value), line: $0.key.line) }), line: item.line)
            default: return entries.last { $0.key.text == name }?.value
            }
        case .number, .bool: return ["rawValue", "value"].contains(name) ? item : nil
        case .null, .closure: return nil
        }
    }

    private static func property(_ name: String, ofText text: String) -> String? {
        switch name {
        case "host", "authority": URLHost.host(of: text)
        case "rawValue", "value", "utf8", "description", "bytes": text
        default: nil
        }
    }

    /// Of a value of a type that this file defines: its constructor's argument.
    private func field(_ name: String, of call: SourceCall, line: Int) -> SourceItem? {
        if let argument = call.arguments.first(where: { $0.label == name }) { return argument.item }
        guard let type = index.types[call.name] else { return nil }
        // Java's fields are what its constructor takes by the same names.
        let fields =
            type.fields.isEmpty
            ? index.functions[call.name].flatMap { $0.count == 1 ? $0[0].parameters : nil } ?? [] : type.fields
        guard let place = fields.firstIndex(where: { $0.name == name }) else { return nil }
        if let given = call.argument(nil, place) { return given }
        return fields[place].fallback.map { expression(at: $0, [:], depth: Self.depthLimit / 2).item }
    }

    /// `object Prod : Env("…")`: what it gives to the constructor of its supertype.
    private func superCall(of type: String, depth: Int) -> SourceCall? {
        guard depth < Self.depthLimit, let open = index.types[type]?.superCall, let parent = source[open - 1],
            index.types[parent.text] != nil
        else { return nil }
        return SourceCall(name: parent.text, arguments: arguments(of: open, [:], depth: depth + 1))
    }

    /// The cases of an enumeration that have values.
    private func cases(of type: String) -> [SourceItem]? {
        guard let found = index.types[type], found.isEnumeration else { return nil }
        let cases = index.declarations.values.joined().filter { $0.owner == type && $0.scope == found.body }
            .filter { declaration in
                if case .enumCase = declaration.kind { return true }
                return source.isWord("case", at: declaration.place - 1)
            }.sorted { $0.place < $1.place }
        return cases.compactMap { member($0.name, of: type, depth: 8) }
    }
}

/// The host of a URL that is written out.
enum URLHost {
    /// nil where there is none; without its port, and without brackets.
    static func host(of text: String) -> String? {
        guard let scheme = text.range(separator: "://") else { return nil }
        var rest = text[scheme...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        if let at = rest.lastIndex(of: "@") { rest = rest[rest.index(after: at)...] }
        if rest.first == "[" { return rest.dropFirst().split(separator: "]").first.map(String.init) }
        let host = rest.prefix { $0 != ":" }
        return host.isEmpty ? nil : String(host)
    }
}

extension String {
    /// Behind the first place at which something stands.
    fileprivate func range(separator: String) -> String.Index? {
        let wanted = Array(separator.utf8)
        let bytes = utf8
        var at = bytes.startIndex
        while at < bytes.endIndex {
            if bytes[at...].starts(with: wanted) { return bytes.index(at, offsetBy: wanted.count) }
            at = bytes.index(after: at)
        }
        return nil
    }
}
