extension HTTP2Reader {
    /// Streams that are open at once, a few hundred bytes each. Servers allow 100 to 250, load tests ask for thousands;
    /// beyond it the client's direction is raw.
    static let streamLimit = 10_000
    /// SETTINGS that nobody has accepted yet: libnghttp2 ends a connection with more than 1,000 of them.
    static let settingsLimit = 1000

    /// Header fields of one stream, decoded: two heads, interim answers and trailers, sixteen times what servers take.
    static let headLimit = 1024 * 1024
    /// GOAWAYs that refuse no stream, each a look at all that are open: a server says one before it ends, and another one then.
    static let idleGoodbyeLimit = 16
    /// Of all streams that are open, some 1.6 KB of each: a few bytes repeat what a large table holds.
    static let connectionHeadLimit = 16 * 1024 * 1024
}
