import Facts
import Policy
import Verdict

/// What changed from one run to another, and whether it is for the better.
///
/// The page of `pinproof proxy` compares runs by the same rules (`run-changes.js`).
package struct RunComparison: Hashable, Sendable {
    package enum Turn: String, Hashable, Sendable { case worse, better }

    package struct Change: Hashable, Sendable {
        /// `api.example.com (refuse)`; empty for the run as a whole.
        package var host: String
        package var what: String
        package var before: String
        package var after: String
        /// nil: neither.
        package var turn: Turn?
    }

    /// The older run, as it is to be shown.
    package let before: Side
    package let after: Side
    /// The run's own first, then the hosts, those that got worse first; a host's changes beside each other.
    package let changes: [Change]

    package struct Side: Hashable, Sendable {
        package let run: String
        package let result: Judgement.Result
        package let started: String

        init(_ input: ReportInput) {
            run = input.runFolders.joined(separator: ", ")
            result = input.judgement.result
            started = input.started
        }
    }

    package init(from before: ReportInput, to after: ReportInput) {
        self.before = Side(before)
        self.after = Side(after)
        var list = ChangeList()
        list.addRun(before, after)
        let (old, new) = (GenuineChains(before), GenuineChains(after))
        var rest = before.judgement.hosts
        for host in after.judgement.hosts {
            let name = Self.name(of: host)
            guard let index = rest.firstIndex(where: { Self.name(of: $0) == name }) else {
                list.add(name, "host", "not in it", host.verdict.rawValue, nil)
                continue
            }
            let was = rest.remove(at: index)
            list.addHost(name, was, host)
            list.addChains(name, old.chains(of: was), new.chains(of: host))
        }
        for host in rest { list.add(Self.name(of: host), "host", host.verdict.rawValue, "not in it", nil) }
        changes = Self.worstFirst(list.changes)
    }

    package func count(_ turn: Turn) -> Int { changes.count { $0.turn == turn } }

    /// `3 changes: 1 worse, 0 better, 2 neither`.
    package var summary: String {
        guard !changes.isEmpty else { return "nothing changed: the same verdicts, reasons, outcomes and findings" }
        let (worse, better) = (count(.worse), count(.better))
        return "\(English.count(changes.count, "change")): \(worse) worse, \(better) better, "
            + "\(changes.count - worse - better) neither"
    }

    /// By host, in their order.
    package var groups: [(host: String, changes: [Change])] {
        var groups: [(host: String, changes: [Change])] = []
        for change in changes {
            if groups.last?.host == change.host {
                groups[groups.count - 1].changes.append(change)
            } else {
                groups.append((change.host, [change]))
            }
        }
        return groups
    }

    private static func name(of host: HostVerdict) -> String {
        "\(host.client.map { "\($0): " } ?? "")\(host.host) (\(host.expect.rawValue))"
    }

    private static func worstFirst(_ changes: [Change]) -> [Change] {
        var order: [String] = []
        for change in changes where !order.contains(change.host) { order.append(change.host) }
        func rank(_ host: String) -> Int {
            if host.isEmpty { return 0 }
            let turns = changes.filter { $0.host == host }.map(\.turn)
            return turns.contains(.worse) ? 1 : turns.contains(.better) ? 2 : 3
        }
        let hosts = order.enumerated().sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }
        return hosts.flatMap { host in changes.filter { $0.host == host.element } }
    }
}
