import Facts
import Policy

/// Something worth knowing beside the verdict; `FindingCatalogue` has every kind.
package struct Finding: Hashable, Sendable {
    package enum Severity: String, Hashable, Sendable { case error, warning, note }

    /// What the profile's waiver says of it.
    package struct Waived: Hashable, Sendable {
        package var until: CalendarDate
        package var reason: String

        package init(until: CalendarDate, reason: String) {
            self.until = until
            self.reason = reason
        }
    }

    package var id: String
    package var severity: Severity
    /// What was found; `Report` says it.
    package var fact: FindingFact
    package var evidence: [Int]
    /// Of a run's finding: the one host that it is about. A host's own findings leave it out.
    package var host: String?
    /// nil: it counts.
    package var waived: Waived?
    /// The baseline has it.
    package var isKnown: Bool

    package init(
        id: String, severity: Severity, fact: FindingFact, evidence: [Int] = [], host: String? = nil,
        waived: Waived? = nil, isKnown: Bool = false
    ) {
        self.id = id
        self.severity = severity
        self.fact = fact
        self.evidence = evidence
        self.host = host
        self.waived = waived
        self.isKnown = isKnown
    }

    /// An error that nobody waived: no proof while it stands.
    package var isBlocking: Bool { severity == .error && waived == nil }

    /// What the field's catalogues call it.
    package var standards: Standards { FindingCatalogue.kind(id)?.standards ?? .none }
}
