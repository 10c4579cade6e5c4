import Facts
import Policy

/// What belongs together of one host that has to refuse: its judge and its rules ask this.
struct HostCase {
    let file: CaseFile
    let rule: HostRule
    let host: HostName
    /// What it did untouched, and under each attack.
    let review: Review
    /// What shows that the app trusts the CA there.
    let controls: TrustControls

    init(_ file: CaseFile, _ rule: HostRule, _ host: HostName, twins: [Twin]) {
        self.file = file
        self.rule = rule
        self.host = host
        review = Review(file, host, expect: .refuse)
        controls = TrustControls(file: file, review: review, twins: twins)
    }

    /// Hosts that took the CA as controls (S2a) where this one refused it, in order.
    var takers: [HostName] {
        let hosts = review.refusingStarts.flatMap { start, stacks in
            stacks.flatMap { controls.controlHosts(of: $0, in: start) }
        }
        return Set(hosts).sorted()
    }
}
