import Facts
import Policy
import Verdict

/// Something that a build has to answer for: a host that is not as expected, or a finding.
///
/// What code scanning, annotations and a code host's own reports list, all from here. Notes are none, nor are optional
/// hosts that were not met: whoever is alerted has to have something to do.
struct ReportIssue: Hashable {
    enum Level: String, Hashable { case error, warning }

    /// What it says of the build.
    enum Kind: Hashable {
        /// A weakness of the app.
        case weakness
        /// The run, its environment or its profile: nothing that an attacker could use.
        case gate
    }

    var rule: IssueRule
    var level: Level
    var kind: Kind
    /// Host and client; nil where it is about the run.
    var host: String?
    /// The profile's rule that it is about; nil where none is.
    var profileRule: String?
    var message: String
    /// What to do, in a sentence or two.
    var next: String?
    var evidence: [Int]
    var standards: Standards
    var waived: Finding.Waived?
    var isKnown = false
    /// Tells it from every other one of a run, and is the same in the next run.
    var identity = ""

    /// In the order of the hosts, each host's own first.
    static func all(_ input: ReportInput) -> [ReportIssue] {
        let judgement = input.judgement
        var issues: [ReportIssue] = []
        if let fault = judgement.fault { issues.append(.ofRun(fault)) }
        issues += judgement.findings.compactMap { ReportIssue($0, host: nil) }
        for host in judgement.hosts {
            if let issue = ReportIssue(Summary.told(host, in: judgement), in: judgement) { issues.append(issue) }
            issues += host.findings.compactMap { ReportIssue($0, host: host) }
        }
        let isExplained = issues.contains { $0.waived == nil && ($0.level == .error || judgement.result != .fail) }
        if judgement.result != .pass, !isExplained { issues.append(.ofRun(Summary.reason(judgement))) }
        return identified(issues)
    }

    /// The same rule at the same place twice is told apart by its number.
    private static func identified(_ issues: [ReportIssue]) -> [ReportIssue] {
        var counts: [String: Int] = [:]
        return issues.map { issue in
            var issue = issue
            let name = "\(issue.rule.id)@\(issue.host ?? "")"
            counts[name, default: 0] += 1
            let number = counts[name] ?? 1
            issue.identity = number == 1 ? name : "\(name)#\(number)"
            return issue
        }
    }
}

extension ReportIssue {
    private static func ofRun(_ reason: String) -> ReportIssue {
        ReportIssue(
            rule: .noVerdict, level: .error, kind: .gate, message: reason, evidence: [], standards: .none)
    }

    /// nil for a host that is as expected, and for an optional one of which nothing is known.
    private init?(_ host: HostVerdict, in judgement: Judgement) {
        let level: Level
        switch host.standing {
        case .contradicted: level = .error
        case .invalid where host.required: level = .error
        case .unproven where host.required: level = .warning
        case .invalid, .unproven, .met: return nil
        }
        var message = "\(host.label), expected to \(host.expect.rawValue): \(host.verdict.rawValue). \(host.why)"
        if !host.missing.isEmpty {
            message += ". Missing: " + host.missing.map(\.name).joined(separator: ", ")
        }
        // What a witness sent is the place to look at; of anything else, the attacked connections.
        let telling = host.attacks.filter { $0.outcomes[.data, default: 0] > 0 }
        let attacked = host.attacks.filter { $0.attack != .passthrough }
        self.init(
            rule: IssueRule(host), level: level, kind: host.verdict == .notPinned ? .weakness : .gate,
            host: host.label, profileRule: host.rule, message: message,
            next: Advice.steps(for: host, in: judgement).first?.text,
            evidence: (telling.isEmpty ? attacked : telling).flatMap(\.evidence).sorted(), standards: host.standards)
    }

    /// nil for a note.
    private init?(_ finding: Finding, host: HostVerdict?) {
        guard let level = Level(rawValue: finding.severity.rawValue) else { return nil }
        let kind = FindingCatalogue.kind(finding.id)
        let name = host?.label ?? finding.host
        self.init(
            rule: IssueRule(finding, level), level: level, kind: kind?.concern == .app ? .weakness : .gate,
            host: name, profileRule: host?.rule, message: name.map { "\($0): \(finding.text)" } ?? finding.text,
            next: FindingAdvice.text(for: finding.id), evidence: finding.evidence, standards: finding.standards,
            waived: finding.waived, isKnown: finding.isKnown)
    }
}
