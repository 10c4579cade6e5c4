/// Finds the calls of `add` that are of a `CertificatePinner.Builder`, and no others.
///
/// Forms, maps and lists have an `add` of their own: what counts is what stands before the dot, or around the call
/// where no dot stands before it.
struct OkHttpBuilders {
    struct Addition {
        /// The place of `add`.
        var place: Int
        /// Of its `(`.
        var open: Int
        /// Which builder: the place of what makes it.
        var builder: Int
    }

    private let code: SourceEvaluator
    private let source: SourceText
    /// `CertificatePinner`, and what imports call it.
    private var classes: Set<String> = ["CertificatePinner"]
    /// Names of variables and parameters, the blocks they are seen in, and their builders.
    private var variables: [String: [(scope: Int, builder: Int)]] = [:]
    private var factories: [String: Int] = [:]
    /// By the last token of an operand.
    private var known: [Int: Int?] = [:]

    init(_ code: SourceEvaluator) {
        self.code = code
        source = code.source
        findAliases()
        findVariables()
    }

    mutating func additions() -> [Addition] {
        var out: [Addition] = []
        for place in code.index.places["add"] ?? [] where source.isSymbol("(", at: place + 1) && code.spend() {
            let hasDot = source.isSymbol(".", at: place - 1) || source.isSymbol("?.", at: place - 1)
            if let builder = hasDot ? builder(endingAt: place - 2) : implicit(at: place) {
                out.append(Addition(place: place, open: place + 1, builder: builder))
            }
        }
        return out
    }

    private mutating func findAliases() {
        for place in code.index.places["CertificatePinner"] ?? [] where source.isWord("as", at: place + 1) {
            if let name = source[place + 2], name.isIdentifier { classes.insert(name.text) }
        }
    }

    /// `CertificatePinner.Builder`, with what package it may be in before it; the place of the class.
    private func isBuilderType(_ place: Int) -> Bool {
        source[place].map { $0.isIdentifier && classes.contains($0.text) } == true
            && source.isSymbol(".", at: place + 1)
            && source.isWord("Builder", at: place + 2)
    }

    /// A builder that is made at its place, and not one that is only named there.
    func isMade(_ builder: Int) -> Bool { isBuilderType(builder) && source.isSymbol("(", at: builder + 3) }

    private mutating func findVariables() {
        for name in classes {
            for place in code.index.places[name] ?? [] where isBuilderType(place) {
                var start = place
                while source.isSymbol(".", at: start - 1), source[start - 2]?.isIdentifier == true { start -= 2 }
                if source.isSymbol("(", at: place + 3) {
                    made(at: place, from: source.isWord("new", at: start - 1) ? start - 1 : start)
                } else {
                    typed(at: place, from: start)
                }
            }
        }
    }

    /// `val x = CertificatePinner.Builder()…` that is not built at once.
    private mutating func made(at place: Int, from start: Int) {
        var at = source.end(of: place + 3) + 1
        while source.isSymbol(".", at: at), let method = source[at + 1] {
            guard method.text != "build" else { return }
            at += 2
            while source.isSymbol("(", at: at) || source.isSymbol("{", at: at) { at = source.end(of: at) + 1 }
        }
        if source.isSymbol("=", at: start - 1) || source.isWord("return", at: start - 1) {
            var name = start - 2
            // Over a type, to `val x: T = `.
            for _ in 0..<12 where source.isSymbol(".", at: name - 1) || source.isSymbol(":", at: name - 1) { name -= 2 }
            if let found = source[name], found.isIdentifier, source.isSymbol("=", at: start - 1) {
                variables[found.text, default: []].append((source.block(around: name) ?? -1, place))
            }
        } else if let block = source.opener(around: start), source.isWord("lazy", at: block - 1),
            source.isWord("by", at: block - 2)
        {
            var name = block - 3
            while name > block - 12, source.isSymbol(".", at: name - 1) || source.isSymbol(":", at: name - 1) {
                name -= 2
            }
            if let found = source[name] {
                variables[found.text, default: []].append((source.block(around: name) ?? -1, place))
            }
        }
    }

    /// `x: CertificatePinner.Builder`, `CertificatePinner.Builder x`, `fun f(): CertificatePinner.Builder`.
    private mutating func typed(at place: Int, from start: Int) {
        var name: Int?
        if source.isSymbol(":", at: start - 1) {
            if source.isSymbol(")", at: start - 2), let open = source.start(of: start - 2),
                let function = source[open - 1]
            {
                factories[function.text] = open - 1
                return
            }
            name = start - 2
        } else if source[place + 3]?.isIdentifier == true, !source.isWord("as", at: place + 3) {
            if source.isSymbol("(", at: place + 4), let function = source[place + 3] {
                factories[function.text] = place + 3
                return
            }
            name = place + 3
        }
        guard let name, let found = source[name], found.isIdentifier else { return }
        var scope = source.block(around: name) ?? -1
        if let open = source.opener(around: name), source.tokens[open].is("("), let function = source[open - 1],
            let parameters = code.index.functions[function.text]?.first(where: { $0.place == open - 1 })
        {
            scope = parameters.hasBlock ? parameters.body : scope
        }
        if variables[found.text]?.contains(where: { $0.scope == scope }) != true {
            variables[found.text, default: []].append((scope, place))
        }
    }

    // MARK: what stands before the dot

    private mutating func builder(endingAt end: Int) -> Int? {
        var at = end
        var passed: [Int] = []
        var found: Int?
        while let token = source[at], code.spend() {
            if let already = known[at] {
                found = already
                break
            }
            passed.append(at)
            if token.is("!!") {
                at -= 1
                continue
            }
            var name = at
            if token.is("}"), let open = source.start(of: at) {
                name = open - 1
                if source.isSymbol(")", at: name), let parenthesis = source.start(of: name) { name = parenthesis - 1 }
            } else if token.is(")"), let open = source.start(of: at) {
                name = open - 1
                if isBuilderType(name - 2), source.isWord("Builder", at: name) {
                    found = name - 2
                    break
                }
            }
            guard let word = source[name], word.isIdentifier else { break }
            let hasDot = source.isSymbol(".", at: name - 1) || source.isSymbol("?.", at: name - 1)
            if name == at {
                let isOwn = source.isWord("this", at: name - 2) || source.isWord("self", at: name - 2)
                found = !hasDot || isOwn ? named(word.text, at: name) : nil
                break
            }
            if hasDot, ["add", "apply", "also", "onEach"].contains(word.text) {
                at = name - 2
                continue
            }
            found = factories[word.text]
            break
        }
        for place in passed { known[place] = .some(found) }
        return found
    }

    /// A variable, a parameter, or the argument of a closure around it.
    private mutating func named(_ name: String, at place: Int) -> Int? {
        var block = source.block(around: place)
        var scopes: [Int] = []
        while let open = block {
            guard code.spend(8) else { return nil }
            scopes.append(open)
            if let argument = argument(name, of: open) { return argument }
            block = source.block(around: open)
        }
        scopes.append(-1)
        guard let all = variables[name],
            let scope = scopes.first(where: { scope in all.contains { $0.scope == scope } })
        else { return nil }
        // A nearer variable of the same name is another thing.
        let others = (code.index.declarations[name] ?? []).filter { $0.scope > scope && scopes.contains($0.scope) }
        return others.isEmpty ? all.first { $0.scope == scope }?.builder : nil
    }

    /// Of `x.also { it… }`, `x.let { b -> … }` and `list.fold(builder) { b, pin -> … }`.
    private mutating func argument(_ name: String, of open: Int) -> Int? {
        let parenthesis = source.isSymbol(")", at: open - 1) ? source.start(of: open - 1) : nil
        let method = (parenthesis ?? open) - 1
        guard let word = source[method], ["also", "let", "fold"].contains(word.text),
            let first = code.closure(at: open)?.parameters.first, first == [name]
        else { return nil }
        if word.text == "fold" { return parenthesis.flatMap { builder(endingAt: source.end(of: $0) - 1) } }
        return source.isSymbol(".", at: method - 1) || source.isSymbol("?.", at: method - 1)
            ? builder(endingAt: method - 2) : nil
    }

    // MARK: what stands around it

    private mutating func implicit(at place: Int) -> Int? {
        guard source.language == .kotlin, !source.isWord("fun", at: place - 1) else { return nil }
        var block = source.block(around: place)
        while let open = block, code.spend() {
            if let function = code.index.functionBodies[open] { return extended(by: function) }
            if code.index.typeBodies[open] != nil { return nil }
            let parenthesis = source.isSymbol(")", at: open - 1) ? source.start(of: open - 1) : nil
            guard let word = source[(parenthesis ?? open) - 1] else { return nil }
            let method = (parenthesis ?? open) - 1
            switch word.text {
            case "apply", "run":
                // Without a dot it is called on what the function extends.
                if source.isSymbol("=", at: method - 1) || source.isWord("return", at: method - 1) {
                    block = source.block(around: open)
                    continue
                }
                return source.isSymbol(".", at: method - 1) || source.isSymbol("?.", at: method - 1)
                    ? builder(endingAt: method - 2) : nil
            case "with": return parenthesis.flatMap { builder(endingAt: source.end(of: $0) - 1) }
            case "certificatePinner", "CertificatePinner": return open
            case "forEach", "let", "also", "onEach", "forEachIndexed", "if", "for", "while", "when", "else", "try",
                "finally", "->", "do", "map", "repeat", "catch":
                block = source.block(around: open)
            default: return nil
            }
        }
        return code.expressionFunction(around: place).flatMap(extended)
    }

    /// `fun CertificatePinner.Builder.pins() …`: the builder is its `this`.
    private func extended(by function: SourceFunction) -> Int? {
        guard let owner = function.owner, owner.hasSuffix(".Builder") else { return nil }
        let name = owner.split(separator: ".").dropLast().last.map(String.init) ?? ""
        return classes.contains(name) ? function.place : nil
    }
}
