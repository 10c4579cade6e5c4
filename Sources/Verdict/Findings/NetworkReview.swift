import Facts
import Policy

/// What the watch over the network saw beside the proxy, sorted to hosts (C11, C12, C16).
///
/// A flow is no witness: nobody read what it carried, or under which certificate. It only says that what came through
/// the proxy is not all there is.
struct NetworkReview {
    struct Sighting {
        let trial: TrialKey
        let line: Int
        let flow: NetworkFlow
    }

    /// Every run watched.
    let isWatched: Bool
    let sightings: [Sighting]
    /// Flows without a line of their own.
    let others: Int
    /// What the watch missed, in words; empty where it saw all there was.
    let gaps: [String]
    /// Lines that say so.
    let gapLines: [Int]
    /// Flows that are, or may be, a host's, as indices of `sightings`.
    private let byHost: [HostName: [Int: Reason]]
    /// Those that may be anyone's.
    private let unknown: [Int]

    init(_ runs: [RunEvidence]) {
        let watching = runs.map { $0.header?.watchesNetwork == true }
        isWatched = !watching.isEmpty && watching.allSatisfy(\.self)
        var sightings: [Sighting] = []
        var (others, dropped, untracked, unwatched) = (0, 0, 0, 0)
        var faults: Set<String> = []
        var lines: [Int] = []
        for (run, evidence) in runs.enumerated() where watching[run] {
            var ended: Set<Int> = []
            var watched: Set<Int> = []
            for record in evidence.records {
                switch record.record {
                case .flow(let flow):
                    let trial = TrialKey(run: run, number: flow.trial)
                    sightings.append(Sighting(trial: trial, line: record.line, flow: flow))
                case .networkWatched(let end):
                    watched.insert(end.trial)
                    others += end.others
                    dropped += end.dropped
                    untracked += end.untracked
                    if let fault = end.fault { faults.insert(fault) }
                    if !end.isWhole { lines.append(record.line) }
                case .trialEnded(let end): ended.insert(end.trial)
                case .header, .selfTest, .trialStarted, .connection, .runEnded: continue
                }
            }
            unwatched += ended.subtracting(watched).count
        }
        self.sightings = sightings
        var byHost: [HostName: [Int: Reason]] = [:]
        for (index, sighting) in sightings.enumerated() {
            for (host, reason) in Self.hosts(of: sighting.flow) { byHost[host, default: [:]][index] = reason }
        }
        self.byHost = byHost
        unknown = sightings.indices.filter { Self.mayBeAnyones(sightings[$0].flow) }
        self.others = others
        gapLines = lines
        var gaps: [String] = []
        if dropped > 0 { gaps.append("\(Claim.count(dropped, "packet")) came too fast to be looked at") }
        if untracked > 0 { gaps.append("\(Claim.count(untracked, "flow")) were too many to follow") }
        if unwatched > 0 { gaps.append("\(Claim.count(unwatched, "trial")) went by unwatched") }
        self.gaps = gaps + faults.sorted()
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
    func flows(for host: HostName) -> [(sighting: Sighting, reason: Reason)] {
        let known = byHost[host] ?? [:]
        return (known.keys + unknown).sorted().map { (sightings[$0], known[$0] ?? .unknown) }
    }

    /// Hosts that a flow may be for; empty where none can be told.
    static func hosts(of flow: NetworkFlow) -> [HostName: Reason] {
        var hosts: [HostName: Reason] = [:]
        // Behind an outer name (ECH) any host of that address may be meant.
        if flow.host == nil || flow.hidesName { for host in flow.names { hosts[host] = .address } }
        if let host = flow.host { hosts[host] = .named }
        return hosts
    }

    /// TCP without a name to an unknown address may be anything; QUIC, and what goes where QUIC goes, may not.
    static func mayBeAnyones(_ flow: NetworkFlow) -> Bool {
        flow.host == nil && flow.names.isEmpty && flow.transport != .tcp
    }

    /// Hosts that direct flows name.
    var hosts: Set<HostName> { Set(sightings.compactMap(\.flow.host)) }
}

/// What a host's flows past the proxy come to: findings, and what they take from a proof.
struct NetworkFindings {
    static let quic = "quic-seen"
    static let direct = "direct-connection"
    static let incomplete = "network-watch-incomplete"
    static let watched = "network-watched"

    let findings: [Finding]

    /// Whether a proof has a hole because of it, however severe it is: what was not seen cannot be vouched for.
    static func isGap(_ finding: Finding) -> Bool {
        [quic, direct, incomplete].contains(finding.id) && finding.waived == nil
    }

    init(_ file: CaseFile, _ host: HostName) {
        let network = file.network
        let flows = network.flows(for: host)
        var findings: [Finding] = []
        for (id, transports) in [(Self.quic, [.quic, .udp]), (Self.direct, [.tcp])]
            as [(String, [NetworkFlow.Transport])]
        {
            let seen = flows.filter { transports.contains($0.sighting.flow.transport) }
            guard let finding = Self.finding(id, seen, file, host) else { continue }
            findings.append(finding)
        }
        if !network.gaps.isEmpty {
            findings.append(
                Finding(
                    id: Self.incomplete, severity: .warning,
                    text: "the network was not watched without gaps: " + Claim.list(network.gaps),
                    evidence: network.gapLines))
        }
        if network.isWatched, findings.isEmpty {
            findings.append(
                Finding(
                    id: Self.watched, severity: .note,
                    text: "the network of the machine that ran the gate was watched: no QUIC and no direct TCP "
                        + "connection to this host was seen on it"))
        }
        self.findings = findings
    }

    private static func finding(
        _ id: String, _ seen: [(sighting: NetworkReview.Sighting, reason: NetworkReview.Reason)], _ file: CaseFile,
        _ host: HostName
    ) -> Finding? {
        guard let strongest = seen.map(\.reason).min(), let flow = seen.first(where: { $0.reason == strongest }) else {
            return nil
        }
        let trials = Set(file.trials.filter { $0.attacks(host) }.map(\.key))
        let attacked = seen.filter { trials.contains($0.sighting.trial) }
        let what =
            id == quic
            ? (seen.contains { $0.sighting.flow.transport == .quic } ? "QUIC (UDP)" : "UDP where QUIC goes")
            : seen.contains { $0.sighting.flow.cleartext } ? "direct TCP, in the clear" : "direct TCP"
        var text = "\(Claim.count(seen.count, "flow")) of \(what) went past the proxy"
        switch strongest {
        case .named: text += " to this host, by the name that was sent"
        case .address: text += " to an address of this host; the name cannot be read"
        case .unknown: text += " to \(flow.sighting.flow.to), which may be this host: its name cannot be read"
        }
        text +=
            attacked.isEmpty
            ? ", while nothing was attacked" : ", \(attacked.count) of them in trials that attack it"
        text += "; whichever program of this machine sent it, nobody saw what it carried, and under which certificate"
        return Finding(
            id: id, severity: attacked.isEmpty ? .warning : .error, text: text, evidence: seen.map(\.sighting.line))
    }
}
