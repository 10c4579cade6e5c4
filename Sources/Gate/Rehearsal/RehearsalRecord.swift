import Facts
import Pins
import Policy
import Verdict

/// What the starts of a rehearsal show so far, read from its evidence.
struct RehearsalRecord {
    /// One start with every connection accepted in it.
    struct Start {
        var start: TrialStart
        /// nil while it runs, or where it was cut off.
        var end: TrialEnd?
        var seen: [Observation] = []

        var isWhole: Bool { end.map { !$0.interrupted } ?? false }
    }

    private(set) var starts: [Start] = []

    init(_ records: [EvidenceRecord]) {
        var places: [Int: Int] = [:]
        for record in records {
            switch record {
            case .trialStarted(let start):
                places[start.trial] = starts.count
                starts.append(Start(start: start))
            case .trialEnded(let end): if let place = places[end.trial] { starts[place].end = end }
            case .connection(let one):
                if let place = places[one.observation.trial] { starts[place].seen.append(one.observation) }
            default: break
            }
        }
    }

    /// Whole starts that were made for a step, in order. Untouched ones are the first, or the last, by where they stand.
    func starts(of step: RehearsalStep) -> [Start] {
        let firstTouched = starts.firstIndex { $0.start.attack != .passthrough }
        return starts.enumerated().filter { index, one in
            guard one.isWhole, step.isOf(one.start) else { return false }
            guard case .untouched(let isLast) = step else { return true }
            return isLast == (firstTouched.map { index > $0 } ?? false)
        }.map(\.element)
    }

    // MARK: untouched

    /// Untouched, the host and the app talked.
    func worked(_ host: HostName, isLast: Bool = false) -> Bool {
        starts(of: .untouched(isLast: isLast)).contains { $0.worked(host) }
    }

    /// The app came to it at all.
    func wasAskedFor(_ host: HostName) -> Bool { starts.contains { $0.seen.contains { $0.host == host } } }

    /// Why it did not come about, untouched or not: the first fault of the proxy, or of the genuine server.
    func fault(_ host: HostName) -> String? {
        let seen = starts.lazy.flatMap(\.seen).filter { $0.host == host }
        return seen.compactMap { $0.upstream?.error ?? $0.error }.first
    }

    /// The genuine chain, as it was verified last.
    func genuine(_ host: HostName) -> Observation.Upstream? {
        starts.lazy.flatMap(\.seen).filter { $0.host == host }.compactMap(\.upstream).last {
            $0.verified && !$0.chain.isEmpty
        }
    }

    /// Its certificates, where a line of evidence says what they are.
    func certificates(_ host: HostName) -> [CertificateFacts] {
        let chain = genuine(host)?.chain
        let all = starts.lazy.flatMap(\.seen).compactMap(\.upstream)
        return all.first { $0.chain == chain && !$0.certificates.isEmpty }?.certificates ?? []
    }

    /// What the app's stack looks like at a host.
    func stacks(_ host: HostName) -> Set<StackName> {
        Set(starts.lazy.flatMap(\.seen).filter { $0.host == host }.flatMap { $0.hello?.likelyStacks ?? [] })
    }

    /// Hosts that the app came to, which the profile lets work under the forging CA.
    func controls(_ profile: Profile) -> Set<HostName> {
        Set(starts.lazy.flatMap(\.seen).compactMap(\.host).filter { profile.role(of: $0).isControl })
    }

    // MARK: touched

    /// What the app made of a step's chain, over all of its starts.
    func sight(_ step: RehearsalStep) -> RehearsalSight { step.host.map { sight(step, of: $0) } ?? .nothing(nil) }

    /// The same of any host that stood beside it.
    func sight(_ step: RehearsalStep, of host: HostName) -> RehearsalSight {
        let sights = starts(of: step).map { $0.sight(host) }.filter { !$0.isNothing }
        guard let first = sights.first else { return .nothing(faultIn(step, host)) }
        if sights.contains(.accepted) { return sights.allSatisfy { $0 == .accepted } ? .accepted : .mixed }
        return sights.first(where: \.wasRefused) ?? first
    }

    /// Whether what was shown with a wrong signature passed the certificate stage: then the app complains of the signature,
    /// and not as it does of an unknown key. `.nothing` where its words do not tell the two apart.
    ///
    /// - Parameter differsInKeyAlone: from what was shown with the unknown key: then a refusal has the same words.
    func unsignedSight(_ step: RehearsalStep, differsInKeyAlone: Bool) -> RehearsalSight {
        guard let host = step.host, let usual = complaintOfUnknownKey(host) else { return .nothing(nil) }
        let complaints = Set(starts(of: step).compactMap { $0.complaint(host) })
        guard let alert = complaints.first, complaints.count == 1 else { return .nothing(nil) }
        if AlertClass.signature.contains(alert.rawValue) { return .accepted }
        guard !differsInKeyAlone || alert.description == usual else { return .nothing(nil) }
        return .refused(RehearsalSight.Refusal(alert: alert.description))
    }

    /// What the app says of an unknown key while the handshake goes on, where that is nothing that it could say of a signature.
    func complaintOfUnknownKey(_ host: HostName) -> String? {
        guard let unknown = sight(.unknownKey(host)).refusal, !unknown.isAfterHandshake, let usual = unknown.alert,
            !AlertClass.signature.contains(where: { AlertCode(rawValue: $0).description == usual })
        else { return nil }
        return usual
    }

    func keySight(_ host: HostName, isOver: Bool = false) -> RehearsalSight {
        unsignedSight(.genuineKey(host, isOver: isOver), differsInKeyAlone: !isOver)
    }

    private func faultIn(_ step: RehearsalStep, _ host: HostName) -> String? {
        let all = starts(of: step).flatMap(\.seen).filter { $0.host == host }
        return all.lazy.compactMap { $0.upstream?.error ?? $0.error }.first
    }

    /// A control that took the forging CA in a start, and in none one that nobody installed.
    func trustingControl(_ profile: Profile) -> HostName? {
        let touched = starts.lazy.filter { $0.isWhole && $0.start.attack != .passthrough }.flatMap(\.seen)
        let took = touched.filter { one in
            one.host.map { profile.role(of: $0).isControl } ?? false && one.isAcceptance
        }
        let careless = Set(took.filter { $0.attack == .untrustedCA }.compactMap(\.host))
        return took.filter { $0.attack == .trustedCA }.compactMap(\.host).filter { !careless.contains($0) }.min()
    }
}

extension RehearsalRecord.Start {
    func worked(_ host: HostName) -> Bool { seen.contains { $0.host == host && $0.passthroughData } }

    /// What the app said of a flight whose signature is wrong on purpose; nil where it said nothing, or more than one thing.
    func complaint(_ host: HostName) -> AlertCode? {
        let said = seen.lazy.filter { $0.host == host && $0.action == .intercepted }.compactMap { one -> UInt8? in
            guard let flight = one.flight, one.finishedMS == nil else { return nil }
            return Classifier.fatalAlert(of: one).flatMap { $0.ms >= flight.ms ? $0.code : nil }
        }
        let codes = Set(said)
        return codes.count == 1 ? codes.first.map(AlertCode.init) : nil
    }

    /// What the app made of the chain that it was shown for a host; one request is enough.
    func sight(_ host: HostName) -> RehearsalSight {
        let met = seen.filter { $0.host == host && $0.action == .intercepted }
        if met.contains(where: \.isAcceptance) { return .accepted }
        let refusals = met.compactMap(\.refusal)
        // One that says something tells more than one that goes without a word.
        if let one = refusals.first(where: { $0.alert != nil }) ?? refusals.first { return .refused(one) }
        return met.contains(where: \.isUnusable) ? .unusable : .nothing(nil)
    }
}

extension Observation {
    fileprivate var isAcceptance: Bool {
        guard action == .intercepted, !prefaceOnly, Classifier.outcome(of: self) == .data else { return false }
        return asked.isEmpty || host.map(asked.contains) ?? false
    }

    /// A refusal that answers what was shown; nil where it may be of something else.
    fileprivate var refusal: RehearsalSight.Refusal? {
        switch Classifier.outcome(of: self) {
        case .alert, .silent, .post:
            let alert = Classifier.fatalAlert(of: self)
            // That it cannot read us is no word about a chain.
            if let alert, AlertClass.unreadable.contains(alert.code) { return nil }
            return RehearsalSight.Refusal(alert: alert?.name, isAfterHandshake: finishedMS != nil)
        case .data, .idle, .early, .negotiation, .resumed: return nil
        }
    }

    /// We found nothing to use this key with in the client's offer.
    fileprivate var isUnusable: Bool {
        guard flight == nil, Classifier.outcome(of: self) == .negotiation else { return false }
        return alerts.contains { $0.from == .proxy && $0.code == AlertCode.handshakeFailure.rawValue }
    }
}

extension RehearsalSight {
    var isNothing: Bool { if case .nothing = self { true } else { false } }
}
