/// Every rule of the linter, with what documents and code scanning say of it.
package enum LintRuleBook {
    /// What a rule is about, why, and what to do.
    package struct Entry: Hashable, Sendable {
        package let rule: LintRule
        /// The usual one.
        package let severity: LintFinding.Severity
        /// In a few words, as a title: `Only one pin`.
        package let title: String
        /// What it costs, in a sentence or two.
        package let why: String
        package let fix: String
        /// Where the behaviour is told: a document, or source code of the platform.
        package let sources: [String]

        init(
            _ id: String, _ name: String, _ severity: LintFinding.Severity, _ title: String, why: String, fix: String,
            sources: [String] = []
        ) {
            rule = LintRule(id, name)
            self.severity = severity
            self.title = title
            self.why = why
            self.fix = fix
            self.sources = sources
        }
    }

    /// By number.
    package static let entries: [Entry] = checks.map { $0.entry }

    static let checks: [any LintCheck.Type] = [
        MalformedPin.self, NoBackupPin.self, DuplicatePin.self, PinNotServed.self, CertificateHashPin.self,
        BroadPublicRoot.self, ExpiredPins.self, HostNotCovered.self, SubdomainsNotCovered.self, ShadowedHost.self,
        OverridePins.self, UserAnchors.self, ClearTextToPinnedHost.self, ReportOnly.self, ChecksOff.self,
        Debuggable.self, ArbitraryLoads.self, LeafAndCACannotMatch.self, PlaceholderPin.self, SHA1Pin.self,
        ValidatorNotWired.self, LocalAnchorExemption.self, HardCodedKeyHeader.self, PlatformsDiffer.self,
        ErrorPathOnlyCheck.self, UnpinnedUpdateHost.self, PinnedCALeaves.self, RotatingIntermediate.self,
        ManagedLeaf.self, ExpiresBeforeSupport.self, OverriddenSDKPins.self, SessionWithoutDelegate.self,
        AcceptsEverything.self, SingleCA.self, ShortLivedLeaf.self, RootNotOnDevices.self, PatternNeverMatches.self,
        MisplacedPins.self, UnresolvedPins.self, VersionsDiffer.self, RejectedByPlatform.self, ExpiryNotTaken.self,
    ]
}
