/// What is put into a collection, or given to a name, behind its declaration.
extension SourceEvaluator {
    private static let adding: Set<String> = [
        "add", "append", "insert", "addObject", "push", "plusAssign", "offer", "addElement",
    ]
    private static let addingAll: Set<String> = ["addAll", "putAll", "addObjectsFromArray", "addEntries"]
    private static let putting: Set<String> = ["put", "putIfAbsent", "set"]

    /// Of a name whose value is a collection, or that has none yet.
    func changed(_ item: SourceItem?, _ declaration: SourceDeclaration, _ environment: Environment, depth: Int)
        -> SourceItem?
    {
        let isCollection = item.map { $0.list != nil || $0.dictionary != nil } ?? false
        guard let places = index.places[declaration.name], places.count <= 4096 else { return item }
        var item = item
        var assigned: [SourceItem] = []
        for place in places where place != declaration.place && sees(declaration, from: place) {
            guard spend() else { return item }
            // Another's member of the same name.
            if source.isSymbol(".", at: place - 1) || source.isSymbol("?.", at: place - 1),
                !["this", "self", declaration.owner ?? ""].contains(source[place - 2]?.text ?? "")
            {
                continue
            }
            // What a debug build alone puts in is not there in the builds that count.
            if isCollection, DebugGuard.holds(at: place, self) { continue }
            let next = source[place + 1]
            if next?.is("=") == true, isAssigned(place) {
                assigned.append(
                    contentsOf: environments(at: place, depth: 3).prefix(2).map {
                        expression(at: place + 2, $0, depth: depth + 1).item
                    })
            } else if isCollection, let current = item {
                item = change(current, at: place, depth: depth)
            }
        }
        guard !assigned.isEmpty else { return item }
        // A name that gets another value later has, for a reader of its file, none.
        if case .deferred = declaration.kind, assigned.count == 1 { return assigned[0] }
        if item?.isNull == true, assigned.count == 1 { return assigned[0] }
        return SourceItem(.unknown(declaration.name), line: source.line(declaration.place))
    }

    private func sees(_ declaration: SourceDeclaration, from place: Int) -> Bool {
        guard declaration.scope >= 0 else { return true }
        var block = source.block(around: place)
        while let open = block {
            if open == declaration.scope { return true }
            block = source.block(around: open)
        }
        return false
    }

    /// No declaration of another name, no label of an argument.
    private func isAssigned(_ place: Int) -> Bool {
        if let open = source.opener(around: place), source.tokens[open].is("(") || source.tokens[open].is("[") {
            return false
        }
        guard let before = source[place - 1] else { return true }
        if before.is(".") { return source.isWord("self", at: place - 2) || source.isWord("this", at: place - 2) }
        if (index.declarations[source.tokens[place].text] ?? []).contains(where: { $0.place == place }) { return false }
        return !before.isIdentifier || source.tokens[place].startsLine || before.text == "else"
    }

    private func change(_ item: SourceItem, at place: Int, depth: Int) -> SourceItem {
        if source.isSymbol("+=", at: place + 1) {
            return reduced(item, at: place) { environment in
                let added = self.expression(at: place + 2, environment, depth: depth + 1).item
                return added.list ?? added.dictionary.map {
                    $0.map { SourceItem(.pair($0.key, $0.value), line: $0.key.line) }
                } ?? [added]
            }
        }
        if source.isSymbol("[", at: place + 1), let key = source.parts(of: place + 1).first {
            let end = source.end(of: place + 1)
            guard source.isSymbol("=", at: end + 1) else { return item }
            return reduced(item, at: place) { environment in
                let value = self.expression(at: end + 2, environment, depth: depth + 1).item
                let key = self.value(of: key, environment, depth: depth + 1)
                return [SourceItem(.pair(key, value), line: self.source.line(place))]
            }
        }
        if source.isSymbol(".", at: place + 1) || source.isSymbol("?.", at: place + 1), let method = source[place + 2],
            source.isSymbol("(", at: place + 3)
        {
            return reduced(item, at: place) { environment in
                let given = self.arguments(of: place + 3, environment, depth: depth + 1)
                if source.language == .swift, method.text == "merge" {
                    return self.merged(given, into: item, from: place + 3, environment, depth: depth)
                }
                if method.text == "updateValue", given.count == 2 {
                    return [SourceItem(.pair(given[1].item, given[0].item), line: source.line(place))]
                }
                return self.added(by: method.text, given.map(\.item))
            }
        }
        // `[list addObject:x]`, `[map setObject:x forKey:k]`.
        if source.language == .objectiveC, source.isSymbol("[", at: place - 1), let method = source[place + 1],
            source.isSymbol(":", at: place + 2)
        {
            guard ["addObject", "addObjectsFromArray", "setObject", "setValue"].contains(method.text) else {
                return item
            }
            guard let call = message(at: place - 1, [:], depth: depth + 1).item.call else { return item }
            let items = call.arguments.map(\.item)
            if items.count == 2 {
                return Self.joined(item, SourceItem(.pair(items[1], items[0]), line: items[1].line)) ?? item
            }
            return items.first.flatMap { Self.joined(item, $0) } ?? item
        }
        return item
    }

    private func added(by method: String, _ items: [SourceItem]) -> [SourceItem] {
        if Self.adding.contains(method), let last = items.last {
            // Swift's `append(contentsOf:)`.
            return last.list ?? [last]
        }
        if Self.addingAll.contains(method) {
            return items.flatMap { item in
                item.list ?? item.dictionary.map { $0.map { SourceItem(.pair($0.key, $0.value), line: $0.key.line) } }
                    ?? [item]
            }
        }
        if Self.putting.contains(method), items.count == 2 {
            return [SourceItem(.pair(items[0], items[1]), line: items[0].line)]
        }
        return []
    }

    /// Swift's `merge(other) { $1 }`: of a key that stands in both, its closure says which value stays.
    private func merged(
        _ given: [SourceCall.Argument], into item: SourceItem, from open: Int, _ environment: Environment, depth: Int
    ) -> [SourceItem] {
        guard let other = given.first?.item else { return [] }
        guard let added = Self.elements(of: other) else { return [other] }
        var choice: Int?
        if case .closure(let place)? = given.dropFirst().first?.item.value { choice = place }
        let end = source.end(of: open)
        if source.isSymbol("{", at: end + 1) { choice = end + 1 }
        let sides = ["first", "second"].map { SourceItem(.text($0), line: other.line) }
        let chosen = choice.flatMap { invoke($0, sides, environment, depth: depth + 1)?.text }
        let keys = Set((item.dictionary ?? []).compactMap(\.key.text))
        return added.compactMap { next in
            guard chosen != "second", case .pair(let key, _) = next.value, let text = key.text, keys.contains(text)
            else { return next }
            // What neither side is for certain is neither.
            return chosen == "first"
                ? nil : SourceItem(.pair(key, SourceItem(.unknown(other.shown), line: next.line)), line: next.line)
        }
    }

    private func reduced(_ item: SourceItem, at place: Int, _ added: (Environment) -> [SourceItem]) -> SourceItem {
        environments(at: place, depth: 3).reduce(item) { item, environment in
            added(environment).reduce(item) { sum, next in
                var next = next
                // A dictionary takes pairs, a list takes them as its elements.
                if sum.list?.isEmpty == true, source.language == .swift, case .pair = next.value {
                    return Self.joined(SourceItem(.dictionary([]), line: sum.line), next) ?? sum
                }
                if sum.dictionary != nil, next.list != nil { next = SourceItem(.unknown(next.shown), line: next.line) }
                if case .dictionary(let entries) = sum.value, case .unknown = next.value, entries.count < Self.sizeLimit
                {
                    // Entries from elsewhere: that there are some is not to be lost.
                    return SourceItem(.dictionary(entries + Self.entries([next])), line: sum.line)
                }
                return Self.joined(sum, next) ?? sum
            }
        }
    }

    /// `mutableListOf<String>().apply { add(x) }`, `buildMap { put(k, v) }`, Java's `new HashMap<>() {{ put(k, v); }}`.
    func filled(_ item: SourceItem, by open: Int, _ environment: Environment, depth: Int) -> SourceItem {
        guard item.list != nil || item.dictionary != nil else { return item }
        let end = source.end(of: open)
        var item = item
        var at = open + 1
        while at < end, spend() {
            let token = source.tokens[at]
            let isBare =
                !source.isSymbol(".", at: at - 1) || source.isWord("this", at: at - 2)
                || source.isWord("it", at: at - 2)
            if token.isIdentifier, source.isSymbol("(", at: at + 1), isBare,
                Self.adding.contains(token.text) || Self.addingAll.contains(token.text)
                    || Self.putting.contains(token.text)
            {
                item = reduced(item, at: at) { own in
                    self.added(
                        by: token.text,
                        self.arguments(of: at + 1, environment.merging(own) { $1 }, depth: depth + 1).map(\.item))
                }
                at = source.end(of: at + 1)
            }
            at += 1
        }
        return item
    }
}
