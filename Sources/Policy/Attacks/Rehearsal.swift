import Facts

extension Attack {
    /// What `pinproof rehearse` shows besides the attacks that every verdict rests on: no attack, and in no catalogue.
    package static let rehearsalID: AttackID = "rehearsal"

    /// A chain that a team is about to deploy, as it is.
    ///
    /// - Parameter name: the team's, as the forge was given it.
    package static func rehearsal(of name: String) -> Attack {
        rehearsal(
            "a chain of the team's own", Variant(name: name, recipe: Recipe(key: .rehearsed(name), order: [.leaf])))
    }

    /// Signed by the CA that the tester installed, for the right name, and over; with a key that nobody pins, or with the one
    /// that was lent: a name with blanks is no team's.
    package static func rehearsedLapse(withLentKey: Bool) -> Attack {
        let name = withLentKey ? "lapsed with the lent key" : "lapsed certificate"
        let key = withLentKey ? Recipe.Key.lentBackup : .own
        return rehearsal(
            "a certificate that is over",
            Variant(name: name, recipe: Recipe(validity: .expired, key: key, defects: [.expired])))
    }

    private static func rehearsal(_ presents: String, _ variant: Variant) -> Attack {
        Attack(
            id: rehearsalID, set: .named, presents: presents, source: "", weakness: .unpinned, standards: .pin,
            reading: Reading(data: .control), variants: [variant])
    }
}
