import Facts
import Policy

/// Which hosts were seen to refuse by themselves, though another one refused before.
///
/// A close without a word behind another host's refusal says nothing. An app that gives up its journey closes what it has
/// opened ahead, one that keeps count of refusals closes what it opens after them, and one that has grown suspicious may look
/// where it never looks else. Starts under `trusted-ca` in the same run, with all but some hosts left alone, show that it does
/// none of this:
///
/// - The hosts before alone were attacked and refused, and this one, opened when they were gone, carried genuine data on
///   each of its connections: it *goes on*.
/// - This one was attacked, and no other host had refused before: it refuses *by itself*.
///
/// Then a close in company counts where it was opened when they were gone, and they refused as they did in the start that this
/// host went on in, and it as it does by itself; or all of them alike, on one stack.
final class Independence: Sendable {
    /// How a client left a connection that it refused.
    ///
    /// FIN or RST is an accident of what lies unread in its buffer.
    private struct Fate: Hashable {
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

    /// Of each host that refused, how.
    private typealias Fates = [HostName: Set<Fate>]

    /// Behind whose refusals it went on: one for each start.
    private let behind: [Place: [Fates]]
    private let byItself: [Place: Set<Fate>]

    init(_ trials: [TrialFile]) {
        var behind: [Place: [Fates]] = [:]
        var byItself: [Place: Set<Fate>] = [:]
        for trial in trials where trial.isComplete && trial.isOfTrustedCA {
            for sighting in trial.sightings.values.joined() where sighting.isRefusal && sighting.isIdentified {
                guard trial.attacks(sighting.host), trial.company(of: sighting).isEmpty else { continue }
                byItself[Place(run: trial.key.run, host: sighting.host, stack: sighting.stack), default: []]
                    .insert(Fate(sighting))
            }
            guard !trial.only.isEmpty, let refused = Self.refusals(in: trial) else { continue }
            let gone = trial.only.compactMap { trial.sightings[$0]?.map(\.left).max() }.max() ?? .infinity
            for (host, seen) in trial.sightings where !trial.only.contains(host) {
                let tried = seen.filter(\.isUntouchedAttempt)
                guard tried.count == seen.count, tried.allSatisfy({ $0.carriedGenuineData && $0.isIdentified }) else {
                    continue
                }
                for stack in Set(tried.filter { $0.observation.at > gone }.map(\.stack)) {
                    behind[Place(run: trial.key.run, host: host, stack: stack), default: []].append(refused)
                }
            }
        }
        self.behind = behind
        self.byItself = byItself
    }

    /// What the hosts that a trial attacks alone did there; nil unless each of them came, and did nothing but refuse.
    private static func refusals(in trial: TrialFile) -> Fates? {
        var fates: Fates = [:]
        for host in trial.only {
            let seen = trial.sightings[host] ?? []
            guard !seen.isEmpty, seen.allSatisfy(\.isRefusal) else { return nil }
            fates[host] = Set(seen.map(Fate.init))
        }
        return fates
    }

    /// The refusal is the host's own, whatever refused before it.
    func isOwn(_ sighting: Sighting, in trial: TrialFile) -> Bool {
        let place = Place(run: trial.key.run, host: sighting.host, stack: sighting.stack)
        guard let starts = behind[place], let alone = byItself[place] else { return false }
        let fate = Fate(sighting)
        var company: Fates = [:]
        var isAlike = true
        for (host, seen) in trial.sightings where host != sighting.host {
            let met = seen.filter { $0.outcome != nil && $0.observation.at <= sighting.left }
            // Controls that got on are nobody's hindrance.
            if met.isEmpty || met.allSatisfy(\.wasServed) { continue }
            guard met.allSatisfy({ $0.isRefusal && $0.left < sighting.observation.at }) else { return false }
            company[host] = Set(met.map(Fate.init))
            isAlike = isAlike && company[host] == [fate] && met.allSatisfy { $0.stack == sighting.stack }
        }
        return starts.contains { start in
            company.allSatisfy { host, fates in
                start[host].map { isAlike || alone.contains(fate) && $0.isSuperset(of: fates) } ?? false
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

extension TrialFile {
    /// `trusted-ca` in its plain form: a cold start of a proof.
    var isPlainColdStart: Bool { attack == .trustedCA && variant == nil && sparedFirst == 0 }

    /// In its plain form, whether controls were attacked as well or not.
    var isOfTrustedCA: Bool { attack == .trustedCA && (variant == nil || sparesOthers) && sparedFirst == 0 }
}
