/// Under which values a place of a file is reached: loops around it, closures, functions and their callers.
extension SourceEvaluator {
    /// Rounds of all loops around one place together.
    static let roundLimit = 4096

    /// One for each round; a single empty one where nothing is around the place.
    func environments(at place: Int, depth: Int = 0) -> [Environment] {
        guard depth < 6 else { return [[:]] }
        var openers: [Int] = []
        var at = source.opener(around: place)
        while let open = at {
            openers.append(open)
            at = source.opener(around: open)
        }
        var environments: [Environment] = [[:]]
        let inner = openers.reversed() + []
        for (i, open) in inner.enumerated() {
            let target = i + 1 < inner.count ? inner[i + 1] : place
            if source.tokens[open].is("{"), let function = index.functionBodies[open] {
                environments = called(function, depth: depth)
            } else {
                environments = rounds(environments, open, target: target)
            }
            environments = headless(environments, before: target)
            guard spend(8 + environments.count) else { return [[:]] }
        }
        if openers.isEmpty { environments = headless(environments, before: place) }
        // `fun f(host: String) = …` has no braces around its body.
        if let function = expressionFunction(around: place) {
            let outer = called(function, depth: depth)
            environments = outer.flatMap { outer in environments.map { outer.merging($0) { $1 } } }
        }
        return Array(limited(environments, to: Self.roundLimit))
    }

    // MARK: callers

    /// A function's parameters for each of its calls in this file; unknown ones where there is none.
    private func called(_ function: SourceFunction, depth: Int) -> [Environment] {
        let unknown = bound(function, [])
        guard !function.parameters.isEmpty, functionsInProgress.insert(function.place).inserted else {
            return [unknown]
        }
        defer { functionsInProgress.remove(function.place) }
        var out: [Environment] = []
        for call in limited(index.places[function.name] ?? [], to: Self.roundLimit) where call != function.place {
            var open = call + 1
            if let end = genericEnd(open) { open = end }
            guard source.isSymbol("(", at: open), !isDeclaration(call)
            else { continue }
            for environment in environments(at: call, depth: depth + 1) where spend(8) {
                out.append(bound(function, arguments(of: open, environment, depth: 4)))
                guard out.count <= Self.roundLimit else { return out }
            }
        }
        return out.isEmpty ? [unknown] : out
    }

    private func isDeclaration(_ place: Int) -> Bool {
        (index.functions[source.tokens[place].text] ?? []).contains { $0.place == place }
    }

    /// The function whose body is an expression that a place stands in; nil where that is a block.
    func expressionFunction(around place: Int) -> SourceFunction? {
        guard source.language == .kotlin || source.language == .dart, !index.functions.isEmpty else { return nil }
        // The nearest `=` or `=>` before the place, within the same bracket, that a function's parameters precede.
        var at = place
        var opener = source.opener(around: place)
        // A body is not longer in code that a person reads.
        var steps = 0
        while steps < 600 {
            while at > (opener ?? -1), steps < 600 {
                if source.isSymbol("=", at: at) || source.isSymbol("=>", at: at),
                    let found = functionWithBody(at + 1)
                {
                    return place < found.range(in: source).upperBound ? found : nil
                }
                at = source.start(of: at) ?? at
                at -= 1
                steps += 1
            }
            guard let outer = opener,
                source.tokens[outer].is("(") || source.tokens[outer].is("{") && index.functionBodies[outer] == nil
            else { return nil }
            if index.typeBodies[outer] != nil { return nil }
            at = outer - 1
            opener = source.opener(around: outer)
        }
        return nil
    }

    private func functionWithBody(_ body: Int) -> SourceFunction? {
        var at = body - 2
        // Back over a return type, to the parentheses.
        for _ in 0..<12 {
            guard let token = source[at] else { return nil }
            if token.is(")"), let open = source.start(of: at) {
                return source[open - 1].flatMap { index.functions[$0.text] }?.first { $0.body == body && !$0.hasBlock }
            }
            guard token.isIdentifier || [".", "<", ">", "?", ":"].contains(token.text) else { return nil }
            at -= 1
        }
        return nil
    }

    // MARK: operands read backwards

    /// Where the operand begins that ends right before a dot.
    func operandStart(before dot: Int) -> Int {
        var at = dot - 1
        while at >= 0, spend() {
            let token = source.tokens[at]
            if token.is("!") || token.is("!!") || token.is("?") {
                at -= 1
                continue
            }
            if let open = source.start(of: at) {
                // The name that is called, subscripted, or given a closure.
                at = open
                if token.is("}"), source.isSymbol(")", at: open - 1), let arguments = source.start(of: open - 1) {
                    at = arguments
                }
                if let name = source[at - 1], name.isIdentifier, !["in", "return", "for", "if"].contains(name.text) {
                    at -= 1
                } else if source.isSymbol(">", at: at - 1) {
                    var depth = 0
                    var back = at - 1
                    while back > at - 40, back > 0 {
                        if source.isSymbol(">", at: back) { depth += 1 }
                        if source.isSymbol("<", at: back) { depth -= 1 }
                        back -= 1
                        if depth == 0 { break }
                    }
                    if source[back]?.isIdentifier == true { at = back }
                }
            }
            guard source.isSymbol(".", at: at - 1) || source.isSymbol("?.", at: at - 1) else {
                return source.isWord("new", at: at - 1) ? at - 1 : at
            }
            at -= 2
        }
        return max(at, 0)
    }

    /// An operand of which only the steps before a place count.
    func operand(at start: Int, until end: Int, _ environment: Environment, depth: Int) -> SourceItem {
        guard let token = source[start] else { return unknown(start, end) }
        var (item, at) = begin(token, at: start, environment, depth: depth)
        while at < end, let next = source[at], spend() {
            guard let (value, past) = postfix(next, item, from: start, at: at, environment, depth: depth) else { break }
            item = value
            at = max(past, at + 1)
        }
        return at <= end ? item : unknown(start, end)
    }
}
