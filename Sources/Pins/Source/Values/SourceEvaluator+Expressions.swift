/// Expressions: operators and what they join, and what stands between them.
extension SourceEvaluator {
    /// The value of the expression that begins at a place, and the place behind it.
    func expression(at start: Int, _ environment: Environment, depth: Int) -> (item: SourceItem, end: Int) {
        guard depth < Self.depthLimit, spend() else {
            return (unknown(start, start), source.statementEnd(from: start))
        }
        var (left, at) = sum(at: start, environment, depth: depth + 1)
        var isKnown = true
        while let token = source[at], !token.startsLine || token.continuesLine, spend() {
            if token.names("to"), source.language == .kotlin {
                let right = sum(at: at + 1, environment, depth: depth + 1)
                left = SourceItem(.pair(left, right.item), line: source.line(start))
                at = right.end
            } else if token.names("as") || token.names("is") {
                at += 1
                if source.isSymbol("?", at: at) || source.isSymbol("!", at: at) { at += 1 }
                if source[at]?.isIdentifier == true { at += 1 }
                at = SourceDeclarations.endOfType(at, in: source)
            } else if token.is("?:") || token.is("??") {
                let right = expression(at: at + 1, environment, depth: depth + 1)
                if case .unknown = left.value { isKnown = false }
                if left.isNull { left = right.item }
                at = max(right.end, at + 1)
            } else if token.is("?"), source.language.hasTernary {
                let yes = expression(at: at + 1, environment, depth: depth + 1)
                guard source.isSymbol(":", at: yes.end) else { break }
                let no = expression(at: yes.end + 1, environment, depth: depth + 1)
                // Of a condition of debug builds the other side counts.
                let condition = left.bool ?? DebugGuard.condition(in: source.range(start, at), source).map { !$0 }
                if let condition { left = condition ? yes.item : no.item }
                if condition == nil { isKnown = yes.item.text != nil && yes.item.text == no.item.text }
                at = max(no.end, at + 1)
            } else if isOperator(token) {
                let right = sum(at: at + 1, environment, depth: depth + 1)
                isKnown = false
                at = max(right.end, at + 1)
            } else {
                break
            }
        }
        return (
            isKnown ? left : SourceItem(.unknown(source.excerpt(source.range(start, at))), line: source.line(start)), at
        )
    }

    private func isOperator(_ token: SourceToken) -> Bool {
        switch token.kind {
        case .symbol:
            ["==", "!=", "===", "!==", "&&", "||", "<", ">", "<=", ">=", "-", "*", "/", "%", "&", "|", "^", "..<"]
                .contains(token.text)
                || token.text == ".." && source.language == .kotlin
        case .identifier: ["in", "shl", "or", "and", "xor", "until", "instanceof"].contains(token.text)
        default: false
        }
    }

    /// Operands with `+` between them.
    private func sum(at start: Int, _ environment: Environment, depth: Int) -> (item: SourceItem, end: Int) {
        var (left, at) = operand(at: start, environment, depth: depth)
        while source.isSymbol("+", at: at), spend() {
            let right = operand(at: at + 1, environment, depth: depth)
            left =
                Self.joined(left, right.item)
                ?? SourceItem(.unknown(source.excerpt(source.range(start, right.end))), line: left.line)
            at = max(right.end, at + 1)
        }
        return (left, at)
    }

    /// `a + b`; nil where it is neither a text nor a collection, or too large.
    static func joined(_ left: SourceItem, _ right: SourceItem) -> SourceItem? {
        switch (left.value, right.value) {
        case (.text(let a), .text(let b)):
            return a.utf8.count + b.utf8.count <= sizeLimit ? SourceItem(.text(a + b), line: left.line) : nil
        case (.text(let a), .number(let b)): return SourceItem(.text(a + String(b)), line: left.line)
        case (.list(let a), .list(let b)):
            return a.count + b.count <= sizeLimit ? SourceItem(.list(a + b), line: left.line) : nil
        case (.list(let a), _): return a.count < sizeLimit ? SourceItem(.list(a + [right]), line: left.line) : nil
        case (.dictionary(let a), .dictionary(let b)):
            return a.count + b.count <= sizeLimit ? SourceItem(.dictionary(a + b), line: left.line) : nil
        case (.dictionary(let a), .pair(let key, let value)):
            // Another value for a key replaces the first; a dictionary of more keys than people write is not searched.
            if let text = key.text, a.count <= 512, let place = a.firstIndex(where: { $0.key.text == text }) {
                var entries = a
                entries[place] = SourceEntry(key: key, value: value, line: right.line)
                return SourceItem(.dictionary(entries), line: left.line)
            }
            return SourceItem(.dictionary(a + [SourceEntry(key: key, value: value, line: right.line)]), line: left.line)
        default: return nil
        }
    }

    /// A literal, a name or a bracket, and what is done with it: members, calls, subscripts.
    func operand(at start: Int, _ environment: Environment, depth: Int) -> (item: SourceItem, end: Int) {
        guard depth < Self.depthLimit, spend(), let token = source[start] else {
            return (unknown(start, start), source.statementEnd(from: start))
        }
        var (item, at) = begin(token, at: start, environment, depth: depth + 1)
        while let next = source[at], spend() {
            guard let (value, end) = postfix(next, item, from: start, at: at, environment, depth: depth + 1) else {
                break
            }
            item = value
            at = max(end, at + 1)
        }
        return (item, at)
    }

    func begin(
        _ token: SourceToken, at start: Int, _ environment: Environment, depth: Int
    ) -> (item: SourceItem, end: Int) {
        switch token.kind {
        case .string: return strings(at: start, environment, depth: depth)
        case .number:
            return (SourceItem(token.number.map { .number($0) } ?? .unknown(token.text), line: token.line), start + 1)
        case .character: return (SourceItem(.text(token.text), line: token.line), start + 1)
        case .identifier: return word(token, at: start, environment, depth: depth)
        case .symbol: return sign(token, at: start, environment, depth: depth)
        }
    }

    /// One string, or several side by side.
    private func strings(at start: Int, _ environment: Environment, depth: Int) -> (item: SourceItem, end: Int) {
        var (text, isKnown, at) = ("", true, start)
        repeat {
            guard let token = source[at], case .string(let place) = token.kind else { break }
            if isKnown, let part = self.text(of: source.strings[place], at: at, environment, depth: depth) {
                text += part
            } else {
                isKnown = false
            }
            isKnown = isKnown && text.utf8.count <= Self.sizeLimit
            at += 1
        } while source.language.joinsStrings && source[at]?.isString == true
        let line = source.line(start)
        guard isKnown else { return (unknown(start, at), at) }
        return (SourceItem(.text(text), line: line), at)
    }

    private func text(of string: SourceString, at place: Int, _ environment: Environment, depth: Int) -> String? {
        var text = ""
        for piece in string.pieces {
            switch piece {
            case .text(let part): text += part
            case .code(let code):
                guard let part = step(code, at: place, environment, depth: depth)?.text else { return nil }
                text += part
            case .path(let names):
                guard let part = path(names, at: place, environment, depth: depth)?.text else { return nil }
                text += part
            }
            guard text.utf8.count <= Self.sizeLimit else { return nil }
        }
        return text
    }

    /// `pins[0]`, `pins.first()`, `pin.hash` within a string: names, places, and methods without arguments.
    private func step(_ code: String, at place: Int, _ environment: Environment, depth: Int) -> SourceItem? {
        guard code.utf8.count <= 120 else { return nil }
        var tokenizer = SourceTokenizer(Array(code.utf8), source.language)
        tokenizer.run()
        let tokens = SourceTokens(tokenizer.tokens)
        guard tokens[0].isIdentifier, var item = name(tokens[0].text, at: place, environment, depth: depth) else {
            return nil
        }
        var at = 1
        while at < tokens.count {
            if tokens[at].is("["), let number = tokens[at + 1].number, tokens[at + 2].is("]") {
                guard let next = Self.element(SourceItem(.number(number), line: item.line), of: item) else {
                    return nil
                }
                item = next
                at += 3
            } else if tokens[at].is(".") || tokens[at].is("?."), tokens[at + 1].isIdentifier {
                let name = tokens[at + 1].text
                let isCall = tokens[at + 2].is("(") && tokens[at + 3].is(")")
                let call = SourceCall(name: name, receiver: item, arguments: [])
                let next =
                    isCall
                    ? method(call, line: item.line, environment, depth: depth)
                    : property(name, of: item, at: place, depth: depth)
                guard let next else { return nil }
                item = next
                at += isCall ? 4 : 2
            } else if tokens[at].is("!!") || tokens[at].is("!") {
                at += 1
            } else {
                return nil
            }
        }
        return item
    }

    /// `a.b.c` within a string.
    private func path(_ names: [String], at place: Int, _ environment: Environment, depth: Int) -> SourceItem? {
        guard var item = names.first.flatMap({ name($0, at: place, environment, depth: depth) }) else { return nil }
        for name in names.dropFirst() {
            guard let next = property(name, of: item, at: place, depth: depth) else { return nil }
            item = next
        }
        return item
    }
}
