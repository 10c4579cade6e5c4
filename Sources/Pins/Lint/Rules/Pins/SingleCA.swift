import Facts

/// L37: one CA, and no other to go to.
enum SingleCA: LintCheck {
    static let entry = LintRuleBook.Entry(
        "L37", "single-ca", .note, "Only one CA is pinned",
        why:
            "A CA's key outlives renewals, so this is calmer than one leaf's key. It still ends on the day when the CA leaves the stores, changes its hierarchy, or you change the CA.",
        fix: "Add a root of a second CA that could issue for you on the same day, and test that it does.")

    static func findings(_ context: LintContext) -> [LintFinding] {
        context.pinFiles.flatMap { file in
            file.entriesByPlace.compactMap { entry, hosts -> LintFinding? in
                guard entry.isEnforced, entry.pinsKnown, let pins = file.effective(of: entry), pins.pinsKnown else {
                    return nil
                }
                guard let found = pins.lists.lazy.compactMap({ singleCA($0.pins, context) }).first else { return nil }
                let line = entry.pins.first { $0.digest == found.first.digest }?.line ?? entry.line
                return finding(
                    in: file, line: line, host: LintWords.single(hosts),
                    "\(LintWords.hosts(hosts)) depends on one CA, \(found.name): you cannot change to another without an update of the app",
                    fix: "add the root of a second CA that could issue for you")
            }
        }
    }

    /// A list that nothing but keys of one CA can fulfil: one key, or roots that one organisation runs.
    private static func singleCA(
        _ pins: [DeclaredPin], _ context: LintContext
    ) -> (first: DeclaredPin, name: String)? {
        let valid = pins.filter { $0.digest != nil }
        guard let first = valid.first, valid.allSatisfy({ $0.part != .leaf && context.isKnownCA($0) }) else {
            return nil
        }
        if Set(valid.map(\.digest)).count == 1 { return (first, LintWords.pin(first)) }
        let roots = valid.compactMap { $0.kind == .spkiSHA256 ? KnownRoot.of(key: $0.digest ?? []) : nil }
        guard roots.count == valid.count, Set(roots.map(\.organisation)).count == 1, let root = roots.first else {
            return nil
        }
        return (first, "\(root.organisation) (\(English.some(roots.map(\.name))))")
    }
}
