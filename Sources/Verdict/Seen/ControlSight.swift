import Facts
import Policy

/// What became of one control, as far as a host that has to refuse could have used it.
package struct ControlSight: Hashable, Sendable {
    package enum Fate: Hashable, Sendable {
        case neverContacted
        /// In no trial in which the proxy would have shown it the CA.
        case onlyUntouched
        case withoutTLS
        /// nil: without an alert.
        case refused(alert: String?)
        case originUnverified
        case originAsksForCertificate
        /// Why origin or proxy could not serve it.
        case unusable(String)
        /// It neither took the CA nor refused it.
        case undecided
        case onOtherStack
        /// It took the CA, but the profile gives the host anchors of its own.
        case otherAnchors
        /// It took a CA that nobody installed as well.
        case tookAnyCA
        /// It took the CA, and was not seen to refuse one that nobody installed.
        case notProbed
        /// It took the CA, and was answered by this error.
        case answered(Int)
        case unanswered
        /// It took the CA in so many of the host's cold starts.
        case took(starts: Int, of: Int)
    }

    /// It showed that the build trusts the CA, whatever came of that.
    package var tookCA: Bool {
        switch fate {
        case .answered, .unanswered, .notProbed, .took: true
        default: false
        }
    }

    /// A host, or the pattern that nothing matched.
    package var control: String
    package var fate: Fate

    package init(control: String, fate: Fate) {
        self.control = control
        self.fate = fate
    }
}

extension ControlSight {
    /// What `controls` names first, then the hosts that are expected to accept, as each of them is a control too.
    static func all(_ controls: TrustControls) -> [ControlSight] {
        let profile = controls.file.profile
        let accepting = profile.rules.filter { $0.expect == .accept }.map(\.pattern)
        let seen = controls.file.hosts.sorted()
        var told: Set<String> = []
        return (profile.controls.map { ($0, true) } + accepting.map { ($0, false) }).flatMap { pattern, isNamed in
            let hosts = (pattern.scope == .exact ? [pattern.base] : seen.filter(pattern.matches))
                .filter { profile.isControl($0) && $0 != controls.review.host }
            let sights =
                hosts.isEmpty && isNamed && pattern.scope != .exact
                ? [ControlSight(control: pattern.description, fate: .neverContacted)]
                : hosts.map { ControlSight(control: $0.text, fate: fate(of: $0, controls)) }
            return sights.filter { told.insert($0.control).inserted }
        }
    }

    private static func fate(of host: HostName, _ controls: TrustControls) -> Fate {
        // What it made of a CA that nobody installed is asked for below.
        let all = controls.file.sightings(of: host).filter {
            $0.attack != .untrustedCA && controls.file.trial($0.trial)?.failsOthers != true
        }
        guard !all.isEmpty else { return .neverContacted }
        let met = all.filter { $0.outcome != nil }
        guard !met.isEmpty else {
            let passthroughs = Set(controls.file.trials.filter(\.isPassthrough).map(\.key))
            return all.allSatisfy { passthroughs.contains($0.trial) } ? .onlyUntouched : .withoutTLS
        }
        let taken = met.filter { $0.showsTrust(of: .trustedCA) }
        return taken.isEmpty ? failure(of: met) : success(of: taken, at: host, controls)
    }

    private static func failure(of met: [Sighting]) -> Fate {
        if let refusal = met.first(where: \.isRefusal) {
            return .refused(alert: refusal.answer.alert?.name)
        }
        let upstream = met.compactMap(\.observation.upstream)
        if upstream.contains(where: \.asksForCertificate) { return .originAsksForCertificate }
        if upstream.contains(where: { !$0.verified && !$0.chain.isEmpty }) { return .originUnverified }
        let faults = upstream.compactMap(\.error) + met.compactMap(\.observation.error)
        return faults.first.map { .unusable($0) } ?? .undecided
    }

    private static func success(of taken: [Sighting], at host: HostName, _ controls: TrustControls) -> Fate {
        let review = controls.review
        let refusing = review.refusedStacks
        let alike = refusing.isEmpty ? taken : taken.filter { refusing.contains($0.stack) }
        guard !alike.isEmpty else { return .onOtherStack }
        if controls.declaresAnchors { return .otherAnchors }
        let answers = Set(alike.map { controls.probe.answer(of: host, on: $0.stack, run: $0.trial.run) })
        if answers.contains(.took) { return .tookAnyCA }
        if let status = alike.lazy.compactMap(\.observation.status).first(where: { $0 >= 400 }) {
            return .answered(status)
        }
        if alike.contains(where: \.wasTurnedAway) { return .originAsksForCertificate }
        if alike.allSatisfy({ $0.observation.bytesDown == 0 }) { return .unanswered }
        guard answers.contains(.refused) else { return .notProbed }
        let starts = review.coldStarts
        let trials = Set(alike.map(\.trial))
        return .took(starts: starts.count { trials.contains($0.trial) }, of: starts.count)
    }
}
