import Facts

/// One thing in which two platforms' pins for a host are not alike.
///
/// It stands at the place where it can be mended.
package struct PinDisagreement: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Others have a pin that this one lacks.
        case missingPin = "missing-pin"
        /// It alone has a pin that all others lack.
        case extraPin = "extra-pin"
        /// Others pin the host, this one does not.
        case notPinned = "not-pinned"
        /// Others take in names below that this one cannot, or does not.
        case reach
        case enforcement, expiry
        /// One compares a pin with the leaf, another with its issuers; or one asks for both.
        case part
        /// Hashes of certificates beside hashes of keys, or a host that is not named.
        case notComparable = "not-comparable"
        /// A pin is not at hand.
        case unknownPins = "unknown-pins"
    }

    package enum Severity: String, Hashable, Sendable {
        /// Told: the platform cannot say more, or this tool cannot see more.
        case note
        /// A platform lets pass, or locks out, what another does not.
        case error
    }

    package var kind: Kind
    package var severity: Severity
    /// In a profile's words; nil where the file does not say which host.
    package var pattern: String?
    package var file: String
    /// From 1; nil where no entry of the file takes the host in.
    package var line: Int?
    package var format: PinFormat
    /// `sha256/…`
    package var pin: String?
    /// A sentence's words, without the place.
    package var text: String
}
