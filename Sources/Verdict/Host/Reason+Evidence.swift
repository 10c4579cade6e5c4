import Facts
import Policy

extension Reason.Witness {
    /// An attack's forms by name where it was not all of those that it met.
    init(_ witnesses: [Sighting], among meetings: [Meeting] = []) {
        let telling = witnesses.filter { !$0.observation.prefaceOnly }
        let best = telling.first { $0.carrier == nil } ?? telling.first ?? witnesses.first
        forms = AttackCatalogue.inOrder(Set(witnesses.map(\.attack))).flatMap { attack in
            let fell = Set(witnesses.filter { $0.attack == attack }.map(\.variant))
            let met = Set(meetings.filter { $0.attack == attack && $0.wasAttempted }.map(\.variant))
            guard !met.isSubset(of: fell) else { return [attack.rawValue] }
            return fell.map { Requirement(attack: attack, variant: $0) }.sorted().map(\.fullName)
        }
        isPrefaceOnly = witnesses.allSatisfy(\.observation.prefaceOnly)
        bytes = best?.observation.bytesUp ?? 0
        // More than the preface came, and it is read no further.
        shape = best?.observation.first.map { $0.shape == "h2 preface" ? "h2 request" : $0.shape }
        carrier = best?.carrier
    }
}

extension Reason.Refusals {
    init(_ review: Review) {
        starts = review.coldStarts.count
        of = Self.startsAttacked(review)
        ways = RefusalWay.all(review.trusted.flatMap(\.sightings).filter(\.isRefusal))
    }

    /// Cold starts in which it was attacked, and could show what it makes of that: whoever reads "3 of 6" takes it that
    /// the others accepted. Where the host never came, or only closed because of another one, nothing was accepted.
    private static func startsAttacked(_ review: Review) -> Int {
        let attacked = review.trusted.filter(\.wasAttempted)
        let counting = Set(review.coldStarts.map(\.trial))
        let telling = attacked.filter { start in
            counting.contains(start.trial)
                || !start.sightings.allSatisfy { $0.isRefusal || $0.outcome == .early }
                || !start.refusals.values.contains([.inCompany])
        }
        return telling.isEmpty ? attacked.count : telling.count
    }
}

extension Reason.Control {
    /// What the controls of a proof of this strength were.
    init?(_ strength: Strength?, _ host: HostCase) {
        switch strength {
        case .s2a: self = .hosts(host.takers)
        case .s2b: self = .otherBuild
        case .s2c: self = .differential
        case .s3: self = .lentKey
        case .privateAnchor: self = .privateAnchor
        case nil: return nil
        }
    }
}

extension Reason.Lack {
    /// With what was seen of it.
    init(_ missing: Missing, _ host: HostCase, _ company: Circumstances.Company?) {
        let review = host.review
        switch missing {
        case .coldStarts: self = .coldStarts(review.coldStarts.count, of: review.coldStartsAsked)
        case .attack(let id) where id == review.laterConnection && review.places.leftOut(in: review) != nil:
            self = .connections(review.places.lastUsed)
        case .attack(let id) where id != AttackCatalogue.cleartextFallback && review.unmetStack != nil:
            self = review.unmetStack.map { .unmetStack($0) } ?? .missing(missing)
        case .attack(let id) where id == review.laterConnection:
            self = review.unmetConnection.map { .unmet($0) } ?? .missing(missing)
        case .attackedAlone where company?.kind == .controls:
            self = .closedAfterControls(company?.hosts.compactMap { HostName($0) } ?? [])
        case .attackedAlone where company?.kind == .otherStack: self = .closedAfterOtherStack
        default: self = .missing(missing)
        }
    }
}
