import Facts
import Policy

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
            let seen = flows.filter { transports.contains($0.seen.flow.transport) }
            guard let finding = Self.finding(id, seen, file, host) else { continue }
            findings.append(finding)
        }
        if !network.gaps.isEmpty {
            findings.append(
                Finding(
                    id: Self.incomplete, severity: .warning,
                    text: "the network was not watched without gaps: " + English.list(network.gaps),
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
        _ id: String, _ seen: [(seen: NetworkReview.SeenFlow, reason: NetworkReview.Reason)], _ file: CaseFile,
        _ host: HostName
    ) -> Finding? {
        guard let strongest = seen.map(\.reason).min(), let flow = seen.first(where: { $0.reason == strongest }) else {
            return nil
        }
        let trials = Set(file.trials.filter { $0.attacks(host) }.map(\.key))
        let attacked = seen.filter { trials.contains($0.seen.trial) }
        let what =
            id == quic
            ? (seen.contains { $0.seen.flow.transport == .quic } ? "QUIC (UDP)" : "UDP where QUIC goes")
            : seen.contains { $0.seen.flow.cleartext } ? "direct TCP, in the clear" : "direct TCP"
        var text = "\(English.count(seen.count, "flow")) of \(what) went past the proxy"
        switch strongest {
        case .named: text += " to this host, by the name that was sent"
        case .address: text += " to an address of this host; the name cannot be read"
        case .unknown: text += " to \(flow.seen.flow.to), which may be this host: its name cannot be read"
        }
        text +=
            attacked.isEmpty
            ? ", while nothing was attacked" : ", \(attacked.count) of them in trials that attack it"
        text += "; whichever program of this machine sent it, nobody saw what it carried, and under which certificate"
        return Finding(
            id: id, severity: attacked.isEmpty ? .warning : .error, text: text, evidence: seen.map(\.seen.line))
    }
}
