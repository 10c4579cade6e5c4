/// Loops and closures around a place, and what their names are in each round.
extension SourceEvaluator {
    private static let iterating: Set<String> = [
        "forEach", "map", "mapNotNull", "compactMap", "flatMap", "onEach", "forEachIndexed", "forEachOrdered",
        "associate",
        "associateWith", "fold", "let", "also", "mapTo", "forEachEntry", "each", "reduce",
    ]

    /// `for` and its like whose body, or whose closure, is the bracket at a place.
    func rounds(_ environments: [Environment], _ open: Int, target: Int) -> [Environment] {
        if source.tokens[open].is("{") {
            if let header = loopHeader(before: open) { return bind(header, environments) }
            guard source.language.hasTrailingClosures else { return environments }
            // A trailing closure: of `x.forEach {` or of `x.fold(y) {`.
            let name = source.isSymbol(")", at: open - 1) ? source.start(of: open - 1).map { $0 - 1 } : open - 1
            guard let name, let method = source[name], Self.iterating.contains(method.text),
                let closure = closure(at: open)
            else {
                return environments
            }
            return bind(closure, method: name, environments)
        }
        guard source.tokens[open].is("("), let method = source[open - 1], Self.iterating.contains(method.text),
            let part = source.parts(of: open).first(where: { $0.contains(target) }), isClosure(part.lowerBound),
            let closure = closure(at: part.lowerBound)
        else { return environments }
        return bind(closure, method: open - 1, environments)
    }

    private func isClosure(_ place: Int) -> Bool {
        let end = source.isSymbol("(", at: place) ? source.end(of: place) : place
        return ["=>", "->"].contains(source[end + 1]?.text ?? "")
            || (source.language == .dart && source.isSymbol("{", at: end + 1))
    }

    private func bind(_ closure: Closure, method: Int, _ environments: [Environment]) -> [Environment] {
        let name = source.tokens[method].text
        guard source.isSymbol(".", at: method - 1) || source.isSymbol("?.", at: method - 1) else { return environments }
        let start = operandStart(before: method - 1)
        var parameters = closure.parameters
        if name == "forEachIndexed" || name == "fold" { parameters = Array(parameters.dropFirst()) }
        return expanded(environments) { environment in
            let item = self.operand(at: start, until: method - 1, environment, depth: 2)
            if name == "let" || name == "also" { return [Self.bound(parameters, [item])] }
            return Self.elements(of: item).map { $0.map { Self.bound(parameters, [$0]) } } ?? [
                Self.bound(parameters, [SourceItem(.unknown(item.shown), line: item.line)])
            ]
        }
    }

    private struct Header {
        var names: [String]
        var iterable: Int
        /// The dot behind the list whose places are counted.
        var countsUpTo: Int?
    }

    private func bind(_ header: Header, _ environments: [Environment]) -> [Environment] {
        expanded(environments) { environment in
            var item = self.expression(at: header.iterable, environment, depth: 2).item
            if let dot = header.countsUpTo {
                let list = self.operand(at: header.iterable, until: dot, environment, depth: 2)
                item = self.property("indices", of: list, at: dot, depth: 2) ?? list
                if list.list == nil { item = SourceItem(.unknown(header.names[0]), line: list.line) }
            }
            let parameters = [header.names]
            return Self.elements(of: item).map { $0.map { Self.bound(parameters, [$0]) } } ?? [
                Self.bound(parameters, [SourceItem(.unknown(item.shown), line: item.line)])
            ]
        }
    }

    private func expanded(_ environments: [Environment], _ own: (Environment) -> [Environment]) -> [Environment] {
        var out: [Environment] = []
        for environment in environments {
            for own in own(environment) where spend(4) {
                out.append(environment.merging(own) { $1 })
                guard out.count <= Self.roundLimit else { return out }
            }
        }
        return out
    }

    /// What a loop goes through; nil where that is not known.
    static func elements(of item: SourceItem) -> [SourceItem]? {
        switch item.value {
        case .list(let items): items
        case .dictionary(let entries): entries.map { SourceItem(.pair($0.key, $0.value), line: $0.key.line) }
        default: nil
        }
    }

    /// `for (x in y) {`, `for (T x : y) {`, `for x in y {`.
    private func loopHeader(before open: Int) -> Header? {
        if source.isSymbol(")", at: open - 1), let start = source.start(of: open - 1),
            source.isWord("for", at: start - 1)
        {
            return header(source.range(start + 1, open - 1))
        }
        guard source.language == .swift || source.language == .python else { return nil }
        var at = open - 1
        for _ in 0..<80 {
            guard let token = source[at], !token.is("{"), !token.is("}"), !token.is(";") else { return nil }
            if token.names("for") { return header(source.range(at + 1, open)) }
            at = (source.start(of: at) ?? at) - 1
        }
        return nil
    }

    /// `int i = 0; i < PINS.length; i++`: through the places of a list.
    private func counting(_ range: Range<Int>) -> Header? {
        guard let less = range.first(where: { source.tokens[$0].is("<") }), let name = source[less - 1],
            name.isIdentifier,
            let size = range.first(where: { $0 > less && ["length", "size", "count"].contains(source.tokens[$0].text) })
        else { return nil }
        return Header(names: [name.text], iterable: less + 1, countsUpTo: size - 1)
    }

    private func header(_ range: Range<Int>) -> Header? {
        if range.contains(where: { source.tokens[$0].is(";") }) { return counting(range) }
        let split = range.first {
            source.tokens[$0].names("in") || source.tokens[$0].names("of")
                || source.tokens[$0].is(":") && [.java, .cpp, .objectiveC].contains(source.language)
        }
        guard let split else { return nil }
        let left = source.range(range.lowerBound, split)
        let words = left.filter {
            source.tokens[$0].isIdentifier
                && !["val", "var", "let", "const", "final", "case"].contains(source.tokens[$0].text)
        }
        let isApart =
            left.contains { source.tokens[$0].is("(") || source.tokens[$0].is("[") } && source.language != .java
        var names = words.map { source.tokens[$0].text }
        if !isApart { names = (source.language.typesComeFirst ? names.last : names.first).map { [$0] } ?? [] }
        return names.isEmpty ? nil : Header(names: names, iterable: split + 1)
    }

    /// Loops without braces: `for (pin in PINS) builder.add(host, pin)`.
    func headless(_ environments: [Environment], before place: Int) -> [Environment] {
        guard index.has("for") else { return environments }
        var headers: [Header] = []
        var at = place - 1
        let floor = source.opener(around: place) ?? -1
        for _ in 0..<200 where at > floor {
            guard let token = source[at] else { break }
            if token.is(";") || token.is("{") || token.is(",") || token.is("=")
                || (token.is("}") && source[at + 1]?.continuesLine != true)
            {
                break
            }
            guard let start = source.start(of: at) else {
                at -= 1
                continue
            }
            if source.isWord("for", at: start - 1), token.is(")"), source.isSymbol("{", at: at + 1) == false,
                let header = header(source.range(start + 1, at))
            {
                headers.append(header)
                at = start - 2
            } else {
                at = start - 1
            }
        }
        return headers.reversed().reduce(environments) { bind($1, $0) }
    }
}
