import Facts
import Policy

/// From evidence to verdicts: a pure function, the same in the gate, offline and in a test.
public enum Judge {
    /// - Parameters:
    ///   - runs: the runs to judge, as one.
    ///   - others: runs that serve as trust controls only (S2b, `--evidence-from`).
    ///   - profileSHA256: of the given profile's file, to tell when the runs used another.
    public static func judge(
        profile: Profile, runs: [RunEvidence], controlsFrom others: [RunEvidence] = [], profileSHA256: String? = nil
    ) -> Judgement {
        let attribution = Attribution(profile: profile, runs: runs)
        let file = CaseFile(profile: profile, runs: attribution.attributed)
        let fault = fault(of: file)
        var hosts: [HostVerdict] = []
        var clients: [ClientResult] = []
        var results: [Judgement.Result] = []
        for share in attribution.shares(controls: others) {
            let own = share.client == nil ? file : CaseFile(profile: profile, runs: share.runs)
            var verdicts = verdicts(own, share.controls.map(Twin.init))
            if let fault { verdicts = verdicts.map { withdrawn($0, fault) } }
            let result = result(of: verdicts, isComplete: file.isComplete, fault: fault)
            results.append(result)
            if let client = share.client {
                clients.append(ClientResult(client: client, result: result))
                verdicts = verdicts.map { verdict in
                    var verdict = verdict
                    verdict.client = client
                    return verdict
                }
            }
            hosts += verdicts
        }
        return Judgement(
            result: fault == nil ? Attribution.worst(results) : .invalid, hosts: hosts, clients: clients,
            findings: RunFindings(file: file, profileSHA256: profileSHA256).findings + attribution.findings,
            fault: fault)
    }

    /// First match wins (contract, "Exit").
    static func result(of hosts: [HostVerdict], isComplete: Bool, fault: String?) -> Judgement.Result {
        if fault != nil { return .invalid }
        if hosts.contains(where: { $0.verdict == .notPinned || $0.verdict == .refused }) { return .fail }
        let required = hosts.filter(\.required)
        if required.contains(where: { $0.verdict == .invalidEnvironment }) { return .invalid }
        guard isComplete, required.allSatisfy({ $0.verdict.isAsExpected }) else { return .inconclusive }
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
            verdict: .invalidEnvironment, why: fault, attacks: verdict.attacks)
    }

    private static func verdicts(_ file: CaseFile, _ twins: [Twin]) -> [HostVerdict] {
        // A host that only direct flows name was reached as well, and must not be missing where a wildcard is judged.
        let seen = file.hosts.union(file.network.hosts.filter { file.profile.rule(for: $0)?.expect == .refuse })
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
                        why: "no client asked for a host that it matches"))
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
        switch rule.expect {
        case .refuse: RefuseJudge(file, rule, host, twins: twins).verdict()
        case .accept: AcceptJudge(file, rule, host).verdict()
        case .tunnel: TunnelJudge(file, rule, host).verdict()
        }
    }
}

extension VerdictWord {
    /// The three words that a pass is made of.
    var isAsExpected: Bool { self == .provenPinned || self == .accepted || self == .tunnelled }
}

extension Profile {
    /// Neither a rule nor `controls` speaks of it.
    func isUndeclared(_ host: HostName) -> Bool { rule(for: host) == nil && !isControl(host) }
}
