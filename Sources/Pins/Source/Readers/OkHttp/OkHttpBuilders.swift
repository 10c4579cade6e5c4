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
    /// `CertificatePinner`, and what imports and aliases call it.
    private var classes: Set<String> = ["CertificatePinner"]
    /// What imports and aliases call its `Builder`.
    private var bareNames: Set<String> = []
    /// Functions that give a builder to a function which they are given.
    private var givers: Set<String> = []
    /// A builder that is made, and not built at once.
    private(set) var unfilled: Int?
    /// Calls of `add` with a pin, of which is not known what they are made on.
    private(set) var lost: [Int] = []
    /// More are not told.
    private static let lostLimit = 32
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

    /// Where an `add` is called, of whatever it is.
    var places: [Int] { code.index.places["add"] ?? [] }

    /// nil where the `add` at a place is no builder's.
    mutating func addition(at place: Int) -> Addition? {
        guard source.isSymbol("(", at: place + 1), code.spend() else { return nil }
        let hasDot = source.isSymbol(".", at: place - 1) || source.isSymbol("?.", at: place - 1)
        if let builder = hasDot ? builder(endingAt: place - 2) : implicit(at: place) {
            return Addition(place: place, open: place + 1, builder: builder)
        }
        if lost.count < Self.lostLimit, addsPin(place + 1) { lost.append(place) }
        return nil
    }

    /// `add("api.example.com", "sha256/…")`: lists, forms and the like are not given a host and a pin.
    private func addsPin(_ open: Int) -> Bool {
        guard source.parts(of: open).count > 1, let environment = code.environments(at: open).first else {
            return false
        }
        let items = code.arguments(of: open, environment, depth: 0).map(\.item)
        guard items.count > 1 else { return false }
        switch items[0].value {
        case .text(let text): guard text.contains("."), !Self.isPin(text) else { return false }
        case .unknown, .call: break
        default: return false
        }
        return items.dropFirst().contains { $0.flattened.contains { $0.text.map(Self.isPin) == true } }
    }

    private static func isPin(_ text: String) -> Bool { text.hasPrefix("sha256/") || text.hasPrefix("sha1/") }

    // MARK: names

    /// `import … as X`, `import ….Builder`, `typealias X = …`.
    private mutating func findAliases() {
        for place in code.index.places["CertificatePinner"] ?? [] {
            let start = pathStart(place)
            let isBuilder = source.isSymbol(".", at: place + 1) && source.isWord("Builder", at: place + 2)
            let end = isBuilder ? place + 3 : place + 1
            var name: SourceToken?
            if source.isWord("as", at: end) {
                name = source[end + 1]
            } else if source.isSymbol("=", at: start - 1), source.isWord("typealias", at: start - 3) {
                name = source[start - 2]
            } else if source.isWord("import", at: start - 1), isBuilder || source.isSymbol("*", at: place + 2) {
                if code.index.types["Builder"] == nil { bareNames.insert("Builder") }
            }
            guard let name, name.isIdentifier else { continue }
            if isBuilder { bareNames.insert(name.text) } else { classes.insert(name.text) }
        }
    }

    /// Over the package, or the class, that a name is in.
    private func pathStart(_ place: Int) -> Int {
        var start = place
        while source.isSymbol(".", at: start - 1), source[start - 2]?.isIdentifier == true { start -= 2 }
        return start
    }

    /// Behind `CertificatePinner.Builder`, or another name of it, that begins at a place; nil where none does.
    private func typeEnd(_ place: Int) -> Int? {
        guard let token = source[place], token.isIdentifier else { return nil }
        if classes.contains(token.text), source.isSymbol(".", at: place + 1), source.isWord("Builder", at: place + 2) {
            return place + 3
        }
        return bareNames.contains(token.text) && !source.isSymbol(".", at: place - 1) ? place + 1 : nil
    }

    /// A builder that is made at its place, and not one that is only named there.
    func isMade(_ builder: Int) -> Bool { typeEnd(builder).map { source.isSymbol("(", at: $0) } == true }

    private mutating func findVariables() {
        for name in classes.union(bareNames) {
            for place in code.index.places[name] ?? [] {
                guard let end = typeEnd(place) else { continue }
                let start = pathStart(place)
                if source.isWord("import", at: start - 1) || source.isWord("typealias", at: start - 3) { continue }
                if source.isSymbol("(", at: end) {
                    made(at: place, behind: end, from: source.isWord("new", at: start - 1) ? start - 1 : start)
                } else if !isGiven(place, behind: end) {
                    typed(at: place, behind: end, from: start)
                }
            }
        }
    }

    /// Of a function's parameter: `CertificatePinner.Builder.() -> Unit`, `Consumer<CertificatePinner.Builder>`.
    private mutating func isGiven(_ place: Int, behind end: Int) -> Bool {
        let isReceiver = source.isSymbol(".", at: end) && source.isSymbol("(", at: end + 1)
        let isArgument = source.isSymbol(")", at: end) && source.isSymbol("->", at: end + 1)
        guard isReceiver || isArgument || source.isSymbol(">", at: end) else { return false }
        var open = source.opener(around: place)
        if isArgument { open = open.flatMap { source.opener(around: $0) } }
        if let open, source.isSymbol("(", at: open), let function = source[open - 1], function.isIdentifier,
            code.index.functions[function.text] != nil
        {
            givers.insert(function.text)
        }
        return true
    }

    /// `val x = CertificatePinner.Builder()…` that is not built at once.
    private mutating func made(at place: Int, behind end: Int, from start: Int) {
        var at = source.end(of: end) + 1
        if unfilled == nil, !source.isSymbol(".", at: at) || !source.isWord("build", at: at + 1) { unfilled = place }
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
    private mutating func typed(at place: Int, behind end: Int, from start: Int) {
        var name: Int?
        if source.isSymbol(":", at: start - 1) {
            if source.isSymbol(")", at: start - 2), let open = source.start(of: start - 2),
                let function = source[open - 1]
            {
                factories[function.text] = open - 1
                return
            }
            name = start - 2
        } else if source[end]?.isIdentifier == true, !source.isWord("as", at: end) {
            if source.isSymbol("(", at: end + 1), let function = source[end] {
                factories[function.text] = end
                return
            }
            name = end
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
                if let made = [name - 2, name].first(where: { typeEnd($0) == open }) {
                    found = made
                    break
                }
            }
            guard let word = source[name], word.isIdentifier else { break }
            let hasDot = source.isSymbol(".", at: name - 1) || source.isSymbol("?.", at: name - 1)
            if name == at {
                let isOwn = source.isWord("this", at: name - 2) || source.isWord("self", at: name - 2)
                if word.text == "this", !hasDot {
                    found = implicit(at: name)
                } else {
                    found = !hasDot || isOwn ? named(word.text, at: name) : nil
                }
                break
            }
            if hasDot, ["add", "apply", "also", "onEach"].contains(word.text) {
                at = name - 2
                continue
            }
            // What a closure makes of a builder is one, unless it builds.
            if hasDot, ["let", "run"].contains(word.text), token.is("}"), let open = source.start(of: at),
                !source.range(open, at).contains(where: {
                    source.isWord("build", at: $0) && source.isSymbol("(", at: $0 + 1)
                })
            {
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
        if let lambda = lambda(name, at: place) { return lambda }
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
        guard let word = source[method], ["also", "let", "fold"].contains(word.text) || givers.contains(word.text),
            let first = code.closure(at: open)?.parameters.first, first == [name]
        else { return nil }
        if givers.contains(word.text) { return open }
        if word.text == "fold" { return parenthesis.flatMap { builder(endingAt: source.end(of: $0) - 1) } }
        return source.isSymbol(".", at: method - 1) || source.isSymbol("?.", at: method - 1)
            ? builder(endingAt: method - 2) : nil
    }

    /// Where a function of Java's begins that is given a builder by a name.
    ///
    /// `Consumer<CertificatePinner.Builder> c = b -> b.add(…)`, `configure(b -> b.add(…))`.
    private func lambda(_ name: String, at place: Int) -> Int? {
        guard source.language == .java else { return nil }
        var arrows: [Int] = []
        var at = place - 1
        for _ in 0..<100 {
            guard let token = source[at], !token.is(";"), !token.is("{"), !token.is("}") else { break }
            if token.is("->") { arrows.append(at) }
            at = (source.start(of: at) ?? at) - 1
        }
        var block = source.block(around: place)
        while let open = block {
            if source.isSymbol("->", at: open - 1) { arrows.append(open - 1) }
            block = source.block(around: open)
        }
        for arrow in arrows {
            var head = arrow - 1
            if source.isSymbol(")", at: head), let open = source.start(of: head), open == head - 2 { head = open }
            guard source.isWord(name, at: head) || source.isWord(name, at: head + 1) else { continue }
            return isOfBuilder(before: head) ? head : nil
        }
        return nil
    }

    /// A function without a name that is given a builder: by the type of what it is assigned, or given, to.
    private func isOfBuilder(before head: Int) -> Bool {
        guard source.isSymbol("=", at: head - 1) else {
            return source.opener(around: head).flatMap { source[$0 - 1] }.map { givers.contains($0.text) } == true
        }
        var at = head - 2
        for _ in 0..<24 {
            guard let token = source[at], !token.is(";"), !token.is("{"), !token.is("}") else { return false }
            if typeEnd(at) != nil { return true }
            if token.startsLine { return false }
            at -= 1
        }
        return false
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
            case _ where givers.contains(word.text): return open
            case "=": return isOfBuilder(before: open) ? open : nil
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
        guard let owner = function.owner else { return nil }
        if bareNames.contains(owner) { return function.place }
        guard owner.hasSuffix(".Builder") else { return nil }
        let name = owner.split(separator: ".").dropLast().last.map(String.init) ?? ""
        return classes.contains(name) ? function.place : nil
    }
}
