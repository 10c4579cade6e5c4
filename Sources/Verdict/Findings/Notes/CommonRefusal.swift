import Facts
import Policy

/// A refusal that every host shares, controls included, is no pin.
///
/// An untrusted CA explains it, or a rule for all certificates such as Certificate Transparency.
/// Both are possibilities: nothing on the wire tells them from a pin in every host. But what has to be mended first is
/// the same for all of them, and no other control would help.
enum CommonRefusal {
    private typealias Common = FindingFact.Common

    /// What stacks say of an issuer they do not know.
    private static let trustAlerts: Set<UInt8> = [42, 46, 48]

    static func find(_ host: HostCase, _ verdict: HostVerdict) -> [Finding] {
        guard let common = common(host.file, host.review) else { return [] }
        let lines = host.review.trustedSightings.map(\.line)
        let fact = FindingFact.proof(.commonRefusal(common))
        return switch common.cause {
        case .untrustedCA:
            [Finding(id: "platform-default-refusal", severity: .note, fact: fact, evidence: lines)]
        case .ruleForAll: [Finding(id: "ct-like-refusal", severity: .note, fact: fact, evidence: lines)]
        }
    }

    /// Hosts that nobody pins, and that refused the CA as this one did, under both of its halves: most likely the app
    /// does not trust the CA. Empty where that is not so.
    static func hostsWithoutTrust(_ file: CaseFile, _ review: Review) -> [HostName] {
        guard let common = common(file, review), case .untrustedCA = common.cause else { return [] }
        return common.controls
    }

    private static func common(_ file: CaseFile, _ review: Review) -> Common? {
        guard let trusted = onlyWay(of: review, under: .trustedCA),
            let untrusted = onlyWay(of: review, under: .untrustedCA)
        else { return nil }
        let controls = file.hosts.filter(file.profile.isControl).sorted().flatMap { host in
            file.sightings(of: host).filter { $0.attack == .trustedCA && $0.wasDelivered }
        }
        guard !controls.isEmpty, controls.allSatisfy({ RefusalWay($0) == trusted }) else { return nil }
        let hosts = Set(controls.map(\.host)).sorted()
        let isAlike = trusted == untrusted
        guard case .alert(let code) = trusted else {
            // Who says nothing may only have had no use for the connection.
            guard isAlike, hosts.allSatisfy({ refusedByItself($0, file) }) else { return nil }
            return Common(cause: .untrustedCA, trusted: trusted, untrusted: untrusted, controls: hosts)
        }
        if isAlike {
            guard trustAlerts.contains(code.rawValue) else { return nil }
        } else {
            guard case .alert = untrusted else { return nil }
        }
        return Common(
            cause: isAlike ? .untrustedCA : .ruleForAll, trusted: trusted, untrusted: untrusted, controls: hosts)
    }

    /// It is used where nobody attacks it, and was closed under `trusted-ca` before any host that is attacked could be the
    /// cause.
    private static func refusedByItself(_ control: HostName, _ file: CaseFile) -> Bool {
        let seen = file.sightings(of: control)
        guard seen.contains(where: \.carriedGenuineData) else { return false }
        return seen.contains { sighting in
            guard sighting.attack == .trustedCA, sighting.isRefusal, let trial = file.trial(sighting.trial) else {
                return false
            }
            return trial.company(of: sighting).allSatisfy(file.profile.isControl)
        }
    }

    /// The one way in which every delivered connection ended.
    private static func onlyWay(of review: Review, under attack: AttackID) -> RefusalWay? {
        let delivered = review.sightings.filter { seen in
            // Another form of an unknown issuer may be told in other words.
            seen.attack == attack && seen.wasDelivered && (attack != .untrustedCA || seen.variant == nil)
        }
        // What nobody but the client could read cannot be compared.
        guard let first = delivered.first.flatMap(RefusalWay.init), first != .unreadable,
            delivered.allSatisfy({ RefusalWay($0) == first })
        else { return nil }
        return first
    }
}
