import Facts
import Policy

/// What a person should know beside the verdict on a host that is expected to refuse.
///
/// Begin here to see what is found: most kinds have a file of their own in this folder; `faults` calls those that can
/// stand in the way of a proof, and `findings` adds the notes.
/// A verdict rests on none of it, but an error that nobody waived stands in the way of a proof.
struct RefuseFindings {
    let file: CaseFile
    let rule: HostRule
    let review: Review
    let controls: TrustControls

    /// What the host did, whatever its verdict.
    var faults: [Finding] {
        let found =
            SessionCacheBypass.find(review) + LeakAfterRefusal.find(file, review) + WeakPin.find(review)
            + AskedUnderAnotherName.find(file, review) + AskedOverAnotherConnection.find(review)
            + UnreadTunnel.find(file, review)
            + BlockedUpdateHost.find(file, rule, review.host) + NeverPinned.find(file, review, rule)
            + RetryStorm.find(review) + NoRecovery.find(file, review) + MissingPinReport.find(file, review, rule)
            + WeakSuitesOffered.find(review) + LentKeyRefused.find(file, rule, controls)
            + NetworkFindings(file, review.host).findings
        return Waivers(file).applied(to: found, at: review.host)
    }

    /// - Parameter faults: `faults`, which a verdict needs before.
    func findings(_ verdict: HostVerdict, _ faults: [Finding]) -> [Finding] {
        var findings = faults + plain() + probes() + names() + PinCheckedLate.find(review, verdict)
        if verdict.verdict == .notPinned, verdict.subtype == .plain { findings.append(localAnchors) }
        guard verdict.verdict == .provenPinned || verdict.verdict == .refusedUnproven else { return findings }
        findings += CommonRefusal.find(file, review) + NoOccasion.find(review)
        findings += signatureStage()
        if let assumption = assumption(of: verdict.strength) { findings.append(assumption) }
        findings += OtherExplanations.find(review, controls, verdict)
        if verdict.strength != .s2a, verdict.strength != .s2b { findings += twins() }
        if verdict.missing.contains(.trustControl) { findings += differential() }
        findings.append(scope)
        return findings
    }

    private func plain() -> [Finding] {
        guard review.cleartextFallback.isEmpty else { return [] }
        let plain = review.sightings.filter { $0.wentInTheClear && !$0.isUnreadTunnel }
        guard !plain.isEmpty else { return [] }
        return [
            Finding(
                id: "plain-http", severity: .warning,
                text: "it is also asked for by plain HTTP, which no pin protects", evidence: plain.map(\.line))
        ]
    }

    private func probes() -> [Finding] {
        let probes = review.sightings.filter(\.observation.isProbe)
        guard !probes.isEmpty else { return [] }
        return [
            Finding(
                id: "reachability-probe", severity: .note,
                text: "it was asked in the clear whether there is a network (a well-known address, without data): that "
                    + "is no fallback, and leaks nothing",
                evidence: probes.map(\.line))
        ]
    }

    private func names() -> [Finding] {
        let differing = review.sightings.filter { sighting in
            // One that carried a request for this host beside its own names whom it was opened to.
            guard let target = sighting.observation.target?.host, sighting.observation.hello?.sni != nil,
                sighting.carrier == nil
            else { return false }
            return target != sighting.host && !target.isIP
        }
        guard !differing.isEmpty else { return [] }
        return [
            Finding(
                id: "sni-differs", severity: .note,
                text: "connections asked the proxy for another name than their SNI; they were judged by the SNI",
                evidence: differing.map(\.line))
        ]
    }

    private var localAnchors: Finding {
        Finding(
            id: "local-anchors", severity: .note,
            text: (rule.pins.isEmpty ? "" : "the profile lists pins for this host, and they did not hold: ")
                + "some pins stand back for a CA that was installed on the device, and look from here like no pins at all: "
                + "those of Chrome and Cronet (unless that is switched off), debug-overrides and overridePins on Android, "
                + "TrustKit on macOS. Against a CA of the public they may hold, which this test cannot show",
            evidence: review.witnesses.map(\.line))
    }

    /// Corroboration, never a reason (docs/verdicts.md, "The wrong-key probe").
    private func signatureStage() -> [Finding] {
        let trusted = Set(review.trustedSightings.compactMap { Classifier.fatalAlert(of: $0.observation)?.code })
        let signature = review.sightings.filter { sighting in
            guard sighting.attack == Attack.wrongKey.id, sighting.outcome == .alert,
                let code = Classifier.fatalAlert(of: sighting.observation)?.code
            else { return false }
            return AlertClass.signature.contains(code) && !trusted.contains(code)
        }
        guard let alert = signature.first.flatMap({ Classifier.fatalAlert(of: $0.observation) }) else { return [] }
        // Where it finished the handshake under the forged chain, that chain had passed as well, and was refused later.
        let hasFinished = review.trustedSightings.contains { $0.observation.finishedMS != nil }
        let forged =
            hasFinished
            ? "in the handshake nothing was wrong with either chain, and the forged one was refused after it"
            : "the genuine chain passed the certificate stage, the forged one did not"
        return [
            Finding(
                id: "signature-stage", severity: .note,
                text: "under wrong-key it answered \(alert.name), as it does not under trusted-ca: " + forged,
                evidence: signature.map(\.line))
        ]
    }

    /// What a control takes for granted.
    private func assumption(of strength: Strength?) -> Finding? {
        let text: String
        switch strength {
        case .s2a:
            text =
                "S2a assumes that the build gives this host the same trust anchors as the control, and no other policy "
                + "for its domain alone (Certificate Transparency, revocation)"
        case .s2c:
            text =
                "S2c assumes what the profile says (only_pins): that this build applies no policy besides pins once a "
                + "handshake is over"
        case .privateAnchor:
            text =
                "private-anchor assumes that the app trusts no roots for this host but those that the profile names: "
                + "where it trusts its platform's too, only the missing CA kept it from being intercepted"
        case .s2b, .s3, nil: return nil
        }
        return Finding(id: "control-assumption", severity: .note, text: text)
    }

    /// Why the evidence of another run was of no use as S2b.
    private func twins() -> [Finding] {
        guard !controls.twins.isEmpty else { return [] }
        let ours = Set(file.runs.compactMap { $0.header?.ca.sha256 })
        let stacks = review.refusedStacks
        let reasons = controls.twins.map { twin -> String in
            guard let ca = twin.ca else { return "that run supports no verdict itself" }
            if !file.profile.sameAnchors { return "the profile does not say same_anchors: true" }
            if !ours.contains(ca) { return "it was made with another CA" }
            guard let trusting = twin.trusting[review.host] else {
                return twin.credulous[review.host] == nil
                    ? "it has no data to this host under trusted-ca"
                    : "it was not seen to refuse untrusted-ca here, so it may take any certificate"
            }
            return trusting.isDisjoint(with: stacks)
                ? "its data came from another TLS stack" : "not every stack is in it"
        }
        return [
            Finding(
                id: "evidence-not-counted", severity: .note,
                text: "the other run is no control here: " + English.list(Array(Set(reasons)).sorted()))
        ]
    }

    /// What the differential shows, and why that is no proof.
    private func differential() -> [Finding] {
        let seen = Set(
            review.trusted.flatMap { meeting in
                meeting.refusals.keys.map { controls.differential(of: $0, run: meeting.trial.run) }
            })
        let isWorthRepeating = file.profile.onlyPins && controls.refusingControls.isEmpty
        if seen.contains(.holds) || seen.contains(.notRepeated) && !isWorthRepeating { return [unexplained] }
        guard seen.contains(.notRepeated) else { return [] }
        return [
            Finding(
                id: "differential-not-repeated", severity: .note,
                text: "it got further under trusted-ca than under untrusted-ca, but too few times to rest on: "
                    + "--cold-starts 2 or more would make it a proof, and so would a control host")
        ]
    }

    private var unexplained: Finding {
        let refusing = controls.refusingControls.map(\.text)
        let why =
            refusing.isEmpty
            ? "a pin, or a policy for all certificates such as Certificate Transparency. A control host that takes the CA "
                + "would tell, or the profile's word that there is no such policy (only_pins)"
            : "\(English.some(refusing)), which nobody pins, refused it as well, so a policy for all certificates such as "
                + "Certificate Transparency explains both"
        return Finding(
            id: "refusal-unexplained", severity: .note,
            text: "it got further under trusted-ca than under untrusted-ca, so it seems to trust the CA; but why it "
                + "then refuses is not shown: " + why)
    }

    /// By what this host was met with in whole trials, not by what the run set out to try: it may have been cut short.
    private var scope: Finding {
        let met = review.met
        let missed = file.attacks.filter { !met.contains($0) }
        let rest = AttackCatalogue.toBeRefused.filter { !met.contains($0) && !missed.contains($0) }
        var text = "the verdict rests on \(joined(AttackCatalogue.inOrder(met)))"
        if !missed.isEmpty { text += "; planned, but not met: \(joined(missed))" }
        let leftOut = review.requirements.filter(review.isLeftOut).map(\.fullName)
        if !leftOut.isEmpty { text += "; not to be signed by this CA: \(leftOut.joined(separator: ", "))" }
        if !formsLeft.isEmpty { text += "; further forms not tried: \(formsLeft.joined(separator: ", "))" }
        if !rest.isEmpty { text += "; not tried: \(joined(rest))" }
        if let left = review.places.leftOut(in: review) {
            text += "; connections that were opened untouched and never attacked alone: "
            text += left.count == 1 ? "number \(left.lowerBound)" : "numbers \(left.lowerBound) to \(left.upperBound)"
        }
        return Finding(id: "attacks-tried", severity: .note, text: text)
    }

    /// What the standard set tries when all else was refused, and where there is room, and did not here.
    private var formsLeft: [String] {
        guard file.isComplete, review.witnesses.isEmpty, review.carriedGenuineData,
            file.attacks.contains(Attack.laterConnection.id)
        else { return [] }
        let tried = Set(review.meetings.map { Requirement(attack: $0.attack, variant: $0.variant).fullName })
        let isOwed = Set(review.requirements.map(\.fullName))
        let forms = FurtherForm.all(among: AttackSelection.set(.standard).attacks).filter { form in
            form.trial(at: review, in: file, isHampered: false) != nil && !isOwed.contains(form.name.fullName)
        }
        guard isOwed.contains(Attack.wrongKey.id.rawValue) else { return [] }
        return forms.map(\.name.fullName).filter { !tried.contains($0) }
    }

    private func joined(_ attacks: [AttackID]) -> String { attacks.map(\.rawValue).joined(separator: ", ") }
}
