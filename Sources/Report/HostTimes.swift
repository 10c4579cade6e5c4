import Facts
import Verdict

/// How much of a run's time each host took.
///
/// A cold start is there for every host that comes in it, so its seconds are shared out evenly among the judged ones
/// that did. What no judged host came in, the self-test and the time between trials belong to nobody: shares add up to
/// no more than the run.
struct HostTimes {
    private var shares: [JudgedHosts.Key: Double] = [:]

    init(_ input: ReportInput) {
        let hosts = JudgedHosts(input.judgement)
        for run in input.runs {
            var present: [Int: Set<JudgedHosts.Key>] = [:]
            for case .connection(let seen) in run.records.lazy.map(\.record) where seen.observation.trial > 0 {
                present[seen.observation.trial, default: []].formUnion(hosts.keys(of: seen.observation))
            }
            for case .trialEnded(let end) in run.records.lazy.map(\.record) {
                guard let keys = present[end.trial], end.seconds.isFinite, end.seconds > 0 else { continue }
                for key in keys { shares[key, default: 0] += end.seconds / Double(keys.count) }
            }
        }
    }

    func seconds(of host: HostVerdict) -> Double { shares[JudgedHosts.Key(host)] ?? 0 }
}

/// Which verdicts a connection counts for.
struct JudgedHosts {
    /// A host, and whose where clients are told apart.
    struct Key: Hashable {
        let host: String
        let client: String?

        init(_ verdict: HostVerdict) { (host, client) = (verdict.host, verdict.client) }
        fileprivate init(_ host: String, _ client: String?) { (self.host, self.client) = (host, client) }
    }

    private let known: Set<Key>

    init(_ judgement: Judgement) { known = Set(judgement.hosts.map(Key.init)) }

    /// Its host's, and those of hosts that its requests ask.
    ///
    /// - Parameter isNamed: only the host that it was opened to.
    func keys(of seen: Observation, named isNamed: Bool = false) -> Set<Key> {
        var keys: Set<Key> = []
        for host in [seen.host].compactMap(\.self) + (isNamed ? [] : seen.asked) {
            for client in Set([seen.clientName, nil]) {
                let key = Key(host.text, client)
                if known.contains(key) { keys.insert(key) }
            }
        }
        return keys
    }
}
