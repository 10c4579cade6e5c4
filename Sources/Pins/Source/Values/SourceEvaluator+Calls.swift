/// Calls: of what makes a collection, of this file's own functions, and of what is known of texts and lists.
extension SourceEvaluator {
    /// Functions whose closure says something of their value, or of what is within it.
    static let closureFunctions: Set<String> = [
        "lazy", "run", "with", "apply", "also", "let", "buildList", "buildSet", "buildMap", "map", "mapNotNull",
        "compactMap",
        "flatMap", "forEach", "onEach", "associateWith", "associate", "mapValues", "forEachIndexed", "mapTo", "fold",
    ]

    private static let lists: Set<String> = [
        "listOf", "setOf", "arrayOf", "mutableListOf", "mutableSetOf", "arrayListOf", "hashSetOf", "linkedSetOf",
        "sortedSetOf",
        "listOfNotNull", "setOfNotNull", "emptyList", "emptySet", "emptyArray", "persistentListOf", "persistentSetOf",
        "immutableListOf", "immutableSetOf", "arrayOfNotNull", "sequenceOf", "flowOf",
        "Arrays.asList", "List.of", "Set.of", "ImmutableList.of", "ImmutableSet.of", "Collections.singletonList",
        "Collections.singleton", "Collections.singletonSet", "Stream.of", "Lists.newArrayList", "Sets.newHashSet",
        "Collections.emptyList", "Collections.emptySet", "Array.of", "EnumSet.of",
    ]
    private static let dictionaries: Set<String> = [
        "mapOf", "mutableMapOf", "hashMapOf", "linkedMapOf", "sortedMapOf", "emptyMap", "persistentMapOf",
        "immutableMapOf",
        "Map.ofEntries", "Collections.emptyMap",
    ]
    private static let alternating: Set<String> = ["Map.of", "ImmutableMap.of", "Collections.singletonMap"]
    /// They have their one argument's value, or its elements.
    private static let copies: Set<String> = [
        "ArrayList", "LinkedList", "HashSet", "LinkedHashSet", "TreeSet", "Set", "Array", "List", "NSSet", "NSArray",
        "HashMap",
        "LinkedHashMap", "TreeMap", "Map", "Dictionary", "NSDictionary", "ConcurrentHashMap", "Vector",
        "CopyOnWriteArrayList",
        "Collections.unmodifiableList", "Collections.unmodifiableSet", "Collections.unmodifiableMap", "Arrays.stream",
        "List.copyOf", "Set.copyOf", "Map.copyOf", "List.from", "Set.from", "Array.from", "List.unmodifiable",
        "Object.freeze",
        "String", "NSString", "URL", "URI", "Uri", "Uri.parse", "URI.create", "HttpUrl.get", "HttpUrl.parse", "NSURL",
        "lazyOf",
        "requireNotNull", "checkNotNull", "Objects.requireNonNull", "String.valueOf", "StringBuilder", "NSMutableArray",
        "NSMutableDictionary", "NSMutableSet", "HashSet.of", "AnyHashable", "Optional.of",
    ]
    private static let emptyOnes: Set<String> = [
        "HashMap", "LinkedHashMap", "TreeMap", "Map", "Dictionary", "NSMutableDictionary", "ConcurrentHashMap",
    ]

    func call(
        _ name: String, receiver: SourceItem?, from start: Int, open: Int?, closure: Int? = nil,
        _ environment: Environment,
        depth: Int
    ) -> (item: SourceItem, end: Int) {
        let given = open.map { arguments(of: $0, environment, depth: depth + 1) } ?? []
        var end = open.map { min(source.end(of: $0) + 1, source.tokens.count) } ?? start
        var closure = closure
        if closure == nil, source.isSymbol("{", at: end), isCall(end) {
            let isInitializer = source.language == .java && source.isSymbol("{", at: end + 1)
            if source.language.hasTrailingClosures && Self.closureFunctions.contains(name) || isInitializer {
                closure = end
            }
        }
        if let closure { end = min(source.end(of: closure) + 1, source.tokens.count) }
        let line = source.line(start)
        var made = SourceCall(name: name, receiver: receiver, arguments: given, closure: closure)
        switch receiver?.value {
        case .unknown(let path)?: made.name = "\(path).\(name)"
        case .type(let type)? where name != "init": made.name = "\(type).\(name)"
        case .type(let type)?: made.name = type
        default: break
        }
        let item =
            collection(made, line: line, environment, depth: depth) ?? method(
                made, line: line, environment, depth: depth)
            ?? inlined(made, at: start, environment, depth: depth) ?? SourceItem(.call(made), line: line)
        return (item, end)
    }

    // MARK: collections

    private func collection(_ call: SourceCall, line: Int, _ environment: Environment, depth: Int) -> SourceItem? {
        // What this file defines itself goes before what the language has.
        guard index.functions[call.name] == nil, index.types[call.name] == nil else { return nil }
        let items = call.arguments.map(\.item)
        var made: SourceItem?
        let name = call.name.hasPrefix("java.util.") ? String(call.name.dropFirst(10)) : call.name
        if Self.lists.contains(name) {
            // A spread array, or Java's array for variable arguments, is its elements.
            let isSpread =
                items.count == 1 && items[0].list != nil && (name == "Arrays.asList" || name.hasSuffix(".of"))
            made = SourceItem(.list(isSpread ? items[0].list ?? [] : items.filter { !$0.isNull }), line: line)
        } else if Self.dictionaries.contains(name) {
            made = SourceItem(.dictionary(Self.entries(items)), line: line)
        } else if Self.alternating.contains(name) {
            let pairs = stride(from: 0, to: items.count - 1, by: 2).map {
                SourceEntry(key: items[$0], value: items[$0 + 1])
            }
            made = SourceItem(.dictionary(pairs), line: line)
        } else if ["Pair", "Map.entry", "MapEntry", "AbstractMap.SimpleEntry", "SimpleEntry"].contains(name),
            items.count == 2
        {
            made = SourceItem(.pair(items[0], items[1]), line: line)
        } else if ["String.format", "String"].contains(name), items.count > 1 || call.argument("format") != nil {
            return items.first.flatMap { Self.formatted($0, Array(items.dropFirst())) }
        } else if name == "buildList" || name == "buildSet" {
            made = SourceItem(.list([]), line: line)
        } else if name == "buildMap" {
            made = SourceItem(.dictionary([]), line: line)
        } else if Self.copies.contains(name) {
            if let first = items.first {
                made =
                    call.argument("uniqueKeysWithValues").map {
                        SourceItem(.dictionary(Self.entries($0.list ?? [])), line: line)
                    } ?? first
                if case .number = first.value { made = SourceItem(.list([]), line: line) }  // An initial capacity.
            } else if name.first?.isUppercase == true, !["String", "URL"].contains(name) {
                made = SourceItem(Self.emptyOnes.contains(name) ? .dictionary([]) : .list([]), line: line)
            }
        } else if ["lazy", "run"].contains(name), call.receiver == nil, let closure = call.closure {
            return invoke(closure, [], environment, depth: depth + 1)
        }
        guard let made, let closure = call.closure else { return made }
        return filled(made, by: closure, environment, depth: depth + 1)
    }

    static func entries(_ items: [SourceItem]) -> [SourceEntry] {
        items.flatMap { item -> [SourceEntry] in
            switch item.value {
            case .pair(let key, let value): [SourceEntry(key: key, value: value, line: item.line)]
            case .list(let inner): entries(inner)
            case .dictionary(let inner): inner
            default: [SourceEntry(key: item, value: SourceItem(.unknown(item.shown), line: item.line))]
            }
        }
    }

    /// `%s` and `%@`, in order; nil for anything else that begins with a percent sign.
    static func formatted(_ format: SourceItem, _ items: [SourceItem]) -> SourceItem? {
        guard let text = format.text else { return nil }
        var out = ""
        var rest = items[...]
        var characters = text.makeIterator()
        while let character = characters.next() {
            guard character == "%" else {
                out.append(character)
                continue
            }
            switch characters.next() {
            case "%": out.append("%")
            case "s", "@", "d":
                guard let item = rest.popFirst(), let part = item.text else { return nil }
                out += part
            default: return nil
            }
            guard out.utf8.count <= sizeLimit else { return nil }
        }
        return SourceItem(.text(out), line: format.line)
    }

    // MARK: functions of this file

    /// A function of this file, with its parameters given.
    private func inlined(_ call: SourceCall, at place: Int, _ environment: Environment, depth: Int) -> SourceItem? {
        // A decoder's code is not followed: its name says what it does.
        let name = call.method.lowercased()
        guard !name.contains("hex"), !name.contains("base64") else { return nil }
        guard let candidates = index.functions[call.method], depth < Self.depthLimit, spend() else { return nil }
        var own: Environment = [:]
        switch call.receiver?.value {
        case nil, .type?: break
        // An extension of what is known.
        case .text?, .list?, .dictionary?: own["this"] = call.receiver
        default: return nil
        }
        let fitting = candidates.filter {
            ($0.parameters.count >= call.arguments.count || $0.parameters.contains(where: \.isVariadic))
                && !(place >= $0.place && place <= $0.body)
        }
        guard fitting.count == 1, let function = fitting.first else { return nil }
        own.merge(bound(function, call.arguments)) { $1 }
        let result =
            function.hasBlock
            ? result(ofBlock: function.body, own, depth: depth + 1)
            : expression(at: function.body, own, depth: depth + 1).item
        // What it does is not followed further: its name and its arguments may tell a reader more.
        if case .unknown? = result?.value { return nil }
        return result
    }

    /// What a function's parameters are for a call; those that are not known are bound, too: they hide outer names.
    func bound(_ function: SourceFunction, _ arguments: [SourceCall.Argument]) -> Environment {
        var own: Environment = [:]
        var unlabelled = arguments.filter { argument in
            argument.label == nil
                || !function.parameters.contains { $0.label == argument.label || $0.name == argument.label }
        }[...]
        for parameter in function.parameters {
            if let given = arguments.first(where: {
                $0.label != nil && ($0.label == parameter.label || $0.label == parameter.name)
            }) {
                own[parameter.name] = given.item
            } else if parameter.isVariadic, !unlabelled.isEmpty {
                let items = unlabelled.flatMap { $0.item.list ?? [$0.item] }
                unlabelled = []
                own[parameter.name] = SourceItem(.list(items), line: items.first?.line ?? source.line(function.place))
            } else if let next = unlabelled.popFirst() {
                own[parameter.name] = next.item
            } else if let fallback = parameter.fallback {
                own[parameter.name] = expression(at: fallback, [:], depth: Self.depthLimit / 2).item
            } else {
                own[parameter.name] = SourceItem(.unknown(parameter.name), line: source.line(function.place))
            }
        }
        return own
    }
}
