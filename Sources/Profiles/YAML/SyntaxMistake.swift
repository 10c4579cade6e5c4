import Yams

/// Says what Yams could not read, and what most likely made it so.
enum SyntaxMistake {
    static func unfit(_ error: any Error, _ source: SourceText) -> SourceText.Unfit {
        switch error {
        case YamlError.composer(_, let problem, let mark, _) where problem == "but found another document":
            return .init(fault: .anotherDocument, place: Place(mark.line, mark.column))
        case YamlError.scanner(let context, let problem, let mark, _),
            YamlError.parser(let context, let problem, let mark, _),
            YamlError.composer(let context, let problem, let mark, _):
            if problem.hasPrefix("Maximum nesting level") {
                return .init(fault: .tooDeep, place: Place(mark.line, mark.column))
            }
            var place = Place(mark.line, mark.column)
            let cause = cause(problem, context, place, source)
            let begin = context.map { Place($0.mark.line, $0.mark.column) }
            // At the end of the file there is nothing to mend: what was never closed is at its beginning.
            if let begin, source.index(of: place) == nil { place = begin }
            // This context is libyaml's for no context.
            let text = context?.text.trimmed
            let fault = ProfileError.Fault.syntax(
                problem: problem, context: text == "while scanning for the next token" ? nil : text,
                contextLine: begin?.line == place.line ? nil : begin?.line, cause: cause)
            return .init(fault: fault, place: place)
        default:
            return .init(
                fault: .syntax(problem: "it cannot be read", context: nil, contextLine: nil, cause: .other), place: nil)
        }
    }

    private static func cause(
        _ problem: String, _ context: YamlError.Context?, _ place: Place, _ source: SourceText
    ) -> ProfileError.SyntaxCause {
        let line = source.line(of: place)
        let character = source.index(of: place).map { source.scalars[$0] }
        if problem.contains("tab") || character == "\t"
            || line.prefix(while: { $0 == " " || $0 == "\t" }).contains("\t")
        {
            return .tab
        }
        if isBracketedAddress(line) { return .bracketedAddress }
        if problem.contains("cannot start any token"), let character { return .reservedCharacter(character) }
        if problem.contains("expected node content"), character == ":" { return .reservedCharacter(":") }
        if problem.contains("mapping values are not allowed") { return .unexpectedColon }
        if problem.contains("could not find expected ':'") { return .missingColon }
        if context?.text.contains("quoted scalar") == true { return .quote }
        if context?.text.contains("flow") == true { return .unclosed }
        if problem.contains("did not find expected key") || problem.contains("'-' indicator") { return .indentation }
        return .other
    }

    /// `[::1]:8443` without quotes is a list with something behind it.
    private static func isBracketedAddress(_ line: [Unicode.Scalar]) -> Bool {
        guard let open = line.firstIndex(of: "["), let close = line[open...].firstIndex(of: "]") else { return false }
        let inside = line[(open + 1)..<close]
        return inside.contains(":") && inside.allSatisfy { $0 == ":" || $0 == "." || $0.properties.isASCIIHexDigit }
    }
}

extension String {
    /// libyaml's contexts, without the blanks around them.
    fileprivate var trimmed: String {
        var text = self[...]
        while text.last?.isWhitespace == true { text = text.dropLast() }
        while text.first?.isWhitespace == true { text = text.dropFirst() }
        return String(text)
    }
}
