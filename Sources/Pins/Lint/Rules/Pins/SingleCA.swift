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
                let valid = pins.pins.filter { $0.digest != nil && $0.part != .leaf }
                guard pins.pins(.leaf).isEmpty, Set(valid.map(\.digest)).count == 1, let only = valid.first,
                    context.isKnownCA(only)
                else { return nil }
                let line = entry.pins.first { $0.digest == only.digest }?.line ?? entry.line
                return finding(
                    in: file, line: line, host: LintWords.single(hosts),
                    "\(LintWords.hosts(hosts)) depends on one CA, \(LintWords.pin(only)): you cannot change to another without an update of the app",
                    fix: "add the root of a second CA that could issue for you")
            }
        }
    }
}
