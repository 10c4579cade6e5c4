import Facts
import Policy

/// Which hosts were seen to refuse by themselves, though another one refused before.
///
/// A close without a word behind another host's refusal says nothing. An app that gives up its journey closes what it has
/// opened ahead, one that keeps count of refusals closes what it opens after them, and one that has grown suspicious may look
/// where it never looks else. Starts under `trusted-ca` in the same run, with all but some hosts left alone, show that it does
/// none of this:
///
/// - The hosts before alone were attacked and refused, and this one, opened when they were gone, did what it does untouched
///   (`UsualTraffic`): it *goes on*. One start in which it does not speaks against all in which it does, unless COMMAND failed
///   there, and did not where the same hosts were attacked once more.
/// - This one was attacked, and no other host had refused before: it refuses *by itself*.
///
/// Then a close in company counts where it was opened when they were gone, and they refused as they did in the start that this
/// host went on in, and it as it does by itself; or all of them alike, on one stack.
final class Independence: Sendable {
    /// How a client left a connection that it refused.
    ///
    /// FIN or RST is an accident of what lies unread in its buffer.
    fileprivate struct Fate: Hashable {
        let outcome: Outcome?
        let alert: UInt8?
        let hasFinished: Bool

        init(_ sighting: Sighting) {
            outcome = sighting.outcome
            alert = sighting.answer.alert?.code
            hasFinished = sighting.answer.hasFinished
        }
    }

    /// A host's stack in a run.
    private struct Place: Hashable {
        let run: Int
        let host: HostName
        let stack: String
    }

    /// Of each host that refused, how, and how often.
    fileprivate struct Refusals {
        var fates: Set<Fate> = []
        var stacks: Set<String> = []
        var count = 0
        /// When the last of them was gone.
        var left = -Double.infinity
        /// Some were no refusals.
        var isMixed = false
        /// All got on.
        var areServed = true

        mutating func add(_ sighting: Sighting) {
            fates.insert(Fate(sighting))
            stacks.insert(sighting.stack)
            count += 1
            left = max(left, sighting.left)
            isMixed = isMixed || !sighting.isRefusal
            areServed = areServed && sighting.wasServed
        }
    }

    private typealias Company = [HostName: Refusals]

    /// Behind whose refusals it went on: one for each start.
    private let behind: [Place: [Company]]
    private let byItself: [Place: Set<Fate>]
    private let progress: [TrialKey: [HostName: [(from: Double, sum: Refusals)]]]

    init(_ trials: [TrialFile], _ starts: Starts) {
        let whole = trials.filter(\.isComplete)
        let usual = UsualTraffic(whole, starts)
        var behind: [Place: [Company]] = [:]
        var byItself: [Place: Set<Fate>] = [:]
        var hidden: Set<Place> = []
        // Where COMMAND failed on the way, by what was attacked: another such start may show that it was nothing but that.
        var broken: [Place: Set<Set<HostName>>] = [:]
        var sound: [Place: Set<Set<HostName>>] = [:]
        for trial in whole where trial.beginsAtOnce {
            if trial.isOfTrustedCA {
                for sighting in trial.sightings.values.joined() where sighting.isRefusal && sighting.isIdentified {
                    guard trial.attacks(sighting.host), trial.company(of: sighting).isEmpty else { continue }
                    byItself[Place(run: trial.key.run, host: sighting.host, stack: sighting.stack), default: []]
                        .insert(Fate(sighting))
                }
            }
            guard !trial.only.isEmpty, let refused = Self.refusals(in: trial) else { continue }
            let gone = trial.only.compactMap { trial.sightings[$0]?.map(\.left).max() }.max() ?? .infinity
            for (host, stacks) in usual.stacks(run: trial.key.run) where !trial.only.contains(host) {
                let seen = trial.sightings[host] ?? []
                // What was opened beside them says nothing, and what does not come then speaks against it.
                guard seen.allSatisfy({ $0.observation.at > gone }) else { continue }
                let places = stacks.map { Place(run: trial.key.run, host: host, stack: $0) }
                let hasFailed = starts.hasFailed(trial.end)
                if !usual.isUsual(seen, of: host, run: trial.key.run) {
                    guard hasFailed else { hidden.formUnion(places); continue }
                    for place in places { broken[place, default: []].insert(trial.only) }
                } else if trial.isOfTrustedCA {
                    for place in places { behind[place, default: []].append(refused) }
                    guard !hasFailed else { continue }
                    for place in places { sound[place, default: []].insert(trial.only) }
                }
            }
        }
        self.behind = behind.filter { place, _ in
            !hidden.contains(place) && broken[place, default: []].isSubset(of: sound[place, default: []])
        }
        self.byItself = byItself
        let isOfUse = !self.behind.isEmpty
        progress = whole.reduce(into: [:]) { if isOfUse { $0[$1.key] = Self.progress($1) } }
    }

    /// What the hosts that a trial attacks alone did there; nil unless each of them came, and did nothing but refuse.
    private static func refusals(in trial: TrialFile) -> Company? {
        var company: Company = [:]
        for host in trial.only {
            let seen = trial.sightings[host] ?? []
            guard !seen.isEmpty, seen.allSatisfy(\.isRefusal) else { return nil }
            for sighting in seen { company[host, default: Refusals()].add(sighting) }
        }
        return company
    }

    /// What each attacked host of a trial had done by the time that each of its connections had begun.
    ///
    /// Worked out once for a trial, as an app may try again some thousand times.
    private static func progress(_ trial: TrialFile) -> [HostName: [(from: Double, sum: Refusals)]] {
        trial.sightings.compactMapValues { seen in
            let met = seen.filter { $0.outcome != nil }.sorted { $0.observation.at < $1.observation.at }
            var sum = Refusals()
            let steps = met.map { sighting in
                sum.add(sighting)
                return (from: sighting.observation.at, sum: sum)
            }
            return steps.isEmpty ? nil : steps
        }
    }

    /// The refusal is the host's own, whatever refused before it.
    func isOwn(_ sighting: Sighting, in trial: TrialFile) -> Bool {
        let place = Place(run: trial.key.run, host: sighting.host, stack: sighting.stack)
        guard trial.beginsAtOnce, let starts = behind[place], let alone = byItself[place],
            let progress = progress[trial.key]
        else { return false }
        let fate = Fate(sighting)
        var company: Company = [:]
        var isAlike = true
        for (host, steps) in progress where host != sighting.host {
            guard let met = steps.last(before: sighting.left) else { continue }
            // Controls that got on are nobody's hindrance.
            if met.areServed { continue }
            guard !met.isMixed, met.left < sighting.observation.at else { return false }
            company[host] = met
            isAlike = isAlike && met.stacks == [sighting.stack] && met.fates == [fate]
        }
        // What it did behind more hosts, or more refusals, says nothing of fewer.
        return starts.contains { start in
            start.count == company.count
                && company.allSatisfy { host, met in
                    guard let shown = start[host], shown.count == met.count else { return false }
                    return isAlike || alone.contains(fate) && shown.fates.isSuperset(of: met.fates)
                }
        }
    }

    /// This host went on behind the refusals of all of these.
    func wentOn(_ host: HostName, behind hosts: Set<HostName>, run: Int) -> Bool {
        behind.contains { place, starts in
            place.run == run && place.host == host && starts.contains { hosts.isSubset(of: $0.keys) }
        }
    }
}

extension [(from: Double, sum: Independence.Refusals)] {
    /// What had come to pass of all that had begun by then.
    fileprivate func last(before moment: Double) -> Independence.Refusals? {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].from <= moment { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? self[low - 1].sum : nil
    }
}

extension TrialFile {
    /// `trusted-ca` in its plain form: a cold start of a proof.
    var isPlainColdStart: Bool { attack == .trustedCA && variant == nil && sparedFirst == 0 }

    /// Every connection meets the attack from its beginning, and the app begins anew: no host can have worked before it refuses,
    /// and none can have refused in an earlier start.
    var beginsAtOnce: Bool {
        guard let conduct = AttackCatalogue.form(attack, variant)?.conduct else { return false }
        return sparedFirst == 0 && conduct.onset == .atOnce && !conduct.continuesState && !conduct.failsOthers
            && conduct.answer != .redirect
    }

    /// In its plain form, whether controls were attacked as well or not.
    var isOfTrustedCA: Bool { attack == .trustedCA && (variant == nil || sparesOthers) && sparedFirst == 0 }
}
