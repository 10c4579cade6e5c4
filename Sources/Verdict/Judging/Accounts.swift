import Facts

/// Settles what a team has said of findings before: waivers first, then the baseline.
struct Accounts {
    /// Run findings that fail a run by themselves.
    static let failing: Set<String> = ["waiver-expired", "new-finding"]

    let waivers: Waivers
    let baseline: Baseline?

    func settle(_ judgement: inout Judgement) {
        // Where no verdict can be given, nothing can be said of findings either.
        guard judgement.fault == nil else { return }
        judgement.hosts = judgement.hosts.map { host in
            var settled = host
            settled.findings = waivers.applied(to: host.findings, at: HostName(host.host))
            if let baseline { settled.findings = baseline.applied(to: settled.findings, at: host.host) }
            return settled
        }
        judgement.findings = judgement.findings.flatMap { finding in
            let waived = waivers.applied(to: [finding], at: finding.host.flatMap { HostName($0) })
            return baseline?.applied(to: waived, at: nil) ?? waived
        }
        let occurring = judgement.located
        judgement.findings += waivers.findings(occurring.map { ($0.finding, $0.host.flatMap { HostName($0) }) })
        if let baseline { judgement.findings += baseline.findings(occurring) }
    }
}
