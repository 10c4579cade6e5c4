import Facts
import Policy

/// A profile's waivers on one day, and what they come to once every finding is known.
struct Waivers {
    let all: [Waiver]
    /// nil where no run says when it was made: then no waiver holds.
    let today: CalendarDate?

    init(_ file: CaseFile) {
        all = file.profile.waivers
        today = file.today
    }

    /// The waiver that holds for a finding; of several the one that holds longest.
    func waiver(for finding: Finding, at host: HostName?) -> Waiver? {
        guard let today, finding.severity != .note else { return nil }
        return all.filter { $0.until >= today && $0.covers(finding.id, at: host) }.max { $0.until < $1.until }
    }

    func applied(to findings: [Finding], at host: HostName?) -> [Finding] {
        guard !all.isEmpty else { return findings }
        return findings.map { finding in
            guard let waiver = waiver(for: finding, at: host) else { return finding }
            var waived = finding
            waived.waived = Finding.Waived(until: waiver.until, reason: waiver.reason)
            return waived
        }
    }

    /// Waivers whose day is over while what they waived still stands, and those that waive nothing.
    func findings(_ occurring: [(finding: Finding, host: HostName?)]) -> [Finding] {
        all.compactMap { waiver in
            let covered = occurring.filter {
                $0.finding.severity != .note && waiver.covers($0.finding.id, at: $0.host)
            }
            let isOver = today.map { waiver.until < $0 } ?? true
            // Another waiver may have taken its place.
            let standing = covered.filter { $0.finding.waived == nil }
            if isOver, !standing.isEmpty {
                return Finding(
                    id: "waiver-expired", severity: .error, fact: .run(.waiverExpired(waiver)),
                    evidence: standing.flatMap(\.finding.evidence), host: waiver.host?.description)
            }
            guard covered.isEmpty || isOver else { return nil }
            return Finding(
                id: "waiver-unused", severity: isOver ? .warning : .note,
                fact: .run(.waiverUnused(waiver, isOver: isOver)),
                host: waiver.host?.description)
        }
    }
}
