import Facts
import Policy

/// The profile says where a refusal is reported to, and no report was seen.
enum MissingPinReport {
    static func find(_ host: HostCase) -> [Finding] {
        let (file, review) = (host.file, host.review)
        guard let reports = host.rule.reportsTo, reports != review.host else { return [] }
        // Where the host of the reports is attacked itself, an attempt is all there can be.
        let isAttacked = file.profile.rule(for: reports)?.expect == .refuse
        let refused = review.trusted.filter { !$0.refusals.isEmpty }
        guard !refused.isEmpty else { return [] }
        // Libraries report once a day, or once a process: one report in any of the cold starts is enough.
        let isReported = refused.contains { meeting in
            guard let since = meeting.firstRefusal else { return false }
            let seen = file.trial(meeting.trial)?.sightings[reports] ?? []
            return seen.contains { sighting in
                // A connection that was open already may carry the report as well.
                (sighting.observation.at >= since || sighting.left >= since)
                    && (sighting.carriedAnything || sighting.outcome == .data || isAttacked)
            }
        }
        guard !isReported, !isReportedLater(file, reports, refused) else { return [] }
        return [
            Finding(
                id: "missing-pin-report", severity: .warning,
                fact: .app(.noPinReport(to: reports, starts: refused.count)),
                evidence: refused.flatMap(\.sightings).filter(\.isRefusal).map(\.line))
        ]
    }

    /// An app that was ended by the refusal reports it when it starts again: to a host that was sent nothing before.
    private static func isReportedLater(_ file: CaseFile, _ reports: HostName, _ refused: [Meeting]) -> Bool {
        refused.contains { meeting in
            let run = file.trials.filter { $0.key.run == meeting.trial.run }
            let carries = { (trial: TrialFile) in (trial.sightings[reports] ?? []).contains(where: \.carriedAnything) }
            return run.contains { $0.key > meeting.trial && carries($0) }
                && !run.contains { $0.key < meeting.trial && carries($0) }
        }
    }
}
