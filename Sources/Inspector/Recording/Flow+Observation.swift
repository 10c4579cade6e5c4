import Facts
import Flows
import Proxy

extension ConnectionRecorder.Facts {
    init(_ connection: ExchangeConnection) {
        let isTLS = connection.isIntercepted || connection.isOpaque
        self.init(connection: connection.number, scheme: isTLS ? "https" : "http")
        client = Flow.Client(address: connection.client?.description, name: connection.clientName)
        server = Flow.Server(
            host: Self.server(connection.via, connection.host, connection.target)?.text,
            port: connection.target.map { Int($0.port) } ?? (isTLS ? 443 : 80),
            address: connection.origin.address?.description, proxy: connection.origin.proxy?.description)
        timing = FlowTiming(
            connectMS: connection.durations.connect, tlsMS: connection.durations.originHandshake,
            clientTLSMS: connection.durations.clientHandshake)
        guard let negotiated = connection.negotiated else {
            // What a tunnel agrees on is between its ends; how the client begins is plain to see.
            if let hello = connection.hello { tls = FlowTLS(sni: hello.sni?.text, ja4: hello.ja4) }
            return
        }
        tls = FlowTLS(
            version: negotiated.version.flowName, cipher: negotiated.cipher, alpn: negotiated.alpn,
            sni: connection.hello?.sni?.text, ja4: connection.hello?.ja4, upstream: FlowTLS.Upstream(connection.origin))
    }

    /// A plain request goes where its URL says (RFC 9112 §3.2.2), whatever its Host field names.
    fileprivate static func server(_ via: Observation.Via, _ host: HostName?, _ target: Endpoint?) -> HostName? {
        via == .http ? target?.host ?? host : host ?? target?.host
    }
}

extension FlowTLS.Upstream {
    fileprivate init?(_ origin: ExchangeConnection.Origin) {
        guard let negotiated = origin.negotiated else { return nil }
        self.init(
            version: negotiated.version.flowName, cipher: negotiated.cipher, alpn: negotiated.alpn, ja4: origin.ja4,
            chain: origin.chain)
    }
}

extension Flow {
    /// A tunnel or a failure: a connection that carried nothing that could be read. nil: there is nothing to tell.
    init?(_ connection: Observation, id newID: () -> Int64) {
        let failure = FlowFailure(connection, carriedExchange: false)
        let isTunnel = connection.action == .tunnelled && failure == nil
        guard isTunnel || failure != nil else { return nil }
        self.init(
            id: newID(), kind: isTunnel ? .tunnel : .failure, state: isTunnel ? .complete : .aborted,
            started: connection.at)
        self.connection = connection.connection
        client = Client(address: connection.clientEndpoint?.description, name: connection.clientName)
        let isTLS = connection.hello != nil
        server = Server(
            host: ConnectionRecorder.Facts.server(connection.via, connection.host, connection.target)?.text,
            port: connection.target.map { Int($0.port) } ?? (isTLS ? 443 : nil),
            address: connection.upstream?.address?.description, proxy: connection.upstreamProxy?.description)
        self.failure = failure
        durationMS = connection.close?.ms
        if connection.via == .http { scheme = "http" } else if isTLS { scheme = "https" }
        if isTunnel {
            request = FlowSide(body: FlowBody(size: connection.bytesUp))
            response = FlowSide(body: FlowBody(size: connection.bytesDown))
        }
        guard let hello = connection.hello else { return }
        var upstream: FlowTLS.Upstream?
        if let origin = connection.upstream, origin.negotiated != nil || !origin.certificates.isEmpty {
            upstream = FlowTLS.Upstream(
                version: origin.negotiated?.version.flowName, cipher: origin.negotiated?.cipher,
                alpn: origin.negotiated?.alpn, chain: origin.certificates)
        }
        tls = FlowTLS(
            version: connection.negotiated?.version.flowName, cipher: connection.negotiated?.cipher,
            alpn: connection.negotiated?.alpn, sni: hello.sni?.text, ja4: hello.ja4, upstream: upstream)
    }
}

extension TLSVersion {
    /// `TLSv1.3`, as OpenSSL and its users say it.
    fileprivate var flowName: String { self == .ssl3 ? "SSLv3" : "TLSv\(description)" }
}
