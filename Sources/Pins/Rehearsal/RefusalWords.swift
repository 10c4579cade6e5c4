/// Why an app may have refused a chain that it was shown as it is.
struct RefusalWords {
    private let scenario: RehearsalScenario
    private let refusal: RehearsalSight.Refusal
    private let evidence: RehearsalEvidence

    init(_ scenario: RehearsalScenario, _ refusal: RehearsalSight.Refusal, _ evidence: RehearsalEvidence) {
        self.scenario = scenario
        self.refusal = refusal
        self.evidence = evidence
    }

    var text: String { "seen: the app refused this chain \(how); \(cause)" }

    private var how: String {
        if let alert = refusal.alert { return "with \(alert)" }
        return refusal.isAfterHandshake ? "after the handshake, where pins are compared" : "without a word"
    }

    private var cause: String {
        if case .over(let day) = scenario.dates, !refusal.isAfterHandshake { return "its dates are over since \(day)" }
        if refusal.alert == "certificate_expired" { return "it finds that its dates are over" }
        // Some look at the name when the handshake is over.
        if !scenario.isForHost { return "it is not for this host" }
        let isUntrusted = refusal.alert == "unknown_ca" || scenario.anchor == .unverified
        if isUntrusted, !refusal.isAfterHandshake { return untrusted }
        guard !evidence.pins.isEmpty else { return "the profile names no pins to compare it with" }
        let kept = evidence.pins.intersection(scenario.keys.all)
        guard let one = kept.min() else { return "none of its keys is among the profile's pins" }
        return "though \(PinWords.name(one)) is in it, which the profile pins"
    }

    /// That is no matter of pins.
    private var untrusted: String {
        if scenario.lacksIssuer {
            return "its issuer is not in the file: a server has to show that as well, and then this is another chain"
        }
        guard scenario.anchor != .genuine else { return "it may not trust an issuer of it" }
        return "that is no matter of a pin alone: nothing here shows that the app trusts its root; if it stands for a "
            + "certificate that is still to be issued, give that one's chain, without a key if need be"
    }
}
