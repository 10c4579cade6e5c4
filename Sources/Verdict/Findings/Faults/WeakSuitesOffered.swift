import Facts

/// The ClientHello offers suites that protect nothing.
enum WeakSuitesOffered {
    static func find(_ host: HostCase) -> [Finding] {
        let offering = host.review.sightings.filter { !($0.observation.hello?.weakSuites ?? []).isEmpty }
        guard !offering.isEmpty else { return [] }
        let suites = Set(offering.flatMap { $0.observation.hello?.weakSuites ?? [] }).sorted()
        return [
            Finding(
                id: "weak-suites-offered", severity: .warning,
                fact: .app(.weakSuites(suites)),
                evidence: offering.map(\.line))
        ]
    }
}
