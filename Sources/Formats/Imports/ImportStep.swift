/// One thing that was read of a file of flows.
package enum ImportStep: Hashable, Sendable {
    case flow(RecordedFlow)
    case fault(ImportFault)
}

/// What could not be read of a file of flows, and where.
package struct ImportFault: Error, Hashable, Sendable {
    /// `line 7`, `entry 12`, `raw/3_c.txt`.
    package var place: String
    /// The end of a sentence: `a colon was expected`.
    package var reason: String

    package init(place: String, reason: String) {
        self.place = place
        self.reason = reason
    }
}
