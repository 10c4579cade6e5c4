import Facts
import Loop
import Policy
import TLS
import Wire

/// A small HTTPS server with a PKI of its own: what the self-test and the demo talk to.
///
/// Every name it is asked for gets a certificate under one root and one key, so `pin` holds for all of them. Keys live
/// in memory alone.
package final class EmbeddedOrigin: Sendable {
    /// What clients and the proxy have to trust.
    package let root: Certificate
    /// 127.0.0.1 and the port that was picked.
    package let address: SocketAddress
    /// `sha256/…` of the leaf's SPKI.
    package let pin: Pin
    private let thread: LoopThread<OriginState>

    /// - Parameter now: Unix seconds, for the certificates' dates.
    package init(now: Double) throws {
        let authority = try CertificateAuthority.general(now: now)
        let material = try ForgeMaterial(authority)
        guard let loopback = IPAddress("127.0.0.1"), let probe = HostName(CertificateAuthority.reservedDomain) else {
            preconditionFailure("constants that parse")
        }
        root = authority.root
        thread = try LoopThread(name: "origin") { loop in try OriginState(loop: loop, material: material, now: now) }
        let (address, pin) = try thread.call { state in
            let address = try state.listen(at: SocketAddress(loopback, 0))
            return (address, Pin("sha256/\(try state.chain(for: probe).certificates[0].spkiSHA256Base64)"))
        }
        guard let pin else { preconditionFailure("a SHA-256 in base64 is a pin") }
        self.address = address
        self.pin = pin
    }

    deinit { thread.stop { $0.close() } }
}

/// What lives on the origin's loop.
final class OriginState {
    let loop: EventLoop
    let workspace = TLSWorkspace()
    let context: ServerContext
    private let forge: Forge
    private let now: Double
    private var listener: Listener?
    private var connections: [ObjectIdentifier: OriginConnection] = [:]

    init(loop: EventLoop, material: ForgeMaterial, now: Double) throws {
        self.loop = loop
        self.now = now
        context = try ServerContext()
        forge = Forge(material)
    }

    func listen(at address: SocketAddress) throws(SystemError) -> SocketAddress {
        let listener = try Listener(on: loop, at: address) { [unowned self] socket in
            guard let stream = TCPStream(on: loop, accepted: socket) else { return }
            let connection = OriginConnection(stream, state: self)
            connections[ObjectIdentifier(connection)] = connection
            connection.begin()
        }
        self.listener = listener
        return listener.address
    }

    func chain(for host: HostName) throws -> PresentedChain {
        try forge.chain(
            for: host, attack: .trustedCA, variant: .unattacked, rsaLeaf: false, genuine: nil, now: now)
    }

    func ended(_ connection: OriginConnection) { connections[ObjectIdentifier(connection)] = nil }

    func close() {
        listener = nil
        for connection in connections.values { connection.close() }
    }
}

/// One client of the embedded origin: reads requests, answers each with a line of text.
final class OriginConnection: StreamHandler {
    private let stream: TCPStream
    private unowned let state: OriginState
    private var parser = ClientHelloParser()
    private var hello: [UInt8] = []
    private var session: TLSSession?
    private var request: [UInt8] = []

    /// Its clients send a few lines.
    private static let requestLimit = 64 * 1024

    init(_ stream: TCPStream, state: OriginState) {
        self.stream = stream
        self.state = state
    }

    func begin() {
        stream.handler = self
        stream.resume()
    }

    func close() {
        stream.close()
        state.ended(self)
    }

    func stream(_ stream: any ByteStream, received bytes: Span<UInt8>) {
        if session != nil {
            feed(bytes)
            return
        }
        for index in bytes.indices { hello.append(bytes[index]) }
        switch parser.read(hello) {
        case .needMore: return
        case .complete(let parsed): begin(parsed)
        case .notTLS, .malformed: close()
        }
    }

    private func begin(_ parsed: ClientHello) {
        do {
            let host = parsed.sni ?? stream.address.map { HostName($0.address) }
            guard let host else { return close() }
            session = try state.context.session(
                presenting: try state.chain(for: host), version: nil,
                alpn: parsed.alpn.contains("http/1.1") ? "http/1.1" : nil, in: state.workspace)
            feed(hello.span)
            hello = []
        } catch {
            close()
        }
    }

    private func feed(_ bytes: Span<UInt8>) {
        guard let session else { return }
        let status = session.receive(bytes) { plain in
            for index in plain.indices where request.count < Self.requestLimit { request.append(plain[index]) }
        }
        answer(session)
        session.takeOutput { stream.write($0) }
        switch status {
        case .handshaking, .open: break
        case .closeNotified:
            session.closeNotify()
            session.takeOutput { stream.write($0) }
        case .failed: stream.end()
        }
    }

    private func answer(_ session: TLSSession) {
        while let end = Self.endOfHead(request) {
            request.removeFirst(end)
            let body = "genuine\n"
            let response =
                "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
            session.write(Array(response.utf8).span)
        }
    }

    static func endOfHead(_ bytes: [UInt8]) -> Int? {
        let end = Array("\r\n\r\n".utf8)
        guard bytes.count >= end.count else { return nil }
        return (end.count...bytes.count).first { bytes[($0 - end.count)..<$0].elementsEqual(end) }
    }

    func streamReachedEnd(_ stream: any ByteStream) { close() }
    func stream(_ stream: any ByteStream, failed error: SystemError) { close() }
    func streamConnected(_ stream: any ByteStream) {}
    func streamDrained(_ stream: any ByteStream) {}
}
