import Facts

/// What one entry of a file pins: a host, or a domain and what lies below it.
package struct DeclaredHost: Hashable, Sendable {
    /// Which names the platform's rule takes in.
    package struct Reach: OptionSet, Hashable, Sendable {
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }

        /// The domain itself.
        package static let itself = Reach(rawValue: 1)
        /// Names of exactly one label more: a profile's `*.`.
        package static let children = Reach(rawValue: 2)
        /// Names of one label or more below it: a profile's `**.`.
        package static let descendants = Reach(rawValue: 4)
    }

    /// In lower case, without a trailing dot and without a wildcard; nil where the file does not say.
    package var domain: String?
    package var reach: Reach
    /// As declared at this entry, malformed ones too, in the order of the file.
    package var pins: [DeclaredPin]
    /// It is pinned; also by certificates that are not at hand.
    package var isPinned: Bool
    /// False where a pin is a file or a constant that is not at hand: `pins` are then not all.
    package var pinsKnown: Bool
    /// False where a failed pin is reported, and the connection goes on.
    package var isEnforced: Bool
    /// Android's `overridePins="true"` on the system's roots: no pin is compared with a chain that ends in one of them.
    package var isOverridden = false
    /// Which of several objects of a file it is of, such as two `CertificatePinner`s; nil: they are not told apart.
    ///
    /// A client has one of them: their pins never add up.
    package var pinner: Int?
    /// The first day on which the pins are off.
    package var expires: CalendarDate?
    package var format: PinFormat
    /// The entry's first line, from 1.
    package var line: Int

    package init(
        _ domain: String?, _ reach: Reach = .itself, pins: [DeclaredPin], isPinned: Bool? = nil, pinsKnown: Bool = true,
        isEnforced: Bool = true, expires: CalendarDate? = nil, format: PinFormat, line: Int
    ) {
        self.domain = domain
        self.reach = reach
        self.pins = pins
        self.isPinned = isPinned ?? !pins.isEmpty
        self.pinsKnown = pinsKnown
        self.isEnforced = isEnforced
        self.expires = expires
        self.format = format
        self.line = line
    }

    /// In a profile's words, most specific first: `example.com`, `*.example.com`, `**.example.com`.
    package var patterns: [String] {
        guard let domain else { return [] }
        var patterns: [String] = []
        if reach.contains(.itself) { patterns.append(domain) }
        if reach.contains(.descendants) {
            patterns.append("**.\(domain)")
        } else if reach.contains(.children) {
            patterns.append("*.\(domain)")
        }
        return patterns
    }

    /// Whether the platform applies this entry's rule to a host, taken by itself. Lower case, without a trailing dot.
    package func covers(_ host: String) -> Bool {
        guard let domain else { return false }
        if host == domain { return reach.contains(.itself) }
        guard host.hasSuffix("." + domain) else { return false }
        if reach.contains(.descendants) { return true }
        return reach.contains(.children) && !host.dropLast(domain.utf8.count + 1).contains(".")
    }
}
