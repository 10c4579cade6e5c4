import Facts
import Policy

/// From evidence to verdicts: a pure function, the same in the gate, offline and in a test.
///
/// Begin here: runs become a `CaseFile`, each host's judge in `Host/` gives a `HostVerdict`, and `result` sums them up.
package enum Judge {
    /// - Parameters:
    ///   - runs: the runs to judge, as one.
    ///   - others: runs that serve as trust controls only (S2b, `--evidence-from`).
    ///   - profileSHA256: of the given profile's file, to tell when the runs used another.
    ///   - baseline: findings that are known; with it, new ones fail the run.
    package static func judge(
        profile: Profile, runs: [RunEvidence], controlsFrom others: [RunEvidence] = [], profileSHA256: String? = nil,
        baseline: Baseline? = nil
    ) -> Judgement {
        let attribution = Attribution(profile: profile, runs: runs)
        let file = CaseFile(profile: profile, runs: attribution.attributed)
        let fault = fault(of: file)
        let silence = Circumstances.Silence(runs)
        let isByHand = !runs.isEmpty && runs.allSatisfy { $0.header?.isByHand ?? false }
        var hosts: [HostVerdict] = []
        for share in attribution.shares(controls: others) {
            let own = share.client == nil ? file : CaseFile(profile: profile, runs: share.runs)
            let isAbsent = own.trials.allSatisfy(\.sightings.isEmpty)
            hosts += verdicts(own, share.controls.map(Twin.init)).map { verdict in
                var verdict = fault.map { withdrawn(verdict, $0) } ?? verdict
                if verdict.verdict == .notExercised { verdict.seen.silence = silence }
                verdict.seen.isByHand = isByHand
                return share.client.map { Attribution.marked(verdict, $0, isAbsent: isAbsent) } ?? verdict
            }
        }
        var judgement = Judgement(
            result: .invalid, hosts: hosts,
            findings: RunFindings(file: file, profileSHA256: profileSHA256).findings + attribution.findings,
            fault: fault, retried: file.retried, early: fault == nil ? file.early : nil)
        judgement.isEarlyThroughout = file.runs.allSatisfy { $0.early != nil }
        Accounts(waivers: Waivers(file), baseline: baseline).apply(to: &judgement)
        let ofClient = { (client: String?) in
            result(
                of: judgement.hosts.filter { $0.client == client }, isComplete: file.isComplete && !file.isShareAlone,
                fault: fault,
                findings: judgement.findings)
        }
        guard !attribution.clients.isEmpty else {
            judgement.result = ofClient(nil)
            return judgement
        }
        judgement.clients = attribution.clients.map { ClientResult(client: $0, result: ofClient($0)) }
        judgement.result = fault == nil ? Attribution.worst(judgement.clients.map(\.result)) : .invalid
        return judgement
    }

    /// The first that fits wins (docs/verdicts.md, "From evidence to a verdict").
    static func result(
        of hosts: [HostVerdict], isComplete: Bool, fault: String?, findings: [Finding] = []
    ) -> Judgement.Result {
        if fault != nil { return .invalid }
        if hosts.contains(where: { $0.verdict == .notPinned || $0.verdict == .refused }) { return .fail }
        if findings.contains(where: { Accounts.failing.contains($0.id) }) { return .fail }
        let required = hosts.filter(\.required)
        if required.contains(where: { $0.verdict == .invalidEnvironment }) { return .invalid }
        // An error that nobody waived stands in the way of a pass, as it does of a proof.
        guard isComplete, required.allSatisfy({ $0.verdict.isAsExpected && !$0.findings.contains(where: \.isBlocking) })
        else { return .inconclusive }
        // A profile of optional hosts that nobody visited is no pass: silence never is.
        return hosts.contains { $0.verdict.isAsExpected } ? .pass : .inconclusive
    }

    private static func fault(of file: CaseFile) -> String? {
        guard !file.runs.isEmpty else { return "there is no evidence" }
        for (index, run) in file.runs.enumerated() {
            guard let fault = run.fault else { continue }
            return file.runs.count == 1 ? fault : "run \(index + 1): \(fault)"
        }
        return nil
    }

    /// A gate that cannot tell pinned from unpinned gives no verdict at all, not even an obvious one.
    private static func withdrawn(_ verdict: HostVerdict, _ fault: String) -> HostVerdict {
        HostVerdict(
            host: verdict.host, rule: verdict.rule, expect: verdict.expect, required: verdict.required,
            verdict: .invalidEnvironment, reason: .withdrawn(fault), attacks: verdict.attacks)
    }

    private static func verdicts(_ file: CaseFile, _ twins: [Twin]) -> [HostVerdict] {
        // A host that only direct flows name was reached as well, and must not be missing where a wildcard is judged.
        let seen = file.hosts.union(file.network.hosts.filter { file.profile.role(of: $0) == .refuse })
            .sorted()
        var verdicts: [HostVerdict] = []
        for rule in file.profile.rules {
            let hosts =
                rule.pattern.scope == .exact ? [rule.pattern.base] : seen.filter { file.profile.rule(for: $0) == rule }
            verdicts += hosts.map { verdict(file, rule, $0, twins) }
            if hosts.isEmpty {
                let name = rule.pattern.description
                verdicts.append(
                    HostVerdict(
                        host: name, rule: name, expect: rule.expect, required: rule.required, verdict: .notExercised,
                        reason: .nothingMatches))
            }
        }
        if file.profile.others == .accept {
            verdicts += seen.filter(file.profile.isUndeclared).map { AcceptJudge(file, nil, $0).verdict() }
        }
        return verdicts
    }

    private static func verdict(
        _ file: CaseFile, _ rule: HostRule, _ host: HostName, _ twins: [Twin]
    ) -> HostVerdict {
        var verdict =
            switch rule.expect {
            case .refuse: RefuseJudge(HostCase(file, rule, host, twins: twins)).verdict()
            case .accept: AcceptJudge(file, rule, host).verdict()
            case .tunnel: TunnelJudge(file, rule, host).verdict()
            }
        if verdict.verdict == .refusedUnproven || verdict.verdict == .notExercised {
            verdict.seen.contacts = Circumstances.Contacts(file, host)
        }
        return verdict
    }
}

extension VerdictWord {
    /// The three words that a pass is made of.
    var isAsExpected: Bool { self == .provenPinned || self == .accepted || self == .tunnelled }
}

extension Profile {
    /// Neither a rule nor `controls` speaks of it.
    func isUndeclared(_ host: HostName) -> Bool { role(of: host) == .undeclared }
}
