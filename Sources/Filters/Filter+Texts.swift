/// What a filter finds out about texts that somebody may not see.
extension Filter {
    /// What it wants hangs on texts that secrets can stand in: addresses with their queries, fields, bodies, messages.
    package var looksIntoTexts: Bool { root.contains(where: \.looksIntoTexts) }

    /// A filter that does not look into texts, and wants every flow that this one wants.
    package var broadened: Filter { Filter(root.broadened(isNegated: false)) }

    /// A flow of whose texts less is seen fits it only if the whole one does: none of its demands on texts is negated.
    package var isMonotone: Bool { !root.hasNegatedTexts(false) }
}

/// What somebody may have meant where nothing fits.
extension Filter {
    /// A word that is looked for as text, and begins like a filter that was written with an equals sign: `status=404`. Such text
    /// stands in addresses (`?id=5`), so that it is no mistake in itself.
    package var wordLikeAFilter: (word: String, filter: String)? {
        var found: (word: String, filter: String)?
        _ = root.contains { term in
            guard case .anywhere(.pattern(let pattern)) = term, pattern.segments.count == 1,
                let word = pattern.segments.first, let equals = word.firstIndex(of: "="), found == nil
            else { return false }
            let isNot = word[..<equals].hasSuffix("!")
            let value = word[word.index(after: equals)...].drop { $0 == "=" }
            guard let key = FilterKey(named: String(word[..<equals].dropLast(isNot ? 1 : 0))), !value.isEmpty else {
                return false
            }
            found = (word, "\(isNot ? "-" : "")\(key.word)\(value)")
            return true
        }
        return found
    }
}

extension FilterTerm {
    fileprivate var looksIntoTexts: Bool {
        switch self {
        case .anywhere, .part, .body, .value(.path, _): true
        case .header(_, name: _, let value): value != nil
        default: false
        }
    }
}

extension FilterNode {
    fileprivate func broadened(isNegated: Bool) -> FilterNode {
        switch self {
        case .all(let nodes): .all(joining: nodes.map { $0.broadened(isNegated: isNegated) })
        case .any(let nodes): .any(joining: nodes.map { $0.broadened(isNegated: isNegated) })
        case .not(let node): .not(node.broadened(isNegated: !isNegated))
        case .term(let term):
            !term.looksIntoTexts ? self : isNegated ? .not(.all([])) : .all([])
        }
    }

    fileprivate func hasNegatedTexts(_ isNegated: Bool) -> Bool {
        switch self {
        case .all(let nodes), .any(let nodes): nodes.contains { $0.hasNegatedTexts(isNegated) }
        case .not(let node): node.hasNegatedTexts(!isNegated)
        case .term(let term): isNegated && term.looksIntoTexts
        }
    }
}
