import Facts
import Loop
import Policy
import TLS
import Testing

@testable import Proxy

// An origin that misses the client's certificate, or dislikes the proxy, ends as soon as the handshake is done. What
// the client makes of the forged chain has to be seen all the same.

@Test("an origin that ends at once does not end the client before it has shown what it does", arguments: [true, false])
func hastyOrigin(sends: Bool) async throws {
    let authority = try CertificateAuthority.general(now: WallClock.now)
    let material = try ForgeMaterial(authority)
    let host = try #require(HostName("api.test"))
    // Keys of its own: a forged leaf with the origin's would be none.
    let own = try ForgeMaterial(authority)
    let origin = try LoopThread(name: "hasty") { try HastyOrigin($0, own, host) }
    defer { origin.stop { $0.listener = nil } }
    let address = try origin.call { try $0.listen() }
    let seen = Locked<[Observation]>([])
    let trust = try TrustStore(systemRoots: false, roots: [authority.root])
    let profile = Profile(
        name: "p", rules: [HostRule(pattern: HostPattern(exactly: host), expect: .refuse)],
        resolve: [host: Destination(HostName(address.address), address.port)])
    let attack = Attack.trustedCA
    let proxy = try ProxyServer(
        ProxyConfiguration(
            listen: SocketAddress(try #require(IPAddress("127.0.0.1")), 0), loops: 1,
            plan: Plan(profile: profile, phase: .attack(attack, attack.variants[0], only: []), trial: 1), trust: trust,
            material: material, observe: { one in seen.withLock { $0.append(one) } }))
    let client = try LoopThread(name: "waiting") { try WaitingClient($0, proxy.address, trust, host, sends: sends) }
    await client.run { state, done in state.whenEnded(done) }
    await proxy.settle()
    await proxy.endConnections()
    client.stop { $0.stream.close() }
    let all = seen.withLock { $0 }
    await proxy.stop()
    #expect(all.count == 1)
    let one = try #require(all.first)
    #expect(one.finishedMS != nil)
    #expect(one.bytesUp == (sends ? 5 : 0))
    if !sends { #expect(one.close?.by == .client) }
}

/// Shakes hands and leaves.
private final class HastyOrigin: StreamHandler {
    let loop: EventLoop
    var listener: Listener?
    private let context = Result { try ServerContext() }
    private let workspace = TLSWorkspace()
    private let chain: PresentedChain
    private var stream: TCPStream?
    private var session: TLSSession?

    init(_ loop: EventLoop, _ material: ForgeMaterial, _ host: HostName) throws {
        self.loop = loop
        chain = try Forge(material).chain(
            for: host, attack: .trustedCA, variant: .unattacked, rsaLeaf: false, genuine: nil, now: WallClock.now)
    }

    func listen() throws -> SocketAddress {
        let listener = try Listener(on: loop, at: SocketAddress(try #require(IPAddress("127.0.0.1")), 0)) {
            [unowned self] socket in
            guard let stream = TCPStream(on: loop, accepted: socket) else { return }
            self.stream = stream
            session = try? context.get().session(presenting: chain, version: nil, alpn: nil, in: workspace)
            stream.handler = self
            stream.resume()
        }
        self.listener = listener
        return listener.address
    }

    func stream(_ stream: any ByteStream, received bytes: Span<UInt8>) {
        guard let session else { return }
        session.receive(bytes) { _ in }
        if session.isFinished { session.closeNotify() }
        session.takeOutput { stream.write($0) }
        if session.isFinished { stream.end() }
    }

    func streamReachedEnd(_ stream: any ByteStream) { stream.close() }
    func stream(_ stream: any ByteStream, failed error: SystemError) { stream.close() }
    func streamConnected(_ stream: any ByteStream) {}
    func streamDrained(_ stream: any ByteStream) {}
}

/// Shakes hands through the proxy, lets it read the origin's end, and only then sends something, or just goes.
private final class WaitingClient: StreamHandler {
    let stream: TCPStream
    private let session: TLSSession
    private let workspace = TLSWorkspace()
    private var isTunnelled = false
    private let loop: EventLoop
    private let sends: Bool
    private var pause: LoopTimer?
    private var hasEnded = false
    private var done: (() -> Void)?

    init(_ loop: EventLoop, _ proxy: SocketAddress, _ trust: TrustStore, _ host: HostName, sends: Bool) throws {
        self.loop = loop
        self.sends = sends
        stream = try TCPStream(on: loop, connectingTo: proxy)
        // TLS 1.2: the server's Finished comes last, so the proxy has ours once we have it.
        session = try ClientContext(trust: trust).session(
            sni: host, verifying: host, alpn: [], maxVersion: .tls12, in: workspace)
        stream.handler = self
    }

    func whenEnded(_ done: @escaping () -> Void) {
        if hasEnded { done() } else { self.done = done }
    }

    private func act() {
        guard !hasEnded else { return }
        pause = nil
        if sends {
            session.write(Array("hello".utf8).span)
            session.takeOutput { stream.write($0) }
        }
        stream.end()
        hasEnded = true
        done?()
        done = nil
    }

    func streamConnected(_ stream: any ByteStream) {
        stream.resume()
        stream.write(Array("CONNECT api.test:443 HTTP/1.1\r\n\r\n".utf8))
    }

    func stream(_ stream: any ByteStream, received bytes: Span<UInt8>) {
        if isTunnelled {
            session.receive(bytes) { _ in }
        } else {
            isTunnelled = true
            session.start()
        }
        session.takeOutput { stream.write($0) }
        // Long enough for two loops on one machine; were it too short, the test would show less, not fail.
        if session.isFinished, !hasEnded, pause == nil {
            pause = LoopTimer(on: loop, every: 0.05) { [unowned self] in act() }
        }
    }

    // A proxy that gives up must not keep the test waiting.
    func streamReachedEnd(_ stream: any ByteStream) { if pause == nil { act() } }
    func stream(_ stream: any ByteStream, failed error: SystemError) { if pause == nil, !hasEnded { act() } }
    func streamDrained(_ stream: any ByteStream) {}
}
