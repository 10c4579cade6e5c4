/// Everything that was noted of one connection from a client, complete however the connection ended.
///
/// Facts only: what they mean is decided by `Verdict`. Times ending in `ms` count from `at`, when it was accepted.
public struct Observation: Hashable, Sendable, Codable {
    /// How the client reached the proxy.
    public enum Via: String, Sendable, Codable { case connect, socks5, tls, http, unknown }

    /// What the proxy did with it.
    public enum Action: String, Sendable, Codable {
        /// Bytes copied untouched.
        case tunnelled
        /// TLS terminated under a forged (or, in `wrong-key`, stolen) chain.
        case intercepted
        /// Plain HTTP forwarded.
        case forwarded
        /// Ended before it was decided, or turned away.
        case none
    }

    /// What was wrong with the credentials of a connection where the profile tells clients by them.
    public enum Credentials: String, Sendable, Codable {
        /// It was asked for some, and gave none.
        case missing
        /// They are no client's.
        case unknown
    }

    /// The origin's side of an intercepted connection.
    public struct Upstream: Hashable, Sendable, Codable {
        public var address: Endpoint?
        public var negotiated: Negotiated?
        /// The origin's chain verified against the system's roots plus the profile's, for the right host.
        public var verified: Bool
        /// SHA-256 (hex) of each certificate the origin showed, leaf first.
        public var chain: [String]
        /// SHA-256 (base64) of each certificate's SPKI, leaf first; up to the trust anchor where the chain verified.
        public var spki: [String]
        /// It asked us for a client certificate, and we have none.
        public var asksForCertificate: Bool
        /// Why the origin could not be used.
        public var error: String?

        public init(
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

    /// Our handshake flight with the certificate: when it was handed to the kernel, and whether the client's side
    /// acknowledged all of it (send queue empty when the client's next event, or its close, was seen).
    public struct Flight: Hashable, Sendable, Codable {
        public var ms: Double
        public var delivered: Bool

        public init(ms: Double, delivered: Bool) {
            self.ms = ms
            self.delivered = delivered
        }
    }

    /// Header of a TLS record the client sent after our flight.
    public struct Record: Hashable, Sendable, Codable {
        public var type: UInt8
        public var length: Int

        public init(type: UInt8, length: Int) {
            self.type = type
            self.length = length
        }
    }

    /// The first application bytes, redacted: enough to recognise a request, not to read it.
    public struct FirstBytes: Hashable, Sendable, Codable {
        /// `"http/1 GET"`, `"h2 preface"`, `"18 bytes"`.
        public var shape: String
        /// SHA-256 (hex) of the bytes it was made from (at most 64).
        public var sha256: String

        public init(shape: String, sha256: String) {
            self.shape = shape
            self.sha256 = sha256
        }
    }

    public struct Close: Hashable, Sendable, Codable {
        public enum Side: String, Sendable, Codable {
            case client, origin
            /// Ended by the proxy: a fault, a limit, or the client was turned away.
            case proxy
            /// Ended by the gate, because the trial was over or its command had to be ended.
            case gate
        }

        public enum Kind: String, Sendable, Codable {
            case closeNotify = "close_notify"
            case fin
            case rst
            case timeout
            case aborted
        }

        public var by: Side
        public var how: Kind
        public var ms: Double

        public init(by: Side, how: Kind, ms: Double) {
            self.by = by
            self.how = how
            self.ms = ms
        }
    }

    /// Counts connections of one process from 1.
    public var connection: UInt64
    /// The trial it was accepted in; 0 in the debugging proxy and in the self-test.
    public var trial: Int
    /// When it was accepted, Unix seconds.
    public var at: Double
    public var client: Endpoint?
    /// Which of the profile's `clients:` it is; nil where there are none, or it is none of them.
    public var clientName: String?
    /// nil where nothing was wrong with them.
    public var credentials: Credentials?
    public var via: Via
    /// What the client asked for by CONNECT, SOCKS or absolute URL.
    public var target: Endpoint?
    /// Which host it is for: the SNI, else the CONNECT (SOCKS) name, else the IP.
    public var host: HostName?
    public var hello: HelloFacts?
    public var action: Action
    public var attack: AttackID?
    public var variant: String?
    public var upstream: Upstream?
    /// SHA-256 (hex) of each certificate presented, in order.
    public var presented: [String]
    public var negotiated: Negotiated?
    /// Intercepted, and not attacked after all: the CA may not sign this form of the attack for this host.
    public var leftOut: Bool
    public var resumed: Bool
    public var flight: Flight?
    public var finishedMS: Double?
    public var alerts: [Alert]
    /// At most `Observation.recordLimit`, the first ones.
    public var records: [Record]
    /// Intercepted: decrypted application bytes. Tunnelled: raw bytes after the CONNECT.
    public var bytesUp: Int
    public var bytesDown: Int
    public var first: FirstBytes?
    /// All application bytes so far were an HTTP/2 connection preface and control frames.
    public var prefaceOnly: Bool
    /// Tunnelled TLS: the opaque test saw a request and an answer (see `Wire.OpaqueDataTest`).
    public var passthroughData: Bool
    /// Tunnelled TLS: requests that were answered, as far as lengths and directions of records show them.
    public var requests: Int
    /// Intercepted: HTTP status of the first answer, where it is HTTP/1.
    public var status: Int?
    /// When the first bytes of that answer were relayed to the client; nil where no status was read, and in older evidence.
    public var statusMS: Double?
    /// Tunnelled TLS: the origin's ServerHello was seen.
    public var serverAnswered: Bool
    public var close: Close?
    /// A fault of the proxy or its environment on this connection, in words.
    public var error: String?

    /// Record headers kept per connection: a refusal shows in the first few.
    public static let recordLimit = 16

    public init(connection: UInt64 = 0, trial: Int = 0, at: Double = 0, client: Endpoint? = nil, via: Via = .unknown) {
        self.connection = connection
        self.trial = trial
        self.at = at
        self.client = client
        self.via = via
        action = .none
        presented = []
        leftOut = false
        resumed = false
        alerts = []
        records = []
        bytesUp = 0
        bytesDown = 0
        prefaceOnly = false
        passthroughData = false
        requests = 0
        serverAnswered = false
    }

    enum CodingKeys: String, CodingKey {
        case connection, trial, at, client, via, target, host, hello, action, attack, variant, upstream, presented
        case negotiated, resumed, flight, alerts, records, requests, status, first, close, error, credentials
        case clientName = "client_name"
        case finishedMS = "finished_ms"
        case statusMS = "status_ms"
        case bytesUp = "bytes_up"
        case bytesDown = "bytes_down"
        case leftOut = "left_out"
        case prefaceOnly = "preface_only"
        case passthroughData = "passthrough_data"
        case serverAnswered = "server_answered"
    }
}
