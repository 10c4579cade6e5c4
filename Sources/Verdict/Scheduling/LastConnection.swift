import Facts
import Policy

/// One more form of `later-connection`: all but a client's last connection untouched.
///
/// For clients that open three connections or more.
///
/// A pin that is checked on the first two connections holds against `second`, whose refusal ends the journey before the
/// third is opened. Which connection is the last one, only the untouched runs show; so this form is in no set, and comes
/// when all else is settled.
struct LastConnection {
    static let attack = Attack.laterConnection.id
    static let name = "last"
    /// `second` is the last of two.
    private static let fewest = 3

    let attack: Attack
    /// Connections of every untouched trial, at the least.
    let count: Int

    /// nil where the run does not try later connections, or the last one was tried.
    init?(_ review: Review, among attacks: [Attack]) {
        guard let last = Self.measure(review, among: attacks),
            !review.meetings.contains(where: { $0.attack == Self.attack && $0.variant == Self.name })
        else { return nil }
        self = last
    }

    private init(attack: Attack, count: Int) {
        self.attack = attack
        self.count = count
    }

    /// nil where the run does not try later connections, or the host opens fewer than three.
    static func measure(_ review: Review, among attacks: [Attack]) -> LastConnection? {
        guard let attack = attacks.first(where: { $0.id == Self.attack }) else { return nil }
        let untouched = Dictionary(grouping: review.sightings.filter { $0.observation.hello != nil }, by: \.trial)
        let counts = review.untouched.filter(\.carriedData).map { untouched[$0.trial]?.count ?? 0 }
        guard let count = counts.min(), count >= Self.fewest else { return nil }
        return LastConnection(attack: attack, count: count)
    }

    func trial(only: Set<HostName>) -> Trial {
        let variant = Attack.Variant(name: Self.name, conduct: Conduct(onset: .afterConnections(count - 1)))
        return Trial(attack: attack, variant: variant, only: only)
    }
}
