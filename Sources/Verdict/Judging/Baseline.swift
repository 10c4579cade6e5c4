import Facts
import Policy

/// Findings that are known already: with a baseline only new ones fail a run.
package struct Baseline: Hashable, Sendable {
    package struct Entry: Hashable, Sendable, Comparable {
        /// nil for a finding that no single host has.
        package var host: String?
        package var finding: String

        package init(host: String?, finding: String) {
            self.host = host
            self.finding = finding
        }

        package static func < (a: Self, b: Self) -> Bool {
            (a.host ?? "", a.finding) < (b.host ?? "", b.finding)
        }
    }

    package var entries: Set<Entry>

    package init(_ entries: Set<Entry>) { self.entries = entries }

    /// What a judgement would have to be compared with to show nothing new.
    package init(_ judgement: Judgement) {
        entries = Set(
            judgement.located.filter { Self.counts($0.finding) }.map { Entry(host: $0.host, finding: $0.finding.id) })
    }

    /// Warnings and errors about the app that nobody waived. Notes never, nor what concerns the run itself.
    static func counts(_ finding: Finding) -> Bool {
        finding.severity != .note && finding.waived == nil && FindingCatalogue.kind(finding.id)?.concern != .run
    }

    /// Marks what is known.
    func applied(to findings: [Finding], at host: String?) -> [Finding] {
        findings.map { finding in
            var marked = finding
            let entry = Entry(host: host ?? finding.host, finding: finding.id)
            marked.isKnown = Self.counts(finding) && entries.contains(entry)
            return marked
        }
    }

    /// The run's finding about everything that is new; none where nothing is.
    func findings(_ located: [(host: String?, finding: Finding)]) -> [Finding] {
        let new = Set(
            located.filter { Self.counts($0.finding) && !$0.finding.isKnown }.map {
                Entry(host: $0.host, finding: $0.finding.id)
            }
        ).sorted()
        guard !new.isEmpty else { return [] }
        return [Finding(id: "new-finding", severity: .error, fact: .run(.newFindings(new)))]
    }
}

extension Judgement {
    /// Every finding with the host that it is about.
    var located: [(host: String?, finding: Finding)] {
        findings.map { ($0.host, $0) } + hosts.flatMap { host in host.findings.map { (host.host, $0) } }
    }
}
