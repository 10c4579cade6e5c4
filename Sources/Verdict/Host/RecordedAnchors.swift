import Facts
import Policy

/// The anchors that a profile declares, as a run's header keeps them.
///
/// So any judge can repeat what the gate checked.
package struct RecordedAnchors: Hashable, Sendable {
    /// SPKI pins (base64) of the anchors that the rule names.
    package var anchors: Set<String>
    /// SPKI pins of everything that the forging CA signs with.
    package var authority: Set<String>

    package init(anchors: Set<String>, authority: Set<String>) {
        self.anchors = anchors
        self.authority = authority
    }

    /// nil where the header says nothing of the rule's anchors.
    init?(_ header: RunHeader?, of rule: HostRule) {
        guard let anchors = header?.anchors, let declared = anchors.declared[rule.pattern.description] else {
            return nil
        }
        self.init(anchors: Set(declared), authority: Set(anchors.authority))
    }
}

extension TrustControls {
    /// The profile says which roots the app trusts for this host, and no others.
    var declaresAnchors: Bool { file.profile.rule(for: review.host)?.anchors.isEmpty == false }

    /// The other way to a proof (docs/verdicts.md, "Private anchors"): the app can never trust the CA at this host, by the profile's word,
    /// and what was seen agrees with it.
    ///
    /// The genuine chain leads to one of the declared anchors, the forging CA is none of them; the stack took the genuine
    /// chain under `wrong-key` and complained of the signature alone, as it does not under `trusted-ca`; and elsewhere
    /// the same run shows that the CA works. A stack that never says why it leaves (gRPC, Dart) cannot complain: there a
    /// control on that very stack has to have told the CA from an unknown one.
    func hasPrivateAnchors(_ stack: String, run: Int) -> Bool {
        guard !stack.isEmpty, declaresAnchors, let rule = file.profile.rule(for: review.host),
            let recorded = RecordedAnchors(file.runs[run].header, of: rule),
            !recorded.anchors.isEmpty, !recorded.authority.isEmpty,
            recorded.anchors.isDisjoint(with: recorded.authority)
        else { return false }
        guard leadsTo(recorded.anchors, run: run) else { return false }
        return tookGenuineChain(stack, run: run) && hasWorkingCA(run: run) || refusesWordlessly(stack, run: run)
    }

    private func leadsTo(_ anchors: Set<String>, run: Int) -> Bool {
        let chains = review.sightings.filter { $0.trial.run == run }.compactMap(\.observation.upstream).filter {
            $0.verified && !$0.spki.isEmpty
        }
        return !chains.isEmpty && chains.allSatisfy { !anchors.isDisjoint(with: $0.spki) }
    }

    /// The stack met the genuine chain without its key as well, never sent an alert here, and elsewhere it took the CA and
    /// refused one that nobody installed.
    private func refusesWordlessly(_ stack: String, run: Int) -> Bool {
        let met = met(on: stack, run: run)
        return met.contains { $0.reading.probe == .genuineChain && $0.isRefusal }
            && met.allSatisfy { $0.answer.alert == nil }
            && file.trials.contains { trial in
                trial.key.run == run
                    && trial.sightings.contains { host, seen in
                        file.profile.isControl(host) && probe.answer(of: host, on: stack, run: run) == .refused
                            && seen.contains { $0.showsTrust(of: .trustedCA) && $0.stack == stack }
                    }
            }
    }

    private func met(on stack: String, run: Int) -> [Sighting] {
        review.meetings.filter { $0.trial.run == run }.flatMap(\.sightings).filter {
            $0.stack == stack && $0.isIdentified
        }
    }

    private func tookGenuineChain(_ stack: String, run: Int) -> Bool {
        let met = met(on: stack, run: run)
        let probes = met.filter { $0.reading.probe == .genuineChain && $0.wasDelivered }
        return !probes.isEmpty && probes.allSatisfy(\.answer.complainsOfSignature)
            && !met.contains { $0.attack == .trustedCA && $0.answer.complainsOfSignature }
    }

    /// Some host that is intercepted on purpose took the CA, on whatever stack.
    private func hasWorkingCA(run: Int) -> Bool {
        file.trials.contains { trial in
            trial.key.run == run
                && trial.sightings.contains { host, seen in
                    file.profile.isControl(host) && seen.contains { $0.showsTrust(of: .trustedCA) }
                }
        }
    }
}
