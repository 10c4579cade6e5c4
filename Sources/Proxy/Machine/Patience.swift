import Facts

/// How long each stage of a connection may last, and the gate waits for it, in seconds.
enum Patience {
    // A stage's whole time, however its bytes are spread over it.
    /// A client that connected and says nothing, or says it byte by byte; spare sockets of browsers are kept a minute.
    static let request = 60.0
    static let hello = 60.0
    /// A client that says nothing after its tunnel stands may wait for its server to begin; one that has begun what may be
    /// a ClientHello mostly goes on at once (`cutHello` is for those that do not).
    static let silentClient = 0.3
    /// The same before an address is called to which the profile knows another way for a name: a slow device has time to say it.
    static let silentBeforeCall = 2.0
    /// For the rest of what began as a ClientHello within a tunnel: its server has nothing to say before it is whole.
    static let cutHello = 10.0
    /// The first two, while others wait for a place: many times what a slow network needs.
    static let whileOthersWait = 5.0
    /// Names, addresses one after the other, an upstream proxy.
    static let dialing = 60.0
    static let originHandshake = 20.0
    /// To find out who lives at an address: a client that waits for it gives up after 10 s or more.
    static let homeProbe = 5.0
    /// A debugger may hold the client in its certificate check.
    static let clientHandshake = 120.0
    /// A server that says nothing, where an attack asks for one: as long as the patience of common clients (OkHttp 10 s),
    /// and an end for those that have no limit (curl).
    static let silence = 30.0
    /// The same for a request that was seen, from then on, however the client goes on sending (an upload, pings): what it does
    /// later than that is no word about our chain any more.
    static let requestInVain = Observation.closeLimit
    /// For a client that was told the end to close.
    static let drain = 2.0
    /// The same, where it has not taken all yet of what it was told.
    static let drainBacklog = 30.0

    // A time without a byte.
    /// Of these two the debugging proxy knows neither: a person may hold either side for as long as he likes.
    /// Longer than the keep-alive of common clients (OkHttp 5 min, URLSession 6 min).
    static let idle = 900.0
    /// After a request that nobody will answer: what follows it unasked is still seen, such as the body that curl holds back
    /// for a second (`Expect: 100-continue`).
    static let quietAfterRequest = 2.0
    /// For an answer whose end cannot be known, once its client has sent its next request: a server that goes on sending
    /// pauses no longer.
    static let unmeasured = 5.0
    /// For the other side to end as well, once one has.
    static let halfClosed = 30.0

    /// After this long without a byte of data, a finished handshake means neither yes nor no: the judge counts with it.
    static let undecidedAfterFlight = Observation.closeLimit
    /// A connection that has not asked for anything yet shows nothing; this is for one that is just about to.
    static let undecidedBeforeRequest = 2.0
    /// For a request through a tunnel: as long as under attack, or a slow client would only ever be seen there.
    static let undecidedTunnel = 10.0
    /// For all connections together. Each of them decides sooner, but a client left behind may open new ones for ever.
    static let settling = 30.0
}
