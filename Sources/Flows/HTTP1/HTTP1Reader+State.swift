import Wire

/// What is known of one request with its answer, and of one direction.
extension HTTP1Reader {
    struct Exchange {
        var number: Int
        var method: HTTPRequestMethod
        /// Of `Upgrade: h2c`: what the client's SETTINGS would say, in base64url (RFC 7540 §3.2.1).
        var settings: String?
        /// Its request is whole.
        var isAsked = false
    }

    /// One direction.
    struct Side {
        var message: HTTPMessageFraming?
        /// Of the head that is being read, or the framing since the last content.
        var held: [UInt8] = []
        /// Bytes of this direction so far.
        var count = 0
        /// The exchange that raw bytes belong to; nil as long as all is well.
        var lost: Int?
        /// From this byte of the direction on.
        var lostAt = 0
    }

    /// Of a request that may be none.
    static let guess =
        "after a refused Expect this was taken for the next request, as it looks like one; if it is the refused "
        + "request's content, what follows is read wrongly (RFC 9110 §10.1.1)"
}
