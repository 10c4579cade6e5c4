import Facts
import Policy

/// Whether clients were sent on to a host in a trial of `redirect`, and since when.
///
/// Without that it is `trusted-ca` under another name.
enum Redirection {
    /// When the proxy first answered a request with a redirect to this host (Unix time); nil where it did not.
    static func moment(of host: HostName, in trial: TrialFile, _ profile: Profile) -> Double? {
        guard trial.attack == Attack.redirect.id else { return nil }
        let variant = Attack.redirect.variants.first { $0.name == trial.variant }
        let target = variant.flatMap { variant in
            Plan(profile: profile, phase: .attack(.redirect, variant, only: trial.only)).redirectTarget
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
