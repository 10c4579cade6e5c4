/// Lists and dictionaries as they are written out.
extension SourceEvaluator {
    /// `{a, b}` of Java and C.
    func list(_ open: Int, _ environment: Environment, depth: Int) -> (item: SourceItem, end: Int) {
        let items = limited(source.parts(of: open), to: Self.sizeLimit).map {
            value(of: $0, environment, depth: depth + 1)
        }
        return (
            SourceItem(.list(Array(items)), line: source.line(open)), min(source.end(of: open) + 1, source.tokens.count)
        )
    }

    /// `[a, b]`, `{a, b}`, `[k: v]`, `{k: v}`, and `[Type: Type]()`.
    func collection(_ open: Int, _ environment: Environment, depth: Int) -> (item: SourceItem, end: Int) {
        let line = source.line(open)
        var end = min(source.end(of: open) + 1, source.tokens.count)
        let parts = limited(source.parts(of: open), to: Self.sizeLimit)
        var entries: [SourceEntry] = []
        var items: [SourceItem] = []
        var spreads: [SourceItem] = []
        for part in parts {
            if part.count == 1, source.isSymbol(":", at: part.lowerBound) { continue }  // Swift's [:].
            if let colon = colon(in: part) {
                entries.append(
                    SourceEntry(
                        key: key(source.range(part.lowerBound, colon), environment, depth: depth),
                        value: value(of: source.range(colon + 1, part.upperBound), environment, depth: depth + 1),
                        line: source.line(part.lowerBound)))
            } else if source.isSymbol("...", at: part.lowerBound) {
                let spread = value(
                    of: source.range(part.lowerBound + 1, part.upperBound), environment, depth: depth + 1)
                if let inner = spread.dictionary {
                    entries += inner
                } else if let inner = spread.list {
                    items += inner
                } else {
                    spreads.append(spread)
                }
            } else {
                items.append(value(of: part, environment, depth: depth + 1))
            }
        }
        // What is spread and not known is entries among entries, and elements among elements.
        if !entries.isEmpty || items.isEmpty && source.language == .script && source.isSymbol("{", at: open) {
            entries += Self.entries(spreads)
        } else {
            items += spreads
        }
        let isEmptyDictionary =
            parts.count == 1 && parts.first.map { $0.count == 1 && source.isSymbol(":", at: $0.lowerBound) } == true
        var item = SourceItem(entries.isEmpty && !isEmptyDictionary ? .list(items) : .dictionary(entries), line: line)
        if entries.isEmpty, parts.isEmpty, source.isSymbol("{", at: open) {
            item = SourceItem(.dictionary([]), line: line)
        }
        // `[String]()` and `[String: Any]()` are empty: what stood between was types.
        if source.language == .swift, source.isSymbol("(", at: end), isCall(end), source.parts(of: end).isEmpty {
            item = SourceItem(entries.isEmpty ? .list([]) : .dictionary([]), line: line)
            end = source.end(of: end) + 1
        }
        return (item, end)
    }

    /// The colon behind a key, none of a ternary or of a closure's.
    private func colon(in part: Range<Int>) -> Int? {
        var at = part.lowerBound
        var questions = 0
        while at < part.upperBound {
            let token = source.tokens[at]
            if token.is(":") {
                if questions == 0 { return at }
                questions -= 1
            } else if token.is("?"), source[at + 1].map({ !$0.is(":") && !$0.is(".") }) == true {
                questions += 1
            } else if token.kind == .symbol, source.end(of: at) < part.upperBound {
                at = source.end(of: at)
            }
            at += 1
        }
        return nil
    }

    /// JavaScript's bare keys are their own names.
    private func key(_ range: Range<Int>, _ environment: Environment, depth: Int) -> SourceItem {
        if source.language == .script, range.count == 1, source.tokens[range.lowerBound].isIdentifier {
            return SourceItem(.text(source.tokens[range.lowerBound].text), line: source.line(range.lowerBound))
        }
        if source.language == .script, source.isSymbol("[", at: range.lowerBound), range.count > 2 {
            return value(of: source.range(range.lowerBound + 1, range.upperBound - 1), environment, depth: depth + 1)
        }
        return value(of: range, environment, depth: depth + 1)
    }

    // MARK: arguments

    func arguments(of open: Int, _ environment: Environment, depth: Int) -> [SourceCall.Argument] {
        limited(source.parts(of: open), to: Self.sizeLimit).map { labelled($0, environment, depth: depth) }
    }

    /// `label: value` of Swift, Dart and tuples, `label = value` of Kotlin and Python.
    func labelled(_ part: Range<Int>, _ environment: Environment, depth: Int) -> SourceCall.Argument {
        let first = part.lowerBound
        if part.count > 2, source.tokens[first].isIdentifier,
            source.isSymbol(":", at: first + 1) || (source.isSymbol("=", at: first + 1) && source.language != .java)
        {
            return .init(
                label: source.tokens[first].text,
                item: value(of: source.range(first + 2, part.upperBound), environment, depth: depth + 1))
        }
        return .init(label: nil, item: value(of: part, environment, depth: depth + 1))
    }

    // MARK: messages

    /// `[receiver first:a second:b]`: a call by its selector.
    func message(at open: Int, _ environment: Environment, depth: Int) -> (item: SourceItem, end: Int) {
        let close = source.end(of: open)
        let end = min(close + 1, source.tokens.count)
        guard depth < Self.depthLimit else { return (unknown(open, end), end) }
        let receiver = operand(at: open + 1, environment, depth: depth + 1)
        var (at, selector, arguments) = (receiver.end, "", [SourceCall.Argument]())
        while at < close, let word = source[at], word.isIdentifier, spend() {
            guard source.isSymbol(":", at: at + 1) else {
                selector += word.text
                at += 1
                continue
            }
            selector += word.text + ":"
            at += 2
            repeat {
                if source.isSymbol(",", at: at) { at += 1 }
                let argument = expression(at: at, environment, depth: depth + 1)
                arguments.append(
                    .init(
                        label: arguments.isEmpty || source.isSymbol(",", at: at - 1) ? nil : word.text,
                        item: argument.item))
                at = max(argument.end, at + 1)
            } while source.isSymbol(",", at: at) && spend()
        }
        let call = SourceCall(name: selector, receiver: receiver.item, arguments: arguments)
        return (known(message: call, line: source.line(open)) ?? SourceItem(.call(call), line: source.line(open)), end)
    }

    /// Foundation's collections and texts.
    private func known(message call: SourceCall, line: Int) -> SourceItem? {
        let items = call.arguments.map(\.item).filter { !$0.isNull }
        switch call.name {
        case "alloc", "copy", "mutableCopy", "init", "array", "dictionary", "set", "new":
            if call.name == "array" || call.name == "set" { return SourceItem(.list([]), line: line) }
            if call.name == "dictionary" { return SourceItem(.dictionary([]), line: line) }
            guard case .unknown(let type)? = call.receiver?.value,
                type.hasSuffix("Array") || type.hasSuffix("Set") || type.hasSuffix("Dictionary")
            else { return call.receiver }
            return SourceItem(type.hasSuffix("Dictionary") ? .dictionary([]) : .list([]), line: line)
        case "arrayWithObjects:", "setWithObjects:", "initWithObjects:", "arrayWithObject:", "setWithObject:":
            return SourceItem(.list(items), line: line)
        case "setWithArray:", "arrayWithArray:", "dictionaryWithDictionary:", "URLWithString:", "stringWithString:",
            "initWithArray:", "initWithDictionary:", "initWithString:":
            return items.first
        case "dictionaryWithObjectsAndKeys:", "initWithObjectsAndKeys:":
            let entries = stride(from: 0, to: items.count - 1, by: 2).map {
                SourceEntry(key: items[$0 + 1], value: items[$0])
            }
            return SourceItem(.dictionary(entries), line: line)
        case "dictionaryWithObject:forKey:":
            return items.count == 2
                ? SourceItem(.dictionary([SourceEntry(key: items[1], value: items[0])]), line: line) : nil
        case "stringByAppendingString:":
            return call.receiver.flatMap { receiver in items.first.flatMap { Self.joined(receiver, $0) } }
        case "stringWithFormat:":
            return items.first.flatMap { Self.formatted($0, Array(items.dropFirst())) }
        default: return nil
        }
    }
}
