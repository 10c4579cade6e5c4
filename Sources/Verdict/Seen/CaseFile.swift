import Facts
import Policy

/// The evidence of one or more runs, sorted by trial and host.
///
/// Begin here to see what the judge looks at: a `TrialFile` a trial, a `Sighting` a connection, a `Review` a host.
struct CaseFile {
    struct Run {
        var header: RunHeader?
        var isComplete: Bool
        var fault: String?
        /// Why it was ended early; nil: it was not.
        var early: EarlyEnd?
        /// As `RunEnd` says it.
        var leftOut: [String]
    }

    let profile: Profile
    let runs: [Run]
    /// By run, then by number.
    let trials: [TrialFile]
    /// Which of them told nothing.
    let starts: Starts
    let network: NetworkReview
    /// Who answered for hosts before the first start; the last run's word.
    let origins: [HostName: OriginSeen]
    /// Hosts that were sent data in an attacked trial and never met in a passthrough; nearly always none.
    let strangers: Set<HostName>
    /// Connections that were asked for by something else than the name they are for, or that name none, by what was asked for;
    /// in the order of trials. Whoever looks for one host's would else go through all of every host.
    let astray: [Endpoint: [Sighting]]

    init(profile: Profile, runs evidence: [RunEvidence]) {
        self.profile = profile
        network = NetworkReview(evidence)
        origins = evidence.reduce(into: [:]) { origins, run in
            for case .origin(let seen) in run.records.lazy.map(\.record) { origins[seen.host] = seen }
        }
        runs = evidence.map { run in
            Run(
                header: run.header, isComplete: run.isComplete, fault: run.fault, early: run.end?.early,
                leftOut: run.end?.leftOut ?? [])
        }
        var files: [TrialKey: TrialFile] = [:]
        var sightings = SightingsByTrial()
        for (run, evidence) in evidence.enumerated() {
            let ends = Self.ends(evidence)
            for record in evidence.records.lazy.map(\.record) {
                guard case .trialStarted(let start) = record else { continue }
                let key = TrialKey(run: run, number: start.trial)
                files[key] = TrialFile(
                    key: key, attack: start.attack, variant: start.variant, only: Set(start.only),
                    sparedFirst: start.sparedFirst, retryOf: start.retryOf, end: ends[start.trial])
            }
            // One trial's connections stand together, as a rule.
            var latest: TrialFile?
            for record in evidence.records {
                // Trial 0 is the self-test's and the debugging proxy's.
                guard case .connection(let observed) = record.record, observed.observation.trial > 0,
                    let host = observed.observation.host
                else { continue }
                let key = TrialKey(run: run, number: observed.observation.trial)
                if key != latest?.key {
                    latest = files[key] ?? TrialFile(key: key, attack: observed.observation.attack ?? .passthrough)
                    files[key] = latest
                }
                guard let file = latest else { continue }
                let sighting = Self.sighting(observed, host, record.line, in: file, profile)
                sightings.add(sighting)
                // Who is asked is what counts: requests for a host that has to refuse, under another one's name.
                for asked in observed.observation.asked where asked != host && profile.role(of: asked) == .refuse {
                    sightings.add(sighting.of(asked))
                }
            }
        }
        var trials = files.values.sorted { $0.key < $1.key }.map { file in
            TrialFile(
                key: file.key, attack: file.attack, variant: file.variant, only: file.only,
                sparedFirst: file.sparedFirst, retryOf: file.retryOf, end: file.end,
                sightings: sightings.take(file.key))
        }
        starts = Starts(trials, profile)
        let independence = Independence(trials, starts)
        for index in trials.indices { trials[index].independence = independence }
        self.trials = trials
        astray = trials.reduce(into: [:]) { astray, trial in
            for seen in trial.sightings.values {
                for sighting in seen {
                    guard sighting.isAstray, let target = sighting.observation.target else { continue }
                    astray[target, default: []].append(sighting)
                }
            }
        }
        let untouched = trials.filter(\.isPassthrough).reduce(into: Set<HostName>()) { $0.formUnion($1.sightings.keys) }
        strangers = trials.filter { !$0.isPassthrough }.reduce(into: []) { strangers, trial in
            for (host, seen) in trial.sightings
            where !untouched.contains(host) && seen.contains(where: \.carriedAnything) { strangers.insert(host) }
        }
    }

    /// The day of the latest run, which waivers are held against; judging again later gives the same answer.
    var today: CalendarDate? { runs.compactMap { $0.header.flatMap { CalendarDate(rfc3339: $0.started) } }.max() }

    /// Why the last of the runs that were ended early was; nil: none was.
    var early: EarlyEnd? { runs.compactMap(\.early).last }

    /// An app that was named as tested can be debugged. Its pins say nothing of those that ship.
    var isOfDebuggable: Bool {
        runs.contains { $0.header?.artefacts.contains { $0.app?.debuggable == true } ?? false }
    }

    /// What no run had the time for.
    var leftOut: [String] { runs.flatMap(\.leftOut) }

    func trial(_ key: TrialKey) -> TrialFile? { trials.first { $0.key == key } }

    /// Cold starts a proof rests on: the most that any of the runs was asked for.
    ///
    /// Shares of one plan add up to what that was asked for; one alone speaks for itself.
    var coldStarts: Int {
        let headers = runs.compactMap(\.header)
        let asked = headers.map { headers.count > 1 ? $0.planColdStarts ?? $0.coldStarts : $0.coldStarts }
        return max(1, asked.max() ?? profile.coldStarts ?? 3)
    }

    /// Every run came to its end, and so did each of its trials: a line that is missing may have said why one counts not.
    var isComplete: Bool {
        !runs.isEmpty && missingShards.isEmpty && runs.allSatisfy(\.isComplete) && trials.allSatisfy { $0.end != nil }
    }

    /// Attacks that the runs set out to try: both halves of the differential always among them, and the control that is
    /// none never.
    var attacks: [AttackID] {
        var ids: Set<AttackID> = [.trustedCA, .untrustedCA]
        for run in runs { ids.formUnion(run.header?.attacks ?? []) }
        ids.remove(.passthrough)
        return AttackCatalogue.inOrder(ids.filter { AttackCatalogue.reading(of: $0, nil).data != .control })
    }

    /// What a host that is to refuse has to be seen refusing, in the catalogue's order.
    func requirements(at host: HostName) -> [Requirement] {
        let headers = runs.compactMap(\.header)
        return headers.reduce(into: Set<Requirement>()) {
            $0.formUnion(Requirement.all(of: $1, at: host, in: profile))
        }.sorted()
    }

    /// Every host that a client named, in any phase.
    var hosts: Set<HostName> { Set(trials.flatMap(\.sightings.keys)) }

    func sightings(of host: HostName) -> [Sighting] { trials.flatMap { $0.sightings[host] ?? [] } }

    private static func isForOthers(_ asked: [HostName], than host: HostName, _ profile: Profile) -> Bool {
        !asked.isEmpty && asked.allSatisfy { $0 != host && !$0.isIP && !profile.isUndeclared($0) }
    }

    private static func ends(_ evidence: RunEvidence) -> [Int: TrialEnd] {
        var ends: [Int: TrialEnd] = [:]
        for case .trialEnded(let end) in evidence.records.lazy.map(\.record) { ends[end.trial] = end }
        return ends
    }

    private static func sighting(
        _ observed: Observed, _ host: HostName, _ line: Int, in trial: TrialFile, _ profile: Profile
    ) -> Sighting {
        // By its parts: a copy of the whole costs as much as all the rest.
        let said = observed.observation.attack
        let named = said == .passthrough ? nil : said
        let attack: AttackID? =
            switch observed.observation.action {
            case .tunnelled, .forwarded: nil
            case .intercepted: named ?? planned(host, trial, profile) ?? trial.attack
            case .none: named ?? planned(host, trial, profile)
            }
        // A COMMAND that is ended by force leaves no picture of a refusal: the gate cuts its connections first.
        // Where the connection says what it met, it says the form as well: hosts that are to accept meet one of their own in
        // every trial.
        let variant =
            attack == nil ? nil : named != nil || attack != trial.attack ? observed.observation.variant : trial.variant
        return Sighting(
            trial: trial.key, line: line, host: host, observed: observed, attack: attack, variant: variant,
            reading: attack ?? .passthrough == trial.attack && variant == trial.variant ? trial.reading : nil,
            isForOthers: isForOthers(observed.observation.asked, than: host, profile))
    }

    /// What a connection for `host` was to meet in the trial, had it come so far.
    private static func planned(_ host: HostName, _ trial: TrialFile, _ profile: Profile) -> AttackID? {
        guard !trial.isPassthrough else { return nil }
        let role = profile.role(of: host)
        guard role == .refuse || !trial.cutsOffOthers else { return nil }
        if role.isControl, trial.probes(host) { return .untrustedCA }
        let isToRefuse = role == .refuse
        guard isToRefuse || !trial.sparesOthers else { return nil }
        // Only whether it is touched depends on the plan; which attack, the trial says (it may be unknown to us).
        let phase = Plan.Phase.attack(.trustedCA, Attack.trustedCA.variants[0], only: trial.only)
        guard Plan(profile: profile, phase: phase).decide(host) != .tunnel else { return nil }
        return isToRefuse ? trial.attack : .trustedCA
    }
}
