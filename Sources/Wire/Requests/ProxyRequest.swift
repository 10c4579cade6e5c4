import Facts

/// What a client wants of the proxy's one port.
package enum ProxyRequest: Hashable, Sendable {
    /// HTTP CONNECT; a tunnel begins after `HTTPAnswer.connectionEstablished`.
    case connect(Endpoint)
    /// A plain HTTP request in absolute form.
    case http(PlainRequest)
    /// SOCKS5 CONNECT; a tunnel begins after `SOCKS5.reply(.succeeded)`.
    case socks(Endpoint)
    /// TLS without a word before: the host is the ClientHello's SNI.
    case tls

    package var via: Observation.Via {
        switch self {
        case .connect: .connect
        case .http: .http
        case .socks: .socks5
        case .tls: .tls
        }
    }

    package var target: Endpoint? {
        switch self {
        case .connect(let target), .socks(let target): target
        case .http(let request): request.target
        case .tls: nil
        }
    }
}

/// Tells from the first bytes what a client of the proxy speaks, and reads its request.
///
/// It is shown all bytes that were not consumed yet. After `.answer` the caller sends the answer, drops what was
/// consumed and shows the rest; after `.complete` the rest belongs to the tunnel or is the request's content.
package struct ProxyRequestReader {
    package enum Progress: Hashable, Sendable {
        case needMore
        /// A step of the SOCKS negotiation.
        case answer([UInt8], consumed: Int)
        case complete(ProxyRequest, consumed: Int)
        /// A request that is answered by asking for credentials. The next one may come on the same connection, unless
        /// this was the `last`: then it is to be closed after the answer.
        case challenge(ProxyRequest, answer: [UInt8], consumed: Int, last: Bool)
        /// To be closed after the answer, which is empty where the client would not understand one.
        case refused(WireError, answer: [UInt8])
    }

    private enum State {
        case sniffing
        /// After a plain request; so many empty lines have been skipped.
        case between(empty: Int)
        case http(HTTPHeadScanner)
        case socks(SOCKS5)
    }

    private var state = State.sniffing
    private let authentication: ProxyAuthentication?
    private let keepsConnections: Bool
    private var result = ProxyAuthentication.Result()
    /// The Via fields of the last CONNECT (RFC 9110 §7.6.3): the proxies that it has come through, as one list.
    package private(set) var via: [UInt8] = []

    /// Empty lines before a further request: old clients send one behind their content (RFC 9112 §2.2).
    private static let emptyLimit = 2

    /// - Parameters:
    ///   - authentication: nil: nobody is asked for credentials, and what is shown means nothing.
    ///   - keepsConnections: a plain request leaves its origin's connection open where its client does.
    package init(authentication: ProxyAuthentication? = nil, keepsConnections: Bool = false) {
        self.authentication = authentication
        self.keepsConnections = keepsConnections
    }

    /// After a plain request and all of its content: the next one may come, by HTTP alone.
    ///
    /// It shows credentials of its own: they go with a request, not with its connection (RFC 9110 §11.7.2).
    package mutating func expectNext() {
        state = .between(empty: 0)
        result = ProxyAuthentication.Result()
    }

    /// The client whose credentials were shown.
    package var client: String? { result.client }
    /// What was wrong with those that were shown so far.
    package var fault: Observation.Credentials? { result.fault }

    package mutating func read(_ bytes: [UInt8]) -> Progress { read(bytes.span) }

    package mutating func read(_ bytes: Span<UInt8>) -> Progress {
        guard !bytes.isEmpty else { return .needMore }
        switch state {
        case .sniffing:
            switch bytes[0] {
            case 0x16: return .complete(.tls, consumed: 0)
            case 0x05: state = .socks(SOCKS5(authentication))
            case 0x04: return .refused(.socks4, answer: [])
            // A method is registered in capitals, and may be any word all the same (RFC 9110 §9.1).
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"):
                state = .http(HTTPHeadScanner())
            case UInt8(ascii: "\r"): state = .between(empty: 0)
            default: return .refused(.unknownProtocol(firstByte: bytes[0]), answer: [])
            }
            return read(bytes)
        case .between(let empty):
            guard empty < Self.emptyLimit, bytes[0] == UInt8(ascii: "\r") else {
                state = .http(HTTPHeadScanner())
                return read(bytes)
            }
            guard bytes.count > 1 else { return .needMore }
            guard bytes[1] == UInt8(ascii: "\n") else { return Self.refused(.lineEnd) }
            state = .between(empty: empty + 1)
            return .answer([], consumed: 2)
        case .http(var scanner):
            let progress = scanner.read(bytes)
            state = .http(scanner)
            return readHTTP(bytes, progress)
        case .socks(var socks):
            let progress = socks.read(bytes)
            state = .socks(socks)
            result = socks.result
            switch progress {
            case .needMore: return .needMore
            case .answer(let answer, let consumed): return .answer(answer, consumed: consumed)
            case .connect(let target, let consumed): return .complete(.socks(target), consumed: consumed)
            case .refused(let error, let answer): return .refused(error, answer: answer)
            }
        }
    }

    private mutating func readHTTP(_ bytes: Span<UInt8>, _ progress: HTTPHeadScanner.Progress) -> Progress {
        switch progress {
        case .needMore: return .needMore
        case .malformed(let error): return Self.refused(error)
        case .complete(let length):
            do throws(WireError) {
                let head = try HTTPHead([UInt8](copying: bytes, 0..<length))
                let content = try Self.contentLength(head)
                let request = try request(head, content)
                guard let authentication,
                    authentication.mustAsk(ProxyCredentials.shown(in: head), &result)
                else { return .complete(request, consumed: length) }
                // Content would have to be read to its end before the next request, and an answer to HEAD has none.
                let isPlain = content == .none && !head.text(head.method).elementsEqual(Self.head)
                let isOver = result.challenges >= ProxyAuthentication.challengeLimit
                let last = !isPlain || !head.staysOpen || isOver
                state = .http(HTTPHeadScanner())
                return .challenge(request, answer: HTTPAnswer.challenge(last: last), consumed: length, last: last)
            } catch {
                return Self.refused(error)
            }
        }
    }

    private static func refused(_ error: WireError) -> Progress { .refused(error, answer: HTTPAnswer.error(error)) }

    private mutating func request(_ head: HTTPHead, _ content: HTTPBodyLength) throws(WireError) -> ProxyRequest {
        guard head.values(of: .host).count <= 1 else { throw .repeatedHost }
        guard head.text(head.method).elementsEqual(Self.connect) else {
            return .http(try PlainRequest(head, content, mayKeep: keepsConnections))
        }
        guard content == .none else { throw .contentWithConnect }
        let authority = head.text(head.target)
        guard let target = HostPort.endpoint(authority, defaultPort: 443) else {
            throw .authority(WireError.printable(authority))
        }
        via = Array(head.values(of: .via).map { head.text($0) }.joined(separator: ", ".utf8))
        return .connect(target)
    }

    /// Refuses whatever two readers could measure differently (RFC 9112 §6.3).
    private static func contentLength(_ head: HTTPHead) throws(WireError) -> HTTPBodyLength {
        let lengths = head.values(of: .contentLength)
        let codings = head.values(of: .transferEncoding)
        guard lengths.isEmpty || codings.isEmpty else { throw .contentLengthAndTransferEncoding }
        if let coding = codings.first {
            guard codings.count == 1, !head.isVersion10, ASCII.equal(head.text(coding), chunked) else {
                throw .transferCoding
            }
            return .chunked
        }
        guard let length = lengths.first else { return .none }
        let digits = head.text(length)
        // 18 digits fit into an Int with room to spare.
        guard lengths.count == 1, (1...18).contains(digits.count), digits.allSatisfy(ASCII.isDigit) else {
            throw .contentLength
        }
        let value = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        return value > 0 ? .length(value) : .none
    }

    private static let head = Array("HEAD".utf8)
    private static let connect = Array("CONNECT".utf8)
    private static let chunked = Array("chunked".utf8)
}
