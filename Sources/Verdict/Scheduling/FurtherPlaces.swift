import Facts
import Policy

/// Connections beyond those that the run's own forms attack, each alone.
///
/// The standard set attacks few places, as each takes a cold start. What untouched trials show in use beyond them comes when
/// they have shown it: clients with five or six connections to a host are everyday.
struct FurtherPlaces {
    let attack: Attack
    /// Those that the catalogue knows and the attack, as the run has it, does not.
    private let variants: [Int: Attack.Variant]

    /// nil where the run tries no later connections.
    init?(among attacks: [Attack]) {
        guard let attack = attacks.ofLaterConnections else { return nil }
        self.attack = attack
        let own = attack.variants.compactMap(\.place)
        let known = AttackCatalogue.attack(attack.id)?.variants ?? []
        // Of a place's forms the first, which every connection without a pin falls for.
        variants = known.reduce(into: [:]) { found, variant in
            if let place = variant.place, !own.contains(place), found[place] == nil { found[place] = variant }
        }
    }

    /// Of those in use that are open, each up to N times, and 2N where it did not come.
    ///
    /// - Parameter only: the host, where others that are attacked may be in the way.
    func trials(for review: Review, only: Set<HostName>, coldStarts: Int) -> [Trial] {
        guard let open = review.places.leftOut(in: review) else { return [] }
        return variants.keys.sorted().filter(open.contains).compactMap { place in
            guard let variant = variants[place] else { return nil }
            guard !review.places.isSettled(place, in: review), let requirement = review.formAlone(place) else {
                return nil
            }
            let tried = review.meetings.filter {
                requirement.matches($0) && $0.sparedFirst == 0 && ($0.isAlone || only.isEmpty)
            }
            // One that only some starts have is waited for.
            guard tried.count < (review.wasMet(requirement) ? coldStarts : 2 * coldStarts) else { return nil }
            return Trial(attack: attack, variant: variant, only: only)
        }
    }
}

extension Attack.Variant {
    /// The one connection that is attacked; nil where it is not one.
    fileprivate var place: Int? { if case .only(let place) = conduct.onset { place } else { nil } }
}
