import Facts

/// One certificate with its end, as a timeline shows it.
package struct DatedCertificate: Hashable, Sendable {
    package enum Role: String, Hashable, Sendable { case leaf, intermediate, root }

    /// The team's name of its chain; nil: the genuine one.
    package var chain: String?
    package var role: Role
    package var subject: String
    /// SHA-256 of its SubjectPublicKeyInfo, base64.
    package var key: String
    package var begins: CalendarDate?
    package var ends: CalendarDate

    package init(
        chain: String? = nil, role: Role, subject: String, key: String, begins: CalendarDate? = nil, ends: CalendarDate
    ) {
        self.chain = chain
        self.role = role
        self.subject = subject
        self.key = key
        self.begins = begins
        self.ends = ends
    }

    /// `leaf`, `intermediate of next`.
    package var title: String { role.rawValue + (chain.map { " of \($0)" } ?? "") }
}

/// A day on which something ends, and the builds that what has to follow locks out.
package struct TimelineEvent: Hashable, Sendable {
    package var date: CalendarDate
    package var host: String
    /// `leaf expires`.
    package var event: String
    package var breaks: [String]
    /// What follows, where that is not known.
    package var isUnclear: Bool

    package init(
        date: CalendarDate, host: String, event: String, breaks: [String] = [], isUnclear: Bool = false
    ) {
        self.date = date
        self.host = host
        self.event = event
        self.breaks = breaks
        self.isUnclear = isUnclear
    }
}

/// When pins of a file are off.
package struct PinExpiry: Hashable, Sendable {
    package var host: String
    package var date: CalendarDate

    package init(host: String, date: CalendarDate) {
        self.host = host
        self.date = date
    }
}

/// What ends when, at one host, for the build that was rehearsed.
package struct RehearsalTimeline: Sendable {
    package let host: String
    package let judge: RehearsalJudge
    /// How reports name what was tested.
    package let build: String
    /// By the team's name; nil: the genuine one.
    package let chains: [String?: ChainKeys]

    package init(host: String, judge: RehearsalJudge, build: String, chains: [String?: ChainKeys]) {
        self.host = host
        self.judge = judge
        self.build = build
        self.chains = chains
    }

    /// In order of time. At the end of a certificate another one takes its place, at the latest: over a key that no pin names,
    /// as far as nobody sees to it that the key stays.
    package func events(_ certificates: [DatedCertificate], _ expiries: [PinExpiry] = []) -> [TimelineEvent] {
        let ends = certificates.map { one in
            let after = successor(of: one).map { judge.judge($0).outcome } ?? .unclear
            return TimelineEvent(
                date: one.ends, host: host, event: "\(one.title) expires",
                breaks: after == .lockedOut ? [build] : [], isUnclear: after == .unclear)
        }
        // From then on the platform does not look at them: nobody is locked out, and nobody is protected.
        let off = expiries.filter { $0.host == host }.map {
            TimelineEvent(date: $0.date, host: host, event: "pins expire")
        }
        return (ends + off).sorted { ($0.date, $0.event) < ($1.date, $1.event) }
    }

    private func successor(of certificate: DatedCertificate) -> RehearsalScenario? {
        guard let keys = chains[certificate.chain] else { return nil }
        let next = certificate.role == .leaf ? keys.renewed(leaf: nil) : keys.replacing(issuer: certificate.key)
        return RehearsalScenario("", next, anchor: certificate.role == .root ? .another : .genuine)
    }
}
