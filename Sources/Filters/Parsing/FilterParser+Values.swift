import Facts
import Flows

extension FilterParser {
    /// What stands behind the colon.
    mutating func value(of key: FilterKey) throws(FilterFault) -> FilterNode {
        switch key {
        case .host, .path, .method, .scheme, .type, .tag, .client, .alpn, .ja4, .mark:
            guard let field = FilterField(rawValue: key.rawValue) else { return .all([]) }
            return .term(.value(field, try patterns(of: key)))
        case .port: return try port()
        case .url: return .term(.part(.url, try partText(isSpacious: false, mayBePath: true)))
        case .comment: return .term(.part(.comment, try partText(isSpacious: true, mayBePath: false)))
        case .header: return .term(try header(.either, key))
        case .requestHeader: return .term(try header(.request, key))
        case .responseHeader: return .term(try header(.response, key))
        case .body: return .term(.body(.either, try partText(isSpacious: true, mayBePath: false)))
        case .requestBody: return .term(.body(.request, try partText(isSpacious: true, mayBePath: false)))
        case .responseBody: return .term(.body(.response, try partText(isSpacious: true, mayBePath: false)))
        case .status: return .term(.number(.status, try ranges(of: key, .status)))
        case .size, .responseSize: return .term(.number(.responseSize, try ranges(of: key, .size)))
        case .requestSize: return .term(.number(.requestSize, try ranges(of: key, .size)))
        case .dur: return .term(.number(.duration, try ranges(of: key, .duration)))
        case .messages: return .term(.number(.messages, try ranges(of: key, .count)))
        case .connection: return .term(.number(.connection, try ranges(of: key, .count)))
        case .id: return .term(.number(.id, try ranges(of: key, .count)))
        case .kind: return .term(.kind(try words(of: key, Flow.Kind.allCases.map { ($0.rawValue, $0) })))
        case .failure: return .term(.failure(try words(of: key, FlowFailure.ID.allCases.map { ($0.rawValue, $0) })))
        case .tls: return .term(.tls(try versions(of: key)))
        case .is:
            let traits = try words(of: key, FilterTrait.allCases.map { ($0.rawValue, $0) })
            return .any(joining: traits.map { .term(.trait($0)) })
        case .after: return .term(.after(try moment(of: key)))
        case .before: return .term(.before(try moment(of: key)))
        case .filter: return try named()
        }
    }

    // MARK: Lists

    /// One value of a list.
    struct Element {
        var piece: FilterScanner.Piece
        /// Quotes after `=`.
        var isExact: Bool
    }

    mutating func elements(of key: FilterKey) throws(FilterFault) -> [Element] {
        let comma = UInt8(ascii: ",")
        var elements: [Element] = []
        while true {
            let start = scanner.position
            let isExact = scanner.byte() == UInt8(ascii: "=") && [0x22, 0x27].contains(scanner.byte(1))
            if isExact { scanner.advance() }
            let piece = try piece(stops: [comma])
            guard !piece.isEmpty else { throw empty(key, start) }
            elements.append(Element(piece: piece, isExact: isExact))
            guard scanner.byte() == comma else { return elements }
            scanner.advance()
        }
    }

    private func empty(_ key: FilterKey, _ start: Int) -> FilterFault {
        var behind = scanner
        behind.skipBlanks()
        if behind.position > start, !behind.isEnd(at: behind.position),
            behind.name(before: { $0 == UInt8(ascii: ":") }) == nil
        {
            return fault((start - 1)..<behind.position, "there is a blank behind the comma", replacement: ",")
        }
        let comma = scanner.byte() == UInt8(ascii: ",") ? start : start - 1
        return fault(
            comma..<(comma + 1), "a value is missing at this comma",
            hint: "put a value that has a comma in quotes: \(key.word)\"a,b\"")
    }

    private mutating func patterns(of key: FilterKey) throws(FilterFault) -> [FilterPattern] {
        var patterns: [FilterPattern] = []
        for element in try elements(of: key) {
            var segments = element.piece.segments
            if !element.piece.isQuoted {
                if key != .path, let text = segments.first, text.hasPrefix("/"), segments.last?.hasSuffix("/") == true {
                    throw fault(
                        element.piece.range, "\"\(key.word)\" takes a whole value with *, and no regular expression",
                        hint: "those are for url:, header: and body:")
                }
                if segments[0].utf8.first == UInt8(ascii: "="), segments[0].utf8.count > 1 || segments.count > 1 {
                    segments[0] = String(decoding: segments[0].utf8.dropFirst(), as: UTF8.self)
                }
            }
            if key == .host || key == .client { Self.unbracket(&segments) }
            if key == .ja4, segments.count == 1 { segments.append("") }
            patterns.append(FilterPattern(segments: segments, isCaseSensitive: element.isExact))
        }
        return patterns
    }

    /// `::1` of `[::1]`.
    private static func unbracket(_ segments: inout [String]) {
        let last = segments.count - 1
        while segments[0].utf8.first == UInt8(ascii: "["), segments[last].utf8.last == UInt8(ascii: "]"),
            last > 0 || segments[0].utf8.count > 2
        {
            segments[last] = String(decoding: segments[last].utf8.dropLast(), as: UTF8.self)
            segments[0] = String(decoding: segments[0].utf8.dropFirst(), as: UTF8.self)
        }
    }

    /// Numbers are compared, and what has a star is a text of digits.
    private mutating func port() throws(FilterFault) -> FilterNode {
        var ranges: [FilterRange] = []
        var patterns: [FilterPattern] = []
        for element in try elements(of: .port) {
            if element.piece.segments.count > 1 {
                patterns.append(FilterPattern(segments: element.piece.segments))
            } else {
                ranges.append(try range(element.piece, .port, .count))
            }
        }
        var nodes: [FilterNode] = []
        if !ranges.isEmpty { nodes.append(.term(.number(.port, ranges))) }
        if !patterns.isEmpty { nodes.append(.term(.value(.port, patterns))) }
        return .any(joining: nodes)
    }

    // MARK: Headers

    private mutating func header(_ side: FilterSide, _ key: FilterKey) throws(FilterFault) -> FilterTerm {
        let equals = UInt8(ascii: "=")
        let name = try piece(stops: [equals])
        let written = name.text.utf8
        if let colon = written.firstIndex(of: UInt8(ascii: ":")),
            colon < written.firstIndex(of: equals) ?? written.endIndex
        {
            if colon == name.text.startIndex {
                throw fault(
                    name.range, "pseudo-header fields are not among the headers", hint: "use host:, path: or method:")
            }
            var written = scanner.text(name.range)
            if let index = written.firstIndex(of: ":") { written.replaceSubrange(index...index, with: "=") }
            throw fault(name.range, "a header's name and value are joined by \"=\"", replacement: written)
        }
        guard scanner.byte() == equals else {
            if name.isQuoted, let (name, value) = Self.split(name.segments) {
                return .header(side, name: name, .pattern(value))
            }
            return .header(side, name: FilterPattern(segments: name.segments), nil)
        }
        guard !name.isEmpty else {
            throw fault(
                scanner.position..<(scanner.position + 1), "the header's name is missing before \"=\"",
                hint: "any header: \(key.word)*=b")
        }
        guard !name.text.utf8.contains(equals) else {
            throw fault(name.range, "a header's name has no \"=\" in it")
        }
        scanner.advance()
        guard !scanner.isEnd(at: scanner.position) else {
            throw fault(
                (scanner.position - 1)..<scanner.position, "nothing stands after \"=\"",
                hint: "a header that is there, whatever its value: \(key.word)\(name.text)")
        }
        let pattern = FilterPattern(segments: name.segments)
        guard scanner.isAtQuote else {
            return .header(side, name: pattern, try partText(isSpacious: true, mayBePath: false))
        }
        let value = FilterPattern(segments: try piece().segments, isCaseSensitive: true)
        return .header(side, name: pattern, .pattern(value))
    }

    /// `x-a=b` that was put in quotes as a whole.
    private static func split(_ segments: [String]) -> (name: FilterPattern, value: FilterPattern)? {
        guard let at = segments.firstIndex(where: { $0.utf8.contains(UInt8(ascii: "=")) }),
            let equals = segments[at].utf8.firstIndex(of: UInt8(ascii: "="))
        else { return nil }
        let text = segments[at]
        let name = segments[..<at] + [String(text[..<equals])]
        let value = [String(text[text.utf8.index(after: equals)...])] + segments[(at + 1)...]
        guard name != [""], value != [""] else { return nil }
        return (FilterPattern(segments: Array(name)), FilterPattern(segments: Array(value)))
    }

    // MARK: Words

    /// Those that are meant, in the order in which they are known.
    private mutating func words<Meaning: Hashable>(
        of key: FilterKey, _ known: [(word: String, meaning: Meaning)]
    ) throws(FilterFault) -> [Meaning] {
        var found: Set<Meaning> = []
        for element in try elements(of: key) {
            let pattern = FilterPattern(segments: element.piece.segments)
            let fitting = known.filter { pattern.isAll(of: $0.word) }
            guard !fitting.isEmpty else { throw unknown(element.piece, of: key, among: known.map(\.word)) }
            found.formUnion(fitting.map(\.meaning))
        }
        return known.map(\.meaning).filter(found.contains)
    }

    private func unknown(_ piece: FilterScanner.Piece, of key: FilterKey, among known: [String]) -> FilterFault {
        fault(
            piece.range, "\"\(key.word)\" knows no \"\(Printable.excerpt(piece.text))\"",
            replacement: FilterWords.meant(by: piece.text, among: known),
            hint: "known are \(known.joined(separator: ", "))")
    }

    private mutating func versions(of key: FilterKey) throws(FilterFault) -> [TLSVersion] {
        var found: Set<TLSVersion> = []
        for element in try elements(of: key) {
            let all = TLSVersion.allCases
            let pattern = FilterPattern(segments: element.piece.segments)
            let text = element.piece.text
            let sign = text.prefix { $0 == "<" || $0 == ">" || $0 == "=" }
            var fitting = all.filter { pattern.isAll(of: $0.description) || pattern.isAll(of: "TLSv\($0)") }
            if let version = TLSVersion(named: text.dropFirst(sign.count)) {
                switch sign {
                case "", "=": fitting = [version]
                case ">=": fitting = all.filter { $0 >= version }
                case ">": fitting = all.filter { $0 > version }
                case "<=": fitting = all.filter { $0 <= version }
                case "<": fitting = all.filter { $0 < version }
                default: break
                }
            }
            guard !fitting.isEmpty else {
                throw unknown(element.piece, of: key, among: all.map(\.description))
            }
            found.formUnion(fitting)
        }
        return found.sorted()
    }

    // MARK: Named filters

    private mutating func named() throws(FilterFault) -> FilterNode {
        let piece = try piece()
        let name = piece.text
        guard let entry = context.book[name] else {
            throw fault(
                piece.range, "no filter is called \"\(Printable.excerpt(name))\"",
                replacement: FilterWords.meant(by: name, among: context.book.names),
                hint: context.book.names.isEmpty
                    ? "no filter is saved" : "saved are \(English.some(context.book.names))")
        }
        if let first = within.firstIndex(of: entry.name) {
            let circle = (within[first...] + [entry.name]).joined(separator: " → ")
            throw fault(piece.range, "the filter \"\(entry.name)\" names itself: \(circle)")
        }
        guard !isTooDeep else {
            throw fault(piece.range, "named filters and parentheses are more than \(FilterLimits.depth) deep")
        }
        var inner = FilterParser(entry, within: self)
        do throws(FilterFault) {
            let node = try inner.whole()
            termsLeft = inner.termsLeft
            return node
        } catch {
            throw fault(
                piece.range, "in the filter \"\(entry.name)\", column \(error.column): \(error.message)",
                hint: error.hint)
        }
    }
}
