import Facts
import Policy

/// What concerns the judged runs as a whole.
struct RunFindings {
    let file: CaseFile
    let profileSHA256: String?

    var findings: [Finding] {
        interruption + sameness + UndeclaredHosts.find(file) + AnyCertificate.find(file) + passers
    }

    private var interruption: [Finding] {
        guard !file.runs.isEmpty, !file.isComplete else { return [] }
        return [
            Finding(
                id: "interrupted", severity: .warning,
                text: "the run did not come to its end: what it saw counts as witness, never as proof")
        ]
    }

    private var sameness: [Finding] {
        var findings: [Finding] = []
        let headers = file.runs.compactMap(\.header)
        if Set(headers.map(\.ca.sha256)).count > 1 {
            findings.append(
                Finding(
                    id: "different-ca", severity: .note,
                    text: "the runs used different CAs: a control of one says nothing about another"))
        }
        if let profileSHA256, headers.contains(where: { $0.profileSHA256 != profileSHA256 }) {
            findings.append(
                Finding(
                    id: "profile-changed", severity: .note,
                    text: "the runs were made with another version of the profile than they are judged by"))
        }
        if file.runs.count > 1 {
            findings.append(
                Finding(
                    id: "merged-runs", severity: .note,
                    text: "\(file.runs.count) runs were judged as one; evidence lines are numbered within each"))
        }
        return findings
    }

    /// Flows that no host's verdict speaks of.
    private var passers: [Finding] {
        let refuses = { (host: HostName) in file.profile.role(of: host) == .refuse }
        let idle = file.network.flows.map { ($0.line, $0.flow) }.filter { _, flow in
            !NetworkReview.mayBeAnyones(flow) && !NetworkReview.hosts(of: flow).keys.contains(where: refuses)
        }
        let count = idle.count + file.network.others
        guard count > 0 else { return [] }
        return [
            Finding(
                id: "other-network-flows", severity: .note,
                text: "\(English.count(count, "flow")) past the proxy named other hosts, or went to addresses of none "
                    + "that has to refuse: no verdict rests on them",
                evidence: idle.map(\.0))
        ]
    }
}
