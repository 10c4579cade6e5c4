/// Functions without a name: their parameters, and what they return.
extension SourceEvaluator {
    /// A closure's parameters, each one name or several that take a value apart, and its body.
    struct Closure {
        var parameters: [[String]]
        /// A `{`, or the first token of an expression.
        var body: Int
        var isBlock: Bool
    }

    /// By the place of its first token: `{` of Kotlin and Swift, `(` or a name of the others.
    func closure(at place: Int) -> Closure? {
        guard let token = source[place] else { return nil }
        if token.is("{") {
            guard let arrow = closureArrow(place) else {
                let names = source.language == .kotlin ? [["it"]] : [["$0"], ["$1"]]
                return Closure(parameters: names, body: place, isBlock: true)
            }
            return Closure(parameters: names(source.range(place + 1, arrow)), body: place, isBlock: true)
        }
        let end = token.is("(") ? source.end(of: place) : place
        let body = source.isSymbol("{", at: end + 1) ? end + 1 : end + 2
        let parameters = token.is("(") ? names(source.range(place + 1, end)) : [[token.text]]
        return Closure(parameters: parameters, body: body, isBlock: source.isSymbol("{", at: body))
    }

    /// Kotlin's `->` or Swift's `in` behind a closure's parameters; nil where it has none.
    func closureArrow(_ open: Int) -> Int? {
        let sign = source.language == .swift ? "in" : "->"
        guard source.language == .swift || source.language == .kotlin, !source.isWord("for", at: open + 1) else {
            return nil
        }
        var at = open + 1
        for _ in 0..<40 {
            guard let token = source[at] else { return nil }
            if token.text == sign, token.kind == .symbol || sign == "in" { return at }
            let isOfParameters =
                token.isIdentifier && !(token.startsLine && at > open + 1)
                || ["(", ")", ",", ":", "<", ">", "?", ".", "[", "]", "@", "->"].contains(token.text)
            guard isOfParameters else { return nil }
            at += 1
        }
        return nil
    }

    /// Names that commas part; names in brackets of their own take a value apart. Types are left out.
    private func names(_ range: Range<Int>) -> [[String]] {
        var out: [[String]] = []
        var at = range.lowerBound
        while at < range.upperBound {
            let token = source.tokens[at]
            var end = at
            while end < range.upperBound, !source.tokens[end].is(",") {
                let partner = source.end(of: end)
                end = source.tokens[end].kind == .symbol && partner < range.upperBound ? partner + 1 : end + 1
            }
            if token.is("(") || token.is("[") {
                let inner = source.range(at + 1, min(source.end(of: at), range.upperBound))
                if source.language == .swift,
                    inner.upperBound + 1 >= range.upperBound || source.isSymbol("->", at: inner.upperBound + 1)
                {
                    // Swift's parentheses around all parameters; a list of captures stands before them.
                    if token.is("(") { return names(inner) }
                } else {
                    out.append(names(inner).flatMap { $0 })
                }
            } else {
                let words = source.range(at, end).prefix { !source.tokens[$0].is(":") && !source.tokens[$0].is("->") }
                    .filter { source.tokens[$0].isIdentifier }
                if let name = source.language.typesComeFirst ? words.last : words.first {
                    out.append([source.tokens[name].text])
                }
            }
            at = end + 1
        }
        return out
    }

    /// What a closure returns for some arguments.
    func invoke(_ place: Int, _ values: [SourceItem], _ environment: Environment, depth: Int) -> SourceItem? {
        guard depth < Self.depthLimit, spend(4), let closure = closure(at: place) else { return nil }
        let environment = environment.merging(Self.bound(closure.parameters, values)) { $1 }
        if closure.isBlock { return result(ofBlock: closure.body, environment, depth: depth + 1) }
        return expression(at: closure.body, environment, depth: depth + 1).item
    }

    /// Names for values; several names for one value take it apart.
    static func bound(_ parameters: [[String]], _ values: [SourceItem]) -> Environment {
        var own: Environment = [:]
        var values = values
        if values.count == 1, parameters.count > 1, parameters.first != ["$0"] {
            values = parts(of: values[0], parameters.count)
        }
        for (names, value) in zip(parameters, values) {
            if names.count == 1 {
                own[names[0]] = value
            } else {
                for (name, part) in zip(names, parts(of: value, names.count)) { own[name] = part }
            }
        }
        // A pair is $0 and $1 by itself.
        if parameters.first == ["$0"], values.count == 1, case .pair(let first, let second) = values[0].value {
            own["$0"] = SourceItem(.pair(first, second), line: first.line)
            own["$1"] = second
        }
        for name in parameters.joined() where own[name] == nil { own[name] = SourceItem(.unknown(name), line: 1) }
        return own
    }

    private static func parts(of item: SourceItem, _ count: Int) -> [SourceItem] {
        switch item.value {
        case .pair(let first, let second): [first, second]
        case .list(let items): items
        case .call(let call): call.arguments.map(\.item)
        default: Array(repeating: SourceItem(.unknown(item.shown), line: item.line), count: count)
        }
    }
}
