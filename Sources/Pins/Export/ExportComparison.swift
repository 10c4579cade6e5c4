import Facts

/// Holds what a format could take against what was asked for.
///
/// Each by its own rules, at every kind of name.
struct ExportComparison {
    private(set) var losses: [PinExport.Loss] = []

    /// - Parameters:
    ///   - wanted: with a profile's precedence.
    ///   - made: with that of the format's platform.
    init(wanted: [DeclaredHost], made: [DeclaredHost], as format: ExportFormat) {
        let wantedRules = PlatformRules(wanted, .profile)
        let madeRules = PlatformRules(made, format.platform)
        var seen: Set<String> = []
        for domain in wanted.compactMap(\.domain) where seen.insert(domain).inserted {
            let isAddress = HostName(domain)?.isIP == true
            let found = PinnedPattern.Scope.allCases.filter { !isAddress || $0 == .exact }.map { scope in
                let pattern = PinnedPattern(scope, domain)
                return (
                    pattern,
                    Self.difference(
                        wantedRules.effective(for: pattern.probe), madeRules.effective(for: pattern.probe), format)
                )
            }
            for (place, entry) in found.enumerated() {
                guard let words = entry.1 else { continue }
                // What is said of names at any depth need not be said of those one label down.
                if place + 1 < found.count, entry.0.scope == .oneLabel, found[place + 1].1 == words { continue }
                losses.append(.init(entry.0, words))
            }
        }
    }

    private static func difference(_ wanted: EffectivePins, _ made: EffectivePins, _ format: ExportFormat) -> String? {
        if wanted.isPinned, !made.isPinned { return "\(format.name) cannot take these names in: they are not pinned" }
        if !wanted.isPinned, made.isPinned {
            return "\(format.name) cannot leave these names out: they are pinned, too"
        }
        let (asked, has) = (Set(wanted.pins.map(\.name)), Set(made.pins.map(\.name)))
        let (more, less) = (has.subtracting(asked).sorted(), asked.subtracting(has).sorted())
        var words: [String] = []
        if !more.isEmpty { words.append("\(more.joined(separator: ", ")) will do as well") }
        if !less.isEmpty { words.append("\(less.joined(separator: ", ")) will not do") }
        return words.isEmpty
            ? nil : "\(format.name) puts entries together in another way: \(words.joined(separator: "; "))"
    }
}
