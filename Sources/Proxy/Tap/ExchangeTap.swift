import Facts

/// Looks on at what connections carry in the clear, as it passes.
///
/// It is for whoever records or shows exchanges.
///
/// It is called on the loop's thread in the way of the bytes: it must neither block nor throw, it changes nothing, and it
/// keeps what it needs, as the bytes are gone when it returns. Where there is no tap, or it follows a connection not,
/// that connection pays for no more than a test for nil.
///
///     listener = tap?.began(facts)            // intercepted: both handshakes are done; plain: the request is read
///     listener?.passed(bytes, .up, at: now)   // decrypted, in the order in which they pass
///     listener?.passed(bytes, .down, at: now)
///     listener?.ended(close, at: now)         // once, last; then the listener is let go of
package protocol ExchangeTap: Sendable {
    /// A connection begins to carry plaintext. nil: it is not followed.
    func began(_ connection: ExchangeConnection) -> (any ExchangeListener)?
}

/// Looks on at one connection; lives on its loop.
package protocol ExchangeListener: AnyObject {
    /// - Parameter now: of `MonotonicClock`.
    func passed(_ bytes: Span<UInt8>, _ direction: ExchangeDirection, at now: Double)

    /// - Parameter close: how it ended, where anybody has closed it.
    func ended(_ close: Observation.Close?, at now: Double)
}

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

    package init(
        number: UInt64, accepted: Double, began: Double, via: Observation.Via, host: HostName?, target: Endpoint? = nil,
        client: Endpoint? = nil, clientName: String? = nil, negotiated: Negotiated? = nil
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
    }

    package var isIntercepted: Bool { negotiated != nil }
    package var alpn: String? { negotiated?.alpn }
}
