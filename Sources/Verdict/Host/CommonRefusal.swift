import Facts
import Policy

/// A refusal that every host shares, controls included, is no pin.
///
/// An untrusted CA explains it, or a rule for all certificates such as Certificate Transparency.
/// Both are notes, and possibilities: nothing on the wire tells them from a pin in every host.
enum CommonRefusal {
    /// What stacks say of an issuer they do not know.
    private static let trustAlerts: Set<UInt8> = [42, 46, 48]

    static func find(_ file: CaseFile, _ review: Review) -> [Finding] {
        guard let trusted = onlyAlert(of: review, under: .trustedCA),
            let untrusted = onlyAlert(of: review, under: .untrustedCA)
        else { return [] }
        let controls = controls(file)
        guard !controls.isEmpty, controls.allSatisfy({ $0.alert?.code == trusted.code }) else { return [] }
        let names = English.some(Set(controls.map(\.host)).sorted().map(\.text))
        let lines = review.trustedSightings.map(\.line)
        if trusted.code == untrusted.code {
            guard trustAlerts.contains(trusted.code) else { return [] }
            return [
                Finding(
                    id: "platform-default-refusal", severity: .note,
                    text: "trusted-ca and untrusted-ca were refused alike (\(trusted.name)), at \(names) too, which "
                        + "nobody pins: most likely this app does not trust the CA (Android apps ignore the user store "
                        + "by default), and this is no pin",
                    evidence: lines)
            ]
        }
        return [
            Finding(
                id: "ct-like-refusal", severity: .note,
                text:
                    "trusted-ca was refused (\(trusted.name)) otherwise than untrusted-ca (\(untrusted.name)), and at "
                    + "\(names) too, which nobody pins: the CA may be known and a rule for all certificates may refuse "
                    + "it, as Certificate Transparency does where the CA is in the system's store",
                evidence: lines)
        ]
    }

    /// The one alert that every delivered connection got as its answer.
    private static func onlyAlert(of review: Review, under attack: AttackID) -> Alert? {
        let delivered = review.sightings.filter { $0.attack == attack && $0.wasDelivered }
        let alerts = delivered.map { $0.outcome == .alert ? Classifier.fatalAlert(of: $0.observation) : nil }
        guard let first = alerts.first ?? nil, alerts.allSatisfy({ $0?.code == first.code }) else { return nil }
        return first
    }

    /// What hosts that nobody pins answered to `trusted-ca`, wherever it was delivered to them.
    private static func controls(_ file: CaseFile) -> [(host: HostName, alert: Alert?)] {
        file.hosts.filter(file.profile.isControl).flatMap { host in
            file.sightings(of: host).filter { $0.attack == .trustedCA && $0.wasDelivered }.map { sighting in
                (host, sighting.outcome == .alert ? Classifier.fatalAlert(of: sighting.observation) : nil)
            }
        }
    }
}
