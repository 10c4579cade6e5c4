import Facts
import Loop
import Wire

/// What is asked of the proxy itself: under its own names, or at its own address (`OwnSite`).
extension Connection {
    func isForSite(_ host: HostName?) -> Bool { worker.site != nil && OwnSite.isOwn(host) }

    /// Also the proxy's own address where this client has reached it: a browser that uses the proxy asks it for that, too.
    func isForSite(_ request: ProxyRequest) -> Bool {
        guard worker.site != nil, let target = request.target else { return false }
        if OwnSite.isOwn(target.host) { return true }
        guard case .http = request, let local = client.localAddress else { return false }
        return target == local.endpoint
    }

    /// The first line names no server: a browser has opened the proxy's own address.
    var asksProxyItself: Bool {
        guard worker.site != nil, arrival.originalDestination == nil else { return false }
        var reader = SiteRequestReader()
        guard case .complete(let request) = reader.read(intake.pending) else { return false }
        // In the gate what is said in the clear to a host of the profile's is evidence, whoever it reaches.
        if machine.plan.phase != .debugging, let host = request.host, machine.plan.profile.names(host) { return false }
        return OwnSite.isOwnAddress(request.host)
    }

    func askSite() {
        worker.hasAsked(self)
        handle(.siteAsked)
    }

    /// From here on the client is no connection of the proxy's: none that is followed, noted or judged.
    func visitSite() {
        guard let site = worker.site else { return }
        var bytes = intake.pending
        switch intake.request {
        case .connect, .socks: confirm()
        case .http(let plain): bytes = plain.head + bytes
        case .tls, nil: break
        }
        let host = intake.request?.target?.host
        dropKept()
        endUntaken()
        worker.finished(self, nil)
        worker.receive(
            SiteConnection.Visitor(
                stream: client, host: OwnSite.isOwn(host) ? host : nil, place: arrival.place, bytes: bytes,
                hasEnded: machine.ends.client),
            at: site)
    }
}
