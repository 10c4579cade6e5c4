/// Under which values a place of a file is reached: loops around it, closures, functions and their callers.
extension SourceEvaluator {
    /// Rounds of all loops around one place together.
    static let roundLimit = 4096

    private static let iterating: Set<String> = [
        "forEach", "map", "mapNotNull", "compactMap", "flatMap", "onEach", "forEachIndexed", "forEachOrdered", "associate",
        "associateWith", "fold", "let", "also", "mapTo", "forEachEntry", "each", "reduce",
    ]

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
            guard spend(environments.count) else { return [[:]] }
        }
        if openers.isEmpty { environments = headless(environments, before: place) }
        // `fun f(host: String) = …` has no braces around its body.
        if let function = expressionFunction(around: place) {
            let outer = called(function, depth: depth)
            environments = outer.flatMap { outer in environments.map { outer.merging($0) { $1 } } }
        }
        return Array(environments.prefix(Self.roundLimit))
    }

    // MARK: callers

    /// A function's parameters for each of its calls in this file; unknown ones where there is none.
    private func called(_ function: SourceFunction, depth: Int) -> [Environment] {
        let unknown = bound(function, [])
        guard !function.parameters.isEmpty, functionsInProgress.insert(function.place).inserted else { return [unknown] }
        defer { functionsInProgress.remove(function.place) }
        var out: [Environment] = []
        for call in (index.places[function.name] ?? []).prefix(256) where call != function.place {
            var open = call + 1
            if let end = genericEnd(open) { open = end }
            guard source.isSymbol("(", at: open), !isDeclaration(call), source.parts(of: open).count <= max(function.parameters.count, 1) * 16
            else { continue }
            for environment in environments(at: call, depth: depth + 1) where spend(8) {
                out.append(bound(function, arguments(of: open, environment, depth: 4)))
                guard out.count < Self.roundLimit else { return out }
            }
        }
        return out.isEmpty ? [unknown] : out
    }

    private func isDeclaration(_ place: Int) -> Bool {
        (index.functions[source.tokens[place].text] ?? []).contains { $0.place == place }
    }

    private func expressionFunction(around place: Int) -> SourceFunction? {
        guard source.language == .kotlin || source.language == .dart else { return nil }
        // The nearest `=` or `=>` before the place, within the same bracket, that a function's parameters precede.
        var at = place
        var opener = source.opener(around: place)
        while true {
            var steps = 0
            while at > (opener ?? -1), steps < 400, spend() {
                if source.isSymbol("=", at: at) || source.isSymbol("=>", at: at),
                    let found = index.functions.isEmpty ? nil : functionWithBody(at + 1)
                {
                    return place < found.range(in: source).upperBound ? found : nil
                }
                at = source.start(of: at) ?? at
                at -= 1
                steps += 1
            }
            guard let outer = opener, source.tokens[outer].is("(") || source.tokens[outer].is("{") && index.functionBodies[outer] == nil
            else { return nil }
            if index.typeBodies[outer] != nil { return nil }
            at = outer - 1
            opener = source.opener(around: outer)
        }
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

    // MARK: loops

    /// `for` and its like whose body, or whose closure, is the bracket at a place.
    private func rounds(_ environments: [Environment], _ open: Int, target: Int) -> [Environment] {
        if source.tokens[open].is("{") {
            if let header = loopHeader(before: open) { return bind(header, environments) }
            guard source.language.hasTrailingClosures else { return environments }
            // A trailing closure: of `x.forEach {` or of `x.fold(y) {`.
            let name = source.isSymbol(")", at: open - 1) ? source.start(of: open - 1).map { $0 - 1 } : open - 1
            guard let name, let method = source[name], Self.iterating.contains(method.text), let closure = closure(at: open) else {
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
        return ["=>", "->"].contains(source[end + 1]?.text ?? "") || (source.language == .dart && source.isSymbol("{", at: end + 1))
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
    }

    private func bind(_ header: Header, _ environments: [Environment]) -> [Environment] {
        expanded(environments) { environment in
            let item = self.expression(at: header.iterable, environment, depth: 2).item
            let parameters = header.names.count == 1 ? [header.names] : [header.names]
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
                guard out.count < Self.roundLimit else { return out }
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
        if source.isSymbol(")", at: open - 1), let start = source.start(of: open - 1), source.isWord("for", at: start - 1) {
            return header((start + 1)..<(open - 1))
        }
        guard source.language == .swift || source.language == .python else { return nil }
        var at = open - 1
        for _ in 0..<80 {
            guard let token = source[at], !token.is("{"), !token.is("}"), !token.is(";") else { return nil }
            if token.names("for") { return header((at + 1)..<open) }
            at = (source.start(of: at) ?? at) - 1
        }
        return nil
    }

    private func header(_ range: Range<Int>) -> Header? {
        let split = range.first {
            source.tokens[$0].names("in") || source.tokens[$0].names("of") || source.tokens[$0].is(":") && source.language == .java
        }
        guard let split else { return nil }
        let left = range.lowerBound..<split
        let words = left.filter { source.tokens[$0].isIdentifier && !["val", "var", "let", "const", "final", "case"].contains(source.tokens[$0].text) }
        let isApart = left.contains { source.tokens[$0].is("(") || source.tokens[$0].is("[") } && source.language != .java
        var names = words.map { source.tokens[$0].text }
        if !isApart { names = (source.language.typesComeFirst ? names.last : names.first).map { [$0] } ?? [] }
        return names.isEmpty ? nil : Header(names: names, iterable: split + 1)
    }

    /// Loops without braces: `for (pin in PINS) builder.add(host, pin)`.
    private func headless(_ environments: [Environment], before place: Int) -> [Environment] {
        var headers: [Header] = []
        var at = place - 1
        let floor = source.opener(around: place) ?? -1
        for _ in 0..<200 where at > floor {
            guard let token = source[at], spend() else { break }
            if token.is(";") || token.is("{") || token.is(",") || token.is("=") || (token.is("}") && source[at + 1]?.continuesLine != true) { break }
            guard let start = source.start(of: at) else {
                at -= 1
                continue
            }
            if source.isWord("for", at: start - 1), token.is(")"), source.isSymbol("{", at: at + 1) == false,
                let header = header((start + 1)..<at)
            {
                headers.append(header)
                at = start - 2
            } else {
                at = start - 1
            }
        }
        return headers.reversed().reduce(environments) { bind($1, $0) }
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
                if token.is("}"), source.isSymbol(")", at: open - 1), let arguments = source.start(of: open - 1) { at = arguments }
                if let name = source[at - 1], name.isIdentifier, !["in", "return", "for", "if"].contains(name.text) { at -= 1 } else if source.isSymbol(">", at: at - 1) {
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
        guard let token = source[start] else { return unknown(start..<end) }
        var (item, at) = begin(token, at: start, environment, depth: depth)
        while at < end, let next = source[at], spend() {
            guard let (value, past) = postfix(next, item, from: start, at: at, environment, depth: depth) else { break }
            item = value
            at = max(past, at + 1)
        }
        return at <= end ? item : unknown(start..<end)
    }
}
