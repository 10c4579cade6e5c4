import Facts

/// A whole rehearsal, as reports tell it.
package struct RehearsalReport: Hashable, Sendable {
    /// A pin of the profile, base64, and where in the chains it is found.
    package struct PinName: Hashable, Sendable {
        package var key: String
        package var place: String
    }

    package struct Host: Hashable, Sendable {
        package var host: String
        package var scenarios: [Rehearsed]
        package var pins: [PinName]
        package var certificates: [DatedCertificate]
        /// Versions of the app that pin it, the rehearsed one first.
        package var builds: [BuildSpan]
        /// Why nothing can be said here at all, as the environment stands in the way.
        package var fault: String?
        /// The profile asks for this host.
        package var isRequired: Bool

        package init(
            host: String, scenarios: [Rehearsed], pins: Set<String>, certificates: [DatedCertificate],
            builds: [BuildSpan] = [], fault: String? = nil, isRequired: Bool = true
        ) {
            self.host = host
            self.scenarios = scenarios
            self.certificates = certificates
            self.builds = builds
            self.fault = fault
            self.isRequired = isRequired
            self.pins = pins.sorted().map { pin in
                let roles = certificates.filter { $0.key == pin }.map(\.title)
                return PinName(key: pin, place: roles.isEmpty ? "in no chain here" : English.list(roles))
            }
        }
    }

    package var profile: String
    /// As `--label` names it.
    package var build: String
    package var today: CalendarDate
    /// RFC 3339.
    package var started: String
    package var hosts: [Host]
    package var timeline: [TimelineEvent]
    /// The run folder.
    package var run: String
    /// Why the run says nothing: the self-test, or an end that was forced.
    package var fault: String?
    package var isInterrupted: Bool

    package init(
        profile: String, build: String, today: CalendarDate, started: String = "", hosts: [Host],
        timeline: [TimelineEvent], run: String, fault: String? = nil, isInterrupted: Bool = false
    ) {
        self.profile = profile
        self.build = build
        self.today = today
        self.started = started
        self.hosts = hosts
        self.timeline = timeline
        self.run = run
        self.fault = fault
        self.isInterrupted = isInterrupted
    }

    /// 0: every chain of the team's own works; 1: one locks users out; 2: one is unclear; 3: invalid environment.
    ///
    /// One lock-out is a fact whatever else went wrong.
    package var status: Int32 {
        let own = hosts.flatMap(\.scenarios).filter(\.isOwn)
        if own.contains(where: { $0.outcome == .lockedOut }) { return 1 }
        if fault != nil || hosts.isEmpty || hosts.contains(where: { $0.fault != nil && $0.isRequired }) { return 3 }
        if isInterrupted || own.contains(where: { $0.outcome == .unclear }) { return 2 }
        return 0
    }

    package var headline: String {
        let own = hosts.flatMap(\.scenarios).filter(\.isOwn)
        return switch status {
        case 0: own.isEmpty ? "rehearsed; no chain of your own was given" : "every chain of your own works"
        case 1: "a chain of your own locks users out"
        case 2:
            own.contains { $0.outcome == .unclear }
                ? "for a chain of your own it is not clear" : "it was ended before everything was seen"
        default: "nothing can be said here"
        }
    }
}
