import Facts

/// One thing that a person sees in a list.
///
/// An exchange, a WebSocket, a tunnel, a connection that failed.
///
/// It is what is kept, shown, filtered and exported (`pinproof.flow/1`); the bytes of its bodies, its messages and its
/// raw bytes are kept beside it. Unknown is nil. Sizes are in bytes, times in milliseconds since `started`.
package struct Flow: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable { case http, websocket, raw, tunnel, failure }

    package enum State: String, Hashable, Sendable, CaseIterable {
        case open, complete
        /// One side left in the middle.
        case aborted
    }

    package struct Client: Hashable, Sendable {
        package var address: String?
        /// Of the profile's `clients:`.
        package var name: String?

        package init(address: String? = nil, name: String? = nil) {
            self.address = address
            self.name = name
        }
    }

    package struct Server: Hashable, Sendable {
        package var host: String?
        package var port: Int?
        /// Who really answered, `203.0.113.7:443`.
        package var address: String?
        /// The upstream proxy that it was called through; then `address` is that one's.
        package var proxy: String?

        package init(host: String? = nil, port: Int? = nil, address: String? = nil, proxy: String? = nil) {
            self.host = host
            self.port = port
            self.address = address
            self.proxy = proxy
        }
    }

    package var id: Int64
    /// The observation's; nil for what was imported.
    package var connection: UInt64?
    /// HTTP/2's.
    package var stream: Int?
    package var kind: Kind
    package var state: State
    /// Unix seconds.
    package var started: Double
    package var durationMS: Double?
    package var client = Client()
    package var server = Server()
    package var scheme: String?
    package var method: String?
    package var url: String?
    package var status: Int?
    /// `HTTP/1.0`, `HTTP/1.1`, `h2`.
    package var version: String?
    package var request: FlowSide?
    package var response: FlowSide?
    /// How many messages there are: of a WebSocket, an event stream, lines of JSON, gRPC.
    package var messages = 0
    /// `graphql:Login`, `grpc:/pkg.Svc/Method`, `sse`.
    package var tags: [String] = []
    package var timing = FlowTiming()
    package var tls: FlowTLS?
    package var failure: FlowFailure?
    package var undecodable: Undecodable?
    /// What a person said of it.
    package var mark: String?
    package var comment: String?

    package struct Undecodable: Hashable, Sendable {
        /// Bytes of its direction before it.
        package var at: Int
        package var why: String

        package init(at: Int, why: String) {
            self.at = at
            self.why = why
        }
    }

    package init(id: Int64, kind: Kind, state: State, started: Double) {
        self.id = id
        self.kind = kind
        self.state = state
        self.started = started
    }

    package func side(_ direction: ExchangeDirection) -> FlowSide? { direction == .up ? request : response }
}

/// What one side said in an exchange: the request, or the answer.
package struct FlowSide: Hashable, Sendable {
    /// The request's, where the flow's URL does not tell it.
    package var target: RequestTarget?
    /// The answer's, where it is not the request's: servers of HTTP/1.0 answer what was asked in HTTP/1.1.
    package var version: String?
    /// The answer's, in HTTP/1.
    package var reason: String?
    /// In the order and with the case in which they came.
    package var headers: [HeaderField]
    package var trailers: [HeaderField]
    package var body: FlowBody?
    /// Interim answers (1xx).
    package var informational: [Interim]

    package struct Interim: Hashable, Sendable {
        package var status: Int
        /// HTTP/1's.
        package var reason: String?
        package var headers: [HeaderField]

        package init(status: Int, reason: String? = nil, headers: [HeaderField]) {
            self.status = status
            self.reason = reason
            self.headers = headers
        }
    }

    package init(
        reason: String? = nil, headers: [HeaderField] = [], trailers: [HeaderField] = [], body: FlowBody? = nil,
        informational: [Interim] = []
    ) {
        self.reason = reason
        self.headers = headers
        self.trailers = trailers
        self.body = body
        self.informational = informational
    }
}

/// A body, without its bytes.
///
/// Sizes and hash are of what was on the wire after the removal of framing, before content decoding.
package struct FlowBody: Hashable, Sendable {
    /// All that came, so far.
    package var size: Int
    package var decodedSize: Int?
    /// Hex, of all that came; nil as long as it is not whole, or where bytes were shed.
    package var sha256: String?
    /// How many bytes of it are kept: less than `size` where a limit cut it, or bytes were shed.
    package var kept: Int
    /// `Content-Encoding`, without `identity`.
    package var encoding: String?
    /// The media type without parameters, in lower case.
    package var type: String?
    /// Bytes that the recorder had to leave out; those after them are kept where it kept up again.
    package var shed: Int

    package init(
        size: Int = 0, decodedSize: Int? = nil, sha256: String? = nil, kept: Int = 0, encoding: String? = nil,
        type: String? = nil, shed: Int = 0
    ) {
        self.size = size
        self.decodedSize = decodedSize
        self.sha256 = sha256
        self.kept = kept
        self.encoding = encoding
        self.type = type
        self.shed = shed
    }

    package var isCut: Bool { kept < size }
}

/// When things happened, in milliseconds.
///
/// Connects and handshakes are durations, and belong to a connection's first flow, which starts after them.
package struct FlowTiming: Hashable, Sendable {
    /// Of what others have recorded: the connection was set up after the flow's start, and so long after it.
    package var blockedMS: Double?
    package var connectMS: Double?
    /// With the origin.
    package var tlsMS: Double?
    package var clientTLSMS: Double?
    /// The request was whole.
    package var sentMS: Double?
    package var firstByteMS: Double?
    package var lastByteMS: Double?

    package init(
        blockedMS: Double? = nil, connectMS: Double? = nil, tlsMS: Double? = nil, clientTLSMS: Double? = nil,
        sentMS: Double? = nil,
        firstByteMS: Double? = nil, lastByteMS: Double? = nil
    ) {
        self.blockedMS = blockedMS
        self.connectMS = connectMS
        self.tlsMS = tlsMS
        self.clientTLSMS = clientTLSMS
        self.sentMS = sentMS
        self.firstByteMS = firstByteMS
        self.lastByteMS = lastByteMS
    }
}

/// What both handshakes agreed on.
///
/// An object, as it never changes and all flows of a connection have the same one: a flow is copied often.
package final class FlowTLS: Hashable, Sendable {
    package struct Upstream: Hashable, Sendable {
        package var version: String?
        package var cipher: String?
        package var alpn: String?
        /// What the proxy itself looked like to the origin.
        package var ja4: String?
        /// What the origin showed, leaf first.
        package var chain: [CertificateFacts]

        package init(
            version: String? = nil, cipher: String? = nil, alpn: String? = nil, ja4: String? = nil,
            chain: [CertificateFacts] = []
        ) {
            self.version = version
            self.cipher = cipher
            self.alpn = alpn
            self.ja4 = ja4
            self.chain = chain
        }
    }

    package let version: String?
    package let cipher: String?
    package let alpn: String?
    package let sni: String?
    package let ja4: String?
    package let upstream: Upstream?

    package init(
        version: String? = nil, cipher: String? = nil, alpn: String? = nil, sni: String? = nil, ja4: String? = nil,
        upstream: Upstream? = nil
    ) {
        self.version = version
        self.cipher = cipher
        self.alpn = alpn
        self.sni = sni
        self.ja4 = ja4
        self.upstream = upstream
    }

    package static func == (a: FlowTLS, b: FlowTLS) -> Bool {
        a === b
            || (a.version, a.cipher, a.alpn, a.sni, a.ja4) == (b.version, b.cipher, b.alpn, b.sni, b.ja4)
                && a.upstream == b.upstream
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine([version, cipher, alpn, sni, ja4])
        hasher.combine(upstream)
    }
}

/// Why there is nothing, or not all, to see.
///
/// In words for people, with one hint that can be followed.
package struct FlowFailure: Hashable, Sendable {
    package enum ID: String, Hashable, Sendable, CaseIterable {
        case clientRefusedCertificate = "client-refused-certificate"
        /// It may pin, or may have had no use for the connection.
        case clientClosedAfterHandshake = "client-closed-after-handshake"
        case clientGone = "client-gone"
        case clientNotTLS = "client-not-tls"
        case clientNoCommonParameters = "client-no-common-parameters"
        case originUnreachable = "origin-unreachable"
        case originNameNotFound = "origin-name-not-found"
        case originRefused = "origin-refused"
        case originCertificate = "origin-certificate"
        case originClosed = "origin-closed"
        case originReset = "origin-reset"
        case originTimeout = "origin-timeout"
        case proxyLimit = "proxy-limit"
        case proxyLoop = "proxy-loop"
        case proxyForbidden = "proxy-forbidden"
    }

    package enum Leg: String, Hashable, Sendable, CaseIterable { case client, origin, proxy }

    package var id: ID
    package var leg: Leg
    /// `unknown_ca`: the alert's registered name.
    package var alert: String?
    package var text: String
    package var hint: String?

    package init(_ id: ID, leg: Leg, alert: String? = nil, text: String, hint: String? = nil) {
        self.id = id
        self.leg = leg
        self.alert = alert
        self.text = text
        self.hint = hint
    }
}

/// One message of a flow, with its place in it.
package struct FlowMessage: Hashable, Sendable {
    /// From 0, over both directions.
    package var index: Int
    package var atMS: Double
    package var message: ExchangeMessage

    package init(index: Int, atMS: Double, _ message: ExchangeMessage) {
        self.index = index
        self.atMS = atMS
        self.message = message
    }
}

extension Flow {
    /// What its connection went on with is content of this direction (RFC 9110 §15.2.2, or CONNECT of HTTP/1): of a protocol that
    /// nobody has read, and none that the request or its answer had.
    package func isOfAnotherProtocol(_ direction: ExchangeDirection) -> Bool {
        guard kind == .http, stream == nil else { return false }
        guard status == 101 || method == "CONNECT" && (200..<300).contains(status ?? 0) else { return false }
        return direction == .down || request?.headers.announceContent != true
    }

    /// Its message of this direction broke off, or is still coming: what there is of its body is a beginning.
    ///
    /// Of what other programs have recorded it may not be known when it ended, and a body that is measured did. A server of
    /// HTTP/2 may answer before it has the whole request, and take no more of it (RFC 9113 §8.1): the exchange is complete then.
    package func isUnfinished(_ direction: ExchangeDirection) -> Bool {
        let isRefusedInTheMiddle = direction == .up && stream != nil && timing.firstByteMS != nil
        guard state != .complete || isRefusedInTheMiddle, kind == .http, !isOfAnotherProtocol(direction),
            let side = side(direction),
            side.body != nil || side.headers.announceContent, side.body?.decodedSize == nil
        else { return false }
        return (direction == .up ? timing.sentMS : timing.lastByteMS) == nil
    }
}

extension [HeaderField] {
    /// They say that there is content, if empty (RFC 9112 §6.3).
    package var announceContent: Bool {
        contains { $0.isNamed("content-length") && $0.value != "0" || $0.isNamed("transfer-encoding") }
    }
}
