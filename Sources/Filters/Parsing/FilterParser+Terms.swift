import Facts
import Flows

extension FilterParser {
    /// A word, or `key:value`.
    mutating func term() throws(FilterFault) -> FilterNode {
        try countTerm()
        let start = scanner.position
        if let name = scanner.name(before: { $0 == UInt8(ascii: ":") }) {
            let colon = start + name.utf8.count
            if let key = FilterKey(named: name) {
                scanner.move(to: colon + 1)
                try checkValue(of: key, start)
                return try value(of: key)
            }
            scanner.move(to: colon + 1)
            let rest = scanner.bare()
            scanner.move(to: start)
            // A URL, or a host and its port.
            let isAddress =
                rest.text.hasPrefix("//") || name.utf8.contains(UInt8(ascii: ".")) && UInt16(rest.text) != nil
            if !isAddress { throw unknown(name, start..<(colon + 1)) }
        }
        try checkOperators()
        return try word()
    }

    private func unknown(_ name: String, _ range: Range<Int>) -> FilterFault {
        let meant = FilterKey.meant(by: name)
        let whole = "\(name):…"
        return fault(
            range, "\"\(Printable.excerpt(name)):\" is not known", replacement: meant,
            hint:
                "known are \(FilterKey.allCases.map(\.word).joined(separator: " ")); put \"\(Printable.excerpt(whole))\" "
                + "in quotes to look for it")
    }

    /// There is one, right behind the colon.
    private func checkValue(of key: FilterKey, _ start: Int) throws(FilterFault) {
        if scanner.byte() == UInt8(ascii: "(") {
            throw fault(
                scanner.position..<(scanner.position + 1), "\"\(key.word)\" takes no parentheses",
                hint: "several values are a list: \(key.word)a,b")
        }
        guard scanner.isEnd(at: scanner.position) else { return }
        var behind = scanner
        behind.skipBlanks()
        let end = scanner.position
        guard behind.position > end, !behind.isEnd(at: behind.position), !behind.isKeyword("or"),
            !behind.isKeyword("and"), !behind.isKeyword("not"), behind.name(before: { $0 == UInt8(ascii: ":") }) == nil
        else {
            throw fault(start..<end, "\"\(key.word)\" has no value", hint: "for instance \(key.example)")
        }
        throw fault(
            start..<behind.position, "\"\(key.word)\" has a blank before its value", replacement: key.word)
    }

    // MARK: Words

    /// What other languages write, and would look here for itself.
    private func checkOperators() throws(FilterFault) {
        let start = scanner.position
        for (sign, meant) in [("||", "or"), ("|", "or"), ("&&", "and"), ("&", "and")]
        where scanner.bytes[start...].starts(with: sign.utf8) && scanner.isEnd(at: start + sign.utf8.count) {
            throw fault(
                start..<(start + sign.utf8.count), "\"\(sign)\" joins nothing here", replacement: meant,
                hint: "put it in quotes to look for it")
        }
        if scanner.byte() == UInt8(ascii: "!") {
            var behind = scanner
            behind.advance()
            if behind.byte() == UInt8(ascii: "(")
                || behind.name(before: { $0 == UInt8(ascii: ":") }).flatMap(FilterKey.init(named:)) != nil
            {
                throw fault(start..<(start + 1), "\"!\" negates nothing here", replacement: "-")
            }
        }
        let isSign = { (byte: UInt8) in byte == UInt8(ascii: ">") || byte == UInt8(ascii: "<") }
        if let name = scanner.name(before: isSign), let key = FilterKey(named: name) {
            throw fault(
                start..<(start + name.utf8.count), "\"\(name)\" has no colon behind it", replacement: key.word,
                hint: "for instance \(key.example)")
        }
    }

    private mutating func word() throws(FilterFault) -> FilterNode {
        var ahead = scanner
        if case .found(let expression) = ahead.expression(isSpacious: false), expression.isTelling {
            scanner = ahead
            return .term(.anywhere(try compiled(expression)))
        }
        let piece = try piece()
        let pattern = FilterPattern(segments: piece.segments)
        return pattern.isEverything ? .all([]) : .term(.anywhere(.pattern(pattern)))
    }

    // MARK: Values

    /// A value that is a part of another: an expression, or text in which a comma is a comma.
    ///
    /// - Parameters:
    ///   - isSpacious: there may be blanks in an expression.
    ///   - mayBePath: what begins with a slash and ends with none is no mistake.
    mutating func partText(isSpacious: Bool, mayBePath: Bool) throws(FilterFault) -> FilterText {
        switch scanner.expression(isSpacious: isSpacious) {
        case .found(let expression): return try compiled(expression)
        case .flags(let range) where !mayBePath:
            throw fault(
                range, "behind a regular expression only \"i\" is known", replacement: "i",
                hint: "put the value in quotes if it is a text")
        case .open where !mayBePath:
            throw fault(
                scanner.position..<(scanner.position + 1),
                "the regular expression that begins here has no \"/\" at its end",
                hint: "put the value in quotes if it is a text")
        case .flags, .open, .none: break
        }
        let isExact =
            scanner.byte() == UInt8(ascii: "=") && [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(scanner.byte(1))
        if isExact { scanner.advance() }
        return .pattern(FilterPattern(segments: try piece().segments, isCaseSensitive: isExact))
    }

    /// One value, in quotes or not, with nothing but an end behind it.
    mutating func piece(stops: [UInt8] = []) throws(FilterFault) -> FilterScanner.Piece {
        guard scanner.isAtQuote else { return scanner.bare(stops: stops) }
        let piece: FilterScanner.Piece
        do throws(FilterScanner.QuoteFault) {
            piece = try scanner.quoted()
        } catch {
            switch error {
            case .open(let range): throw fault(range, "this quote is not closed")
            case .escape(let range):
                throw fault(
                    range, "\"\(Printable.excerpt(scanner.text(range)))\" stands for nothing in quotes",
                    replacement: "\\" + scanner.text(range), hint: "known are \\\" \\\\ \\* \\n \\r \\t \\u{e9}")
            }
        }
        if let next = scanner.byte(), !scanner.isEnd(at: scanner.position), !stops.contains(next) {
            throw fault(
                scanner.position..<(scanner.position + 1), "the quoted text ends before this",
                hint: "a blank separates terms; within quotes, a quote is written \\\"")
        }
        if piece.isEmpty { throw fault(piece.range, "nothing stands between these quotes") }
        return piece
    }

    private func compiled(_ expression: FilterScanner.Expression) throws(FilterFault) -> FilterText {
        do throws(FilterRegexFault) {
            let matcher = try context.regex(expression.source, expression.ignoresCase)
            return .expression(
                FilterExpression(expression.source, ignoresCase: expression.ignoresCase, matcher: matcher))
        } catch {
            var range = expression.range
            if let offset = error.offset {
                let prefix = expression.source.unicodeScalars.prefix(offset)
                let slashes = prefix.reduce(0) { $0 + ($1 == "/" ? 1 : 0) }
                let lower = range.lowerBound + 1 + String(prefix).utf8.count + slashes
                range = min(lower, range.upperBound - 1)..<range.upperBound
            }
            throw fault(range, "the regular expression is wrong: \(error.reason)")
        }
    }
}
