/// Says what comes of an app at a chain: by what was seen, else by its pins.
///
/// Nobody here can sign under a CA of the real world. A chain that only *stands in* for one differs from it in a certificate
/// that a pin may look at, so that a refusal of it says nothing of the real one: from what was seen it follows which rules the
/// app may be enforcing (`PinRules`), and from those, where all agree, what it makes of the real one.
package struct RehearsalJudge: Sendable {
    let evidence: RehearsalEvidence
    let rules: PinRules

    package init(_ evidence: RehearsalEvidence) {
        self.evidence = evidence
        rules = PinRules(evidence)
    }

    package func judge(_ scenario: RehearsalScenario) -> Rehearsed {
        guard evidence.worked else {
            let why = evidence.fault ?? "untouched, the app and this host did not talk in this run"
            return Rehearsed(scenario.name, .unclear, .none, why, isOwn: scenario.isOwn)
        }
        return seen(scenario) ?? elsewhere(scenario) ?? past(scenario) ?? byPins(scenario)
    }

    // MARK: what was seen

    /// By the chain itself, where the app was shown it.
    private func seen(_ scenario: RehearsalScenario) -> Rehearsed? {
        switch scenario.sight {
        case .accepted:
            return scenario.says(
                .works, .seen,
                scenario.isUnsigned
                    ? "seen: shown this chain without its key, the app complained of nothing but the signature, and of an unknown "
                        + "key it complains before that"
                    : "seen: the app sent its request under this chain")
        case .mixed:
            return scenario.says(
                .unclear, .seen, "the app took this chain in one start and refused it in another: run it again")
        // What has not begun is refused for that alone.
        case .refused(let refusal):
            if case .ahead = scenario.dates { return nil }
            return scenario.says(.lockedOut, .seen, RefusalWords(scenario, refusal, evidence).text)
        case .unusable:
            if case .ahead = scenario.dates { return nil }
            return scenario.says(
                .lockedOut, .seen, "seen: the app offers no algorithm that this chain's key can be used with")
        case .nothing, nil:
            return backup(scenario)
        }
    }

    /// The lent key was seen to pass in a certificate of the forging CA; the genuine issuers can only add to that.
    private func backup(_ scenario: RehearsalScenario) -> Rehearsed? {
        guard scenario.name == StandardScenario.backupKey.rawValue, evidence.backup?.sight == .accepted,
            !evidence.mayExemptLocalAnchors, evidence.unknownKey.wasRefused, evidence.scope != .both
        else { return nil }
        return scenario.says(
            .works, .seen,
            "seen: the app sent its request for this key in a new certificate, and refused a key that is in no pin")
    }

    // MARK: what no pin decides

    /// Its root, or its name, is not the app's.
    private func elsewhere(_ scenario: RehearsalScenario) -> Rehearsed? {
        if !evidence.anchors.isEmpty, scenario.anchor != .genuine, scenario.keys.isWhole,
            evidence.anchors.isDisjoint(with: scenario.keys.all)
        {
            return scenario.says(
                .lockedOut, .anchors,
                "by the profile's anchors, not seen: the app trusts no root but those, and none of them is in this chain"
            )
        }
        guard prediction(scenario) != false else { return nil }
        if !scenario.isForHost {
            return scenario.says(
                .unclear, .none, "this certificate is not for this host: give its key as well, so that it can be shown")
        }
        if scenario.anchor == .unverified {
            return scenario.says(
                .unclear, .none,
                "nothing here vouches for this chain: whether the app trusts its root is not known; name the root under "
                    + "upstream.roots, or give the chain's key as well")
        }
        return nil
    }

    /// Its dates are over.
    private func past(_ scenario: RehearsalScenario) -> Rehearsed? {
        guard case .over(let day) = scenario.dates, prediction(scenario) != false else { return nil }
        switch evidence.checksDates {
        case true?:
            return scenario.says(
                .lockedOut, .seen,
                "seen: the app refuses a certificate whose dates are over, whatever it pins"
                    + (day == "now" ? "" : "; this chain ended on \(day)"))
        case false?: return nil
        case nil:
            return scenario.says(
                .unclear, .none,
                "whether the app looks at dates was not seen, as it refuses the forged certificate in the same way for its "
                    + "key; lend a backup key, with which it can be shown one that is over")
        }
    }

    // MARK: by pins

    /// A control speaks for the app, and not for each of its hosts.
    private var assumption: String {
        guard case .control(let control) = evidence.trust else { return "" }
        return "; this takes it that the app trusts the CA here as it does at \(control)"
    }

    func prediction(_ scenario: RehearsalScenario) -> Bool? {
        evidence.genuine == nil && evidence.pins.isEmpty ? nil : rules.prediction(scenario.keys)
    }

    private func byPins(_ scenario: RehearsalScenario) -> Rehearsed {
        let words = PinWords(self, scenario)
        let note = scenario.notSeen.map { "; \($0)" } ?? ""
        switch prediction(scenario) {
        case true?:
            let isKeySeen = evidence.genuineKey == .accepted && scenario.keys.leaf == evidence.genuine?.leaf
            let basis: Rehearsed.Basis = evidence.isUnpinned || isKeySeen ? .seen : .pins
            return scenario.says(.works, basis, words.works + note)
        case false?: return scenario.says(.lockedOut, .pins, words.lockedOut + assumption + note)
        case nil: return scenario.says(.unclear, .none, words.unclear + note)
        }
    }
}

extension RehearsalScenario {
    func says(_ outcome: Rehearsed.Outcome, _ basis: Rehearsed.Basis, _ why: String) -> Rehearsed {
        Rehearsed(name, outcome, basis, why, isOwn: isOwn)
    }

    /// Why it was not shown, or why what was made of it counts for nothing.
    fileprivate var notSeen: String? {
        if case .ahead(let day) = dates, sight?.wasRefused ?? false {
            return "what the app makes of it now says nothing, as it begins on \(day)"
        }
        if case .nothing(let reason?) = sight { return reason }
        return nil
    }
}
