/// A name that a file defines, and where its value stands.
struct SourceDeclaration: Sendable {
    enum Kind: Hashable, Sendable {
        /// An expression that begins at a place.
        case value(Int)
        /// A body that begins with the `{` at a place: a computed property.
        case computed(Int)
        /// The `(` before its arguments: a case of an enumeration.
        case enumCase(Int)
        /// Without a value where it is declared; one assignment may give it.
        case deferred
    }

    var name: String
    var kind: Kind
    /// The place of its name.
    var place: Int
    /// The `{` of the block in which it is seen, -1 for the file.
    var scope: Int
    /// The type that it belongs to; nil at the top and within functions.
    var owner: String?
    /// It stands within a function: names in its value may be arguments.
    var isLocal: Bool
}

/// A function that a file defines.
struct SourceFunction: Sendable {
    struct Parameter: Sendable {
        /// As callers name it: Swift's label; nil where it has none.
        var label: String?
        var name: String
        /// Where the value begins that it has when none is given.
        var fallback: Int?
        /// It takes all arguments that are left.
        var isVariadic = false
    }

    var name: String
    var parameters: [Parameter]
    /// The place of its name.
    var place: Int
    /// The place of the `{` of its body, or of the first token behind its `=`.
    var body: Int
    var hasBlock: Bool
    /// The type that it belongs to, or extends.
    var owner: String?

    /// Which tokens are its body.
    func range(in source: SourceText) -> Range<Int> {
        source.range(body, hasBlock ? source.end(of: body) : source.statementEnd(from: body))
    }
}

/// A class, structure, object or enumeration that a file defines.
struct SourceType: Sendable {
    var name: String
    /// The place of its `{`.
    var body: Int
    /// Of its primary constructor, in their order.
    var fields: [SourceFunction.Parameter]
    /// What stands between its name and its body: supertypes among other words.
    var parents: [String]
    /// The `(` behind its supertype, whose constructor it calls.
    var superCall: Int?
    /// Its names are seen in the type around it: a companion object.
    var isTransparent: Bool
    var isEnumeration: Bool
}

extension SourceText {
    /// Behind the last token of a statement: at its `;`, a closing bracket, or a line that begins anew.
    func statementEnd(from start: Int) -> Int {
        var at = start
        while let token = self[at] {
            if token.kind == .symbol {
                switch token.text {
                case ";", ",", ")", "]", "}": return at
                case "(", "[", "{":
                    at = end(of: at)
                default: break
                }
            }
            at += 1
            if let next = self[at], next.startsLine, !next.continuesLine { return at }
        }
        return min(at, tokens.count)
    }
}

extension SourceToken {
    /// It goes on with the expression of the line before.
    var continuesLine: Bool {
        switch kind {
        case .symbol:
            [".", "?.", "!!", "+", "?:", "??", "?", ":", "..", "?..", "&&", "||", "==", "=", "=>", "->"].contains(text)
        case .identifier: text == "to" || text == "as"
        default: false
        }
    }
}
