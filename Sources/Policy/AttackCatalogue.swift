import Facts

/// Every attack this version has, in the order they are tried.
package enum AttackCatalogue {
    package static let all: [Attack] = [
        .trustedCA,
        .untrustedCA,
        .lentKey,
        .wrongKey,
        .smuggledChain,
        .clonedIdentity,
        .otherHost,
        .selfSigned,
        .expired,
        .notYetValid,
        .silentServer,
        .laterConnection,
        .resumedSession,
        .leafAsCA,
        .badSignature,
        .wrongUsage,
        .weakCrypto,
        .oldTLS,
        .cleartextFallback,
        .redirect,
    ]

    package static func attack(_ id: AttackID) -> Attack? { byID[id] }

    private static let byID = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })

    /// One form of an attack; nil where this version does not know it.
    package static func form(_ id: AttackID, _ variant: String?) -> Attack.Variant? {
        byID[id]?.variants.first { $0.name == variant }
    }

    /// How what a client does under it is read; of an attack that this version does not know, nothing but a refusal
    /// settles it, and data is a witness.
    package static func reading(of id: AttackID, _ variant: String?) -> Reading {
        byID[id]?.reading(of: variant) ?? Reading()
    }

    /// Both signatures that a client checks are right under it; nil where this version does not know the attack.
    package static func signsHonestly(_ id: AttackID, _ variant: String?) -> Bool? {
        byID[id].flatMap { attack in (form(id, variant) ?? attack.variants.first)?.signsHonestly }
    }

    /// Its issuers have the genuine ones' names and other keys, so that a word about a signature may be the answer of a client
    /// that took them for those; never so where this version does not know the form.
    package static func namesGenuineIssuers(_ id: AttackID, _ variant: String?) -> Bool {
        form(id, variant)?.recipe.namesGenuineIssuers ?? false
    }

    /// The forms that the first version's attacks had, whose runs said nothing of them; nil for a later attack.
    package static func firstForms(of id: AttackID) -> [String?]? { firstForms[id] }

    private static let firstForms: [AttackID: [String?]] = [
        .trustedCA: [nil], .untrustedCA: [nil], Attack.wrongKey.id: [nil],
        Attack.smuggledChain.id: ["after", "between"], Attack.otherHost.id: [nil], Attack.selfSigned.id: [nil],
        Attack.expired.id: [nil], Attack.notYetValid.id: [nil],
    ]

    /// Passthrough first, then as they are tried, then the unknown ones by name.
    package static func inOrder(_ ids: some Sequence<AttackID>) -> [AttackID] {
        let known = [.passthrough] + all.map(\.id)
        return ids.sorted {
            let (a, b) = (known.firstIndex(of: $0) ?? known.count, known.firstIndex(of: $1) ?? known.count)
            return a != b ? a < b : $0 < $1
        }
    }

    /// Those that a safe client refuses: all but the control among them.
    package static let toBeRefused: [AttackID] = all.filter { $0.reading.data != .control }.map(\.id)

    /// What data without TLS while a host was attacked is held to be, whichever attack it was.
    package static let cleartextFallback: AttackID = Attack.cleartextFallback.id
}
