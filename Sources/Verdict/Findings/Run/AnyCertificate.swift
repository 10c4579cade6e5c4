import Facts
import Policy

/// A host that has to work sent data to a server that nobody vouches for.
///
/// Trust controls are shown `untrusted-ca` once in each run. One that takes it takes any certificate: it is no control,
/// and anybody in the network can read what it sends.
enum AnyCertificate {
    static func find(_ file: CaseFile) -> [Finding] {
        file.hosts.filter(file.profile.isControl).sorted().compactMap { host in
            let data = file.sightings(of: host).filter { $0.attack == .untrustedCA && $0.outcome == .data }
            guard !data.isEmpty else { return nil }
            return Finding(
                id: "any-certificate", severity: .warning,
                fact: .run(.tookAnyCertificate(host)),
                evidence: data.map(\.line), host: host.text)
        }
    }
}
