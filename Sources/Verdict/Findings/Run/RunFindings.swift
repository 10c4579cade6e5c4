import Facts
import Policy

/// What concerns the judged runs as a whole.
struct RunFindings {
    let file: CaseFile
    let profileSHA256: String?

    var findings: [Finding] {
        interruption + course + sameness + UndeclaredHosts.find(file) + AnyCertificate.find(file) + passers
    }

    private var interruption: [Finding] {
        guard !file.runs.isEmpty, !file.isComplete, file.missingShards.isEmpty else { return [] }
        return [Finding(id: "interrupted", severity: .warning, fact: .run(.interrupted))]
    }

    /// What became of the plan.
    private var course: [Finding] {
        var findings: [Finding] = []
        if let early = file.early {
            findings.append(Finding(id: early.reason.rawValue, severity: .warning, fact: .run(.endedEarly(early))))
        }
        if !file.missingShards.isEmpty {
            findings.append(
                Finding(
                    id: "shard-missing", severity: .warning,
                    fact: .run(.shardsMissing(file.missingShards, plans: file.planCount))))
        } else if file.isShareAlone, let shard = file.runs[0].header?.shard {
            findings.append(Finding(id: "shard", severity: .warning, fact: .run(.shard(shard))))
        }
        if !file.leftOut.isEmpty {
            findings.append(Finding(id: "left-out", severity: .warning, fact: .run(.leftOut(file.leftOut))))
        }
        if let imbalance = file.starts.imbalance(among: file.trials) {
            let told = FindingFact.Unsteady(
                attacked: imbalance.attacked, ofAttacked: imbalance.ofAttacked, untouched: imbalance.untouched,
                ofUntouched: imbalance.ofUntouched)
            findings.append(Finding(id: "fails-under-attack", severity: .warning, fact: .run(.unsteady(told))))
        }
        let faults = file.trials.compactMap { $0.end?.stateFault }
        if let first = faults.first {
            findings.append(
                Finding(
                    id: "state-not-copied", severity: .warning, fact: .run(.stateNotCopied(faults.count, why: first))))
        }
        if !file.retried.isEmpty {
            findings.append(Finding(id: "retried-starts", severity: .note, fact: .run(.retried(file.retried))))
        }
        return findings
    }

    private var sameness: [Finding] {
        var findings: [Finding] = []
        let headers = file.runs.compactMap(\.header)
        if Set(headers.map(\.ca.sha256)).count > 1 {
            findings.append(Finding(id: "different-ca", severity: .note, fact: .run(.differentCAs)))
        }
        if Set(headers.map { Set($0.artefacts.map(\.sha256)) }.filter { !$0.isEmpty }).count > 1 {
            findings.append(Finding(id: "different-builds", severity: .warning, fact: .run(.differentBuilds)))
        }
        if let profileSHA256, headers.contains(where: { $0.profileSHA256 != profileSHA256 }) {
            findings.append(Finding(id: "profile-changed", severity: .note, fact: .run(.profileChanged)))
            if let more = asksForMore(headers) {
                findings.append(Finding(id: "profile-changed", severity: .warning, fact: .run(more)))
            }
        }
        if file.runs.count > 1 {
            findings.append(Finding(id: "merged-runs", severity: .note, fact: .run(.runsMerged(file.runs.count))))
        }
        return findings
    }

    /// What the profile says of a run, and those that are judged by it did not do.
    private func asksForMore(_ headers: [RunHeader]) -> FindingFact.Run? {
        let tried = Set(headers.flatMap(\.attacks))
        let wanted = file.profile.attacks?.attacks.filter { !$0.needsLending }.map(\.id) ?? []
        let lacking = wanted.filter { !tried.contains($0) }
        let counts = headers.map(\.coldStarts)
        let starts = headers.contains { $0.shard != nil } ? counts.min() ?? 0 : counts.reduce(0, +)
        let wantsMore = file.profile.coldStarts.map { $0 > starts } ?? false
        guard !lacking.isEmpty || wantsMore else { return nil }
        return .profileAsksForMore(attacks: lacking, coldStarts: wantsMore ? file.profile.coldStarts : nil)
    }

    /// Flows that no host's verdict speaks of.
    private var passers: [Finding] {
        let refuses = { (host: HostName) in file.profile.role(of: host) == .refuse }
        let idle = file.network.flows.map { ($0.line, $0.flow) }.filter { _, flow in
            !flow.mayBeAnyones && !NetworkReview.hosts(of: flow).keys.contains(where: refuses)
        }
        let count = idle.count + file.network.others
        guard count > 0 else { return [] }
        return [
            Finding(
                id: "other-network-flows", severity: .note, fact: .run(.otherFlows(count)), evidence: idle.map(\.0))
        ]
    }
}
