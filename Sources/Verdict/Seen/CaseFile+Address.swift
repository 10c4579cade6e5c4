import Facts
import Policy

extension CaseFile {
    /// While the host was attacked, data went untouched to an address at which it is known to live, on a connection that
    /// names no host: it may have been the host's, whoever else lives there.
    func isReachedUntouchedByAddress(_ host: HostName) -> Bool {
        let called = Set(sightings(of: host).filter(\.isIdentified).compactMap(\.observation.upstream?.address))
        return trials.contains { trial in
            trial.attacks(host)
                && trial.sightings.contains { named, seen in
                    named.isIP
                        && seen.contains { sighting in
                            guard sighting.carriedGenuineData, let target = sighting.observation.target else {
                                return false
                            }
                            return called.contains(target) || profile.hosts(at: target).contains(host)
                        }
                }
        }
    }
}
