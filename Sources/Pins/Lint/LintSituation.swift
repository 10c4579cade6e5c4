import Facts

/// What a linter knows beside the files.
package struct LintSituation: Sendable {
    package var today: CalendarDate
    /// What each host really shows, leaf first: seen live, or given. Hosts in lower case, without a trailing dot.
    package var chains: [String: [GenuineCertificate]]
    /// Why of a host less is known than was to be.
    package var problems: [HostProblem] = []
    /// Hosts that the app talks to, as far as somebody knows; a profile's are known from the profile.
    package var hosts: [String]
    /// The last day on which the app's present version is to work.
    package var supportEnds: CalendarDate?
    /// The app's manifest, or its artefact, says that it can be debugged.
    package var isDebuggable: Bool

    package init(
        today: CalendarDate, chains: [String: [GenuineCertificate]] = [:], hosts: [String] = [],
        supportEnds: CalendarDate? = nil, isDebuggable: Bool = false
    ) {
        self.today = today
        self.chains = chains
        self.hosts = hosts
        self.supportEnds = supportEnds
        self.isDebuggable = isDebuggable
    }
}
