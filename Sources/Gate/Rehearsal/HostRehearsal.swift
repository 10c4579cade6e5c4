import Authority
import Facts
import Pins
import Policy
import TLS

/// One host of a finished rehearsal: what was seen of it, and what is rehearsed there.
struct HostRehearsal {
    let host: HostName
    let plan: RehearsalPlan
    let record: RehearsalRecord
    let lent: LentMaterials
    /// Keys of the roots that the profile declares for it.
    let anchors: Set<String>
    let scope: PinScope?
    let now: Double

    /// Why nothing can be said here, as the environment stands in the way: the app asked, and did not get through.
    var environmentFault: String? {
        if !record.worked(host) {
            guard record.wasAskedFor(host) else { return nil }
            return "untouched, the app and this host did not get on: \(record.fault(host) ?? "no answer was seen")"
        }
        if record.genuine(host) == nil, let fault = record.fault(host) {
            return "the genuine chain could not be seen: \(fault)"
        }
        return nil
    }

    var evidence: RehearsalEvidence {
        let genuine = record.genuine(host)
        let stacks = record.stacks(host)
        let unknown = record.sight(.unknownKey(host))
        var evidence = RehearsalEvidence(
            genuine: genuine.map(Self.keys), worked: record.worked(host) && stillWorks, fault: fault,
            pins: Set((plan.profile.rule(for: host)?.pins ?? []).map(\.base64)), anchors: anchors, scope: scope,
            trust: trust, unknownKey: unknown, checksDates: checksDates,
            mayExemptLocalAnchors: !stacks.isDisjoint(with: StackName.exemptingLocalAnchors),
            mayPinCertificates: !stacks.isEmpty && stacks.isSubset(of: StackName.pinningCertificates))
        if let key = lent.backupPins[host.text] { evidence.backup = (key, record.sight(.lentKey(host))) }
        evidence.genuineKey = record.keySight(host)
        evidence.answers = ownScenarios.map { scenario in
            let sight = scenario.sight ?? .nothing(nil)
            let isSound = scenario.anchor == .genuine && scenario.dates == .current && scenario.isForHost
            return RehearsalEvidence.Answer(scenario.keys, sight, isSound: isSound)
        }
        return evidence
    }

    /// The last start touched nothing either: an app that had given up by then would have refused everything.
    private var stillWorks: Bool {
        record.starts(of: .untouched(isLast: true)).isEmpty || record.worked(host, isLast: true)
    }

    private var fault: String? {
        if !record.worked(host) {
            return record.wasAskedFor(host)
                ? environmentFault : "the app did not ask for this host when nothing was touched"
        }
        return stillWorks
            ? nil
            : "untouched, the app and this host got on at first and not in the end: nothing follows from what it refused"
    }

    static func keys(_ upstream: Observation.Upstream) -> ChainKeys {
        ChainKeys(
            leaf: upstream.spki.first, issuers: Array(upstream.spki.dropFirst()), certificate: upstream.chain.first)
    }

    // MARK: what was seen

    private var trust: RehearsalEvidence.Trust? {
        let unknown = record.sight(.unknownKey(host))
        if record.sight(.lentKey(host)) == .accepted, unknown.wasRefused { return .lentKey }
        if record.keySight(host) == .accepted { return .genuineKey }
        guard let refusal = unknown.refusal, anchors.isEmpty else { return nil }
        // It says itself that it does not know the CA here, whatever it does elsewhere.
        let sawUnknownCA = record.sight(.unknownCA(host)).refusal?.alert
        let isForeign = refusal.alert == Self.unknownCA && (sawUnknownCA == nil || sawUnknownCA == Self.unknownCA)
        if !isForeign, let control = record.trustingControl(plan.profile) { return .control(control.text) }
        guard let other = record.sight(.unknownCA(host)).refusal else { return nil }
        let wentFurther = refusal.isAfterHandshake && !other.isAfterHandshake
        // An app that knows neither CA has one word for both.
        let saidOtherwise = refusal.alert != nil && other.alert != nil && refusal.alert != other.alert
        return wentFurther || saidOtherwise ? .comparison : nil
    }

    /// At this host it was seen to trust the CA, so that what it says of an unknown key is said of the key.
    private var tellsKeysEarly: Bool {
        if record.sight(.lentKey(host)) == .accepted || record.keySight(host) == .accepted { return true }
        guard let known = record.sight(.unknownKey(host)).refusal?.alert,
            let unknown = record.sight(.unknownCA(host)).refusal?.alert
        else { return false }
        return known != unknown
    }

    private var checksDates: Bool? {
        if record.sight(.lentKey(host)) == .accepted {
            return Self.refused(record.sight(.lapse(host, withLentKey: true)))
        }
        if record.keySight(host) == .accepted, let over = Self.refused(record.keySight(host, isOver: true)) {
            return over
        }
        let lapse = record.sight(.lapse(host, withLentKey: false))
        guard let unknown = record.sight(.unknownKey(host)).refusal else { return Self.refused(lapse) }
        guard let refusal = lapse.refusal else { return lapse == .accepted ? false : nil }
        let isSooner = unknown.isAfterHandshake && !refusal.isAfterHandshake
        return refusal.alert == Self.expired || isSooner ? true : nil
    }

    private static let expired = "certificate_expired"
    private static let unknownCA = "unknown_ca"

    private static func refused(_ sight: RehearsalSight) -> Bool? {
        switch sight {
        case .refused: true
        case .accepted: false
        case .unusable, .mixed, .nothing: nil
        }
    }

    /// What it makes of an unknown key on the days that its clock is set to.
    var clocks: [ClockSight] {
        let controls = record.controls(plan.profile)
        let stacks = record.stacks(host)
        return plan.clocks.map { day in
            let set = RehearsalStep.dayToCome(day, host, beside: controls, isSet: true)
            let unset = RehearsalStep.dayToCome(day, host, beside: controls, isSet: false)
            // Another program of the same COMMAND may take a clock that this one does not.
            let witness = controls.sorted().first {
                !stacks.isEmpty && record.stacks($0) == stacks && record.sight(set, of: $0) == .accepted
                    && record.sight(unset, of: $0).wasRefused
            }
            return ClockSight(
                day: day, sight: record.sight(set), withoutClock: record.sight(unset), control: witness?.text)
        }
    }

    // MARK: what is rehearsed

    /// The team's own first, then the standard ones; a name of the team's stands for a standard one as well.
    var scenarios: [RehearsalScenario] {
        let own = ownScenarios
        guard plan.hasStandard, let genuine = record.genuine(host).map(Self.keys) else { return own }
        let backup = lent.backupPins[host.text]
        let standard = StandardScenario.allCases.compactMap { $0.scenario(genuine, backup: backup) }
        return own + standard.filter { one in !own.contains { $0.name == one.name } }
    }

    var chains: [RehearsedChain] { plan.chains(for: host, among: plan.hosts(record)) }

    private var ownScenarios: [RehearsalScenario] { chains.map(scenario) }

    private func scenario(_ chain: RehearsedChain) -> RehearsalScenario {
        let genuine = record.genuine(host)
        let keys = Self.keys(chain)
        let isLinked = genuine?.spki.last.map(keys.issuers.contains) ?? false
        let anchor: RehearsalScenario.Anchor = isLinked ? .genuine : chain.path == nil ? .unverified : .another
        return RehearsalScenario(
            chain.name, keys, anchor: anchor, dates: dates(chain), isForHost: chain.leaf?.isFor(host) ?? false,
            lacksIssuer: chain.lacksIssuer, isOwn: true,
            sight: sight(chain), isUnsigned: chain.key == nil)
    }

    /// nil where it could not be shown in a way that tells.
    private func sight(_ chain: RehearsedChain) -> RehearsalSight? {
        let step = RehearsalStep.chain(chain.name, host, isSigned: chain.key != nil)
        guard chain.key == nil else { return record.sight(step) }
        let sight = record.unsignedSight(step, differsInKeyAlone: false)
        // An early word about an unknown key may be one about a CA that it does not trust here, and none about pins.
        if sight == .accepted, !tellsKeysEarly { return nil }
        return sight.isNothing ? nil : sight
    }

    /// Up to its root, where that is known here.
    static func keys(_ chain: RehearsedChain) -> ChainKeys {
        let known = chain.longest
        // A client may go another way than this machine, over what else the file holds.
        let isWhole =
            chain.path == nil
            ? known.last.map { $0.subjectDER == $0.issuerDER } ?? false
            : chain.certificates.allSatisfy(known.contains)
        let keys = known.map(\.spkiSHA256Base64)
        return ChainKeys(
            leaf: keys.first, issuers: Array(keys.dropFirst()), certificate: chain.leaf?.sha256, isWhole: isWhole)
    }

    private func dates(_ chain: RehearsedChain) -> RehearsalScenario.Dates {
        let begin = chain.longest.map(\.notBefore).max() ?? .min
        let end = chain.longest.map(\.notAfter).min() ?? .max
        if Double(begin) > now { return .ahead(UTCTime(unix: begin).date.description) }
        return Double(end) <= now ? .over(UTCTime(unix: end).date.description) : .current
    }
}

extension StackName {
    /// Where pins let CAs pass that somebody has added on the device: Chromium's and Cronet's bypass for local anchors, Android's
    /// `overridePins`, TrustKit's exemption on macOS. Names only ever make an answer less certain here.
    fileprivate static let exemptingLocalAnchors: Set<StackName> = [.chromium, .conscrypt, .apple]

    /// Whose own pins are of whole certificates (urllib3's and aiohttp's fingerprints, Node's `fingerprint256`, PHP's
    /// `peer_fingerprint`, the usual plugin of Flutter's).
    fileprivate static let pinningCertificates: Set<StackName> = [.python, .node, .php, .dart]
}
