import Facts

/// One thing that happened on a connection that is followed.
package struct ExchangeEvent: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// Indirect, as there is one of them to many of the others, which would each be as large.
        indirect case began(ExchangeConnection)
        /// Its origin is there now, of which `began` did not know; milliseconds that took.
        indirect case connected(ExchangeConnection.Origin, took: Double?, at: Double)
        case passed(ExchangeDirection, [UInt8], at: Double)
        /// Of what is opaque: so many bytes have passed, since it began.
        case counted(up: Int, down: Int)
        /// So many bytes of bodies are missing here; the last of them passed at that time.
        case shed(ExchangeDirection, Int, at: Double)
        /// Of this connection nothing follows but its end: after so many bytes in each direction too much had piled up
        /// that could not be left out.
        /// Indirect, as `began` is.
        indirect case cut(up: Int, down: Int, at: Double)
        /// The client says nothing more, and may still read.
        case clientEnded(at: Double)
        /// `isAnswerLost`: the client had ended, and has not taken all that it was sent after that.
        case ended(Observation.Close?, isAnswerLost: Bool, at: Double)
    }

    /// The connection's number.
    package var connection: UInt64
    package var kind: Kind

    package init(_ connection: UInt64, _ kind: Kind) {
        self.connection = connection
        self.kind = kind
    }
}

/// What happened since the last batch was taken: each connection's events in their order.
package struct ExchangeBatch: Sendable {
    package var events: [ExchangeEvent] = []
    /// Connections that began while there was room for nothing, and are not followed.
    package var missed = 0

    package init() {}

    package var isEmpty: Bool { events.isEmpty && missed == 0 }
}
