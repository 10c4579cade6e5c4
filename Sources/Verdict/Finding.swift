import Policy

/// Something worth knowing beside the verdict; `FindingCatalogue` has every kind.
public struct Finding: Hashable, Sendable {
    public enum Severity: String, Hashable, Sendable, Codable { case error, warning, note }

    /// What the profile's waiver says of it.
    public struct Waived: Hashable, Sendable {
        public var until: CalendarDate
        public var reason: String

        public init(until: CalendarDate, reason: String) {
            self.until = until
            self.reason = reason
        }
    }

    public var id: String
    public var severity: Severity
    public var text: String
    public var evidence: [Int]
    /// Of a run's finding: the one host that it is about. A host's own findings leave it out.
    public var host: String?
    /// nil: it counts.
    public var waived: Waived?
    /// The baseline has it.
    public var isKnown: Bool

    public init(
        id: String, severity: Severity, text: String, evidence: [Int] = [], host: String? = nil,
        waived: Waived? = nil, isKnown: Bool = false
    ) {
        self.id = id
        self.severity = severity
        self.text = text
        self.evidence = evidence
        self.host = host
        self.waived = waived
        self.isKnown = isKnown
    }

    /// An error that nobody waived: no proof while it stands.
    public var isBlocking: Bool { severity == .error && waived == nil }

    /// What the field's catalogues call it.
    public var standards: Standards { FindingCatalogue.kind(id)?.standards ?? .none }
}
