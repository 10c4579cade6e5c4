import Facts
import Policy

// Connections that only some cold starts have. One that was used untouched may be away in the trial that attacks it: then
// nobody knows what the client would have made of that.

/// A connection that was used untouched, and never came when it was to be attacked.
package struct UnmetConnection: Hashable, Sendable {
    /// Its place in a cold start (1, 2, …), by ClientHellos.
    package var place: Int
    /// Untouched trials in which it was used, of those that carried data.
    package var used: Int
    package var of: Int
    /// Whole trials that were to attack it.
    package var tried: Int

    package init(place: Int, used: Int, of: Int, tried: Int) {
        self.place = place
        self.used = used
        self.of = of
        self.tried = tried
    }
}

extension Review {
    /// Some connection was shown what the requirement presents, whichever stack it was of.
    func wasMet(_ requirement: Requirement) -> Bool {
        meetings.contains { requirement.matches($0) && $0.sightings.contains(where: \.wasDelivered) }
    }

    /// It is addressed to places, was tried, and never met there, though untouched they are used.
    func isUnmet(_ requirement: Requirement) -> Bool {
        guard requirement.places != nil, !wasMet(requirement), meetings.contains(where: requirement.matches) else {
            return false
        }
        return genuineStacks.contains { reaction(of: $0, to: requirement) == .open }
    }

    /// The first that stands in the way of a proof; nil where there is none.
    var unmetConnection: UnmetConnection? {
        let further = (1...max(1, places.lastUsed)).compactMap(formAlone).filter { !requirements.contains($0) }
        for requirement in requirements + further {
            guard let attacked = requirement.places, isUnmet(requirement) else { continue }
            let uses = { (place: Int) in
                genuineStacks.map { places.furtherUses(place...place, by: $0) }.reduce(0, +)
            }
            guard let place = (1...max(1, places.most)).first(where: { attacked.contains($0) && uses($0) > 0 }) else {
                continue
            }
            return UnmetConnection(
                place: place, used: uses(place), of: places.count, tried: meetings.count(where: requirement.matches))
        }
        return nil
    }
}
