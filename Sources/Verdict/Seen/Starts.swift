import Facts
import Policy

/// Which cold starts told nothing, because COMMAND failed or never came.
///
/// Such a start is no evidence in either direction, so it may be run again. What it shows is how steady COMMAND is: one that
/// fails under attacks alone is not flaky, but does so because of them.
struct Starts {
    /// Hosts that have to refuse and carried genuine data in some untouched start.
    let working: Set<HostName>
    /// Those of them that the profile requires; before any worked, the ones that it names in full.
    private let expected: Set<HostName>
    /// What COMMAND ends with where all went well: some end with 1 each time.
    private let usualExits: Set<Int>
    /// The starts that told nothing, whether they were run again or not.
    private(set) var fruitless: Set<TrialKey> = []
    /// Those that a later start of the same run repeats.
    private let retried: Set<TrialKey>

    init(_ trials: [TrialFile], _ profile: Profile) {
        let untouched = trials.filter { $0.isPassthrough && $0.isComplete }
        let working = untouched.reduce(into: Set<HostName>()) { working, trial in
            for (host, seen) in trial.sightings
            where profile.role(of: host) == .refuse && seen.contains(where: \.carriedGenuineData) {
                working.insert(host)
            }
        }
        self.working = working
        let required = profile.rules.filter { $0.expect == .refuse && $0.required }
        expected =
            working.isEmpty
            ? Set(required.filter { $0.pattern.scope == .exact }.map(\.pattern.base))
            : working.filter { profile.rule(for: $0)?.required ?? false }
        let expected = self.expected
        usualExits = Set(
            untouched.filter { trial in !working.isEmpty && expected.allSatisfy(trial.worked) }.compactMap(\.end?.exit))
        retried = Set(trials.compactMap { trial in trial.retryOf.map { TrialKey(run: trial.key.run, number: $0) } })
        for trial in trials where isFruitless(trial) { fruitless.insert(trial.key) }
    }

    func wasRetried(_ trial: TrialKey) -> Bool { retried.contains(trial) }

    /// Untouched it carried nothing for the host, and not because that was not there: COMMAND failed, every connection had
    /// reached the genuine server, and the start was run again.
    func isCommandsFailure(_ trial: TrialFile, _ host: HostName) -> Bool {
        guard wasRetried(trial.key), hasFailed(trial.end) else { return false }
        return (trial.sightings[host] ?? []).allSatisfy { seen in
            seen.saidNothing && (!seen.hasHello || seen.observation.serverAnswered)
        }
    }

    /// It ended as no untouched start did in which all went well.
    func hasFailed(_ end: TrialEnd?) -> Bool {
        guard let end else { return false }
        return end.timedOut || end.signal != nil || end.exit.map { $0 != 0 && !usualExits.contains($0) } ?? false
    }

    private func isFruitless(_ trial: TrialFile) -> Bool {
        guard trial.isComplete else { return false }
        let cameNobody = trial.sightings.values.allSatisfy(\.isEmpty)
        guard cameNobody || hasFailed(trial.end) else { return false }
        // What an earlier start left may be all that the app needs.
        if trial.goesOn, !hasFailed(trial.end) { return false }
        if trial.isPassthrough {
            return expected.isEmpty ? cameNobody : expected.contains { !trial.worked($0) }
        }
        return cameNobody || hasMetNothing(trial)
    }

    /// No host that was to be attacked was shown anything, and nothing that was done to another one explains it.
    private func hasMetNothing(_ trial: TrialFile) -> Bool {
        let targets = trial.only.isEmpty ? working : trial.only
        guard !targets.isEmpty, !trial.failsOthers, targets.allSatisfy(trial.showedNothing) else { return false }
        return !trial.sightings.contains { host, seen in
            !targets.contains(host) && seen.contains { $0.isRefusal || $0.isTrust && !$0.wasServed }
        }
    }
}

extension Starts {
    /// Starts that told nothing, more often under attack than chance allows.
    struct Imbalance: Hashable {
        var attacked: Int
        var ofAttacked: Int
        var untouched: Int
        var ofUntouched: Int
    }

    /// A steady app in a flaky environment is called unsteady in one run of a hundred.
    static let chance = 0.01

    /// nil where starts fail untouched as they do under attack, as far as can be told.
    func imbalance(among trials: [TrialFile]) -> Imbalance? {
        let whole = trials.filter(\.isComplete)
        let (untouched, attacked) = (whole.filter(\.isPassthrough), whole.filter { !$0.isPassthrough })
        let failed = { (trials: [TrialFile]) in trials.count { fruitless.contains($0.key) } }
        let seen = Imbalance(
            attacked: failed(attacked), ofAttacked: attacked.count, untouched: failed(untouched),
            ofUntouched: untouched.count)
        return seen.probability <= Self.chance ? seen : nil
    }
}

extension Starts.Imbalance {
    /// That at least so many of the failures fall on attacked starts where it does not matter whether a start is attacked: the
    /// hypergeometric distribution's upper tail (Fisher's exact test, one-sided).
    var probability: Double {
        let failed = attacked + untouched
        guard failed > 0 else { return 1 }
        // From the fewest that can fall there on, each by its ratio to the one before; in proportion is all that is needed.
        var count = max(0, failed - ofUntouched)
        var (weight, tail, all) = (1.0, 0.0, 0.0)
        while true {
            all += weight
            if count >= attacked { tail += weight }
            guard count < min(failed, ofAttacked) else { return tail / all }
            weight *= Double((ofAttacked - count) * (failed - count))
            weight /= Double((count + 1) * (ofUntouched - failed + count + 1))
            count += 1
            if all > 1e250 { (weight, tail, all) = (weight / 1e250, tail / 1e250, all / 1e250) }
        }
    }
}

extension TrialFile {
    fileprivate func worked(_ host: HostName) -> Bool {
        sightings[host]?.contains(where: \.carriedGenuineData) ?? false
    }

    /// All that came to it was gone before it could see anything, or never came so far.
    fileprivate func showedNothing(to host: HostName) -> Bool {
        let seen = sightings[host] ?? []
        // Where it is refused a connection, or TLS, there is nothing else to be seen.
        guard !beginsWithRefusal else { return seen.isEmpty }
        return seen.allSatisfy { $0.saidNothing && grade($0) == nil }
    }

    fileprivate var goesOn: Bool { AttackCatalogue.form(attack, variant)?.conduct.continuesState ?? false }

    private var beginsWithRefusal: Bool {
        guard let conduct = AttackCatalogue.form(attack, variant)?.conduct else { return true }
        return conduct.refusal != nil || conduct.beginsWithOutage || conduct.denialOfTLS != nil
    }
}

extension Sighting {
    /// A connection that says nothing of client, origin or proxy.
    fileprivate var saidNothing: Bool {
        guard observation.error == nil, observation.upstream?.error == nil, !observation.leftOut else { return false }
        return outcome == .early || outcome == nil && !carriedGenuineData && !wentInTheClear
    }
}
