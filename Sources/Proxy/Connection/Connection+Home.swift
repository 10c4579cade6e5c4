import Facts
import Loop
import TLS
import Wire

/// Connections that name an address and no host.
extension Connection {
    /// The host that is known to live at the address the client asked for. People who debug see what was asked for.
    func home(of target: Endpoint?) -> HostName? {
        guard let target, target.host.isIP, machine.plan.phase != .debugging else { return nil }
        return worker.homes.host(at: machine.plan.destination(of: target), machine.plan.profile)
    }

    /// Whether the name in its ClientHello may lead a client elsewhere than to the address it asks for. Where that is not called for
    /// it, it hears so at once.
    func mayBeNamed(_ target: Endpoint) -> Bool {
        guard machine.plan.mayBeNamed(target), let address = target.host.address else { return false }
        let isNamed = machine.plan.profile.names(target.host)
        let there = SocketAddress(address, target.port)
        return worker.refusal(of: client.address?.address, to: there, isNamed: isNamed) == nil
    }

    /// Asks who lives at a port of which nobody knows, where a host that has to refuse lives at the same address; the client
    /// waits meanwhile. It is asked once for each port.
    ///
    /// - Returns: false where there is nothing to ask.
    func asksWhoLives(at target: Endpoint?, behind sni: HostName?) -> Bool {
        guard let target, machine.plan.phase != .debugging, machine.plan.concerns(client: machine.clientName) else {
            return false
        }
        let place = machine.plan.destination(of: target)
        guard let neighbours = worker.homes.neighbours(of: place, machine.plan.profile),
            let probe = HomeProbe(
                neighbours, at: now, own: worker.calls, calling: { [unowned self] in callHome(place, $0) },
                session: { [unowned self] in handshakeAtHome(expecting: $0) })
        else { return false }
        homeProbe = probe
        client.pause()
        probe.start { [weak self] answer in
            guard let self else { return }
            homeProbe = nil
            var home: HostName?
            switch answer {
            case .host(let host):
                worker.homes.note(host, at: place)
                home = host
            case .stranger: worker.homes.noteStranger(at: place, among: neighbours)
            case .unknown: break
            }
            client.resume()
            intake.host = ConnectionMachine.host(sni: sni, home: home, target: target)
            notes.host(intake.host)
            handle(.helloRead(sni: sni, home: home))
        }
        return true
    }

    private func callHome(
        _ place: Endpoint, _ done: @escaping (Result<Dialer.Dialed, Dialer.Failure>) -> Void
    ) -> Dialer {
        let source = client.address?.address
        let dialer = Dialer(
            on: worker.loop, target: place, through: upstreamProxy, via: via,
            refusal: { [worker] in worker.refusal(of: source, to: $0, isNamed: false) },
            connecting: worker.ends.map { ends in { ends(.dialed(host: nil, from: $0.endpoint, to: $1.endpoint)) } })
        dialer.start(done)
        return dialer
    }

    private func handshakeAtHome(expecting host: HostName) -> TLSSession? {
        try? worker.origins.own.session(
            sni: nil, verifying: host, alpn: [], maxVersion: intake.hello?.maxVersion ?? .tls12, in: worker.workspace)
    }
}
