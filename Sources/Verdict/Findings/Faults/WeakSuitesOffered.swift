import Facts

/// The ClientHello offers suites that protect nothing.
enum WeakSuitesOffered {
    static func find(_ review: Review) -> [Finding] {
        let offering = review.sightings.filter { !($0.observation.hello?.weakSuites ?? []).isEmpty }
        guard !offering.isEmpty else { return [] }
        let suites = Set(offering.flatMap { $0.observation.hello?.weakSuites ?? [] }).sorted()
        return [
            Finding(
                id: "weak-suites-offered", severity: .warning,
                text:
                    "its ClientHello offers cipher suites without encryption or authentication, or of export strength: "
                    + English.some(suites),
                evidence: offering.map(\.line))
        ]
    }
}
