import Facts
import Policy

/// Attacks that need the client to do something more, and that it gave no occasion for.
enum NoOccasion {
    static func find(_ review: Review) -> [Finding] {
        guard review.carriedGenuineData else { return [] }
        var missed: [Requirement] = review.withoutOccasion
        // Only a session that was taken up again was an occasion to skip the check.
        if !review.sightings.contains(where: { $0.outcome == .resumed }) {
            missed += review.requirements.filter { $0.reading.occasion == .resumption }
        }
        // A client that opens two connections lacks nothing by not opening a third.
        missed.removeAll { $0.places != nil && (review.places.most > 1 || $0.attack == .trustedCA) }
        let names = AttackCatalogue.inOrder(Set(missed.map { $0.attack == .trustedCA ? $0.name : $0.attack }))
        guard !names.isEmpty else { return [] }
        let reasons = missed.sorted().map(lacking).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        return [
            Finding(
                id: "no-occasion", severity: .note,
                text: "no occasion for \(English.list(names.map(\.rawValue))): the client \(English.list(reasons))")
        ]
    }

    private static func lacking(_ requirement: Requirement) -> String {
        switch requirement.reading.occasion {
        case .furtherConnection:
            switch requirement.onset {
            case .afterSeconds, .afterRequests: "made no connection to the host that late"
            case .afterOutage, .afterLostAnswer, .afterNoAnswer, .afterRefusedConnect:
                "did not try again after an outage"
            case .atOnce, .afterConnections, .only: "made no further connection to the host"
            }
        case .resumption: "resumed no session"
        case .redirect: "followed no redirect"
        case .none, .offer: "does not offer what this form of it needs"
        }
    }
}
