import Facts
import Policy

/// What the watch over the network saw beside the proxy, sorted to hosts.
///
/// docs/verdicts.md, "What does not come through the proxy".
///
/// A flow is no witness: nobody read what it carried, or under which certificate. It only says that what came through
/// the proxy is not all there is.
struct NetworkReview {
    struct SeenFlow {
        let trial: TrialKey
        let line: Int
        let flow: NetworkFlow
    }

    /// Every run watched.
    let isWatched: Bool
    let flows: [SeenFlow]
    /// Flows without a line of their own.
    let others: Int
    /// What the watch missed; empty where it saw all there was.
    let gaps: NetworkGaps
    /// Lines that say so.
    let gapLines: [Int]
    /// Flows that are, or may be, a host's, as indices of `flows`.
    private let byHost: [HostName: [Int: Reason]]
    /// Those that may be anyone's.
    private let unknown: [Int]

    init(_ runs: [RunEvidence]) {
        let watching = runs.map { $0.header?.watchesNetwork == true }
        isWatched = !watching.isEmpty && watching.allSatisfy(\.self)
        var flows: [SeenFlow] = []
        var others = 0
        var gaps = NetworkGaps()
        var faults: Set<String> = []
        var lines: [Int] = []
        for (run, evidence) in runs.enumerated() where watching[run] {
            var ended: Set<Int> = []
            var watched: Set<Int> = []
            for record in evidence.records {
                switch record.record {
                case .flow(let flow):
                    let trial = TrialKey(run: run, number: flow.trial)
                    flows.append(SeenFlow(trial: trial, line: record.line, flow: flow))
                case .networkWatched(let end):
                    watched.insert(end.trial)
                    others += end.others
                    gaps.dropped += end.dropped
                    gaps.untracked += end.untracked
                    if let fault = end.fault { faults.insert(fault) }
                    if !end.isWhole { lines.append(record.line) }
                case .trialEnded(let end): ended.insert(end.trial)
                case .header, .selfTest, .origin, .trialStarted, .connection, .runEnded: continue
                }
            }
            gaps.unwatched += ended.subtracting(watched).count
        }
        self.flows = flows
        var byHost: [HostName: [Int: Reason]] = [:]
        for (index, seen) in flows.enumerated() {
            for (host, reason) in Self.hosts(of: seen.flow) { byHost[host, default: [:]][index] = reason }
        }
        self.byHost = byHost
        unknown = flows.indices.filter { flows[$0].flow.mayBeAnyones }
        self.others = others
        gapLines = lines
        gaps.faults = faults.sorted()
        self.gaps = gaps
    }

    /// How a flow came to be held against a host.
    enum Reason: Int, Comparable {
        /// It names it.
        case named
        /// Its name cannot be read, and it goes to where the host lives.
        case address
        /// Neither its name nor the address is known: no host can be excluded.
        case unknown

        static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
    }

    /// Flows that were, or may have been, for this host.
    func flows(for host: HostName) -> [(seen: SeenFlow, reason: Reason)] {
        let known = byHost[host] ?? [:]
        return (known.keys + unknown).sorted().map { (flows[$0], known[$0] ?? .unknown) }
    }

    /// Hosts that a flow may be for; empty where none can be told.
    static func hosts(of flow: NetworkFlow) -> [HostName: Reason] {
        var hosts: [HostName: Reason] = [:]
        // Behind an outer name (ECH) any host of that address may be meant.
        if flow.host == nil || flow.hidesName { for host in flow.names { hosts[host] = .address } }
        if let host = flow.host { hosts[host] = .named }
        return hosts
    }

    /// Hosts that direct flows name.
    var hosts: Set<HostName> { Set(flows.compactMap(\.flow.host)) }
}
