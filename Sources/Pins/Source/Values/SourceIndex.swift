/// What a file defines: names with values, functions, and types.
struct SourceIndex: Sendable {
    private(set) var declarations: [String: [SourceDeclaration]] = [:]
    private(set) var functions: [String: [SourceFunction]] = [:]
    private(set) var types: [String: SourceType] = [:]
    /// Where each name stands, in the order of the file.
    private(set) var places: [String: [Int]] = [:]
    /// By the place of its `{`.
    private(set) var typeBodies: [Int: String] = [:]
    private(set) var functionBodies: [Int: SourceFunction] = [:]

    private let source: SourceText

    init(_ source: SourceText) {
        self.source = source
        for (i, token) in source.tokens.enumerated() where token.isIdentifier {
            places[token.text, default: []].append(i)
        }
        // What else is looked for in scripts is told by neighbours alone.
        let isScript = source.language == .script || source.language == .python
        guard !isScript || ReactNativeSourceReader.isSpoken(of: source, places) else { return }
        findTypes()
        findFunctions()
        findDeclarations()
    }

    func has(_ word: String) -> Bool { places[word] != nil }
    func has(anyOf words: String...) -> Bool { words.contains { places[$0] != nil } }

    // MARK: types

    private static let typeWords: Set<String> = [
        "class", "struct", "enum", "object", "interface", "extension", "protocol", "record", "actor", "mixin",
        "namespace",
    ]

    private mutating func findTypes() {
        for (i, token) in source.tokens.enumerated() where token.isIdentifier {
            if source.language == .objectiveC, token.text == "implementation", source.isSymbol("@", at: i - 1) {
                objectiveCType(i)
            } else if Self.typeWords.contains(token.text), !source.isSymbol(".", at: i - 1),
                !source.isSymbol("::", at: i - 1)
            {
                type(i)
            }
        }
    }

    private mutating func objectiveCType(_ i: Int) {
        // An @implementation has no braces: its names are those of the file.
        guard let name = source[i + 1], name.isIdentifier, types[name.text] == nil else { return }
        types[name.text] = SourceType(
            name: name.text, body: -1, fields: [], parents: [], isTransparent: true, isEnumeration: false)
    }

    private mutating func type(_ i: Int) {
        let word = source.tokens[i].text
        var at = i + 1
        if word != "enum", source.isWord("enum", at: i - 1) { return }
        if word == "enum", source.isWord("class", at: at) || source.isWord("struct", at: at) { at += 1 }
        var name = source[at]?.isIdentifier == true ? source.tokens[at].text : nil
        let isCompanion = word == "object" && source.isWord("companion", at: i - 1)
        if isCompanion, name == nil { name = "Companion" }
        guard let name, !(word == "object" && source.isSymbol(":", at: at)) else { return }
        if source[at]?.isIdentifier == true { at += 1 }
        var fields: [SourceFunction.Parameter] = []
        var parents: [String] = []
        var superCall: Int?
        // A head is short: modifiers, a constructor, supertypes.
        for _ in 0..<64 {
            guard let token = source[at] else { break }
            if token.is("{") { break }
            // `object Prod : Env("…")` and a class of fields alone have no body of their own.
            if endsHead(token, at) { break }
            if token.is("(") {
                if fields.isEmpty, parents.isEmpty {
                    fields = parameters(at)
                } else if superCall == nil {
                    superCall = at
                }
                at = source.end(of: at)
            } else if token.is(";") || token.is("}") || token.is("=") || token.is(")") {
                break
            } else if token.isIdentifier {
                parents.append(token.text)
            }
            at += 1
        }
        guard source.isSymbol("{", at: at) || superCall != nil || !fields.isEmpty else { return }
        let found = SourceType(
            name: name, body: at, fields: fields, parents: parents, superCall: superCall, isTransparent: isCompanion,
            isEnumeration: word == "enum")
        if source.isSymbol("{", at: at) { typeBodies[at] = name }
        if types[name] == nil || (types[name]?.fields.isEmpty == true && !fields.isEmpty) { types[name] = found }
        if found.isEnumeration { enumCases(found) }
    }

    /// A line that begins anew, and with none of the words that a head goes on with.
    private func endsHead(_ token: SourceToken, _ place: Int) -> Bool {
        let words: Set<String> = [
            "where", "implements", "extends", "with", "permits", "constructor", "private", "internal",
        ]
        return token.startsLine && !source.isSymbol(",", at: place - 1) && !source.isSymbol(":", at: place - 1)
            && !["{", ":", ",", "("].contains(token.text) && !words.contains(token.text)
    }

    /// Kotlin's and Java's entries at the beginning of the body; Swift's `case`s are found with the other names.
    private mutating func enumCases(_ type: SourceType) {
        guard source.language == .kotlin || source.language == .java || source.language == .dart else { return }
        var at = type.body + 1
        while let token = source[at], token.isIdentifier, at < source.end(of: type.body) {
            let arguments = at + 1
            if source.isSymbol("(", at: arguments) {
                add(token.text, .enumCase(arguments), at: at, scope: type.body, owner: type.name)
                at = source.end(of: arguments) + 1
            } else {
                at = arguments
            }
            if source.isSymbol("{", at: at) { at = source.end(of: at) + 1 }
            guard source.isSymbol(",", at: at) else { return }
            at += 1
        }
    }

    // MARK: functions

    private mutating func findFunctions() {
        for i in source.tokens.indices where source.tokens[i].is("(") {
            guard let name = source[i - 1], name.isIdentifier, let before = source[i - 2] else { continue }
            let end = source.end(of: i)
            guard end < source.tokens.count else { continue }
            switch source.language {
            case .kotlin, .swift:
                // `fun x.y.name(`, `func name<T>(`: the word stands a few tokens before.
                let word = source.language == .kotlin ? "fun" : "func"
                var at = i - 2
                while at > i - 8, at >= 0,
                    source.isSymbol(".", at: at) || source.tokens[at].isIdentifier && !source.isWord(word, at: at)
                { at -= 1 }
                guard source.isWord(word, at: at) else { continue }
                let receiver = source.isSymbol(".", at: i - 2) ? source.excerpt(source.range(at + 1, i - 2)) : nil
                if let body = bodyBehind(end) { add(function(name.text, i, body, owner: receiver)) }
            case .java, .dart, .cpp:
                // A type and a name, or a constructor, and a block behind the parameters.
                guard
                    before.isIdentifier || before.is(">") || before.is("]") || before.is("*") || before.is("}")
                        || before.is(";"),
                    !["new", "return", "else", "throw", "await", "case"].contains(before.text),
                    !["if", "for", "while", "switch", "catch", "synchronized"].contains(name.text),
                    let body = bodyBehind(end)
                else { continue }
                add(function(name.text, i, body, owner: nil))
            case .script, .python:
                guard source.isWord("function", at: i - 2), let body = bodyBehind(end) else { continue }
                add(function(name.text, i, body, owner: nil))
            case .objectiveC: continue
            }
        }
    }

    private mutating func add(_ function: SourceFunction) {
        functions[function.name, default: []].append(function)
        if function.hasBlock { functionBodies[function.body] = function }
    }

    private func function(_ name: String, _ parenthesis: Int, _ body: (place: Int, isBlock: Bool), owner: String?)
        -> SourceFunction
    {
        SourceFunction(
            name: name, parameters: parameters(parenthesis), place: parenthesis - 1, body: body.place,
            hasBlock: body.isBlock,
            owner: owner ?? self.owner(of: parenthesis))
    }

    /// Behind the parameters: a return type and the like, then `{`, `=` or `=>`; nil where there is no body.
    private func bodyBehind(_ end: Int) -> (place: Int, isBlock: Bool)? {
        var at = end + 1
        for _ in 0..<40 {
            guard let token = source[at] else { return nil }
            switch token.kind {
            case .symbol where token.text == "{": return (at, true)
            case .symbol where token.text == "=" || token.text == "=>": return (at + 1, false)
            case .symbol where [";", ")", "}", ","].contains(token.text): return nil
            case .symbol where token.text == "(" || token.text == "[": at = source.end(of: at) + 1
            case .identifier where token.startsLine && !["where", "throws", "async"].contains(token.text): return nil
            case .string: return nil
            default: at += 1
            }
        }
        return nil
    }

    /// Names in parentheses, whichever side of the name its type stands on.
    private func parameters(_ parenthesis: Int) -> [SourceFunction.Parameter] {
        source.parts(of: parenthesis).compactMap { part in
            var words = part
            let equals = part.first { source.tokens[$0].is("=") }
            let isVariadic = part.contains { source.tokens[$0].is("...") || source.tokens[$0].names("vararg") }
            if let equals { words = source.range(part.lowerBound, equals) }
            if source.language == .kotlin || source.language == .swift || source.language == .script {
                guard let colon = words.first(where: { source.tokens[$0].is(":") }) ?? Optional(words.upperBound),
                    colon > words.lowerBound, source.tokens[colon - 1].isIdentifier
                else { return nil }
                let name = source.tokens[colon - 1].text
                var label: String? = name
                if source.language == .swift, colon - 2 >= words.lowerBound, source.tokens[colon - 2].isIdentifier {
                    label = source.tokens[colon - 2].text == "_" ? nil : source.tokens[colon - 2].text
                }
                return .init(label: label, name: name, fallback: equals.map { $0 + 1 }, isVariadic: isVariadic)
            }
            guard let last = words.last(where: { source.tokens[$0].isIdentifier }) else { return nil }
            return .init(
                label: source.tokens[last].text, name: source.tokens[last].text, fallback: equals.map { $0 + 1 },
                isVariadic: isVariadic)
        }
    }

    // MARK: names

    /// The type whose body a token is in, functions between them left aside.
    func owner(of i: Int) -> String? {
        var at = source.block(around: i)
        while let open = at {
            if let name = typeBodies[open] { return name }
            at = source.block(around: open)
        }
        return nil
    }

    private mutating func add(_ name: String, _ kind: SourceDeclaration.Kind, at place: Int, scope: Int, owner: String?)
    {
        declarations[name, default: []].append(
            SourceDeclaration(name: name, kind: kind, place: place, scope: scope, owner: owner, isLocal: false))
    }

    /// As `SourceDeclarations` finds them.
    private mutating func findDeclarations() {
        for var found in SourceDeclarations.all(in: source) {
            var block = source.block(around: found.place) ?? -1
            if let name = typeBodies[block] {
                found.owner = name
                // What a companion object has is seen in its class.
                if types[name]?.isTransparent == true { block = source.block(around: block) ?? -1 }
            } else {
                found.isLocal = block >= 0
            }
            found.scope = block
            declarations[found.name, default: []].append(found)
        }
    }
}
