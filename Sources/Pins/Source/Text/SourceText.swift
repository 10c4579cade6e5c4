/// A file of source code as tokens, with the partner of every bracket.
struct SourceText: Sendable {
    /// Brackets within brackets: real code has some twenty. What lies deeper has no partner, for everything that asks
    /// what is around a token goes outwards from there.
    static let depthLimit = 256

    let language: SourceLanguage
    let tokens: SourceTokens
    let strings: [SourceString]
    /// Of a bracket the place of its partner; of everything else, and where there is none, -1.
    private let partners: [Int]
    /// The innermost bracket that is open before a token, or -1.
    private let enclosing: [Int]
    /// Brackets lie deeper than the bound: what is within them was not looked at.
    let isTooDeep: Bool

    init(_ text: String, _ language: SourceLanguage) {
        var tokenizer = SourceTokenizer(Array(text.utf8), language)
        tokenizer.run()
        self.init(language, SourceConditions.applied(to: tokenizer.tokens, of: language), tokenizer.strings)
    }

    private init(_ language: SourceLanguage, _ tokens: [SourceToken], _ strings: [SourceString]) {
        self.language = language
        self.tokens = SourceTokens(tokens)
        self.strings = strings
        var partners = [Int](repeating: -1, count: tokens.count)
        var enclosing = [Int](repeating: -1, count: tokens.count)
        var open: [Int] = []
        var isTooDeep = false
        var counts: [String: Int] = [:]
        let openers = ["(": ")", "[": "]", "{": "}"]
        let closers = [")": "(", "]": "[", "}": "{"]
        for (i, token) in tokens.enumerated() {
            enclosing[i] = open.last ?? -1
            guard token.kind == .symbol else { continue }
            if openers[token.text] != nil {
                guard open.count < Self.depthLimit else {
                    isTooDeep = true
                    if language.isRefusedWhereDeep { break }
                    continue
                }
                open.append(i)
                counts[token.text, default: 0] += 1
            } else if let opener = closers[token.text], counts[opener, default: 0] > 0 {
                // What has no partner of its own, as in the two halves of an #if, is passed over.
                while let last = open.popLast() {
                    counts[tokens[last].text, default: 0] -= 1
                    if tokens[last].text == opener {
                        partners[last] = i
                        partners[i] = last
                        enclosing[i] = open.last ?? -1
                        break
                    }
                }
            }
        }
        self.partners = partners
        self.isTooDeep = isTooDeep
        self.enclosing = enclosing
    }

    /// Places from one to another; none where the second is not behind the first, and none beyond the ends.
    func range(_ start: Int, _ end: Int) -> Range<Int> {
        let start = min(max(start, 0), tokens.count)
        return start..<min(max(end, start), tokens.count)
    }

    /// nil beyond both ends.
    subscript(i: Int) -> SourceToken? { tokens.indices.contains(i) ? tokens[i] : nil }

    func isSymbol(_ symbol: String, at i: Int) -> Bool { self[i]?.is(symbol) == true }
    func isWord(_ word: String, at i: Int) -> Bool { self[i]?.names(word) == true }

    /// The place of the bracket that closes the one at `i`; the end of the file where there is none.
    func end(of i: Int) -> Int { tokens.indices.contains(i) && partners[i] > i ? partners[i] : tokens.count }
    /// The place of the bracket that opens what the one at `i` closes.
    func start(of i: Int) -> Int? {
        tokens.indices.contains(i) && partners[i] >= 0 && partners[i] < i ? partners[i] : nil
    }
    /// The innermost bracket that is open at a token.
    func opener(around i: Int) -> Int? { tokens.indices.contains(i) && enclosing[i] >= 0 ? enclosing[i] : nil }

    /// The innermost `{` that is open at a token.
    func block(around i: Int) -> Int? {
        var at = opener(around: i)
        while let open = at, !tokens[open].is("{") { at = opener(around: open) }
        return at
    }

    func line(_ i: Int) -> Int { self[i]?.line ?? tokens.last?.line ?? 1 }

    /// A string that has nothing put in.
    func constant(at i: Int) -> String? {
        guard let token = self[i], case .string(let place) = token.kind else { return nil }
        return strings[place].constant
    }

    /// The pieces between a bracket and its partner that commas part, empty ones left out.
    func parts(of open: Int) -> [Range<Int>] {
        let end = end(of: open)
        // What does not end has no parts, rather than all of the file.
        guard end < tokens.count else { return [] }
        var parts: [Range<Int>] = []
        var (from, at) = (open + 1, open + 1)
        while at < end {
            if tokens[at].is(",") {
                if from < at { parts.append(range(from, at)) }
                from = at + 1
            } else if tokens[at].kind == .symbol, self.end(of: at) < end {
                at = self.end(of: at)
            }
            at += 1
        }
        if from < min(at, end) { parts.append(range(from, min(at, end))) }
        return parts
    }

    private func opens(_ i: Int) -> Bool { tokens[i].is("(") || tokens[i].is("[") }

    /// As written, in one line and not too long: for a message.
    func excerpt(_ range: Range<Int>, limit: Int = 60) -> String {
        var text = ""
        for i in range where tokens.indices.contains(i) {
            let token = tokens[i]
            var word = token.text
            if case .string(let place) = token.kind { word = "\"\(strings[place].constant ?? "…")\"" }
            // What is a path, on however many lines, is one without spaces.
            let isPath = token.isDot || tokens[i - 1].isDot || token.startsLine && (opens(i - 1) || token.closes)
            let needsSpace = i > range.lowerBound && token.isApart && !isPath
            text += (needsSpace ? " " : "") + word
            if text.utf8.count > limit { return String(text.prefix(limit)) + "…" }
        }
        return text
    }
}
