import Facts

/// A refused host is asked over and over: an outage of the pins becomes one of the servers.
enum RetryStorm {
    /// More connections than this within `window`, in one cold start. Clients that back off stay below it: one that
    /// waits 100 ms and a quarter longer each time comes to 15, one that tries four times for each of six requests at
    /// once to 24.
    static let limit = 30
    /// Seconds.
    static let window = 10.0
    /// And so many times what any passthrough had: an app that is busy untouched is no storm.
    static let factor = 5

    static func find(_ host: HostCase) -> [Finding] {
        let review = host.review
        guard review.carriedGenuineData else { return [] }
        let byTrial = review.sightings.byTrial()
        let usual = review.untouched.map { byTrial[$0.trial]?.count ?? 0 }.max() ?? 0
        var worst: (count: Int, sightings: [Sighting])?
        for meeting in review.meetings where !meeting.refusals.isEmpty {
            let count = densest(meeting.sightings.map(\.observation.at))
            guard count > limit, count > factor * usual, count > worst?.count ?? 0 else { continue }
            worst = (count, meeting.sightings)
        }
        guard let worst, let attack = worst.sightings.first?.attack else { return [] }
        return [
            Finding(
                id: "retry-storm", severity: .warning,
                fact: .app(
                    .retryStorm(
                        FindingFact.Storm(
                            attack: attack, connections: worst.count, seconds: Int(window), usual: usual))),
                evidence: worst.sightings.map(\.line))
        ]
    }

    /// The most that fall into any window.
    private static func densest(_ times: [Double]) -> Int {
        let times = times.sorted()
        var (first, most) = (0, 0)
        for (last, time) in times.enumerated() {
            while time - times[first] > window { first += 1 }
            most = max(most, last - first + 1)
        }
        return most
    }
}
