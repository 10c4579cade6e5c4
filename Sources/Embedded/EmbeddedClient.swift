import Facts
import Loop
import Policy
import TLS

/// A small HTTPS client, with or without a pin: the app of the self-test.
///
/// And of the demo, where curl is absent.
package struct EmbeddedClient: Sendable {
    /// The HTTP proxy; nil connects straight.
    package var proxy: SocketAddress?
    package var target: Endpoint
    package var trust: TrustStore
    /// The leaf key it insists on, looked at after the handshake as OkHttp's CertificatePinner does.
    package var pin: Pin?

    /// How its one request ended.
    package enum Ending: Hashable, Sendable {
        /// The status line's code.
        case answered(Int)
        /// It refused the server's certificate, by chain or by pin.
        case refused(String)
        /// Nothing of the kind: no connection, no answer.
        case failed(String)
    }

    package init(proxy: SocketAddress?, target: Endpoint, trust: TrustStore, pin: Pin?) {
        self.proxy = proxy
        self.target = target
        self.trust = trust
        self.pin = pin
    }

    /// Makes one GET on a connection of its own.
    package func get() async -> Ending {
        let ending = Locked<Ending>(.failed("the client's thread did not start"))
        guard let thread = try? LoopThread<ClientState>(name: "client", makeState: { ClientState(loop: $0) }) else {
            return ending.withLock { $0 }
        }
        await thread.run { state, done in
            let exchange = ClientExchange(self, loop: state.loop) { result in
                ending.withLock { $0 = result }
                done()
            }
            state.exchange = exchange
            exchange.start()
        }
        thread.stop { $0.exchange = nil }
        return ending.withLock { $0 }
    }
}

final class ClientState {
    let loop: EventLoop
    var exchange: ClientExchange?
    init(loop: EventLoop) { self.loop = loop }
}

/// One exchange of an embedded client, on its loop.
final class ClientExchange: StreamHandler {
    private let client: EmbeddedClient
    private let loop: EventLoop
    private let workspace = TLSWorkspace()
    private var done: ((EmbeddedClient.Ending) -> Void)?
    private var stream: TCPStream?
    private var session: TLSSession?
    private var hasAsked = false
    private var answer: [UInt8] = []
    private var timer: LoopTimer?

    /// Seconds; all of it happens on loopback.
    private static let limit = 10.0
    private static let answerLimit = 64 * 1024

    init(_ client: EmbeddedClient, loop: EventLoop, done: @escaping (EmbeddedClient.Ending) -> Void) {
        self.client = client
        self.loop = loop
        self.done = done
    }

    func start() {
        timer = LoopTimer(on: loop, every: Self.limit) { [unowned self] in finish(.failed("no answer")) }
        guard let address = client.proxy ?? client.target.host.address.map({ SocketAddress($0, client.target.port) })
        else { return finish(.failed("no proxy, and \(client.target.host) is no address")) }
        do throws(SystemError) {
            let stream = try TCPStream(on: loop, connectingTo: address)
            stream.handler = self
            self.stream = stream
        } catch {
            finish(.failed("\(error)"))
        }
    }

    private func finish(_ ending: EmbeddedClient.Ending) {
        guard let done else { return }
        self.done = nil
        timer = nil
        stream?.close()
        done(ending)
    }

    func streamConnected(_ stream: any ByteStream) {
        stream.resume()
        guard client.proxy != nil else { return beginTLS() }
        stream.write(Array("CONNECT \(client.target) HTTP/1.1\r\nHost: \(client.target)\r\n\r\n".utf8))
    }

    func stream(_ stream: any ByteStream, received bytes: Span<UInt8>) {
        guard session == nil else { return feed(bytes) }
        for index in bytes.indices where answer.count < Self.answerLimit { answer.append(bytes[index]) }
        guard let end = OriginConnection.endOfHead(answer) else { return }
        guard Self.status(of: answer) == 200 else { return finish(.failed("the proxy refused")) }
        answer.removeFirst(end)
        beginTLS()
    }

    private func beginTLS() {
        do throws(OpenSSLError) {
            let context = try ClientContext(trust: client.trust)
            let session = try context.session(
                sni: client.target.host, verifying: client.target.host, alpn: ["http/1.1"], maxVersion: .tls13,
                in: workspace)
            self.session = session
            session.start()
            session.takeOutput { stream?.write($0) }
        } catch {
            finish(.failed("\(error)"))
        }
    }

    private func feed(_ bytes: Span<UInt8>) {
        guard let session else { return }
        let status = session.receive(bytes) { plain in
            for index in plain.indices where answer.count < Self.answerLimit { answer.append(plain[index]) }
        }
        session.takeOutput { stream?.write($0) }
        if case .failed(let reason) = status { return finish(.refused(session.originRefusal ?? reason)) }
        guard session.isFinished else { return }
        if !hasAsked { ask(session) } else { readAnswer(session) }
    }

    private func ask(_ session: TLSSession) {
        hasAsked = true
        if let pin = client.pin, session.originChain?.spki.first != pin.base64 {
            session.closeNotify()
            session.takeOutput { stream?.write($0) }
            return finish(.refused("pin mismatch"))
        }
        session.write(Array("GET / HTTP/1.1\r\nHost: \(client.target.host)\r\n\r\n".utf8).span)
        session.takeOutput { stream?.write($0) }
    }

    private func readAnswer(_ session: TLSSession) {
        guard OriginConnection.endOfHead(answer) != nil, let status = Self.status(of: answer) else { return }
        session.closeNotify()
        session.takeOutput { stream?.write($0) }
        finish(.answered(status))
    }

    private static func status(of answer: [UInt8]) -> Int? {
        let words = answer.prefix { $0 != UInt8(ascii: "\r") }.split(separator: UInt8(ascii: " "))
        return words.count >= 2 ? Int(String(decoding: words[1], as: UTF8.self)) : nil
    }

    func streamReachedEnd(_ stream: any ByteStream) { finish(.failed("the connection was closed")) }
    func stream(_ stream: any ByteStream, failed error: SystemError) { finish(.failed(error.reason)) }
    func streamDrained(_ stream: any ByteStream) {}
}
