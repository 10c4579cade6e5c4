import Facts
import Policy

/// `later-connection` after as many outages of one kind as a client was seen to bear.
///
/// A client that gives its pin up when all else has failed does so on its last try. How many it makes, only a server that
/// fails each of them shows (`cleartext-fallback`, in `all`); so these forms are in no set, and come when all else is
/// settled: one of each kind.
struct BorneOutages {
    /// More than stacks try by themselves; an app that goes on for ever is not waited for.
    static let limit = 16

    private let attack: Attack
    private let outage: Conduct.Refusal
    let count: Int

    /// The first kind that is still to be tried.
    ///
    /// nil where the run tries no outages, where the client did not try again, or where so many were tried.
    init?(_ review: Review, among attacks: [Attack]) {
        guard let attack = attacks.ofLaterConnections else { return nil }
        for outage in Attack.repeatedOutages {
            let known = attack.variants.compactMap { Self.count($0.conduct.onset, of: outage) }
            guard !known.isEmpty else { continue }
            let tries = review.meetings.filter { Self.outage(of: $0) == outage }.map {
                $0.sightings.count { $0.hasHello }
            }
            let count = min((tries.max() ?? 0) - 1, Self.limit)
            guard count > 0, !known.contains(count),
                !review.meetings.contains(where: {
                    $0.attack == attack.id && $0.variant == Attack.afterOutages(outage, count).name
                })
            else { continue }
            self.attack = attack
            self.outage = outage
            self.count = count
            return
        }
        return nil
    }

    func trial(only: Set<HostName>) -> Trial {
        Trial(attack: attack, variant: Attack.afterOutages(outage, count), only: only)
    }

    /// How many trials these are at most, in a run of these attacks.
    static func most(among attacks: [Attack]) -> Int {
        guard let attack = attacks.ofLaterConnections else { return 0 }
        let shown = Set(
            attacks.flatMap(\.variants).compactMap(\.conduct.refusal)
                .filter(Attack.repeatedOutages.contains))
        return shown.count { outage in attack.variants.contains { count($0.conduct.onset, of: outage) != nil } }
    }

    /// The outage that every connection of a trial met, where it is one that shows how often a client tries.
    private static func outage(of meeting: Meeting) -> Conduct.Refusal? {
        guard meeting.reading.probe == .outages else { return nil }
        return AttackCatalogue.form(meeting.attack, meeting.variant)?.conduct.refusal
    }

    private static func count(_ onset: Conduct.Onset, of outage: Conduct.Refusal) -> Int? {
        if case .afterOutage(outage, let count) = onset { count } else { nil }
    }
}
