/// A connection as a stream of bytes each way, whatever carries it; confined to one loop.
///
/// `TCPStream` is the one of today. A connection knows no other kind, so that what is captured transparently, or what a
/// test makes up, can stand in its place.
package protocol ByteStream: AnyObject {
    /// Who is told of what happens; unretained.
    var handler: (any StreamHandler)? { get set }
    /// The peer.
    var address: SocketAddress? { get }
    /// Our own end; nil once it is closed.
    var localAddress: SocketAddress? { get }
    var isOpen: Bool { get }

    /// Begins to hand out what arrives, or goes on after `pause`.
    func resume()
    /// Leaves what arrives with the carrier, which then holds the peer back.
    func pause()

    /// Sends, or keeps what cannot go out yet. The caller holds its source back while `backlog` is large.
    func write(_ bytes: Span<UInt8>)
    /// Bytes that wait to go out.
    var backlog: Int { get }
    /// What the backlog costs in memory, sent bytes that were not dropped yet included.
    var held: Int { get }
    /// Bytes written that the peer's side has not acknowledged, those included that wait here, or were given up when a write
    /// failed; nil where it is not known.
    var unacknowledged: Int? { get }
    /// Bytes that were given to `write` since it began, those included that a broken connection did not take.
    var writtenCount: Int { get }
    /// Of those, what the peer's side has acknowledged; nil where it is not known.
    var acknowledgedCount: Int? { get }

    /// Looks whether a peer that had ended has reset the connection since, as it does where nobody is left to take what it
    /// is sent; `failed` is told then.
    func noticeReset()

    /// Has a peer that is gone without a word noticed in the end, however silent the connection is.
    func noticeLostPeer()

    /// Acknowledges at once what has come and what comes next, where the system can: a peer that waits for that before it sends
    /// its next small segment (Nagle, RFC 9293 §3.7.4) sends it now.
    func acknowledge()

    /// Ends our direction once the backlog is out; reading goes on.
    func end()
    /// Ends both at once; no call of the handler comes after it, and what is in the backlog is lost.
    func close()
    /// Ends both as a fault (RST).
    func reset()
}

extension ByteStream {
    package func noticeLostPeer() {}
    package func acknowledge() {}
    package func noticeReset() {}

    package func write(_ bytes: [UInt8]) { write(bytes.span) }
}

/// What a stream tells its owner; every call comes on the loop's thread.
package protocol StreamHandler: AnyObject {
    func streamConnected(_ stream: any ByteStream)
    /// `bytes` is valid during the call.
    func stream(_ stream: any ByteStream, received bytes: Span<UInt8>)
    /// The peer will send nothing more (FIN).
    func streamReachedEnd(_ stream: any ByteStream)
    /// Connecting failed, or the peer reset the connection. Nothing follows.
    func stream(_ stream: any ByteStream, failed error: SystemError)
    /// The backlog of `write` has gone to the kernel.
    func streamDrained(_ stream: any ByteStream)
}
