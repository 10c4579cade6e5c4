/// Everything that was noted of one connection from a client, however it ended.
///
/// Facts only: what they mean is decided by `Verdict`. Times ending in `ms` count from `at`, when it was accepted.
package struct Observation: Hashable, Sendable, Codable {
    /// How the client reached the proxy.
    package enum Via: String, Sendable, Codable { case connect, socks5, tls, http, unknown }

    /// What the proxy did with it.
    package enum Action: String, Sendable, Codable {
        /// Bytes copied untouched.
        case tunnelled
        /// TLS terminated under a forged (or, in `wrong-key`, stolen) chain.
        case intercepted
        /// Plain HTTP forwarded.
        case forwarded
        /// Ended before it was decided, or turned away.
        case none
    }

    /// What was wrong with a connection's credentials where clients are told by them.
    package enum Credentials: String, Sendable, Codable {
        /// It was asked for some, and gave none.
        case missing
        /// They are no client's.
        case unknown
    }

    /// What went wrong, for those who explain it; the evidence says it in words (`error`).
    package enum Fault: Hashable, Sendable {
        case originNameNotFound, originUnreachable, originRefused, originTimeout
        /// Its chain does not verify.
        case originCertificate
        /// It refused our handshake, or we its.
        case originHandshake
        case originClosed, originReset
        /// The proxy does not call this address for this client, or does not serve the client.
        case proxyForbidden
        case proxyLoop
        case proxyLimit
        /// What the client sent has no form that can be followed.
        case unreadable
    }

    /// The origin's side of an intercepted connection.
    package struct Upstream: Hashable, Sendable, Codable {
        package var address: Endpoint?
        package var negotiated: Negotiated?
        /// The origin's chain verified against the system's roots plus the profile's, for the right host.
        package var verified: Bool
        /// SHA-256 (hex) of each certificate the origin showed, leaf first.
        package var chain: [String]
        /// SHA-256 (base64) of each certificate's SPKI, leaf first; up to the trust anchor where the chain verified.
        package var spki: [String]
        /// It asked us for a client certificate, and we have none.
        package var asksForCertificate: Bool
        /// Why the origin could not be used.
        package var error: String?
        /// What `chain` consists of. In a file of evidence only the first line of each chain says it.
        package var certificates: [CertificateFacts] = []

        package init(
            address: Endpoint? = nil, negotiated: Negotiated? = nil, verified: Bool = false, chain: [String] = [],
            spki: [String] = [], asksForCertificate: Bool = false, error: String? = nil
        ) {
            self.address = address
            self.negotiated = negotiated
            self.verified = verified
            self.chain = chain
            self.spki = spki
            self.asksForCertificate = asksForCertificate
            self.error = error
        }
    }

    /// Our handshake flight with the certificate: when it was sent, and whether it arrived.
    ///
    /// It was sent when it was handed to the kernel; it arrived when the client's side acknowledged all of it (send queue
    /// empty when the client's next event, or its close, was seen).
    package struct Flight: Hashable, Sendable, Codable {
        package var ms: Double
        package var delivered: Bool

        package init(ms: Double, delivered: Bool) {
            self.ms = ms
            self.delivered = delivered
        }
    }

    /// Header of a TLS record the client sent after our flight.
    package struct Record: Hashable, Sendable, Codable {
        package var type: UInt8
        package var length: Int

        package init(type: UInt8, length: Int) {
            self.type = type
            self.length = length
        }

        /// Of application data, by its type, and too long for an alert or a KeyUpdate. In TLS 1.3 a Finished is one.
        package var isLong: Bool { type == 23 && length > 40 }
    }

    /// A beginning without its end, with the bytes that came of it.
    package enum Unfinished: Hashable, Sendable {
        case clientHello(bytes: Int)
        /// To the proxy itself: of HTTP (CONNECT, say) or SOCKS.
        case request(bytes: Int)
    }

    /// The first application bytes, redacted: enough to recognise a request, not to read it.
    package struct FirstBytes: Hashable, Sendable, Codable {
        /// `"http/1 GET"`, `"h2 preface"`, `"18 bytes"`.
        package var shape: String
        /// SHA-256 (hex) of the bytes it was made from (at most 64).
        package var sha256: String

        package init(shape: String, sha256: String) {
            self.shape = shape
            self.sha256 = sha256
        }
    }

    /// A client that closes later than this after our flight, in seconds, may have kept the connection for use. The gate
    /// waits as long before it ends one, and the judge counts with that.
    package static let closeLimit = 10.0

    /// The `error` of a plain exchange whose origin went on behind its answer.
    package static let overrun = "the origin said more than its answer; the rest was not passed on"

    package struct Close: Hashable, Sendable, Codable {
        package enum Side: String, Sendable, Codable {
            case client, origin
            /// Ended by the proxy: a fault, a limit, or the client was turned away.
            case proxy
            /// Ended by the gate, because the trial was over or its command had to be ended.
            case gate
        }

        package enum Kind: String, Sendable, Codable {
            case closeNotify = "close_notify"
            case fin
            case rst
            case timeout
            case aborted
            /// A plain request and its answer are whole, and the client's connection goes on to its next request.
            case kept
        }

        package var by: Side
        package var how: Kind
        package var ms: Double
        /// What came over TLS after its handshake could not be read, in OpenSSL's words: from the origin where it is the one that
        /// closed, else from the client. The proxy has ended the connection for it. Not a part of the evidence.
        package var unreadable: String?

        enum CodingKeys: CodingKey { case by, how, ms }

        package init(by: Side, how: Kind, ms: Double) {
            self.by = by
            self.how = how
            self.ms = ms
        }
    }

    /// Counts connections of one process from 1.
    package var connection: UInt64
    /// The trial it was accepted in; 0 in the debugging proxy and in the self-test.
    package var trial: Int
    /// When it was accepted, Unix seconds.
    package var at: Double
    /// Where the client's connection came from.
    package var clientEndpoint: Endpoint?
    /// Which of the profile's `clients:` it is; nil where there are none, or it is none of them.
    package var clientName: String?
    /// nil where nothing was wrong with them.
    package var credentials: Credentials?
    package var via: Via
    /// What the client asked for by CONNECT, SOCKS or absolute URL.
    package var target: Endpoint?
    /// Which host it is for: the SNI, else the CONNECT (SOCKS) name, else the IP.
    package var host: HostName?
    package var hello: HelloFacts?
    /// When the whole ClientHello had come; nil without one, and in older evidence.
    package var helloMS: Double?
    package var action: Action
    package var attack: AttackID?
    package var variant: String?
    package var upstream: Upstream?
    /// SHA-256 (hex) of each certificate presented, in order.
    package var presented: [String]
    /// In what the presented chain, and the server's manners, differ from the genuine ones that they were to be like: short
    /// words, sorted. Empty where they do not, where nothing was to be alike, and in older evidence.
    package var unlike: [String]
    package var negotiated: Negotiated?
    /// Every address that was found for the host's name when the proxy called it, where there was more than the one that was
    /// called, or an upstream proxy called it; empty in older evidence.
    package var foundAt: [Endpoint]
    /// Hosts whose answers were read on connections without a pin (intercepted, or plain HTTP) and named a pin of this host, up to
    /// now in this run: one of the profile's, or the hash of a certificate or key of the genuine chain. Empty in older
    /// evidence.
    package var pinsServedBy: [HostName]
    /// Intercepted, and not attacked after all: the CA may not sign this form of the attack for this host.
    package var leftOut: Bool
    /// Intercepted though its origin could not be had (`upstream.error`): the client was shown a chain all the same, and is read
    /// by the proxy alone. That it refuses proves nothing, as it may have met another server's manners; that it sends data does.
    /// False in older evidence.
    package var isStoodIn: Bool
    package var resumed: Bool
    package var flight: Flight?
    package var finishedMS: Double?
    package var alerts: [Alert]
    /// At most `Observation.recordLimit`, the first ones.
    package var records: [Record]
    /// What the client sent under its keys behind its own alert, where that is more than alerts: bytes of the records that were
    /// kept of it. Nobody read them.
    package var behindAlert: Int
    /// Intercepted: decrypted application bytes. Tunnelled: raw bytes after the CONNECT.
    package var bytesUp: Int
    package var bytesDown: Int
    /// What the client said in the clear in its tunnel before its ClientHello (STARTTLS), in bytes; not in `bytesUp`.
    package var clearUp: Int
    package var first: FirstBytes?
    /// All application bytes so far were an HTTP/2 connection preface and control frames.
    package var prefaceOnly: Bool
    /// A plain request that asks whether there is a network, and carries nothing of the app's (`Wire.ReachabilityProbe`).
    package var isProbe: Bool
    /// Tunnelled TLS: the opaque test saw a request and an answer (see `Wire.OpaqueDataTest`).
    package var passthroughData: Bool
    /// Tunnelled TLS: the client sent application data, whether anybody answered it or not; false in older evidence.
    package var clientAsked: Bool
    /// Tunnelled TLS: requests that were answered, as far as lengths and directions of records show them.
    package var requests: Int
    /// Intercepted: whom its requests ask (Host, or HTTP/2's `:authority`), where that is not simply `host`; one of them may be `host`.
    package var asked: [HostName]
    /// Intercepted: HTTP status of the first answer, where it is HTTP/1.
    package var status: Int?
    /// When the first bytes of that answer were relayed to the client; nil where no status was read, and in older evidence.
    package var statusMS: Double?
    /// The proxy answered with a redirect of its own.
    package var redirected: Bool
    /// Tunnelled TLS: the origin's ServerHello was seen.
    package var serverAnswered: Bool
    package var close: Close?
    /// A fault of the proxy or its environment on this connection, in words.
    package var error: String?
    /// Its kind; not a part of the evidence.
    package var fault: Fault?
    /// What the client began, and has not brought to an end; not a part of the evidence.
    package var unfinished: Unfinished?
    /// Who wanted to renegotiate TLS, which the proxy refuses, and said nothing after that; not a part of the evidence.
    package var renegotiates: Close.Side?
    /// There was a TCP connection to the origin; not a part of the evidence.
    package var isDialed = false
    /// Whom the proxy asks to call origins, instead of calling them itself; not a part of the evidence.
    package var upstreamProxy: Endpoint?

    /// Record headers kept per connection: a refusal shows in the first few.
    package static let recordLimit = 16

    package init(connection: UInt64 = 0, trial: Int = 0, at: Double = 0, client: Endpoint? = nil, via: Via = .unknown) {
        self.connection = connection
        self.trial = trial
        self.at = at
        clientEndpoint = client
        self.via = via
        action = .none
        presented = []
        asked = []
        unlike = []
        foundAt = []
        pinsServedBy = []
        leftOut = false
        isStoodIn = false
        resumed = false
        alerts = []
        records = []
        behindAlert = 0
        bytesUp = 0
        bytesDown = 0
        clearUp = 0
        prefaceOnly = false
        isProbe = false
        passthroughData = false
        clientAsked = false
        requests = 0
        redirected = false
        serverAnswered = false
    }

    enum CodingKeys: String, CodingKey {
        case connection, trial, at, via, target, host, hello, action, attack, variant, upstream, presented, unlike,
            redirected
        case negotiated, resumed, asked, flight, alerts, records, requests, status, first, close, error, credentials
        case clientEndpoint = "client"
        case clientName = "client_name"
        case helloMS = "hello_ms"
        case foundAt = "found_at"
        case pinsServedBy = "pins_served_by"
        case finishedMS = "finished_ms"
        case statusMS = "status_ms"
        case behindAlert = "behind_alert"
        case bytesUp = "bytes_up"
        case bytesDown = "bytes_down"
        case clearUp = "clear_up"
        case leftOut = "left_out"
        case isStoodIn = "without_origin"
        case prefaceOnly = "preface_only"
        case isProbe = "probe"
        case passthroughData = "passthrough_data"
        case clientAsked = "client_asked"
        case serverAnswered = "server_answered"
    }
}
