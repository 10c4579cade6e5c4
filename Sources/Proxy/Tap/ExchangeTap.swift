import Facts

/// Looks on at what connections carry in the clear, as it passes.
///
/// It is for whoever records or shows exchanges.
///
/// It is called on the loop's thread in the way of the bytes: it must neither block nor throw, it changes nothing, and it
/// keeps what it needs, as the bytes are gone when it returns. Where there is no tap, or it follows a connection not,
/// that connection pays for no more than a test for nil.
///
///     listener = tap?.began(facts)            // intercepted: both handshakes are done; plain: the request is read;
///                                             // let pass: the ClientHello is read
///     listener?.connected(origin, …)          // of a plain request that was told while its origin was called
///     listener?.passed(bytes, .up, at: now)   // decrypted, in the order in which they pass
///     listener?.passed(bytes, .down, at: now)
///     listener?.clientEnded(at: now)          // it says nothing more, and may still read
///     listener?.ended(close, at: now)         // once, last; then the listener is let go of
package protocol ExchangeTap: Sendable {
    /// A connection begins to carry plaintext, or, where it `isOpaque`, what nobody here can read. nil: it is not followed.
    func began(_ connection: ExchangeConnection) -> (any ExchangeListener)?
}

/// Looks on at one connection; lives on its loop.
package protocol ExchangeListener: AnyObject {
    /// - Parameter now: of `MonotonicClock`.
    func passed(_ bytes: Span<UInt8>, _ direction: ExchangeDirection, at now: Double)

    /// The connection began before its origin was there, as a slow one is called: now it is.
    ///
    /// - Parameter took: milliseconds, from the name to the connection.
    func connected(_ origin: ExchangeConnection.Origin, took: Double?, at now: Double)

    /// The client will say nothing more (close_notify, FIN), while the connection goes on: it may still read, or be gone.
    func clientEnded(at now: Double)

    /// - Parameters:
    ///   - close: how it ended, where anybody has closed it.
    ///   - isAnswerLost: of what the client was sent after its own end, some was never taken: it had left.
    func ended(_ close: Observation.Close?, isAnswerLost: Bool, at now: Double)
}

extension ExchangeListener {
    package func connected(_ origin: ExchangeConnection.Origin, took: Double?, at now: Double) {}
}
