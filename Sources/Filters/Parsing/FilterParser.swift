import Facts

extension Filter {
    /// Terms are joined by *and*; there are `or`, `-term`, `not term` and parentheses. Nothing in it is every flow.
    package static func parse(_ text: String, in context: FilterContext) throws(FilterFault) -> Filter {
        var parser = FilterParser(text, context)
        return Filter(try parser.whole())
    }
}

/// Reads a filter from left to right.
///
/// `FilterParser+Terms` and what stands beside it reads single terms.
struct FilterParser {
    let text: String
    let context: FilterContext
    var scanner: FilterScanner
    /// How many more terms there may be.
    var termsLeft = FilterLimits.terms
    /// The named filters in which this one stands, outermost first.
    var within: [String] = []
    private(set) var depth = 0

    init(_ text: String, _ context: FilterContext) {
        self.text = text
        self.context = context
        // What is too long is refused before it is looked at, and not even copied.
        scanner = FilterScanner(text.utf8.count > FilterLimits.bytes ? "" : text)
    }

    /// Of a filter that stands in this one under a name.
    init(_ entry: FilterBook.Entry, within parser: FilterParser) {
        self.init(entry.text, parser.context)
        termsLeft = parser.termsLeft
        within = parser.within + [entry.name]
        depth = parser.depth + 1
    }

    mutating func whole() throws(FilterFault) -> FilterNode {
        try checkText()
        scanner.skipBlanks()
        guard !scanner.isAtEnd else { return .all([]) }
        let node = try alternatives()
        guard scanner.isAtEnd else {
            throw fault(
                scanner.position..<(scanner.position + 1), "this \")\" closes nothing",
                hint: "put it in quotes to look for it: \")\"")
        }
        return node
    }

    private func checkText() throws(FilterFault) {
        let length = text.utf8.count
        if length > FilterLimits.bytes {
            let kept = String(String.UnicodeScalarView(text.unicodeScalars.prefix(64)))
            throw FilterFault(
                text: kept, range: 0..<0,
                message: "it has \(length) bytes, and a filter may have \(FilterLimits.bytes)",
                hint: "look for less, or for what the texts have in common")
        }
        let bytes = scanner.bytes
        if let index = bytes.firstIndex(where: { $0 < 0x20 && !(0x09...0x0d).contains($0) || $0 == 0x7f }) {
            throw fault(
                index..<(index + 1), "the control character U+00\(Hex.encode([bytes[index]])) stands here",
                hint: "remove it; in quotes, \\u{\(String(bytes[index], radix: 16))} stands for it")
        }
    }

    // MARK: Joining

    private mutating func alternatives() throws(FilterFault) -> FilterNode {
        var nodes = [try conjunction(after: nil)]
        while scanner.isKeyword("or") {
            let word = scanner.position..<(scanner.position + 2)
            scanner.advance(2)
            nodes.append(try conjunction(after: word))
        }
        return .any(joining: nodes)
    }

    /// - Parameter word: the `or` before it.
    private mutating func conjunction(after word: Range<Int>?) throws(FilterFault) -> FilterNode {
        var nodes: [FilterNode] = []
        // What wants something behind it.
        var open = word
        while true {
            scanner.skipBlanks()
            if scanner.isAtEnd || scanner.byte() == UInt8(ascii: ")") { break }
            if scanner.isKeyword("or") {
                if nodes.isEmpty || open != nil { throw missing(before: scanner.position..<(scanner.position + 2)) }
                break
            }
            if scanner.isKeyword("and") {
                let word = scanner.position..<(scanner.position + 3)
                if nodes.isEmpty || open != nil { throw missing(before: word) }
                open = word
                scanner.advance(3)
                continue
            }
            nodes.append(try negation())
            open = nil
        }
        if let open { throw missing(after: open) }
        if nodes.isEmpty {
            throw fault(scanner.position..<(scanner.position + 1), "nothing stands in these parentheses")
        }
        return .all(joining: nodes)
    }

    private func missing(before word: Range<Int>) -> FilterFault {
        let name = scanner.text(word)
        return fault(word, "nothing stands before \"\(name)\"", hint: "put it in quotes to look for it: \"\(name)\"")
    }

    private func missing(after word: Range<Int>) -> FilterFault {
        let name = scanner.text(word)
        return fault(word, "nothing stands after \"\(name)\"", hint: "put it in quotes to look for it: \"\(name)\"")
    }

    private mutating func negation() throws(FilterFault) -> FilterNode {
        var isNegated = false
        while true {
            let start = scanner.position
            if scanner.byte() == UInt8(ascii: "-") {
                scanner.advance()
                if scanner.isEnd(at: scanner.position) { throw missing(after: start..<(start + 1)) }
            } else if scanner.isKeyword("not") {
                scanner.advance(3)
                scanner.skipBlanks()
                if scanner.isAtEnd || scanner.byte() == UInt8(ascii: ")") || scanner.isKeyword("or")
                    || scanner.isKeyword("and")
                {
                    throw missing(after: start..<(start + 3))
                }
            } else {
                break
            }
            isNegated.toggle()
        }
        let node = try scanner.byte() == UInt8(ascii: "(") ? group() : term()
        return isNegated ? .not(node) : node
    }

    private mutating func group() throws(FilterFault) -> FilterNode {
        let start = scanner.position
        guard depth < FilterLimits.depth else {
            throw fault(start..<(start + 1), "these parentheses are more than \(FilterLimits.depth) deep")
        }
        depth += 1
        scanner.advance()
        let node = try alternatives()
        guard scanner.byte() == UInt8(ascii: ")") else {
            throw fault(start..<(start + 1), "this \"(\" is not closed", hint: "put it in quotes to look for it: \"(\"")
        }
        scanner.advance()
        depth -= 1
        return node
    }

    // MARK: Complaining

    /// - Parameter bytes: where it is wrong.
    func fault(
        _ bytes: Range<Int>, _ message: String, replacement: String? = nil, hint: String? = nil
    ) -> FilterFault {
        // Of each character, bytes up to its end. A sign of ours and an accent behind it are one character.
        var end = 0
        let ends = text.map { character in
            end += character.utf8.count
            return end
        }
        let lower = ends.firstIndex { $0 > bytes.lowerBound } ?? ends.count
        let upper = bytes.isEmpty ? lower : (ends.firstIndex { $0 >= bytes.upperBound }.map { $0 + 1 } ?? ends.count)
        return FilterFault(
            text: text, range: lower..<max(lower, upper), message: message, replacement: replacement, hint: hint)
    }

    /// Counts one more.
    mutating func countTerm() throws(FilterFault) {
        guard termsLeft > 0 else {
            throw fault(
                scanner.position..<scanner.position, "there are more than \(FilterLimits.terms) terms",
                hint: within.isEmpty ? "several values of one key are one term: id:1,2,3" : nil)
        }
        termsLeft -= 1
    }

    var isTooDeep: Bool { depth >= FilterLimits.depth }
}
