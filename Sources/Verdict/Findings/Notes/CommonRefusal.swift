import Facts
import Policy

/// A refusal that every host shares, controls included, is no pin.
///
/// An untrusted CA explains it, or a rule for all certificates such as Certificate Transparency.
/// Both are possibilities: nothing on the wire tells them from a pin in every host. But what has to be mended first is
/// the same for all of them, and no other control would help.
enum CommonRefusal {
    /// How connections were refused, as far as it can be compared.
    private enum Way: Hashable {
        case alert(UInt8)
        /// Gone in the handshake without an alert.
        case silent
        /// Gone after the handshake without a byte.
        case late
    }

    /// What explains it.
    private enum Cause { case untrustedCA, ruleForAll }

    private struct Common {
        let cause: Cause
        let trusted: Way
        let untrusted: Way
        /// Hosts that nobody pins, in order.
        let controls: [HostName]
    }

    /// What stacks say of an issuer they do not know.
    private static let trustAlerts: Set<UInt8> = [42, 46, 48]

    static func find(_ file: CaseFile, _ review: Review) -> [Finding] {
        guard let common = common(file, review) else { return [] }
        let names = English.some(common.controls.map(\.text))
        let lines = review.trustedSightings.map(\.line)
        switch common.cause {
        case .untrustedCA:
            return [
                Finding(
                    id: "platform-default-refusal", severity: .note,
                    text: "trusted-ca and untrusted-ca were refused alike (\(words(common.trusted))), at \(names) too, "
                        + "which nobody pins: most likely this app does not trust the CA (Android apps ignore the user "
                        + "store by default). Before it does, nobody can see whether there is a pin",
                    evidence: lines)
            ]
        case .ruleForAll:
            return [
                Finding(
                    id: "ct-like-refusal", severity: .note,
                    text: "trusted-ca was refused (\(words(common.trusted))) otherwise than untrusted-ca "
                        + "(\(words(common.untrusted))), and at \(names) too, which nobody pins: the CA may be known and "
                        + "a rule for all certificates may refuse it, as Certificate Transparency does where the CA is "
                        + "in the system's store",
                    evidence: lines)
            ]
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
        guard !controls.isEmpty, controls.allSatisfy({ way(of: $0) == trusted }) else { return nil }
        let hosts = Set(controls.map(\.host)).sorted()
        let isAlike = trusted == untrusted
        guard case .alert(let code) = trusted else {
            // Who says nothing may only have had no use for the connection.
            guard isAlike, hosts.allSatisfy({ refusedByItself($0, file) }) else { return nil }
            return Common(cause: .untrustedCA, trusted: trusted, untrusted: untrusted, controls: hosts)
        }
        if isAlike {
            guard trustAlerts.contains(code) else { return nil }
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
    private static func onlyWay(of review: Review, under attack: AttackID) -> Way? {
        let delivered = review.sightings.filter { $0.attack == attack && $0.wasDelivered }
        guard let first = delivered.first.flatMap(way), delivered.allSatisfy({ way(of: $0) == first }) else {
            return nil
        }
        return first
    }

    private static func way(of sighting: Sighting) -> Way? {
        switch sighting.outcome {
        case .alert: sighting.answer.alert.map { .alert($0.code) }
        case .silent: .silent
        case .post: .late
        default: nil
        }
    }

    private static func words(_ way: Way) -> String {
        switch way {
        case .alert(let code): AlertCode(rawValue: code).description
        case .silent: "closed in the handshake without an alert"
        case .late: "closed after the handshake without a byte"
        }
    }
}
