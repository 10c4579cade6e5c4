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

    /// The genuine leaf's public key in a certificate of the CA that the tester installed, current or over.
    ///
    /// Nobody here has the private key, so no handshake can come of it. Stacks that look at pins while they verify the chain
    /// do so before they verify the handshake's signature: what they complain of tells whether the key passed.
    package static func rehearsedGenuineKey(isOver: Bool) -> Attack {
        var recipe = Recipe.likeTheGenuine
        if isOver { recipe = Recipe(validity: .expired, defects: [.expired]) }
        recipe.key = .genuineInNewCertificate
        return rehearsal(
            "the genuine key in a new certificate, signed with another one",
            Variant(name: isOver ? "genuine key, lapsed" : "genuine key alone", recipe: recipe))
    }

    /// Signed by the CA that the tester installed, for the right name, with a key that nobody pins, and with dates that begin
    /// on a day to come: what a client makes of it whose clock says that day.
    ///
    /// - Parameter isSet: the client's clock is set to that day; false: it is left alone, to see whether it looks at its clock.
    package static func rehearsedClock(_ day: CalendarDate, isSet: Bool) -> Attack {
        let recipe = Recipe(validity: .around(day), defects: [.notYetValid])
        return rehearsal(
            "a certificate of a day to come",
            Variant(
                name: isSet ? "clock at \(day)" : "dates around \(day)", recipe: recipe,
                conduct: Conduct(clock: isSet ? day : nil)))
    }

    private static func rehearsal(_ presents: String, _ variant: Variant) -> Attack {
        Attack(
            id: rehearsalID, set: .named, presents: presents, source: "", weakness: .unpinned, standards: .pin,
            reading: Reading(data: .control), variants: [variant])
    }
}
