import Facts

/// Why the evidence of another run was of no use as S2b.
enum OtherRuns {
    static func find(_ host: HostCase, _ verdict: HostVerdict) -> [Finding] {
        guard verdict.strength != .s2a, verdict.strength != .s2b, !host.controls.twins.isEmpty else { return [] }
        let ours = Set(host.file.runs.compactMap { $0.header?.ca.sha256 })
        let stacks = host.review.refusedStacks
        let reasons = host.controls.twins.map { twin -> FindingFact.OtherRunOfNoUse in
            guard let ca = twin.ca else { return .noVerdict }
            if !host.file.profile.sameAnchors { return .noSameAnchors }
            if !ours.contains(ca) { return .anotherCA }
            guard let trusting = twin.trusting[host.host] else {
                return twin.unsure[host.host] == nil ? .noData : .mayTakeAny
            }
            return trusting.isDisjoint(with: stacks) ? .anotherStack : .notEveryStack
        }
        return [
            Finding(
                id: "evidence-not-counted", severity: .note,
                fact: .proof(.otherRunsOfNoUse(Array(Set(reasons)).sorted())))
        ]
    }
}
