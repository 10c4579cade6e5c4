import Facts
import Policy

/// What makes a host's evidence worthless, whatever the app did.
///
/// Where passthrough and attack are both missing, the host was not exercised: that is decided after this. A client
/// that tried untouched and got nowhere is a broken environment, unless it never waits for an answer at all:
/// a process that dies at once cannot be told from it by what it did *not* do, and was merely not exercised.
enum Environment {
    static func fault(at review: Review, pins: [Pin]) -> EnvironmentFault? {
        foreignChain(review, pins) ?? unpresentable(review) ?? unreadable(review) ?? broken(review)
    }

    /// Somebody else is in the middle already, or the profile's pins are not the app's.
    private static func foreignChain(_ review: Review, _ pins: [Pin]) -> EnvironmentFault? {
        guard !pins.isEmpty else { return nil }
        let chains = review.sightings.compactMap(\.observation.upstream).filter { $0.verified && !$0.spki.isEmpty }
        let pinned = Set(pins.map(\.base64))
        // A client that met a pinned key has met the genuine server, whoever answered the gate's own question.
        guard chains.allSatisfy({ pinned.isDisjoint(with: $0.spki) }) else { return nil }
        if let chain = review.origin.flatMap({ ForeignChain($0, pins) }) { return .foreignChain(chain) }
        guard let first = chains.first else { return nil }
        return .foreignChain(ForeignChain(chains.first { !$0.certificates.isEmpty } ?? first, pins))
    }

    /// Nothing could be presented: no shared parameters, or no origin to stand in front of.
    private static func unpresentable(_ review: Review) -> EnvironmentFault? {
        let tried = review.trustedSightings
        // A host that works untouched and missed these starts was not exercised; one that never worked tells why elsewhere.
        if tried.isEmpty, review.carriedGenuineData { return nil }
        let asked = tried.isEmpty ? review.sightings.filter { $0.outcome != nil } : tried
        guard !asked.isEmpty, !asked.contains(where: \.wasDelivered) else { return nil }
        let failed = asked.compactMap(\.observation.upstream).filter {
            $0.error != nil || !$0.verified && !$0.chain.isEmpty
        }
        // In other starts one origin that failed does not tell why all the others came to nothing.
        guard !tried.isEmpty || failed.count == asked.count else { return nil }
        if let first = failed.first { return unusable(first) }
        if tried.contains(where: { $0.outcome == .negotiation }) {
            let alerts = Set(tried.flatMap(\.observation.alerts).filter { $0.level == 2 }.map(\.name)).sorted()
            return .noSharedParameters(alerts)
        }
        let errors = tried.compactMap(\.observation.error)
        if errors.count == tried.count, let error = errors.first { return .notServed(error) }
        return nil
    }

    /// The origin itself: not there, or somebody else than the roots vouch for.
    private static func unusable(_ upstream: Observation.Upstream) -> EnvironmentFault {
        .originUnusable(upstream.error, hasUnverifiedChain: !upstream.verified && !upstream.chain.isEmpty)
    }

    /// All that came back says that our records or our signature were wrong, so the chain was never judged.
    private static func unreadable(_ review: Review) -> EnvironmentFault? {
        let grades = review.trusted.flatMap(\.refusals.values).reduce(into: Set<Grade>()) { $0.formUnion($1) }
        guard grades == [.faulty], !review.trustedSightings.contains(where: { $0.outcome == .idle }) else { return nil }
        return .unreadable(RefusalWay.all(review.trustedSightings))
    }

    private static func broken(_ review: Review) -> EnvironmentFault? {
        for run in Set(review.untouched.map(\.trial.run)).sorted() {
            let tried = review.untouched.filter { $0.trial.run == run && $0.wasAttempted }
            guard let first = tried.first, let last = tried.last else { continue }
            guard tried.contains(where: \.carriedData) else {
                if review.neverWaits(run: run) { continue }
                let failed = review.sightings.filter { $0.trial.run == run && $0.outcome == nil }
                if let upstream = failed.lazy.compactMap(\.observation.upstream).first(where: { $0.error != nil }) {
                    return unusable(upstream)
                }
                guard tried.contains(where: \.hasFailed) else { continue }
                let alert = failed.lazy.compactMap(\.answer.alert?.code).first
                let attempts = failed.filter(\.isUntouchedAttempt)
                let isAnswered = attempts.allSatisfy {
                    $0.observation.serverAnswered && $0.observation.close?.by == .client
                }
                return .brokenUntouched(
                    alert.map { AlertCode(rawValue: $0) }, isAnswered: isAnswered && !attempts.isEmpty)
            }
            // An outage that was over before anything was attacked is in nobody's way.
            let firstCarried = tried.first(where: \.carriedData)?.trial ?? first.trial
            let isLate = review.meetings.contains { $0.trial.run == run && $0.trial < firstCarried }
            if first.hasFailed, isLate { return .brokenAtFirst }
            if last.hasFailed { return .brokenAtLast }
        }
        return nil
    }
}

extension Review {
    /// Under attack, too, every connection died before the answer, or by an RST without a word. One that the proxy ended, as
    /// it had no origin for it, tells nothing of how long its client waits.
    func neverWaits(run: Int) -> Bool {
        let attacked = sightings.filter {
            $0.trial.run == run && $0.outcome != nil && $0.observation.upstream?.error == nil
        }
        return !attacked.isEmpty
            && attacked.allSatisfy { $0.outcome == .early || $0.answer.isBareReset }
    }
}
