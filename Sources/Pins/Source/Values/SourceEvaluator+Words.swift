/// Values that begin with a word or a sign: keywords, names, brackets.
extension SourceEvaluator {
    private static let passedOver: Set<String> = [
        "new", "const", "await", "return", "final", "lateinit", "val", "let", "var",
    ]
    private static let constants: [String: SourceValue] = [
        "true": .bool(true), "false": .bool(false), "YES": .bool(true), "NO": .bool(false), "True": .bool(true),
        "False": .bool(false), "kCFBooleanTrue": .bool(true), "kCFBooleanFalse": .bool(false), "null": .null,
        "nil": .null, "NULL": .null, "None": .null, "undefined": .null,
    ]

    func word(_ token: SourceToken, at start: Int, _ environment: Environment, depth: Int) -> (
        item: SourceItem, end: Int
    ) {
        let word = token.text
        if word == "new", let made = newArray(at: start, environment, depth: depth) { return made }
        if Self.passedOver.contains(word), environment[word] == nil, source[start + 1] != nil,
            !source.isSymbol("(", at: start + 1) || word == "return"
        {
            return operand(at: start + 1, environment, depth: depth)
        }
        if word == "try" {
            let at = source.isSymbol("!", at: start + 1) || source.isSymbol("?", at: start + 1) ? start + 2 : start + 1
            if !source.isSymbol("{", at: at) { return operand(at: at, environment, depth: depth) }
        }
        if word == "if", let chosen = released(at: start, environment, depth: depth) { return chosen }
        if ["if", "when", "switch", "try", "object", "throw", "function", "func"].contains(word),
            environment[word] == nil
        {
            let end = skipStatement(from: start)
            return (unknown(start, end), end)
        }
        if let constant = Self.constants[word], !source.isSymbol("(", at: start + 1) {
            return (SourceItem(constant, line: token.line), start + 1)
        }
        // A lone argument of a JavaScript, Dart or Java closure.
        if source.isSymbol("=>", at: start + 1) || (source.isSymbol("->", at: start + 1) && source.language == .java) {
            return closure(at: start, body: start + 2)
        }
        var at = start + 1
        if let end = genericEnd(at) { at = end }
        if source.isSymbol("(", at: at), isCall(at) {
            return call(word, receiver: nil, from: start, open: at, environment, depth: depth)
        }
        if source.isSymbol("{", at: at), source.language.hasTrailingClosures, Self.closureFunctions.contains(word) {
            return call(word, receiver: nil, from: start, open: nil, closure: at, environment, depth: depth)
        }
        if let item = name(word, at: start, environment, depth: depth) { return (item, start + 1) }
        return (SourceItem(.unknown(word), line: token.line), start + 1)
    }

    /// `if (BuildConfig.DEBUG) a else b` is `b` in the builds that count.
    private func released(at start: Int, _ environment: Environment, depth: Int) -> (item: SourceItem, end: Int)? {
        guard source.language == .kotlin, source.isSymbol("(", at: start + 1),
            let condition = DebugGuard.condition(of: start + 1, source)
        else { return nil }
        let yes = branch(at: source.end(of: start + 1) + 1, environment, depth: depth)
        guard source.isWord("else", at: yes.end) else { return nil }
        let no = branch(at: yes.end + 1, environment, depth: depth)
        return (condition ? no.item : yes.item, no.end)
    }

    private func branch(at start: Int, _ environment: Environment, depth: Int) -> (item: SourceItem, end: Int) {
        guard source.isSymbol("{", at: start) else { return expression(at: start, environment, depth: depth + 1) }
        let end = min(source.end(of: start) + 1, source.tokens.count)
        return (result(ofBlock: start, environment, depth: depth + 1) ?? unknown(start, end), end)
    }

    /// A name by itself; nil where the file does not say what it is.
    func name(_ word: String, at place: Int, _ environment: Environment, depth: Int) -> SourceItem? {
        if let item = lookUp(word, at: place, environment, depth: depth + 1) { return item }
        if index.types[word] != nil { return SourceItem(.type(word), line: source.line(place)) }
        if word == "self" || word == "this" || word == "Self" || word == "_self" || word == "super" {
            return index.owner(of: place).map { SourceItem(.type($0), line: source.line(place)) }
        }
        if let found = neighbours?.constant(word, for: self, line: source.line(place), depth: depth + 1) {
            return found
        }
        // TrustKit's keys are constants of its header, whose values are their own names without the k.
        if word.hasPrefix("kTSK") { return SourceItem(.text(String(word.dropFirst())), line: source.line(place)) }
        return nil
    }

    /// `(` on the next line begins another statement.
    func isCall(_ at: Int) -> Bool { source[at].map { !$0.startsLine } == true }

    /// Behind `<…>` where it is the types of what is called, and not two comparisons.
    func genericEnd(_ start: Int) -> Int? {
        guard source.isSymbol("<", at: start), source.language != .python else { return nil }
        var (at, depth) = (start, 0)
        for _ in 0..<64 {
            guard let token = source[at] else { return nil }
            if token.is("<") { depth += 1 }
            if token.is(">") { depth -= 1 }
            at += 1
            if depth == 0 { break }
            let isOfType =
                token.isIdentifier || ["<", ">", ",", ".", "?", "[", "]", "*", "&", ":"].contains(token.text)
            guard isOfType else { return nil }
        }
        guard depth == 0 else { return nil }
        return source.isSymbol("(", at: at) || source.isSymbol("{", at: at) || source.isSymbol("[", at: at) ? at : nil
    }

    /// `new String[] {…}` and `new byte[][] {…}`.
    private func newArray(at start: Int, _ environment: Environment, depth: Int) -> (item: SourceItem, end: Int)? {
        var at = start + 1
        while source[at]?.isIdentifier == true || source.isSymbol(".", at: at) { at += 1 }
        if let end = genericEnd(at) { at = end }
        guard source.isSymbol("[", at: at) else { return nil }
        while source.isSymbol("[", at: at) { at = source.end(of: at) + 1 }
        if source.isSymbol("{", at: at) { return list(at, environment, depth: depth) }
        return (SourceItem(.list([]), line: source.line(start)), at)
    }

    // MARK: signs

    func sign(_ token: SourceToken, at start: Int, _ environment: Environment, depth: Int) -> (
        item: SourceItem, end: Int
    ) {
        switch token.text {
        case "(": return parenthesis(at: start, environment, depth: depth)
        case "[":
            if source.language == .objectiveC { return message(at: start, environment, depth: depth) }
            return collection(start, environment, depth: depth)
        case "{":
            if source.language.hasBracedDictionaries { return collection(start, environment, depth: depth) }
            if source.language.hasBracedLists { return list(start, environment, depth: depth) }
            return (SourceItem(.closure(start), line: token.line), source.end(of: start) + 1)
        case "@":
            guard source.language == .objectiveC else {
                // An annotation, and its arguments.
                let at = source.isSymbol("(", at: start + 2) ? source.end(of: start + 2) + 1 : start + 2
                return operand(at: at, environment, depth: depth)
            }
            if source.isSymbol("[", at: start + 1) || source.isSymbol("{", at: start + 1) {
                return collection(start + 1, environment, depth: depth)
            }
            return operand(at: start + 1, environment, depth: depth)
        case "<":
            // Dart's `<String>[…]`.
            guard let end = genericEnd(start), !source.isSymbol("(", at: end) else {
                return (unknown(start, start + 1), start + 1)
            }
            return collection(end, environment, depth: depth)
        case "*", "...", "&", "^": return operand(at: start + 1, environment, depth: depth)
        case "!":
            let inner = operand(at: start + 1, environment, depth: depth)
            return (
                inner.item.bool.map { SourceItem(.bool(!$0), line: token.line) } ?? unknown(start, inner.end),
                inner.end
            )
        case "-":
            let inner = operand(at: start + 1, environment, depth: depth)
            if case .number(let number) = inner.item.value {
                return (SourceItem(.number(0 &- number), line: token.line), inner.end)
            }
            return (unknown(start, inner.end), inner.end)
        case ".":
            // Swift's member of a type that is not named.
            guard let name = source[start + 1], name.isIdentifier else {
                return (unknown(start, start + 1), start + 1)
            }
            if source.isSymbol("(", at: start + 2), isCall(start + 2) {
                return call("." + name.text, receiver: nil, from: start, open: start + 2, environment, depth: depth)
            }
            return (SourceItem(.call(SourceCall(name: "." + name.text, arguments: [])), line: token.line), start + 2)
        default: return (unknown(start, start + 1), start + 1)
        }
    }

    /// A value in parentheses, a tuple, a cast before a value, or the arguments of a closure.
    private func parenthesis(at start: Int, _ environment: Environment, depth: Int) -> (item: SourceItem, end: Int) {
        let end = source.end(of: start)
        if source.isSymbol("=>", at: end + 1) || source.isSymbol("->", at: end + 1) {
            return closure(at: start, body: end + 2)
        }
        if source.isSymbol("{", at: end + 1), source.language == .dart { return closure(at: start, body: end + 1) }
        let parts = source.parts(of: start)
        if parts.count == 1, isCast(parts[0], end: end) {
            return operand(at: end + 1, environment, depth: depth)
        }
        let items = parts.map { labelled($0, environment, depth: depth).item }
        let line = source.line(start)
        switch items.count {
        case 1: return (items[0], end + 1)
        case 2: return (SourceItem(.pair(items[0], items[1]), line: line), end + 1)
        default: return (SourceItem(.list(items), line: line), end + 1)
        }
    }

    private func isCast(_ inner: Range<Int>, end: Int) -> Bool {
        guard source.language == .java || source.language == .objectiveC || source.language == .cpp,
            let next = source[end + 1], !next.startsLine
        else { return false }
        let isType = inner.allSatisfy {
            source.tokens[$0].isIdentifier || ["*", "<", ">", "[", "]", ".", "?", ","].contains(source.tokens[$0].text)
        }
        let beginsValue =
            next.isIdentifier || next.isString || next.kind == .number || next.is("@") || next.is("(")
            || (next.is("[") && source.language == .objectiveC)
        return isType && beginsValue
    }

    private func closure(at start: Int, body: Int) -> (item: SourceItem, end: Int) {
        let end = source.isSymbol("{", at: body) ? source.end(of: body) + 1 : source.statementEnd(from: body)
        return (SourceItem(.closure(start), line: source.line(start)), end)
    }

    /// To where an `if` or the like surely is over.
    private func skipStatement(from start: Int) -> Int {
        var at = start
        while let token = source[at], spend() {
            if token.kind == .symbol, [";", ",", ")", "]", "}"].contains(token.text) { return at }
            let end = source.end(of: at)
            let isBlock = token.is("{")
            at = token.kind == .symbol && end > at && end < source.tokens.count ? end + 1 : at + 1
            if isBlock, !source.isWord("else", at: at), !source.isWord("catch", at: at) { return at }
        }
        return at
    }
}
