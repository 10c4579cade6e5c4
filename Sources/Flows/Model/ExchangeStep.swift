import Facts

/// One thing that was read of a connection's exchanges.
///
/// An exchange is a request with all that answers it; what comes in no such form is one as well, from its first byte
/// (`raw`). They are numbered from 0 in the order in which they began on their connection.
package struct ExchangeStep: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// The first byte of a request has come. HTTP/1's alone tells it: its head may take its time.
        case began
        case asked(RequestHead)
        /// An interim answer (1xx).
        case informed(AnswerHead)
        case answered(AnswerHead)
        /// Content, without its framing, before any content coding is removed.
        case content(ExchangeDirection, ArraySlice<UInt8>)
        /// So many bytes of content are missing here: the recorder could not keep up.
        case shed(ExchangeDirection, Int)
        case trailers(ExchangeDirection, [HeaderField])
        /// The message of this direction is whole.
        case ended(ExchangeDirection)
        /// The other side needs no more of the message of this direction: it ends here, and is not whole.
        case cutShort(ExchangeDirection)
        /// It became something else: `101`, or a tunnel by CONNECT.
        case upgraded(to: String)
        case message(ExchangeMessage)
        /// Bytes of no protocol that is known, or of one that has gone wrong.
        case raw(ExchangeDirection, ArraySlice<UInt8>)
        /// From this byte of its direction on, nothing can be read of it; the bytes follow as `raw`.
        ///
        /// Counted from the connection's first, within a WebSocket from the first after the answer. In HTTP/2 it is told
        /// of every exchange that is open, and the bytes follow in one of them.
        case undecodable(ExchangeDirection, at: Int, why: String)
        /// At this byte of its direction there is what may not be there; all of it is read on. Content follows as `raw`.
        case misplaced(ExchangeDirection, at: Int, why: String)
        /// The connection, or the stream, ended in the middle of it.
        ///
        /// `by`: a side that gave up this exchange, as HTTP/2 can, or that said why it ends the connection; nil where the
        /// connection ended.
        case aborted(why: String, by: Leaver? = nil)
    }

    /// Who gave up an exchange of HTTP/2, and how.
    package enum Leaver: Hashable, Sendable {
        /// RST_STREAM of this side.
        case reset(ExchangeDirection)
        /// GOAWAY of this side: it never looked at the exchange.
        case goAway(ExchangeDirection)
        /// GOAWAY of this side with an error, and the end of the connection: it may have looked at the exchange.
        case farewell(ExchangeDirection)
    }

    package var exchange: Int
    /// Of `MonotonicClock`, when the bytes passed.
    package var at: Double
    package var kind: Kind

    package init(_ exchange: Int, at: Double, _ kind: Kind) {
        self.exchange = exchange
        self.at = at
        self.kind = kind
    }
}

/// A message within an exchange: of a WebSocket, an event stream, gRPC.
package struct ExchangeMessage: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable {
        case text, binary, close, ping, pong, event, grpc
    }

    /// Bytes of one message that are kept; the rest is counted. A debugger shows no more of one at once.
    package static let sizeLimit = 16 * 1024 * 1024
    /// Bytes of a name: of a longer one, which nobody listens for, a beginning is kept.
    package static let nameLimit = 1024
    /// Of `size`: the largest that every reader of JSON can tell.
    private static let countLimit = 1 << 53

    package var from: ExchangeDirection
    package var kind: Kind
    /// An event's (`event:` of server-sent events); `end-stream` of the last message of Connect.
    package var name: String?
    /// Without framing; inflated where it was compressed.
    package var data: [UInt8]
    /// Of the data, all that came: more than `data` where a limit cut it, or bytes were shed.
    package var size: Int
    /// The last of it is missing, or it could not be inflated.
    package var isCut: Bool

    package init(
        from: ExchangeDirection, _ kind: Kind, name: String? = nil, _ data: [UInt8], size: Int? = nil,
        isCut: Bool = false
    ) {
        self.from = from
        self.kind = kind
        // By scalars: one character may be a letter with a million accents.
        self.name = name.map { name in
            name.utf8.count > Self.nameLimit
                ? String(String.UnicodeScalarView(name.unicodeScalars.prefix(Self.nameLimit / 4))) : name
        }
        self.data = data
        // Of a file that somebody else has written it may be anything.
        self.size = min(max(size ?? data.count, data.count), Self.countLimit)
        self.isCut = isCut
    }

    /// What it is, for people, with an event's name, which anybody may have written.
    package var label: String { kind.rawValue + (name.map { " " + Printable.escaped($0) } ?? "") }
}

/// What a connection's reader writes its findings into.
package struct ExchangeSteps: Sendable {
    package private(set) var steps: [ExchangeStep] = []
    /// When the bytes at hand passed.
    package var at = 0.0

    package init() {}

    mutating func add(_ exchange: Int, _ kind: ExchangeStep.Kind) {
        steps.append(ExchangeStep(exchange, at: at, kind))
    }

    /// Everything since this was called last.
    package mutating func take() -> [ExchangeStep] {
        defer { steps.removeAll(keepingCapacity: true) }
        return steps
    }
}
