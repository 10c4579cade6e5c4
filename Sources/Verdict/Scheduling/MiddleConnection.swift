import Facts
import Policy

/// `later-connection` again, for a client that gives up at its first refusal.
///
/// Under `second` it never comes to its third connection, and `last` leaves those between alone. One of them may be another part of the app, without the pin.
///
/// Each trial shows one more of them, so it stays with a few; `all` tries twice as many.
struct MiddleConnection {
    private static let names = ["third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"]
    /// Of a cold start's connections to one host, those from the third on.
    static let limit = (standard: 4, all: names.count)

    let attack: Attack
    let variant: Attack.Variant
    /// More than the standard set's forms are wanted.
    let isOfAll: Bool

    /// The first connection that was never attacked; nil where the run does not try later connections, or none is left.
    init?(_ review: Review, among attacks: [Attack]) {
        guard let last = LastConnection.measure(review, among: attacks) else { return nil }
        let isOfAll = Self.isOfAll(last.attack)
        let names = Self.names.prefix(isOfAll ? Self.limit.all : Self.limit.standard)
        let attacked = Self.attacked(review, last.count)
        let tried = Set(review.meetings.filter { $0.attack == last.attack.id }.compactMap(\.variant))
        let open = names.enumerated().first { index, name in
            index + 3 < last.count && !attacked.contains(index + 3) && !tried.contains(name)
        }
        guard let open else { return nil }
        attack = last.attack
        variant = Attack.Variant(name: open.element, conduct: Conduct(onset: .afterConnections(open.offset + 2)))
        self.isOfAll = isOfAll
    }

    static func isOfAll(_ attack: Attack) -> Bool { attack.variants.contains { $0.name == names[0] } }

    /// Which of a cold start's connections to the host (1, 2, …) have been attacked: the first one of each trial; all
    /// that follow it, of a client that goes on after a refusal.
    private static func attacked(_ review: Review, _ count: Int) -> Set<Int> {
        var attacked: Set<Int> = []
        for meeting in review.meetings where meeting.attack == LastConnection.attack || meeting.isColdStart {
            let all = review.sightings.filter { $0.trial == meeting.trial && $0.observation.hello != nil }
                .sorted { $0.observation.at < $1.observation.at }
            guard let first = all.firstIndex(where: \.wasDelivered) else { continue }
            // As many as untouched: it went on. One that tries again as often, and then gives up, looks the same.
            attacked.formUnion((first..<max(first + 1, all.count >= count ? count : 0)).map { $0 + 1 })
        }
        return attacked
    }

    func trial(only: Set<HostName>) -> Trial { Trial(attack: attack, variant: variant, only: only) }
}
