import Facts
import Policy

/// Whether clients were sent on to a host in a trial of `redirect`, and since when.
///
/// Without that it is `trusted-ca` under another name.
enum Redirection {
    /// When the proxy first answered a request with a redirect to this host (Unix time); nil where it did not.
    static func moment(of host: HostName, in trial: TrialFile, _ profile: Profile) -> Double? {
        guard trial.reading.occasion == .redirect, let attack = AttackCatalogue.attack(trial.attack) else { return nil }
        let target = AttackCatalogue.form(trial.attack, trial.variant).flatMap { variant in
            Plan(profile: profile, phase: .attack(attack, variant, only: trial.only)).redirectTarget
        }
        return trial.sightings.flatMap { from, seen in
            seen.filter { sighting in
                guard sighting.observation.redirected else { return false }
                // A plain request goes to the same host's https.
                return sighting.observation.action == .forwarded ? from == host : target == host
            }
        }.map(\.observation.at).min()
    }
}
