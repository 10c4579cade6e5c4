import Facts

extension Attack {
    /// A chain the client trusts, for a name it did not ask for (RFC 9525).
    public static let otherHost = Attack(
        id: "other-host", set: .standard,
        presents: "a trusted chain for another name",
        source: "CWE-297; Stone et al. (Spinner), ACSAC 2017", weakness: .brokenTLS,
        recipe: Recipe(name: .decoy, defects: [.wrongName]))
}
