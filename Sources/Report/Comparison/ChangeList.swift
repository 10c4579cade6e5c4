import Facts
import Policy
import Verdict

/// Collects what differs between two runs.
struct ChangeList {
    private(set) var changes: [RunComparison.Change] = []

    mutating func add(
        _ host: String, _ what: String, _ before: String, _ after: String, _ turn: RunComparison.Turn?
    ) {
        guard before != after else { return }
        changes.append(RunComparison.Change(host: host, what: what, before: before, after: after, turn: turn))
    }

    // MARK: the run

    mutating func addRun(_ before: ReportInput, _ after: ReportInput) {
        let (was, now) = (before.judgement.result, after.judgement.result)
        add("", "result", was.rawValue, now.rawValue, direction(rank(was), rank(now)))
        addFindings("", before.judgement.findings, after.judgement.findings)
        add("", "profile", before.profile, after.profile, nil)
        add("", "forging CA", String(before.ca.sha256.prefix(16)), String(after.ca.sha256.prefix(16)), nil)
        add("", "new attacks", none, newOnes(after.attacks, before.attacks), nil)
        add("", "attacks left out", none, newOnes(before.attacks, after.attacks), nil)
        for name in Set(before.labels.keys).union(after.labels.keys).sorted() {
            add("", "label \(name)", before.labels[name] ?? none, after.labels[name] ?? none, nil)
        }
        for file in Set((before.artefacts + after.artefacts).map(\.file)).sorted() {
            let sums = [before, after].map { input in
                input.artefacts.filter { $0.file == file }.map(\.sha256).joined(separator: ", ")
            }
            add("", "artefact \(file)", sums[0].isEmpty ? none : sums[0], sums[1].isEmpty ? none : sums[1], nil)
        }
    }

    private func newOnes(_ attacks: [AttackID], _ others: [AttackID]) -> String {
        let new = attacks.filter { !others.contains($0) }
        return new.isEmpty ? none : new.map(\.rawValue).joined(separator: ", ")
    }

    // MARK: a host

    mutating func addHost(_ name: String, _ was: HostVerdict, _ now: HostVerdict) {
        add(
            name, "verdict", was.verdict.rawValue, now.verdict.rawValue,
            direction(rank(was.standing), rank(now.standing)))
        add(name, "strength", was.strength?.rawValue ?? none, now.strength?.rawValue ?? none, nil)
        add(name, "subtype", was.subtype?.rawValue ?? none, now.subtype?.rawValue ?? none, nil)
        add(name, "missing", missing(was), missing(now), nil)
        for attack in Self.attacks(was, now) {
            let tallies = [was, now].map { $0.attacks.first { $0.attack == attack } }
            // More connections of the same ends are no change; data where there was none is one.
            guard ends(tallies[0]) != ends(tallies[1]) else { continue }
            var turn: RunComparison.Turn?
            if now.expect == .refuse, let one = tallies[0], let other = tallies[1] {
                turn = direction(sent(one) ? 0 : 1, sent(other) ? 0 : 1)
            }
            add(name, "attack \(attack)", words(tallies[0]), words(tallies[1]), turn)
        }
        addFindings(name, was.findings, now.findings)
    }

    /// The set of chains that were met; a server that shows several in turn shows them in any order.
    mutating func addChains(_ name: String, _ before: [GenuineChain], _ after: [GenuineChain]) {
        // A host that was not intercepted shows none: that is no change of its chain.
        guard !before.isEmpty, !after.isEmpty else { return }
        func pins(_ chains: [GenuineChain]) -> String {
            Set(chains.compactMap { $0.certificates.first?.pin }).sorted().joined(separator: ", ")
        }
        func issuers(_ chains: [GenuineChain]) -> String {
            Set(chains.flatMap { $0.certificates.dropFirst().compactMap(\.pin) + [$0.anchorPin].compactMap(\.self) })
                .sorted().joined(separator: ", ")
        }
        func leaves(_ chains: [GenuineChain]) -> String {
            Set(
                chains.compactMap { chain in
                    chain.certificates.first.map { leaf in
                        String(leaf.sha256.prefix(16)) + (leaf.notAfter.map { " (until \($0.prefix(10)))" } ?? "")
                    }
                }
            ).sorted().joined(separator: ", ")
        }
        add(name, "genuine leaf", leaves(before), leaves(after), nil)
        add(name, "genuine leaf's pin", pins(before), pins(after), nil)
        add(name, "genuine issuers' pins", issuers(before), issuers(after), nil)
    }

    private mutating func addFindings(_ name: String, _ before: [Finding], _ after: [Finding]) {
        func key(_ finding: Finding) -> String { "\(finding.host ?? "") \(finding.id)" }
        func counts(_ finding: Finding) -> Bool { finding.severity != .note && finding.waived == nil }
        let (old, new) = (Set(before.map(key)), Set(after.map(key)))
        var told: Set<String> = []
        for finding in after where !old.contains(key(finding)) && told.insert(key(finding)).inserted {
            add(name, "finding", none, finding.id, counts(finding) ? .worse : nil)
        }
        for finding in before where !new.contains(key(finding)) && told.insert(key(finding)).inserted {
            add(name, "finding", finding.id, "gone", counts(finding) ? .better : nil)
        }
    }

    // MARK: words and ranks

    private let none = "–"

    private func missing(_ host: HostVerdict) -> String {
        host.missing.isEmpty ? none : host.missing.map(\.name).joined(separator: ", ")
    }

    private static func attacks(_ was: HostVerdict, _ now: HostVerdict) -> [AttackID] {
        AttackCatalogue.inOrder(Set((was.attacks + now.attacks).map(\.attack)).subtracting([.passthrough]))
    }

    private func ends(_ tally: AttackTally?) -> Set<Outcome>? {
        tally.map { Set($0.outcomes.filter { $0.value > 0 }.keys) }
    }

    private func sent(_ tally: AttackTally) -> Bool { tally.outcomes[.data, default: 0] > 0 }

    static let untried = "not tried"

    private func words(_ tally: AttackTally?) -> String { tally?.summary ?? Self.untried }

    private func rank(_ result: Judgement.Result) -> Int {
        switch result {
        case .fail: 0
        case .invalid, .inconclusive: 1
        case .pass: 2
        }
    }

    private func rank(_ standing: Standing) -> Int {
        switch standing {
        case .contradicted: 0
        case .invalid, .unproven: 1
        case .met: 2
        }
    }

    private func direction(_ before: Int, _ after: Int) -> RunComparison.Turn? {
        before == after ? nil : after > before ? .better : .worse
    }
}
