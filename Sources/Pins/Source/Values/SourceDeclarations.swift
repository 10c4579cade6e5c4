/// Finds `val x = …`, `static final String X = …`, `#define X …` and their like.
enum SourceDeclarations {
    private static let words: Set<String> = ["val", "var", "let", "const", "final", "case"]

    /// With their places; scopes and owners are the index's business.
    static func all(in source: SourceText) -> [SourceDeclaration] {
        var found: [SourceDeclaration] = []
        for i in source.tokens.indices {
            let token = source.tokens[i]
            if token.is("=") {
                if let declaration = typed(i, in: source) { found.append(declaration) }
            } else if token.is(";") {
                if let declaration = bare(i, in: source) { found.append(declaration) }
            } else if token.is("#"), source.isWord("define", at: i + 1) {
                if let declaration = macro(i, in: source) { found.append(declaration) }
            } else if token.isIdentifier {
                if token.text == "case", source.language == .swift {
                    found += cases(i, in: source)
                } else if words.contains(token.text), !source.isSymbol(".", at: i - 1) {
                    if let declaration = worded(i, in: source) { found.append(declaration) }
                } else if token.text == "get", source.language == .dart, let name = source[i + 1], name.isIdentifier {
                    if source.isSymbol("=>", at: i + 2) {
                        found.append(declaration(name.text, .value(i + 3), i + 1))
                    } else if source.isSymbol("{", at: i + 2) {
                        found.append(declaration(name.text, .computed(i + 2), i + 1))
                    }
                }
            }
        }
        return found
    }

    private static func declaration(_ name: String, _ kind: SourceDeclaration.Kind, _ place: Int) -> SourceDeclaration {
        SourceDeclaration(name: name, kind: kind, place: place, scope: -1, owner: nil, isLocal: false)
    }

    /// `case a = "…", b = "…"`.
    private static func cases(_ i: Int, in source: SourceText) -> [SourceDeclaration] {
        var found: [SourceDeclaration] = []
        var at = i + 1
        while let name = source[at], name.isIdentifier, source.isSymbol("=", at: at + 1) {
            found.append(declaration(name.text, .value(at + 2), at))
            at = source.statementEnd(from: at + 2)
            guard source.isSymbol(",", at: at) else { break }
            at += 1
        }
        return found
    }

    /// Java's field or variable that gets its value later: a type and a name before a semicolon.
    private static func bare(_ semicolon: Int, in source: SourceText) -> SourceDeclaration? {
        guard source.language == .java || source.language == .dart, !isInParentheses(semicolon, of: source) else {
            return nil
        }
        let none: Set<String> = [
            "return", "throw", "break", "continue", "package", "import", "new", "else", "assert", "yield", "await",
            "static",
        ]
        guard let name = source[semicolon - 1], name.isIdentifier, !none.contains(name.text),
            let before = source[semicolon - 2],
            before.is(">") || before.is("]") || before.is("?") || before.isIdentifier && !none.contains(before.text)
        else { return nil }
        return declaration(name.text, .deferred, semicolon - 1)
    }

    private static func macro(_ i: Int, in source: SourceText) -> SourceDeclaration? {
        guard let name = source[i + 2], name.isIdentifier, let value = source[i + 3], !value.startsLine, !value.is("(")
        else {
            return nil
        }
        return declaration(name.text, .value(i + 3), i + 2)
    }

    /// Behind one of the words: a name, a type, and a value, a body, `by lazy`, a getter, or nothing.
    private static func worded(_ i: Int, in source: SourceText) -> SourceDeclaration? {
        guard let name = source[i + 1], name.isIdentifier, !words.contains(name.text), !isInParentheses(i, of: source)
        else {
            return nil
        }
        // `final String x = …` and `const x = …` of Dart and Java: typed() finds the first kind.
        if source.language.typesComeFirst, source[i + 2]?.isIdentifier == true || source.isSymbol("<", at: i + 2) {
            return nil
        }
        let word = source.tokens[i].text
        var at = i + 2
        if source.isSymbol(":", at: at) { at = endOfType(at + 1, in: source) }
        guard let next = source[at] else { return nil }
        if word == "case" { return nil }
        if next.is("=") { return declaration(name.text, .value(at + 1), i + 1) }
        if next.is("{"), source.language == .swift { return declaration(name.text, .computed(at), i + 1) }
        guard source.language == .kotlin else {
            return word == "final" ? nil : declaration(name.text, .deferred, i + 1)
        }
        if next.names("by") { return declaration(name.text, .value(at + 1), i + 1) }
        if next.names("get"), source.isSymbol("(", at: at + 1) {
            let behind = source.end(of: at + 1) + 1
            if source.isSymbol("=", at: behind) { return declaration(name.text, .value(behind + 1), i + 1) }
            if source.isSymbol("{", at: behind) { return declaration(name.text, .computed(behind), i + 1) }
        }
        // `(val x in list)` and destructured loops have no value of their own.
        return next.names("in") || next.is(")") || next.is(",") ? nil : declaration(name.text, .deferred, i + 1)
    }

    /// A parameter, or an argument: no name with a value of its own.
    private static func isInParentheses(_ i: Int, of source: SourceText) -> Bool {
        source.opener(around: i).map { source.tokens[$0].is("(") } == true
    }

    /// `String x = …`, `NSString *const x = …`, `String[] x = …`, `x[] = …`: a type and a name before the `=`.
    private static func typed(_ equals: Int, in source: SourceText) -> SourceDeclaration? {
        guard source.language.typesComeFirst || source.language == .python, !isInParentheses(equals, of: source) else {
            return nil
        }
        var at = equals - 1
        while source.isSymbol("]", at: at), let open = source.start(of: at) { at = open - 1 }
        guard let name = source[at], name.isIdentifier, !words.contains(name.text) else { return nil }
        let before = source[at - 1]
        if source.language == .python {
            return before == nil || name.startsLine ? declaration(name.text, .value(equals + 1), at) : nil
        }
        guard let before else { return nil }
        let isType =
            before.isIdentifier && !words.contains(before.text)
            && !["return", "else", "case", "in", "await", "throw"].contains(before.text)
            || before.is("]") || before.is("*") || before.is("?")
            || (before.is(">") && !source.isSymbol("-", at: at - 2))
        return isType ? declaration(name.text, .value(equals + 1), at) : nil
    }

    /// Behind a type: words, dots, generic and function brackets.
    static func endOfType(_ start: Int, in source: SourceText) -> Int {
        var at = start
        var depth = 0
        for _ in 0..<96 {
            guard let token = source[at] else { return at }
            if token.is("<") {
                depth += 1
            } else if token.is(">") {
                depth -= 1
            } else if token.is("[") || token.is("(") {
                at = source.end(of: at)
            } else if token.isIdentifier {
                // A line that begins with a word is no more of the type.
                if depth == 0, token.startsLine || token.text == "by" || token.text == "get" || token.text == "in" {
                    return at
                }
            } else if !["?", "!", ".", "*", "&", "->", "@"].contains(token.text),
                !(depth > 0 && (token.is(",") || token.is(":")))
            {
                return at
            }
            at += 1
        }
        return at
    }
}
