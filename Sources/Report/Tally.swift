import Facts
import Verdict

extension AttackTally {
    /// `"3 alert, 1 early"`; of untouched connections the bytes, for they have no outcome.
    var summary: String {
        if attack == .passthrough { return "\(connectionCount), \(byteCounts)" }
        let seen = Outcome.allCases.compactMap { outcome in
            outcomes[outcome].flatMap { $0 > 0 ? "\($0) \(outcome.rawValue)" : nil }
        }
        return seen.isEmpty ? connectionCount : seen.joined(separator: ", ")
    }

    var byteCounts: String { "\(bytesUp) bytes up, \(bytesDown) down" }

    private var connectionCount: String { connections == 1 ? "1 connection" : "\(connections) connections" }

    /// A cell of the outcome matrix: zeros are left empty, so that what happened stands out.
    func cell(_ outcome: Outcome) -> String {
        guard attack != .passthrough, let count = outcomes[outcome], count > 0 else { return "" }
        return "\(count)"
    }

    /// `"certificate_unknown 3, unknown_ca 1"`.
    var alertList: String {
        alerts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    }
}
