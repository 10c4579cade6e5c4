import Facts

extension Attack {
    /// A trusted chain whose leaf begins in 30 days.
    package static let notYetValid = Attack(
        id: "not-yet-valid", set: .standard,
        presents: "a trusted chain that begins in the future",
        source: "CWE-295; RFC 5280 §6.1.3", weakness: .brokenTLS,
        standards: .validation("CWE-295"),
        recipe: Recipe(validity: .notYetValid, defects: [.notYetValid]))
}
