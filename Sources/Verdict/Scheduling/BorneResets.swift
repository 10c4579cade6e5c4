import Facts
import Policy

/// `later-connection` after as many resets as a client was seen to bear.
///
/// A client that gives its pin up when all else has failed does so on its last try. How many it makes, only a server that
/// resets each of them shows (`cleartext-fallback/reset`, in `all`); so this form is in no set, and comes when all else is
/// settled.
struct BorneResets {
    /// More than stacks try by themselves; an app that goes on for ever is not waited for.
    static let limit = 16

    private let attack: Attack
    let count: Int

    /// nil where the run tries no outages, where the client did not try again, or where so many were tried.
    init?(_ review: Review, among attacks: [Attack]) {
        guard let attack = attacks.ofLaterConnections else { return nil }
        let known = attack.variants.compactMap { Self.resets($0.conduct.onset) }
        guard !known.isEmpty else { return nil }
        let tries = review.meetings.filter { $0.reading.probe == .outages }.map {
            $0.sightings.count { $0.observation.hello != nil }
        }
        let count = min((tries.max() ?? 0) - 1, Self.limit)
        guard count > 0, !known.contains(count),
            !review.meetings.contains(where: { $0.attack == attack.id && $0.variant == Attack.afterResets(count).name })
        else { return nil }
        self.attack = attack
        self.count = count
    }

    func trial(only: Set<HostName>) -> Trial {
        Trial(attack: attack, variant: Attack.afterResets(count), only: only)
    }

    private static func resets(_ onset: Conduct.Onset) -> Int? {
        if case .afterOutage(.reset, let count) = onset { count } else { nil }
    }
}
