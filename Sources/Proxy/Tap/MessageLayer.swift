import Facts

/// Stands between what one side has said and what the other one is told.
///
/// It is where a debugging proxy rewrites messages.
///
/// The proxy has none of its own, and the gate loads none: what is examined there has to be what the two sides said.
/// A layer is in the way of the bytes, so all that it does not send on is lost; it may send later, from the same loop's
/// thread, as often as it likes. What a tap sees is what was really sent.
package protocol MessageLayer: AnyObject {
    /// Decrypted bytes of one side, in the order of their coming.
    func received(_ bytes: Span<UInt8>, _ direction: ExchangeDirection, _ port: any MessagePort)

    /// This direction ends; what is still kept of it has to be sent before this returns.
    func ended(_ direction: ExchangeDirection, _ port: any MessagePort)
}

/// Where a layer sends what the other side is to be told.
package protocol MessagePort: AnyObject {
    func send(_ bytes: Span<UInt8>, _ direction: ExchangeDirection)
}
