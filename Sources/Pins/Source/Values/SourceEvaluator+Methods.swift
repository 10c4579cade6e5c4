/// What is known of methods of texts, lists and dictionaries; what is not leaves a call.
extension SourceEvaluator {
    private static let copies: Set<String> = [
        "toTypedArray", "toList", "toSet", "toMutableList", "toMutableSet", "toArray", "asList", "stream", "asSequence",
        "toHashSet", "asIterable", "clone", "copyOf", "iterator", "distinct", "sorted", "collect", "toMap",
        "toSortedSet",
        "toMutableMap", "filterNotNull", "orEmpty", "toString", "trimIndent", "trimMargin", "toUri", "toURL",
        "toHttpUrl", "cast",
        "toHttpUrlOrNull", "toURI", "asCollection", "parallelStream", "toUrl", "absoluteString", "trim", "strip",
        "intern",
        "unmodifiable", "requireNoNulls", "asStream", "eraseToAnyCollection",
    ]

    func method(_ call: SourceCall, line: Int, _ environment: Environment, depth: Int) -> SourceItem? {
        guard let receiver = call.receiver else { return nil }
        let closure =
            call.closure
            ?? call.arguments.lazy.compactMap { argument -> Int? in
                if case .closure(let place) = argument.item.value { place } else { nil }
            }.first
        switch receiver.value {
        case .text(let text):
            if let made = Self.method(call.method, ofText: text, call.arguments.map(\.item)) {
                return made.map { SourceItem($0, line: receiver.line) }
            }
        case .list(let items):
            if let made = method(call.method, ofList: items, receiver, call, closure, environment, depth: depth) {
                return made
            }
        case .dictionary(let entries):
            if let made = method(call.method, ofDictionary: entries, receiver, call, closure, environment, depth: depth)
            {
                return made
            }
        case .pair:
            let name =
                ["getKey": "key", "getValue": "value", "getFirst": "first", "getSecond": "second"][call.method]
                ?? call.method
            if let made = property(name, of: receiver, at: 0, depth: depth) { return made }
        case .type(let type):
            if ["values", "entries"].contains(call.method) {
                return property("allCases", of: receiver, at: 0, depth: depth)
            }
            if ["getInstance", "shared", "getDefault"].contains(call.method), index.functions[call.method] == nil {
                return SourceItem(.type(type), line: line)
            }
        case .call(let made):
            if index.types[made.name] != nil, call.arguments.isEmpty {
                // A getter by its Java name, or a record's.
                let bare = call.method.hasPrefix("get") ? String(call.method.dropFirst(3)) : call.method
                for name in [call.method, bare.prefix(1).lowercased() + bare.dropFirst()] {
                    if let found = property(name, of: receiver, at: 0, depth: depth) { return found }
                }
            }
        default: break
        }
        switch call.method {
        case "let", "run", "also", "apply":
            guard let closure else { return nil }
            if call.method == "apply" || call.method == "also" {
                return filled(receiver, by: closure, environment, depth: depth + 1)
            }
            return invoke(closure, [receiver], environment, depth: depth + 1)
        default: return nil
        }
    }

    /// nil: not known; a value of nil: known to be none.
    private static func method(_ name: String, ofText text: String, _ items: [SourceItem]) -> SourceValue?? {
        let first = items.first?.text
        switch name {
        case "trim", "strip", "trimmingCharacters":
            return .some(.text(String(text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())))
        case "removePrefix", "deletingPrefix":
            return first.map { .text(text.hasPrefix($0) ? String(text.dropFirst($0.count)) : text) }
        case "removeSuffix": return first.map { .text(text.hasSuffix($0) ? String(text.dropLast($0.count)) : text) }
        case "lowercase", "lowercased", "toLowerCase": return .some(.text(text.lowercased()))
        case "uppercase", "uppercased", "toUpperCase": return .some(.text(text.uppercased()))
        case "plus", "concat", "appending": return first.map { .text(text + $0) }
        case "replace", "replacingOccurrences", "replaceAll":
            guard items.count >= 2, let wanted = items[0].text, let with = items[1].text, !wanted.isEmpty,
                text.utf8.count < 4096
            else { return nil }
            // A regular expression is not followed.
            guard name != "replaceAll" || wanted.allSatisfy({ $0.isLetter || $0.isNumber || $0 == ":" || $0 == "-" })
            else { return nil }
            return .some(.text(text.split(separator: wanted, omittingEmptySubsequences: false).joined(separator: with)))
        case "split", "components":
            guard let first, !first.isEmpty else { return nil }
            let parts = text.split(separator: first, omittingEmptySubsequences: false)
            return .some(.list(parts.map { SourceItem(.text(String($0)), line: 1) }))
        case "getHost", "host": return URLHost.host(of: text).map { .text($0) }
        case "format": return formatted(SourceItem(.text(text), line: 1), items).map(\.value)
        case "substringAfter":
            return first.flatMap { separator in
                text.split(separator: separator, maxSplits: 1, omittingEmptySubsequences: false).last.map {
                    .text(String($0))
                }
            }
        default: return copies.contains(name) ? .some(.text(text)) : nil
        }
    }

    private func method(
        _ name: String, ofList items: [SourceItem], _ receiver: SourceItem, _ call: SourceCall, _ closure: Int?,
        _ environment: Environment, depth: Int
    ) -> SourceItem? {
        let line = receiver.line
        let arguments = call.arguments.map(\.item)
        switch name {
        case "map", "mapNotNull", "compactMap", "flatMap", "mapTo", "associateWith", "associate":
            guard let closure, items.count <= Self.sizeLimit else { return nil }
            let made = items.map { item in
                (
                    item,
                    invoke(closure, [item], environment, depth: depth + 1)
                        ?? SourceItem(.unknown(call.name), line: item.line)
                )
            }
            switch name {
            case "associateWith":
                return SourceItem(.dictionary(made.map { SourceEntry(key: $0.0, value: $0.1) }), line: line)
            case "associate": return SourceItem(.dictionary(Self.entries(made.map(\.1))), line: line)
            case "flatMap": return SourceItem(.list(made.flatMap { $0.1.flattened }), line: line)
            default: return SourceItem(.list(made.map(\.1)), line: line)
            }
        case "get", "elementAt", "objectAtIndex:":
            return arguments.first.flatMap { Self.element($0, of: receiver) }
        case "first": return items.first
        case "last": return items.last
        case "plus", "union", "concat", "appending":
            return arguments.first.flatMap { Self.joined(receiver, $0) }
        case "joinToString", "join", "joined":
            let texts = items.map(\.text)
            guard texts.allSatisfy({ $0 != nil }) else { return nil }
            let separator = arguments.first?.text ?? (name == "joinToString" ? ", " : "")
            let text = texts.compactMap { $0 }.joined(separator: separator)
            return text.utf8.count <= Self.sizeLimit ? SourceItem(.text(text), line: line) : nil
        case "withIndex", "enumerated":
            return SourceItem(
                .list(
                    items.enumerated().map {
                        SourceItem(.pair(SourceItem(.number($0), line: $1.line), $1), line: $1.line)
                    }), line: line)
        case "onEach": return receiver
        case "asMap", "toMap": return SourceItem(.dictionary(Self.entries(items)), line: line)
        default: return Self.copies.contains(name) ? receiver : nil
        }
    }

    private func method(
        _ name: String, ofDictionary entries: [SourceEntry], _ receiver: SourceItem, _ call: SourceCall,
        _ closure: Int?,
        _ environment: Environment, depth: Int
    ) -> SourceItem? {
        switch name {
        case "get", "getValue", "getOrDefault", "getOrElse", "objectForKey:":
            return call.arguments.first.flatMap { Self.element($0.item, of: receiver) }
        case "keySet", "keys": return property("keys", of: receiver, at: 0, depth: depth)
        case "values": return property("values", of: receiver, at: 0, depth: depth)
        case "entrySet", "entries", "toList": return property("entries", of: receiver, at: 0, depth: depth)
        case "map", "mapNotNull", "compactMap", "flatMap":
            return property("entries", of: receiver, at: 0, depth: depth).flatMap {
                method(name, ofList: $0.list ?? [], $0, call, closure, environment, depth: depth)
            }
        case "mapValues":
            guard let closure else { return nil }
            return SourceItem(
                .dictionary(
                    entries.map { entry in
                        let given =
                            source.language == .swift
                            ? entry.value : SourceItem(.pair(entry.key, entry.value), line: entry.key.line)
                        let value = invoke(closure, [given], environment, depth: depth + 1)
                        return SourceEntry(
                            key: entry.key, value: value ?? SourceItem(.unknown(call.name), line: entry.value.line))
                    }), line: receiver.line)
        case "plus", "merging": return call.arguments.first.flatMap { Self.joined(receiver, $0.item) }
        default: return Self.copies.contains(name) ? receiver : nil
        }
    }
}
