/// What the body of a check comes to.
enum SourceVerdict: Equatable {
    case always(Bool)
    case depends

    /// Of an expression, or of a block with its `return`s.
    static func of(_ range: Range<Int>, _ code: SourceEvaluator) -> SourceVerdict {
        let source = code.source
        var start = range.lowerBound
        if source.isSymbol("{", at: start) { start += 1 }
        if let arrow = source.isSymbol("{", at: range.lowerBound) ? code.closureArrow(range.lowerBound) : nil {
            start = arrow + 1
        }
        let words: [String: Bool] = ["true": true, "false": false, "YES": true, "NO": false]
        let end = min(range.upperBound, source.tokens.count)
        // The result as it stands: behind each `return`, or as the last word of an expression or a Kotlin closure.
        var results: [Bool?] = []
        for at in source.range(start, end) where source.tokens[at].names("return") {
            let value = source[at + 1].flatMap { words[$0.text] }
            let isWhole = source[at + 2].map { $0.is(";") || $0.is("}") || $0.startsLine || $0.is("@") } ?? true
            results.append(isWhole ? value : nil)
        }
        if results.isEmpty {
            guard
                let last = source.range(start, end).last(where: {
                    !source.tokens[$0].is("}") && !source.tokens[$0].is(")") && !source.tokens[$0].is(";")
                })
            else { return .depends }
            let isAlone = last == start || source.tokens[last].startsLine || source.isSymbol(";", at: last - 1)
            results.append(isAlone ? words[source.tokens[last].text] : nil)
        }
        guard let first = results[0], results.allSatisfy({ $0 == first }) else { return .depends }
        return .always(first)
    }
}

/// Code that a release build does not run.
enum DebugGuard {
    private static let words: Set<String> = ["DEBUG", "kDebugMode", "__DEV__", "isDebug", "isDebuggable", "IS_DEBUG"]

    /// Under `#if DEBUG`, or in the block of an `if` whose condition is that this is a debug build.
    static func holds(at place: Int, _ code: SourceEvaluator) -> Bool {
        let source = code.source
        if source[place]?.isDebugOnly == true { return true }
        var at = source.opener(around: place)
        while let open = at {
            if source.tokens[open].is("{"), condition(before: open, source) { return true }
            at = source.opener(around: open)
        }
        return false
    }

    private static func condition(before open: Int, _ source: SourceText) -> Bool {
        var start = open - 1
        if source.isSymbol(")", at: start), let parenthesis = source.start(of: start) { start = parenthesis }
        let isSwift = !source.isSymbol("(", at: start)
        if isSwift {
            // `if BuildConfig.isDebug {`
            for _ in 0..<12 where source[start]?.names("if") != true { start -= 1 }
            guard source.isWord("if", at: start) else { return false }
            return holds(source.range(start + 1, open), source)
        }
        return source.isWord("if", at: start - 1) && holds(source.range(start + 1, open - 1), source)
    }

    /// Of `(…)`: true where it says that this is a debug build, false where it says that it is none.
    static func condition(of parenthesis: Int, _ source: SourceText) -> Bool? {
        condition(in: source.range(parenthesis + 1, source.end(of: parenthesis)), source)
    }

    static func condition(in range: Range<Int>, _ source: SourceText) -> Bool? {
        guard range.count <= 6, let last = range.last, let word = source[last], words.contains(word.text) else {
            return nil
        }
        let rest = range.dropLast().map { source.tokens[$0] }
        guard rest.allSatisfy({ $0.isIdentifier || $0.is(".") || $0.is("!") }) else { return nil }
        return !(rest.first?.is("!") ?? false)
    }

    private static func holds(_ range: Range<Int>, _ source: SourceText) -> Bool {
        let tokens = range.map { source.tokens[$0] }
        return tokens.contains { words.contains($0.text) }
            && !tokens.contains { $0.is("!") || $0.is("||") || $0.is("!=") || $0.is("?:") }
            && !tokens.contains { $0.names("false") }
    }
}
