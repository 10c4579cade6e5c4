import Facts

extension Attack {
    /// A trusted chain whose leaf ended 30 days ago.
    package static let expired = Attack(
        id: "expired", set: .standard,
        presents: "a trusted chain that ended in the past",
        source: "CWE-298; RFC 5280 §6.1.3", weakness: .brokenTLS,
        standards: .validation("CWE-298"),
        recipe: Recipe(validity: .expired, defects: [.expired]))
}
