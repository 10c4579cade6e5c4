import Facts

extension Attack {
    /// A control, not a witness: under the forging CA, for the right name, with a key that the app pins.
    ///
    /// A client that pins keys, and trusts the CA, sends its request; that it refuses `trusted-ca` then has one cause
    /// left, the key: all else is as in `trusted-ca`. One that pins a CA or a whole certificate refuses, and that says nothing.
    package static let lentKey = Attack(
        id: "lent-key", set: .quick,
        presents: "right name, signed by the CA the tester installed, with the pinned key that was lent",
        source: "RFC 7469 §4.3 (backup pins)", weakness: .unpinned,
        // A control: refusing it is no weakness of the app, accepting it none either.
        standards: Standards(mastg: [Standards.pinningTest]), reading: Reading(data: .control),
        variants: [
            Variant(
                name: nil, needs: .backupKey,
                recipe: Recipe(
                    subordinates: .inTheGenuineShape, identity: .likeTheGenuine, key: .lentBackup,
                    order: [.leaf, .subordinates, .intermediates, .rootIfShown]))
        ])
}
