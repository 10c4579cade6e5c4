import Verdict

/// What to do next about one kind of gap, and the hosts that have it.
public struct Advice: Hashable, Sendable {
    /// The word of `missing`, or the verdict where nothing in particular is missing.
    public let topic: String
    public let text: String
    public private(set) var hosts: [String]

    /// What a reader of this judgement should do, in the order of the hosts, each sentence once.
    public static func entries(for judgement: Judgement) -> [Advice] {
        var entries: [Advice] = []
        func add(_ topic: String, _ text: String, _ host: String) {
            if let index = entries.firstIndex(where: { $0.topic == topic && $0.text == text }) {
                if !entries[index].hosts.contains(host) { entries[index].hosts.append(host) }
            } else {
                entries.append(Advice(topic: topic, text: text, hosts: [host]))
            }
        }
        for verdict in Summary.worstFirst(judgement.hosts) where !isUnseenOption(verdict, judgement.result) {
            for step in steps(for: verdict) { add(step.topic, step.text, verdict.label) }
        }
        for finding in judgement.findings where finding.severity != .note && finding.waived == nil {
            guard let text = FindingAdvice.text(for: finding.id) else { continue }
            add(finding.id, text, finding.host ?? "the run")
        }
        return entries
    }

    /// The next steps for one host: by what is missing, else by the verdict; then by what was found besides.
    static func steps(for host: HostVerdict) -> [(topic: String, text: String)] {
        let steps = verdictSteps(for: host)
        var told = Set(host.missing.map(\.name)).union(steps.map(\.topic))
        if host.missing.contains(MissingAdvice.fallback) { told.insert("leak-after-refusal") }
        return steps
            + host.findings.compactMap { finding in
                guard isTold(finding, at: host), !told.contains("finding:\(finding.id)"),
                    let text = FindingAdvice.text(for: finding.id), told.insert(finding.id).inserted
                else { return nil }
                return (finding.id, text)
            }
    }

    /// Notes that explain a refusal are worth a step while the refusal is unproven.
    private static func isTold(_ finding: Finding, at host: HostVerdict) -> Bool {
        finding.waived == nil && (finding.severity != .note || host.standing == .unproven)
    }

    private static func verdictSteps(for host: HostVerdict) -> [(topic: String, text: String)] {
        switch host.standing {
        case .met: []
        case .contradicted:
            host.verdict == .notPinned
                ? WeaknessAdvice.texts(for: host).map { (host.verdict.rawValue, $0) }
                : [(host.verdict.rawValue, MissingAdvice.text(for: host.verdict, host.subtype))]
        case .invalid, .unproven:
            host.missing.isEmpty
                ? [(host.verdict.rawValue, MissingAdvice.text(for: host.verdict, host.subtype))]
                : gaps(of: host)
        }
    }

    /// An optional host that nobody asked for, where all else is proven: there is nothing to do.
    private static func isUnseenOption(_ host: HostVerdict, _ result: Judgement.Result) -> Bool {
        !host.required && host.verdict == .notExercised && result == .pass
    }

    /// All attacks that were not seen refused in one step; an interruption first, for it explains most of the rest.
    private static func gaps(of host: HostVerdict) -> [(topic: String, text: String)] {
        let attacks = host.missing.compactMap(MissingAdvice.unrefused)
        var areTold = false
        var steps: [(topic: String, text: String)] = []
        for missing in host.missing.filter({ $0 == .run }) + host.missing.filter({ $0 != .run }) {
            // The same thing under two names: it is told once.
            if missing == .finding("leak-after-refusal"), host.missing.contains(MissingAdvice.fallback) { continue }
            if MissingAdvice.unrefused(missing) != nil {
                guard !areTold else { continue }
                areTold = true
                steps.append(
                    (attacks.count == 1 ? missing.name : "attacks", MissingAdvice.text(forUnrefused: attacks)))
            } else if missing == .trustControl {
                // Where fewer refused than were asked for, more of them would not help.
                let isSingle = host.coldStarts < 2 && !host.missing.contains(.coldStarts)
                steps.append((missing.name, MissingAdvice.trustControl(needsColdStarts: isSingle)))
            } else {
                steps.append((missing.name, MissingAdvice.text(for: missing)))
            }
        }
        return steps
    }
}
