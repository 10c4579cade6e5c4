import Facts
import Policy

/// What shows that the app trusts the forging CA at a host.
///
/// Without it a refusal proves nothing (docs/verdicts.md, "Controls: was the CA trusted?").
struct TrustControls {
    /// Whether one stack told the trusted CA from an unknown one at this host.
    enum Differential {
        /// It got further under the trusted CA, repeatedly and in both orders.
        case holds
        /// It did so far, but too seldom to rest on.
        case notRepeated
        case none
    }

    let file: CaseFile
    let review: Review
    let twins: [Twin]

    /// The best control that one cold start has for one stack.
    func strength(of stack: String, in start: Meeting) -> Strength? {
        let run = start.trial.run
        if hasTakenLentKey(stack, run: run) { return .s3 }
        if hasPrivateAnchors(stack, run: run) { return .privateAnchor }
        if !controlHosts(of: stack, in: start).isEmpty { return .s2a }
        if hasTwin(for: stack, run: run) { return .s2b }
        return differential(of: stack, run: run) == .holds ? .s2c : nil
    }

    /// The weakest of what all the stacks that refused in this cold start have; nil where one has nothing.
    func strength(of start: Meeting) -> Strength? {
        var weakest: Strength?
        for stack in review.refusals(in: start) {
            guard let strength = strength(of: stack, in: start) else { return nil }
            weakest = weakest.map { $0.rank < strength.rank ? $0 : strength } ?? strength
        }
        return weakest
    }

    /// S2a: hosts that the same build reaches unpinned, which took the same CA on the same stack in the same run of
    /// COMMAND.
    func controlHosts(of stack: String, in start: Meeting) -> [HostName] {
        // What the profile says of the host's own anchors is that they are not those of other hosts.
        guard !stack.isEmpty, !declaresAnchors, let trial = file.trials.first(where: { $0.key == start.trial }) else {
            return []
        }
        return trial.sightings.filter { host, seen in
            file.profile.isControl(host) && seen.contains { $0.showsTrust(of: .trustedCA) && $0.stack == stack }
        }.keys.sorted()
    }

    /// S3: a certificate of the same CA for this very host, with a key that the app pins, carried data on the same stack
    /// in the same run. Nothing but the key is left to make the difference.
    func hasTakenLentKey(_ stack: String, run: Int) -> Bool {
        !stack.isEmpty
            && review.sightings.contains {
                $0.trial.run == run && $0.showsTrust(of: Attack.lentKey.id) && $0.stack == stack
            }
    }

    /// Connections that refused the lent key on stacks that never took it: the app pins something else, or does not
    /// trust the CA.
    var lentKeyRefusals: [Sighting] {
        review.meetings.filter { $0.attack == Attack.lentKey.id }.flatMap(\.graded).filter { graded in
            graded.grade == .conclusive
                && !hasTakenLentKey(graded.sighting.stack, run: graded.sighting.trial.run)
        }.map(\.sighting)
    }

    /// S2b: another build with the same trust anchors sent data to this host under the same CA on the same stack.
    func hasTwin(for stack: String, run: Int) -> Bool {
        guard file.profile.sameAnchors, !stack.isEmpty, let ca = file.runs[run].header?.ca.sha256 else { return false }
        return twins.contains { $0.ca == ca && $0.trusting[review.host]?.contains(stack) == true }
    }

    /// S2c: under two chains that differ in nothing but the CA's keys and names, the handshake was finished under the
    /// one and never under the other. Only this direction shows trust.
    func differential(of stack: String, run: Int) -> Differential {
        guard !stack.isEmpty else { return .none }
        let trusted = review.trusted.filter { $0.trial.run == run }
        let untrusted = meetings(.untrustedCA, run)
        let delivered = { (meetings: [Meeting]) in
            meetings.flatMap(\.sightings).filter { $0.wasDelivered && $0.isIdentified && $0.stack == stack }
        }
        let (under, without) = (delivered(trusted), delivered(untrusted))
        // `self-signed` has no trusted issuer either: a client that finishes there finishes by chance.
        let alike = delivered(meetings("self-signed", run))
        guard !under.isEmpty, under.allSatisfy({ $0.observation.finishedMS != nil }),
            !without.isEmpty, (without + alike).allSatisfy({ $0.observation.finishedMS == nil }),
            // One client and one cause give different images by TLS version: only equal ones may be compared.
            let version = under.first?.version, (under + without).allSatisfy({ $0.version == version })
        else { return .none }
        let finished = trusted.filter { $0.has(.conclusive, on: stack) }.map(\.trial)
        let refused = untrusted.filter { $0.has(.conclusive, on: stack) }.map(\.trial)
        guard finished.count >= 2, refused.count >= 2, let firstT = finished.min(), let lastT = finished.max(),
            let firstU = refused.min(), let lastU = refused.max(), firstT < lastU, firstU < lastT
        else { return .notRepeated }
        return .holds
    }

    private func meetings(_ attack: AttackID, _ run: Int) -> [Meeting] {
        review.meetings.filter { $0.attack == attack && $0.trial.run == run }
    }
}

extension Strength {
    /// Weakest first.
    var rank: Int {
        switch self {
        case .s2c: 0
        case .s2b: 1
        case .s2a: 2
        case .privateAnchor: 3
        case .s3: 4
        }
    }
}

/// Another run, given as a control: which hosts trusted which CA on which stack.
struct Twin {
    /// SHA-256 of its CA; nil where the run supports no verdict and so is no control either.
    let ca: String?
    let trusting: [HostName: Set<String>]

    init(_ evidence: RunEvidence) {
        ca = evidence.fault == nil ? evidence.header?.ca.sha256 : nil
        var trusting: [HostName: Set<String>] = [:]
        // Whatever its own profile said: what it was met with stands in the observation.
        let file = CaseFile(profile: Profile(name: ""), runs: [evidence])
        for seen in file.trials.flatMap(\.sightings.values).joined()
        where seen.isTrust && seen.attack == .trustedCA && seen.isIdentified && !seen.stack.isEmpty {
            trusting[seen.host, default: []].insert(seen.stack)
        }
        self.trusting = trusting
    }
}
