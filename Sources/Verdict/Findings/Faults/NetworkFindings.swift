import Facts
import Policy

/// What a host's flows past the proxy come to: findings, and what they take from a proof.
package enum NetworkFindings {
    /// Their ids; `Report` has the words.
    package static let quic = "quic-seen"
    package static let direct = "direct-connection"
    package static let incomplete = "network-watch-incomplete"
    static let watched = "network-watched"

    /// Whether a proof has a hole because of it, however severe it is: what was not seen cannot be vouched for.
    static func isGap(_ finding: Finding) -> Bool {
        [quic, direct, incomplete].contains(finding.id) && finding.waived == nil
    }

    static func find(_ host: HostCase) -> [Finding] {
        let network = host.file.network
        let flows = network.flows(for: host.host)
        var findings: [Finding] = []
        for (id, transports) in [(quic, [.quic, .udp]), (direct, [.tcp])] as [(String, [NetworkFlow.Transport])] {
            let seen = flows.filter { transports.contains($0.seen.flow.transport) }
            guard let finding = finding(id, seen, host) else { continue }
            findings.append(finding)
        }
        if !network.gaps.isEmpty {
            findings.append(
                Finding(
                    id: incomplete, severity: .warning, fact: .leak(.networkGaps(network.gaps)),
                    evidence: network.gapLines))
        }
        if network.isWatched, findings.isEmpty {
            findings.append(Finding(id: watched, severity: .note, fact: .leak(.networkWatched)))
        }
        return findings
    }

    private static func finding(
        _ id: String, _ seen: [(seen: NetworkReview.SeenFlow, reason: NetworkReview.Reason)], _ host: HostCase
    ) -> Finding? {
        guard let strongest = seen.map(\.reason).min(), let flow = seen.first(where: { $0.reason == strongest }) else {
            return nil
        }
        let trials = Set(host.file.trials.filter { $0.attacks(host.host) }.map(\.key))
        let attacked = seen.filter { trials.contains($0.seen.trial) }
        let what: FindingFact.PastFlows.What =
            id == quic
            ? (seen.contains { $0.seen.flow.transport == .quic } ? .quic : .udp)
            : seen.contains { $0.seen.flow.cleartext } ? .plainTCP : .tcp
        let target: FindingFact.PastFlows.Target =
            switch strongest {
            case .named: .named
            case .address: .address
            case .unknown: .unknown(flow.seen.flow.to)
            }
        return Finding(
            id: id, severity: attacked.isEmpty ? .warning : .error,
            fact: .leak(
                .wentPast(
                    FindingFact.PastFlows(what: what, count: seen.count, target: target, attacked: attacked.count))),
            evidence: seen.map(\.seen.line))
    }
}
