import Facts

/// A finding that a team has decided to live with for a while, and why.
package struct Waiver: Hashable, Sendable {
    /// Its id.
    package var finding: String
    /// nil: wherever it occurs.
    package var host: HostPattern?
    /// The last day on which it holds.
    package var until: CalendarDate
    package var reason: String

    package init(finding: String, host: HostPattern? = nil, until: CalendarDate, reason: String) {
        self.finding = finding
        self.host = host
        self.until = until
        self.reason = reason
    }

    /// - Parameter host: nil for a finding that no single host has.
    package func covers(_ finding: String, at host: HostName?) -> Bool {
        guard finding == self.finding else { return false }
        guard let pattern = self.host else { return true }
        return host.map(pattern.matches) ?? false
    }
}
