import Facts

/// Applies what a team has said of findings before: waivers first, then the baseline.
struct Accounts {
    /// Run findings that fail a run by themselves.
    static let failing: Set<String> = ["waiver-expired", "new-finding"]

    let waivers: Waivers
    let baseline: Baseline?

    func apply(to judgement: inout Judgement) {
        // Where no verdict can be given, nothing can be said of findings either.
        guard judgement.fault == nil else { return }
        judgement.hosts = judgement.hosts.map { host in
            var marked = host
            marked.findings = waivers.applied(to: host.findings, at: HostName(host.host))
            if let baseline { marked.findings = baseline.applied(to: marked.findings, at: host.host) }
            return marked
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
