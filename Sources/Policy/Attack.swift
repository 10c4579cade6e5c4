import Facts

/// One way of standing in the middle: what is presented, and what falling for it means.
///
/// An attack is a value. Adding one is a file in `Attacks/`, a line in `AttackCatalogue` and a test; `TLS.Forge`
/// carries out its recipes, `Verdict` reads its weakness.
package struct Attack: Hashable, Sendable {
    package let id: AttackID
    package let set: AttackSet
    /// What is presented, in one sentence.
    package let presents: String
    /// CVE, paper or document it comes from.
    package let source: String
    /// What application data under it proves.
    package let weakness: Weakness
    /// What the field's catalogues call falling for it.
    package let standards: Standards
    /// What to mend in an app that sent data under it: a sentence or more, with the platforms' own words. nil where what the
    /// weakness is says as much.
    package let advice: String?
    /// How what a client does under it is read, where a form says nothing else.
    package let reading: Reading
    /// At least one. Each is presented in cold starts of its own.
    package let variants: [Variant]

    package init(
        id: AttackID, set: AttackSet, presents: String, source: String, weakness: Weakness, standards: Standards,
        advice: String? = nil, reading: Reading = Reading(), variants: [Variant]
    ) {
        self.id = id
        self.set = set
        self.presents = presents
        self.source = source
        self.weakness = weakness
        self.standards = standards
        self.advice = advice
        self.reading = reading
        self.variants = variants
    }

    package init(
        id: AttackID, set: AttackSet, presents: String, source: String, weakness: Weakness, standards: Standards,
        advice: String? = nil, reading: Reading = Reading(), recipe: Recipe
    ) {
        self.init(
            id: id, set: set, presents: presents, source: source, weakness: weakness, standards: standards,
            advice: advice, reading: reading, variants: [Variant(name: nil, recipe: recipe)])
    }

    package struct Variant: Hashable, Sendable {
        /// nil for an attack's plain form.
        package let name: String?
        /// The smallest set that this variant is a part of; never smaller than the attack's own.
        package let set: AttackSet?
        /// What the operator has to lend for a host before it can be presented there.
        package let needs: LentKind?
        /// What data under this form proves, where it is not what the attack's other forms do.
        package let weakness: Weakness?
        /// How this form is read, where it is not as the attack's other forms are.
        package let reading: Reading?
        /// What to mend where this form was fallen for, as it points to a mistake of its own.
        package let advice: String?
        /// Forms whose peculiarity is in this one as well: where one of those was fallen for, this one says nothing more.
        package let includes: [String]
        package let recipe: Recipe
        package let conduct: Conduct

        package init(
            name: String?, set: AttackSet? = nil, needs: LentKind? = nil, weakness: Weakness? = nil,
            reading: Reading? = nil, advice: String? = nil, includes: [String] = [], recipe: Recipe = Recipe(),
            conduct: Conduct = Conduct()
        ) {
            self.name = name
            self.set = set
            self.needs = needs
            self.weakness = weakness
            self.reading = reading
            self.advice = advice
            self.includes = includes
            self.recipe = recipe
            self.conduct = conduct
        }

        /// Sessions begin under a lent key, until one has carried data.
        package var beginsUnderLentKey: Bool { conduct.resumption && needs == .backupKey }

        /// The same, with the first so many connections of a host left alone.
        package func sparing(first count: Int) -> Variant {
            var conduct = conduct
            conduct.onset = .afterConnections(count)
            return behaving(as: conduct)
        }

        /// The same chain from a server of other manners.
        package func behaving(as conduct: Conduct) -> Variant {
            Variant(
                name: name, set: set, needs: needs, weakness: weakness, reading: reading, advice: advice,
                includes: includes, recipe: recipe, conduct: conduct)
        }

        /// Another chain from the same server.
        package func presenting(_ recipe: Recipe) -> Variant {
            recipe == self.recipe
                ? self
                : Variant(
                    name: name, set: set, needs: needs, weakness: weakness, reading: reading, advice: advice,
                    includes: includes, recipe: recipe, conduct: conduct)
        }

        /// Both signatures that a client checks are right, the handshake's and the leaf's.
        package var signsHonestly: Bool {
            !recipe.imitatesKey && ![.corrupted, .byAnotherKey, .zeros].contains(recipe.signature)
        }

        /// What a client with no pin refuses for want of a trusted issuer, and what a pin of names lets pass: who takes it
        /// has put its pin in the place of the issuer's check.
        package var isTakenForGenuine: Bool { recipe.signer == .untrustedCA && recipe.identity == .genuine }
    }

    /// What data under one of its forms proves; of a form that is not known, what the attack says.
    package func weakness(under variant: String?) -> Weakness {
        variants.first { $0.name == variant }?.weakness ?? weakness
    }

    /// How what a client does under one of its forms is read; of a form that is not known, as the attack says.
    package func reading(of variant: String?) -> Reading {
        variants.first { $0.name == variant }?.reading ?? reading
    }

    /// What to mend where data was sent under one of its forms.
    package func advice(under form: String?) -> String? {
        let known = variants.first { $0.name == form }
        // What is made for one client is in no catalogue.
        let made = id == Attack.laterConnection.id ? form.flatMap(Attack.formAfterOutages) : nil
        return (known ?? made)?.advice ?? advice
    }

    /// `id` or `id/variant`, as evidence and plans name it.
    package func name(of variant: Variant) -> String { variant.name.map { "\(id)/\($0)" } ?? id.rawValue }

    /// The same attack with only the variants that belong to a set.
    package func limited(to limit: AttackSet) -> Attack {
        with(variants.filter { ($0.set ?? set) <= limit })
    }

    /// The same attack with these variants alone.
    package func with(_ variants: [Variant]) -> Attack {
        Attack(
            id: id, set: set, presents: presents, source: source, weakness: weakness, standards: standards,
            advice: advice, reading: reading, variants: variants)
    }
}

/// What an operator can lend for a host (`lent:` of the profile).
package enum LentKind: String, Hashable, Sendable {
    /// A key that the app pins and that is not deployed.
    case backupKey = "backup_key"
    /// A public chain of the same CA for another host, without its key.
    case sameCAChain = "same_ca_chain"
    /// A chain for another name that the pins accept, with its key.
    case otherHost = "other_host"
}

/// The smallest set an attack belongs to; a set contains the smaller ones.
package enum AttackSet: Int, Hashable, Sendable, Comparable {
    case quick, standard, all
    /// No set at all: a form that is tried where its attack is asked for by name.
    case named
    package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// What a client that sends data under an attack suffers from, the worst last.
package enum Weakness: Int, Hashable, Sendable, Comparable {
    /// It has no (working) pin.
    case unpinned
    /// It looks at the certificate when the request has left.
    case leak
    /// Its pin can be got around.
    case bypass
    /// Its TLS is broken whatever it pins.
    case brokenTLS
    package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// A profile's or the command line's choice of attacks.
package enum AttackSelection: Hashable, Sendable {
    case set(AttackSet)
    case list([AttackID])

    /// The attacks in catalogue order, `untrusted-ca` and `trusted-ca` always among them: no verdict without them; and
    /// the control by a lent key, which costs nothing where none was lent.
    /// A set has the variants that belong to it; an attack that is named has all.
    package var attacks: [Attack] {
        switch self {
        case .set(let set): AttackCatalogue.all.filter { $0.set <= set }.map { $0.limited(to: set) }
        case .list(let ids):
            AttackCatalogue.all.compactMap { attack in
                if ids.contains(attack.id) { return attack }
                let isAlwaysThere =
                    attack.id == .trustedCA || attack.id == .untrustedCA || attack.reading.data == .control
                return isAlwaysThere ? attack.limited(to: .quick) : nil
            }
        }
    }

    /// Attacks that somebody asked for by name: they are tried whether a client gives an occasion or not.
    package var named: Set<AttackID> {
        switch self {
        case .set: []
        case .list(let ids): Set(ids)
        }
    }
}
