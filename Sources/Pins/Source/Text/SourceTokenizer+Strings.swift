/// Strings and characters: each language's quotation marks, escapes, and what is put in while the program runs.
extension SourceTokenizer {
    /// How a string that begins here goes on.
    private struct Form {
        /// Marks that end it: `"`, `"""`, `"##`.
        var end: [UInt8]
        /// Bytes before its first character.
        var start: Int
        var isMultiline = false
        /// What begins an escape: a backslash, and Swift's number signs; nil in a raw string.
        var escape: [UInt8]?
        /// `$name` and `${…}`.
        var putsInDollar = false
        /// `\(…)`.
        var putsInParentheses = false
        /// Kotlin keeps the line break and the indentation of a raw string, Swift and Java do not.
        var dropsIndentation = false
    }

    /// False where no string and no character begins here.
    mutating func string(_ byte: UInt8) -> Bool {
        if byte == UInt8(ascii: "/"), language == .script { return regularExpression() }
        guard let form = form(byte) else {
            return byte == UInt8(ascii: "'") && !language.hasSingleQuotedStrings && language != .swift
                ? character() : false
        }
        read(form)
        return true
    }

    private func form(_ byte: UInt8) -> Form? {
        let quote = UInt8(ascii: "\"")
        switch byte {
        case quote, UInt8(ascii: "'"):
            guard byte == quote || language.hasSingleQuotedStrings else { return nil }
            return quoted(byte, skipping: 0)
        case UInt8(ascii: "`"):
            guard language == .script else { return nil }
            return Form(end: [byte], start: 1, isMultiline: true, escape: [UInt8(ascii: "\\")], putsInDollar: true)
        case UInt8(ascii: "@"):
            return language == .objectiveC && peek(1) == quote ? quoted(quote, skipping: 1) : nil
        case UInt8(ascii: "#"):
            return language == .swift ? hashed() : nil
        default:
            return prefixed(byte)
        }
    }

    private func quoted(_ quote: UInt8, skipping: Int) -> Form {
        let backslash = [UInt8(ascii: "\\")]
        let isTriple = language.hasTripleQuotes && peek(skipping + 1) == quote && peek(skipping + 2) == quote
        var form = Form(
            end: isTriple ? [quote, quote, quote] : [quote], start: skipping + (isTriple ? 3 : 1),
            isMultiline: isTriple,
            escape: isTriple && language == .kotlin ? nil : backslash)
        form.putsInDollar = language == .kotlin || language == .dart
        form.putsInParentheses = language == .swift
        form.dropsIndentation = isTriple && (language == .swift || language == .java)
        return form
    }

    /// Swift's `#"…"#`.
    private func hashed() -> Form? {
        var hashes = 0
        while peek(hashes) == UInt8(ascii: "#"), hashes < 16 { hashes += 1 }
        let quote = UInt8(ascii: "\"")
        guard peek(hashes) == quote else { return nil }
        let isTriple = peek(hashes + 1) == quote && peek(hashes + 2) == quote
        let marks = [UInt8](repeating: UInt8(ascii: "#"), count: hashes)
        return Form(
            end: [UInt8](repeating: quote, count: isTriple ? 3 : 1) + marks, start: hashes + (isTriple ? 3 : 1),
            isMultiline: isTriple, escape: [UInt8(ascii: "\\")] + marks, putsInParentheses: true,
            dropsIndentation: isTriple)
    }

    /// `r"…"` of Dart and Python, Python's other letters, and C++'s `R"x(…)x"`.
    private func prefixed(_ byte: UInt8) -> Form? {
        guard byte | 0x20 >= UInt8(ascii: "a"), byte | 0x20 <= UInt8(ascii: "z"),
            tokens.last == nil || at == 0 || !isName(bytes[at - 1])
        else { return nil }
        let isRaw = byte | 0x20 == UInt8(ascii: "r")
        guard let next = peek(1), next == UInt8(ascii: "\"") || next == UInt8(ascii: "'") else { return nil }
        if language == .cpp || language == .objectiveC {
            guard byte == UInt8(ascii: "R"), next == UInt8(ascii: "\"") else { return nil }
            // Its own name for its end: at most 16 characters (C++ [lex.string]).
            var name: [UInt8] = []
            while let mark = peek(2 + name.count), mark != UInt8(ascii: "("), name.count < 17 { name.append(mark) }
            guard peek(2 + name.count) == UInt8(ascii: "(") else { return nil }
            return Form(
                end: [UInt8(ascii: ")")] + name + [UInt8(ascii: "\"")], start: 3 + name.count, isMultiline: true,
                escape: nil)
        }
        guard language == .dart && byte == UInt8(ascii: "r") || language == .python else { return nil }
        var form = quoted(next, skipping: 1)
        if isRaw { form.escape = nil }
        form.putsInDollar = false
        return form
    }

    private mutating func read(_ form: Form) {
        let first = line
        at += form.start
        var pieces: [SourceString.Piece] = []
        var text: [UInt8] = []
        func flush() {
            if !text.isEmpty { pieces.append(.text(String(decoding: text, as: UTF8.self))) }
            text = []
        }
        while at < bytes.count, !stands(form.end) {
            let byte = bytes[at]
            if byte == 10 {
                // A string that does not end on its line is a slip, or no string: what comes behind must not be lost.
                guard form.isMultiline else { break }
                line += 1
                text.append(byte)
                at += 1
            } else if let escape = form.escape, stands(escape) {
                at += escape.count
                if form.putsInParentheses, at < bytes.count, bytes[at] == UInt8(ascii: "(") {
                    flush()
                    pieces.append(putIn(open: UInt8(ascii: "("), close: UInt8(ascii: ")")))
                } else {
                    escaped(&text)
                }
            } else if form.putsInDollar, byte == UInt8(ascii: "$"), let next = peek(1) {
                if next == UInt8(ascii: "{") {
                    at += 1
                    flush()
                    pieces.append(putIn(open: UInt8(ascii: "{"), close: UInt8(ascii: "}")))
                } else if language != .script, Self.isLetter(next) || next == UInt8(ascii: "_") {
                    at += 1
                    let from = at
                    while at < bytes.count, isName(bytes[at]), bytes[at] != UInt8(ascii: "$") { at += 1 }
                    flush()
                    pieces.append(.path([String(decoding: bytes[from..<at], as: UTF8.self)]))
                } else {
                    text.append(byte)
                    at += 1
                }
            } else {
                text.append(byte)
                at += 1
            }
        }
        if at < bytes.count, stands(form.end) { at += form.end.count }
        flush()
        strings.append(SourceString(pieces: form.dropsIndentation ? Self.outdented(pieces) : pieces))
        append(.string(strings.count - 1), "", line: first)
    }

    /// Code within a string, up to the bracket that ends it: a path where it is one.
    private mutating func putIn(open: UInt8, close: UInt8) -> SourceString.Piece {
        at += 1
        let from = at
        var depth = 1
        while at < bytes.count {
            if bytes[at] == open { depth += 1 }
            if bytes[at] == close { depth -= 1 }
            if depth == 0 || bytes[at] == 10 { break }
            at += 1
        }
        let code = bytes[from..<at]
        if at < bytes.count, bytes[at] == close { at += 1 }
        let words = code.filter { $0 != 32 }.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let isPath = words.allSatisfy { word in
            word.first.map { !Self.isDigit($0) } == true && word.allSatisfy { isName($0) && $0 != UInt8(ascii: "`") }
        }
        return isPath
            ? .path(words.map { String(decoding: $0, as: UTF8.self) }) : .code(String(decoding: code, as: UTF8.self))
    }

    /// Behind the backslash.
    private mutating func escaped(_ text: inout [UInt8]) {
        guard at < bytes.count else { return }
        let byte = bytes[at]
        at += 1
        switch byte {
        case UInt8(ascii: "n"): text.append(10)
        case UInt8(ascii: "t"): text.append(9)
        case UInt8(ascii: "r"): text.append(13)
        case 10: line += 1  // The line goes on.
        case UInt8(ascii: "0") where peek(0).map(Self.isDigit) != true: text.append(0)
        case UInt8(ascii: "u"), UInt8(ascii: "x"):
            let braces = peek(0) == UInt8(ascii: "{")
            if braces { at += 1 }
            let from = at
            let most = braces ? 8 : byte == UInt8(ascii: "x") ? 2 : 4
            while at < bytes.count, at - from < most, Character(UnicodeScalar(bytes[at])).isHexDigit { at += 1 }
            if let code = UInt32(String(decoding: bytes[from..<at], as: UTF8.self), radix: 16),
                let scalar = Unicode.Scalar(code)
            {
                text += Array(String(Character(scalar)).utf8)
            }
            if braces, peek(0) == UInt8(ascii: "}") { at += 1 }
        default: text.append(byte)
        }
    }

    /// `'a'`, `'\n'`; an apostrophe that no other follows on its line is a mere sign.
    private mutating func character() -> Bool {
        var end = at + 1
        while end < bytes.count, end - at < 12, bytes[end] != 10, bytes[end] != UInt8(ascii: "'") {
            end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
        }
        guard end < bytes.count, bytes[end] == UInt8(ascii: "'"), end > at + 1 else { return false }
        append(.character, String(decoding: bytes[(at + 1)..<end], as: UTF8.self))
        at = end + 1
        return true
    }

    /// JavaScript's `/…/` stands where a value begins; elsewhere `/` divides.
    private mutating func regularExpression() -> Bool {
        if let last = tokens.last {
            switch last.kind {
            case .number, .string, .character: return false
            case .identifier: guard ["return", "typeof", "case", "in", "of"].contains(last.text) else { return false }
            case .symbol: guard ![")", "]", "}"].contains(last.text) else { return false }
            }
        }
        var end = at + 1
        var isInClass = false
        while end < bytes.count, bytes[end] != 10, isInClass || bytes[end] != UInt8(ascii: "/") {
            if bytes[end] == UInt8(ascii: "[") { isInClass = true }
            if bytes[end] == UInt8(ascii: "]") { isInClass = false }
            end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
        }
        guard end < bytes.count, bytes[end] == UInt8(ascii: "/") else { return false }
        at = end + 1
        append(.character, "")
        return true
    }

    /// Without the line breaks behind the opening and before the closing marks, and without the indentation.
    private static func outdented(_ pieces: [SourceString.Piece]) -> [SourceString.Piece] {
        guard pieces.count == 1, case .text(let text) = pieces[0] else { return pieces }
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count > 1 else { return pieces }
        if lines[0].allSatisfy({ $0 == " " || $0 == "\t" }) { lines.removeFirst() }
        let filled = lines.filter { !$0.allSatisfy { $0 == " " || $0 == "\t" } }
        if let last = lines.last, last.allSatisfy({ $0 == " " || $0 == "\t" }) { lines.removeLast() }
        let indentation = filled.map { $0.prefix { $0 == " " || $0 == "\t" }.count }.min() ?? 0
        return [.text(lines.map { String($0.dropFirst(indentation)) }.joined(separator: "\n"))]
    }
}
