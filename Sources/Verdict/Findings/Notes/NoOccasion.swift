import Facts
import Policy

/// Attacks that need the client to do something more, and that it gave no occasion for.
enum NoOccasion {
    static func find(_ host: HostCase, _ verdict: HostVerdict) -> [Finding] {
        let review = host.review
        guard review.carriedGenuineData else { return [] }
        var missed: [Requirement] = review.withoutOccasion
        // Only a session that was taken up again was an occasion to skip the check.
        if !review.sightings.contains(where: { $0.outcome == .resumed }) {
            missed += review.requirements.filter { $0.reading.occasion == .resumption }
        }
        // One that begins with TLS lacks nothing by not asking for it.
        missed.removeAll { $0.reading.occasion == .dialogue }
        // A client that opens two connections lacks nothing by not opening a third.
        missed.removeAll { $0.places != nil && (review.places.most > 1 || $0.attack == .trustedCA) }
        // An app that keeps nothing where it is asked to lacks nothing: what it keeps elsewhere is a limit of every proof.
        missed.removeAll { $0.reading.occasion == .earlierStart && !review.hasEarlierStart(for: $0) }
        let names = AttackCatalogue.inOrder(Set(missed.map { $0.attack == .trustedCA ? $0.name : $0.attack }))
        guard !names.isEmpty else { return [] }
        let reasons = missed.sorted().map(lacking).reduce(into: [FindingFact.Lack]()) {
            if !$0.contains($1) { $0.append($1) }
        }
        return [Finding(id: "no-occasion", severity: .note, fact: .app(.noOccasion(names, lacking: reasons)))]
    }

    private static func lacking(_ requirement: Requirement) -> FindingFact.Lack {
        switch requirement.reading.occasion {
        case .furtherConnection:
            switch requirement.onset {
            case .afterSeconds, .afterRequests: .lateConnection
            case .afterOutage, .afterLostAnswer, .afterNoAnswer, .afterRefusedConnect: .retryAfterOutage
            case .afterCut: .reconnection
            case .atOnce, .afterConnections, .only, .allBut: .furtherConnection
            }
        case .resumption: .resumption
        case .redirect: .redirect
        case .earlierStart: .earlierStart
        case .none, .offer, .dialogue: requirement.form?.conduct.offer == .newer ? .olderOrigin : .offer
        }
    }
}
