import Facts
import Policy

/// Hosts that were contacted and that the profile says nothing of.
enum UndeclaredHosts {
    /// Named in a note; the profile's author wants to see them, and a device can contact hundreds.
    private static let namedAtMost = 10

    static func find(_ file: CaseFile) -> [Finding] {
        let hosts = file.hosts.filter(file.profile.isUndeclared).sorted()
        switch file.profile.others {
        case .accept: return []
        case .report: return hosts.map { reported($0, file) }
        case .tunnel: return noted(hosts, file)
        }
    }

    private static func reported(_ host: HostName, _ file: CaseFile) -> Finding {
        Finding(
            id: "undeclared-host", severity: .warning, fact: .run(.undeclared(host)),
            evidence: file.sightings(of: host).map(\.line), host: host.text)
    }

    /// Those of a domain that is declared apart: they are the app's own.
    private static func noted(_ hosts: [HostName], _ file: CaseFile) -> [Finding] {
        let names = file.profile.rules.map(\.pattern.base) + file.profile.controls.map(\.base)
        let domains = Set(names.compactMap(RegistrableDomain.of))
        let working = hosts.compactMap { host -> (host: HostName, line: Int)? in
            let data = file.sightings(of: host).first { $0.trial.number > 0 && $0.carriedGenuineData }
            return data.map { (host, $0.line) }
        }
        let own = working.filter { RegistrableDomain.of($0.host).map(domains.contains) ?? false }
        let foreign = working.filter { RegistrableDomain.of($0.host).map { !domains.contains($0) } ?? true }
        return [(own, true), (foreign, false)].compactMap { group, isOfDeclaredDomain in
            guard !group.isEmpty else { return nil }
            let told = FindingFact.Undeclared(
                count: group.count, named: group.prefix(namedAtMost).map(\.host),
                isOfDeclaredDomain: isOfDeclaredDomain)
            return Finding(
                id: "undeclared-host", severity: .note, fact: .run(.undeclaredHosts(told)),
                evidence: group.prefix(namedAtMost).map(\.line))
        }
    }
}
