/// Looks on at one TCP connection as it is on the wire.
///
/// It is called on the loop's thread in the way of the bytes: it must neither block nor throw, and it keeps what it needs, as
/// the bytes are gone when it returns. A stream without a witness pays for no more than a test for nil.
package protocol StreamWitness: AnyObject {
    /// Bytes have come; whoever handles them does so next.
    func received(_ bytes: Span<UInt8>)
    /// What was received has been handled: whatever it led to at once has been told.
    func settled()
    /// The kernel has taken these bytes; what it has not taken yet is told when it does.
    func sent(_ bytes: Span<UInt8>)
    /// The peer will send nothing more (FIN).
    func peerEnded()
    /// Our own FIN goes out.
    func ended()
    /// The connection broke: most often the peer has reset it.
    func failed(_ error: SystemError)
    /// Last: nothing is told after it.
    ///
    /// - Parameter byReset: the kernel ends it by an RST; otherwise by a FIN, where none has gone out yet.
    func closed(byReset: Bool)
}
