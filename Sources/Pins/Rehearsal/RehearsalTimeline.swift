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
    /// A CA, or a root programme, does it.
    package var isOfCA: Bool

    package init(
        date: CalendarDate, host: String, event: String, breaks: [String] = [], isUnclear: Bool = false,
        isOfCA: Bool = false
    ) {
        self.isOfCA = isOfCA
        self.date = date
        self.host = host
        self.event = event
        self.breaks = breaks
        self.isUnclear = isUnclear
    }
}

/// How one version of the app fares at one host.
package struct BuildSpan: Hashable, Sendable {
    package var name: String
    /// Keys that it pins, SHA-256 in base64.
    package var pins: Set<String>
    /// The first day on which something happens that locks it out; today where the genuine chain fits none of its pins.
    package var breaks: CalendarDate?
    /// From then on it looks at no pin.
    package var unprotected: CalendarDate?
    /// It was rehearsed; false: by what its files declare.
    package var isSeen: Bool

    package init(
        name: String, pins: Set<String>, breaks: CalendarDate? = nil, unprotected: CalendarDate? = nil, isSeen: Bool
    ) {
        self.name = name
        self.pins = pins
        self.breaks = breaks
        self.unprotected = unprotected
        self.isSeen = isSeen
    }
}

/// What ends when, at one host, for the build that was rehearsed and for others.
package struct RehearsalTimeline: Sendable {
    package let host: String
    package let judge: RehearsalJudge
    /// How reports name what was tested.
    package let build: String
    /// By the team's name; nil: the genuine one.
    package let chains: [String?: ChainKeys]
    /// Other versions.
    package let others: [ComparedBuild]

    package init(
        host: String, judge: RehearsalJudge, build: String, chains: [String?: ChainKeys], others: [ComparedBuild] = []
    ) {
        self.host = host
        self.judge = judge
        self.build = build
        self.chains = chains
        self.others = others.filter { $0.isPinned(host) }
    }

    /// In order of time. At the end of a certificate another one takes its place, at the latest: over a key that no pin names,
    /// as far as nobody sees to it that the key stays. Of pinned CAs, and of those in the chain, what is still to come.
    package func events(_ certificates: [DatedCertificate], from today: CalendarDate) -> [TimelineEvent] {
        // What is over already shows in the outcome of its chain.
        let coming = certificates.filter { $0.ends >= today }
        let ends = coming.map { one in event(one.ends, "\(one.title) expires", successor(of: one)) }
        return (ends + expiries + authorities(from: today)).sorted { ($0.date, $0.event) < ($1.date, $1.event) }
    }

    /// One for each build that pins the host, the rehearsed one first.
    package func spans(_ events: [TimelineEvent], from today: CalendarDate) -> [BuildSpan] {
        func breaks(_ name: String) -> CalendarDate? {
            events.filter { $0.breaks.contains(name) && $0.date >= today }.map(\.date).min()
        }
        let own = BuildSpan(name: build, pins: judge.evidence.pins, breaks: breaks(build), isSeen: true)
        return [own]
            + others.map { other in
                let isOut = chains[nil].map { other.takes($0, at: host, on: today) == false } ?? false
                return BuildSpan(
                    name: other.name, pins: other.pins(host), breaks: isOut ? today : breaks(other.name),
                    unprotected: other.expiries(host).max(), isSeen: false)
            }
    }

    private func event(
        _ date: CalendarDate, _ text: String, _ next: RehearsalScenario?, isOfCA: Bool = false
    ) -> TimelineEvent {
        var event = TimelineEvent(date: date, host: host, event: text, isOfCA: isOfCA)
        switch next.map({ judge.judge($0).outcome }) ?? .unclear {
        case .works: break
        case .lockedOut: event.breaks.append(build)
        case .unclear: event.isUnclear = true
        }
        for other in others {
            switch next.map({ other.takes($0.keys, at: host, on: date) }) ?? nil {
            case true?: break
            case false?: event.breaks.append(other.name)
            case nil: event.isUnclear = true
            }
        }
        return event
    }

    /// From then on the platform does not look at them: nobody is locked out, and nobody is protected.
    private var expiries: [TimelineEvent] {
        others.flatMap { other in
            other.expiries(host).map {
                TimelineEvent(date: $0, host: host, event: "pins of \(other.name) are off from here on")
            }
        }
    }

    /// What root programmes and CAs have announced of keys that somebody pins, or that stand in the genuine chain.
    private func authorities(from today: CalendarDate) -> [TimelineEvent] {
        let genuine = chains[nil]?.issuers ?? []
        let pinned = others.reduce(into: judge.evidence.pins) { $0.formUnion($1.pins(host)) }
        return pinned.union(genuine).sorted().flatMap { key -> [TimelineEvent] in
            guard let bytes = Base64.decoded(Array(key.utf8)[...]) else { return [] }
            let name = KnownRoot.of(key: bytes)?.name ?? "a CA of this chain"
            return CACalendar.events(key: bytes).compactMap { one in
                guard let date = one.date, date >= today, one.kind != .shorterCertificates else { return nil }
                let text = "\(name): \(one.text)"
                guard genuine.contains(key), let keys = chains[nil] else {
                    return TimelineEvent(date: date, host: host, event: text, isOfCA: true)
                }
                let anchor: RehearsalScenario.Anchor = key == genuine.last ? .another : .genuine
                let next = RehearsalScenario("", keys.replacing(issuer: key), anchor: anchor)
                return event(date, text, next, isOfCA: true)
            }
        }
    }

    private func successor(of certificate: DatedCertificate) -> RehearsalScenario? {
        guard let keys = chains[certificate.chain] else { return nil }
        let next = certificate.role == .leaf ? keys.renewed(leaf: nil) : keys.replacing(issuer: certificate.key)
        return RehearsalScenario("", next, anchor: certificate.role == .root ? .another : .genuine)
    }
}
