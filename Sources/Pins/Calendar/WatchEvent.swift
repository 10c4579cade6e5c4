import Facts

/// Something that happens to the pins of an app on a day, or has happened.
package struct WatchEvent: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The server shows no pinned key: users are locked out now.
        case pinsDoNotMatch = "pins-do-not-match"
        case leafExpires = "leaf-expires"
        /// A certificate above the leaf.
        case issuerExpires = "issuer-expires"
        case pinsExpire = "pins-expire"
        /// A pinned CA ends, or its programme lets it go.
        case caEvent = "ca-event"
        /// It concerns whoever renews, and locks nobody out by itself.
        case announcement
    }

    package var date: CalendarDate
    package var kind: Kind
    package var host: String?
    package var file: String
    /// From 1.
    package var line: Int
    package var text: String
    /// What to run next, each on a line of a shell.
    package var commands: [String]

    /// It asks for somebody to act; announcements do not.
    package var isDue: Bool { kind != .announcement }
}

/// What a watch over pins has found.
package struct WatchReport: Hashable, Sendable {
    package var today: CalendarDate
    /// How many days ahead were looked at.
    package var days: Int
    /// The earliest first.
    package var events: [WatchEvent]
    /// Hosts of which nobody knows what is to come.
    package var problems: [HostProblem] = []

    /// `pins watch` exits with 1.
    package var isDue: Bool { events.contains(where: \.isDue) }
}
