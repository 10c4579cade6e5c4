import Facts

/// What is known of a connection when its plaintext begins.
///
/// Each plain request of a client, on a kept connection or not, is one of its own, as it is an observation of its own.
package struct ExchangeConnection: Hashable, Sendable {
    /// The observation's.
    package var number: UInt64
    /// Unix seconds, when it was accepted.
    package var accepted: Double
    /// Of `MonotonicClock`, as the times of everything that follows.
    package var began: Double
    package var via: Observation.Via
    package var host: HostName?
    /// What the client asked for; nil where it began with TLS.
    package var target: Endpoint?
    package var client: Endpoint?
    /// Where the profile tells clients apart.
    package var clientName: String?
    /// What the client's TLS agreed on, the attack's doing included; nil in the clear.
    package var negotiated: Negotiated?
    /// What the client's ClientHello said; nil in the clear.
    package var hello: HelloFacts?
    /// A client's own TLS, on its way through: its bytes say nothing but how many there are.
    package var isOpaque = false
    package var origin: Origin
    package var durations: Durations

    /// The other side of it.
    package struct Origin: Hashable, Sendable {
        /// Who was called: the origin, or an upstream proxy in front of it.
        package var address: Endpoint?
        /// The upstream proxy, where there is one.
        package var proxy: Endpoint?
        /// What its TLS agreed on; nil in the clear.
        package var negotiated: Negotiated?
        /// JA4 of the ClientHello that the proxy showed it.
        package var ja4: String?
        /// As it was shown, leaf first.
        package var chain: [CertificateFacts]

        package init(
            address: Endpoint? = nil, negotiated: Negotiated? = nil, ja4: String? = nil, chain: [CertificateFacts] = []
        ) {
            self.address = address
            self.negotiated = negotiated
            self.ja4 = ja4
            self.chain = chain
        }
    }

    /// How long it took to come here, in milliseconds; nil of what there was none of.
    package struct Durations: Hashable, Sendable {
        /// From the name to a TCP connection, through an upstream proxy where there is one. None on a connection that
        /// an earlier request left open.
        package var connect: Double?
        package var originHandshake: Double?
        /// From the forged chain to the client's Finished.
        package var clientHandshake: Double?

        package init(connect: Double? = nil, originHandshake: Double? = nil, clientHandshake: Double? = nil) {
            self.connect = connect
            self.originHandshake = originHandshake
            self.clientHandshake = clientHandshake
        }
    }

    package init(
        number: UInt64, accepted: Double, began: Double, via: Observation.Via, host: HostName?, target: Endpoint? = nil,
        client: Endpoint? = nil, clientName: String? = nil, negotiated: Negotiated? = nil, hello: HelloFacts? = nil,
        origin: Origin = Origin(), durations: Durations = Durations()
    ) {
        self.number = number
        self.accepted = accepted
        self.began = began
        self.via = via
        self.host = host
        self.target = target
        self.client = client
        self.clientName = clientName
        self.negotiated = negotiated
        self.hello = hello
        self.origin = origin
        self.durations = durations
    }

    package var isIntercepted: Bool { negotiated != nil }
    package var alpn: String? { negotiated?.alpn }
}
