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
    let probe: ControlProbe

    init(file: CaseFile, review: Review, twins: [Twin]) {
        self.file = file
        self.review = review
        self.twins = twins
        probe = ControlProbe(file)
    }

    /// The best control that one cold start has for one stack.
    func strength(of stack: String, in start: Meeting) -> Strength? {
        let run = start.trial.run
        if hasTakenLentKey(stack, run: run) { return .s3 }
        if hasPrivateAnchors(stack, run: run) { return .privateAnchor }
        if !controlHosts(of: stack, in: start).isEmpty { return .s2a }
        if hasTwin(for: stack, run: run) { return .s2b }
        return provesByDifferential(stack, run: run) ? .s2c : nil
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
    /// COMMAND, and refused one that nobody installed.
    func controlHosts(of stack: String, in start: Meeting) -> [HostName] {
        takingHosts(on: stack, in: start).filter { probe.answer(of: $0, on: stack, run: start.trial.run) == .refused }
    }

    /// Controls that took the CA there, whatever else they would take.
    func takingHosts(on stack: String, in start: Meeting) -> [HostName] {
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
                $0.trial.run == run && $0.isUnderLentKey && $0.isTrust && $0.isIdentified && $0.stack == stack
            }
    }

    /// Connections that refused the lent key on stacks that never took it: the app pins something else, or does not
    /// trust the CA.
    var lentKeyRefusals: [Sighting] {
        review.meetings.filter { $0.reading.data == .control }.flatMap { meeting in
            meeting.graded.filter { graded in
                // Where others were left alone, one that is closed unused may be a spare one.
                graded.grade == .conclusive
                    && (meeting.sparedFirst == 0 || review.hasRefused(meeting, on: graded.sighting.stack))
                    && !hasTakenLentKey(graded.sighting.stack, run: graded.sighting.trial.run)
            }
        }.map(\.sighting)
    }

    /// S2c shows that the CA is trusted, and not why the app refused all the same. So it proves by the profile's word
    /// alone, that this build applies no other policy after the handshake; and never against a control that refused too.
    func provesByDifferential(_ stack: String, run: Int) -> Bool {
        file.profile.onlyPins && differential(of: stack, run: run) == .holds && refusingControls.isEmpty
    }

    /// Declared controls that refused `trusted-ca` on a stack on which they never took it, whenever they were visited.
    var refusingControls: [HostName] {
        file.hosts.filter(file.profile.isControl).filter { host in
            let met = file.sightings(of: host).filter { $0.attack == .trustedCA }
            let taking = Set(met.filter(\.isTrust).map(\.stack))
            return met.contains { $0.isRefusal && !taking.contains($0.stack) }
        }.sorted()
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
        let untrusted = meetings(.untrusted, run)
        let delivered = { (meetings: [Meeting]) in
            meetings.flatMap(\.sightings).filter { $0.wasDelivered && $0.isIdentified && $0.stack == stack }
        }
        let (under, without) = (delivered(trusted), delivered(untrusted))
        // Where there is no trusted issuer either, a client that finishes does so by chance.
        let alike = delivered(meetings(.alsoUntrusted, run))
        guard !under.isEmpty, under.allSatisfy(\.answer.hasFinished),
            !without.isEmpty, !(without + alike).contains(where: \.answer.hasFinished),
            // One client and one cause give different images by TLS version: only equal ones may be compared.
            let version = under.first?.version, (under + without).allSatisfy({ $0.version == version }),
            // A plain chain in place of one like the genuine is another chain: both have to be of one kind.
            Set((under + without).map { $0.observation.unlike.contains("plain-chain") }).count == 1
        else { return .none }
        let finished = trusted.filter { $0.has(.conclusive, on: stack) }.map(\.trial)
        let refused = untrusted.filter { $0.has(.conclusive, on: stack) }.map(\.trial)
        guard finished.count >= 2, refused.count >= 2, let firstT = finished.min(), let lastT = finished.max(),
            let firstU = refused.min(), let lastU = refused.max(), firstT < lastU, firstU < lastT
        else { return .notRepeated }
        return .holds
    }

    private func meetings(_ part: Reading.Differential, _ run: Int) -> [Meeting] {
        review.meetings.filter { $0.reading.differential == part && $0.trial.run == run }
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
    /// Stacks that took `trusted-ca`, and refused `untrusted-ca`: one that takes any certificate shows trust in none.
    let trusting: [HostName: Set<String>]
    /// Stacks that took `trusted-ca`, and took `untrusted-ca` too, or were not seen to refuse it.
    let unsure: [HostName: Set<String>]

    init(_ evidence: RunEvidence) {
        ca = evidence.fault == nil ? evidence.header?.ca.sha256 : nil
        var (taking, refusing, takingAny) = (Stacks(), Stacks(), Stacks())
        // Whatever its own profile said: what it was met with stands in the observation.
        let file = CaseFile(profile: Profile(name: ""), runs: [evidence])
        for trial in file.trials {
            for seen in trial.sightings.values.joined() where !seen.stack.isEmpty {
                if seen.showsTrust(of: .trustedCA) { taking[seen.host, default: []].insert(seen.stack) }
                guard seen.attack == .untrustedCA else { continue }
                if seen.outcome == .data { takingAny[seen.host, default: []].insert(seen.stack) }
                // In the company of another refusal only what ended in the handshake counts: that was no spare socket.
                // A run that has its witness is not repeated, so there may be no trial of the host alone.
                if seen.isRefusal, !trial.isInCompany(seen) || !seen.answer.hasFinished {
                    refusing[seen.host, default: []].insert(seen.stack)
                }
            }
        }
        trusting = taking.reduce(into: [:]) { known, one in
            let discerning = one.value.intersection(refusing[one.key] ?? []).subtracting(takingAny[one.key] ?? [])
            if !discerning.isEmpty { known[one.key] = discerning }
        }
        let trusting = self.trusting
        unsure = taking.reduce(into: [:]) { known, one in
            let rest = one.value.subtracting(trusting[one.key] ?? [])
            if !rest.isEmpty { known[one.key] = rest }
        }
    }

    private typealias Stacks = [HostName: Set<String>]
}
