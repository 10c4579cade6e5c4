import Facts
import Policy

extension CaseFile {
    /// Connections that name no host, to addresses at which this one is known to live.
    func byAddress(_ host: HostName) -> [Sighting] { astray(at: host, homes(of: host)).filter(\.host.isIP) }

    /// What went astray to where the host lives, in the order of trials and lines.
    private func astray(at host: HostName, _ called: Set<Endpoint>) -> [Sighting] {
        astray.filter { called.contains($0.key) || profile.hosts(at: $0.key).contains(host) }.flatMap(\.value)
            .sorted { ($0.trial, $0.line) < ($1.trial, $1.line) }
    }

    /// Data went untouched through a tunnel that was asked for by an address of it and of nobody else that is known, under
    /// another name that nobody reads: while the host was attacked or, by a client that does this only once the host has
    /// answered, in an untouched trial. It may be that name's: who shares an address is not known whole.
    func wentByAddressUnderAnotherName(_ host: HostName) -> [Sighting] {
        let seen = astray(at: host, homes(of: host)).filter { sighting in
            !sighting.host.isIP && sighting.host != host && isNeverRead(sighting.host) && sighting.carriedGenuineData
                && sighting.observation.target?.host.isIP == true
        }
        guard !seen.isEmpty else { return [] }
        let others = hosts.filter { !$0.isIP && $0 != host }
        let shared = others.reduce(into: Set<Endpoint>()) { $0.formUnion(homes(of: $1)) }
        return seen.filter { sighting in
            guard let target = sighting.observation.target else { return false }
            return !shared.contains(target) && profile.hosts(at: target).isSubset(of: [host])
        }.sorted { $0.line < $1.line }
    }

    /// While the host was attacked, more went in the clear to one of its addresses than in any untouched trial: what was refused
    /// by TLS may have left without it.
    ///
    /// At whatever port: what has no TLS around it seldom goes to the port of what has.
    private func isAskedInTheClearByAddress(_ host: HostName, _ called: Set<Endpoint>) -> Bool {
        let addresses = Set(called.map(\.host))
        let plain = astray.filter { addresses.contains($0.key.host) || profile.hosts(at: $0.key).contains(host) }
            .flatMap(\.value).filter { $0.host.isIP && $0.wentInTheClear }
        guard !plain.isEmpty else { return false }
        let asked = plain.byTrial().mapValues(\.count)
        let usual = trials.filter(\.isPassthrough).map { asked[$0.key] ?? 0 }.max() ?? 0
        return trials.contains { $0.attacks(host) && asked[$0.key] ?? 0 > usual }
    }

    /// Where the proxy called it for its name, and where else it was found by that.
    private func homes(of host: HostName) -> Set<Endpoint> {
        var homes: Set<Endpoint> = []
        // Without a copy of any observation: there may be a hundred thousand.
        for trial in trials {
            for sighting in trial.sightings[host] ?? [] where sighting.isIdentified {
                if !sighting.observation.foundAt.isEmpty { homes.formUnion(sighting.observation.foundAt) }
                if let address = sighting.observation.upstream?.address { homes.insert(address) }
            }
        }
        return homes
    }

    /// Nobody knows what is asked there: it is declared never to be touched, or not declared at all.
    private func isNeverRead(_ host: HostName) -> Bool {
        profile.isUndeclared(host) || profile.rule(for: host)?.expect == .tunnel
    }

    /// Data went untouched to where it lives, under a name that says nothing or that nobody knows: to one of its addresses
    /// on a connection that names no host, or through a tunnel that was asked for by its name, with another one in the SNI.
    /// It may have been the host's. In an untouched trial as well: what a client does only once the host has answered is
    /// seen in no other.
    func isReachedUntouchedByAddress(_ host: HostName) -> Bool {
        let called = homes(of: host)
        if isAskedInTheClearByAddress(host, called) { return true }
        return astray.contains { target, seen in
            let isHome = called.contains(target) || profile.hosts(at: target).contains(host)
            guard isHome || target.host == host else { return false }
            return seen.contains { sighting in
                sighting.host != host && sighting.carriedGenuineData
                    && (sighting.host.isIP ? isHome : target.host == host)
            }
        }
    }
}
