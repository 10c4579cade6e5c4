import Facts
import Foundation
import Policy
import TLS

@testable import Loop

/// A server that does what a test's script says, a thread for each connection.
final class ScriptedOrigin: Sendable {
    let address: SocketAddress
    private let listener: Int32

    /// - Parameter serve: what it throws ends the connection, and nothing else: clients are meant to misbehave.
    init(at host: String = "127.0.0.1", _ serve: @escaping @Sendable (TestSocket) throws -> Void) throws {
        guard let ip = IPAddress(host) else { throw UnexpectedEnd(after: host) }
        let wanted = SocketAddress(ip, 0)
        let listener = socket(wanted.family, numericCast(SOCK_STREAM.rawValue), 0)
        guard unsafe wanted.withSockaddr({ unsafe bind(listener, $0, $1) }) == 0, listen(listener, 1024) == 0 else {
            throw SystemError("bind")
        }
        self.listener = listener
        address = unsafe SocketAddress.filled { unsafe getsockname(listener, $0, $1) }.address ?? wanted
        Thread.detachNewThread {
            while case let client = accept(listener, nil, nil), client >= 0 {
                Thread.detachNewThread { try? serve(TestSocket(adopting: client)) }
            }
            _ = TCPStream.closeDescriptor(listener)
        }
    }

    /// One that speaks TLS; the script begins after the handshake.
    convenience init(
        _ chain: PresentedChain, version: TLSVersion? = nil, alpn: String? = nil,
        _ serve: @escaping @Sendable (TestTLS) throws -> Void = ScriptedOrigin.answer
    ) throws {
        try self.init { socket in
            let tls = try TestTLS(socket, presenting: chain, version: version, alpn: alpn)
            try tls.handshake()
            try serve(tls)
        }
    }

    /// Ends the thread that accepts; it closes the descriptor.
    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    /// One request, one short answer, and good-bye.
    static let answer: @Sendable (TestTLS) throws -> Void = { tls in
        _ = try tls.read(until: "\r\n\r\n")
        try tls.write("HTTP/1.1 200 OK\r\nContent-Length: 8\r\nConnection: close\r\n\r\ngenuine\n")
        try tls.closeNotify()
        tls.socket.end()
        _ = try tls.socket.readToEnd()
    }
}

/// A port on which connections are neither taken nor refused: its queue is full, and nobody empties it.
final class UnansweredPort: Sendable {
    let address: SocketAddress
    private let listener: Int32
    private let fillers: [Int32]

    init() throws {
        guard let ip = IPAddress("127.0.0.1") else { throw UnexpectedEnd(after: "127.0.0.1") }
        let wanted = SocketAddress(ip, 0)
        let listener = socket(wanted.family, numericCast(SOCK_STREAM.rawValue), 0)
        guard unsafe wanted.withSockaddr({ unsafe bind(listener, $0, $1) }) == 0, listen(listener, 0) == 0 else {
            throw SystemError("bind")
        }
        self.listener = listener
        let address = unsafe SocketAddress.filled { unsafe getsockname(listener, $0, $1) }.address ?? wanted
        self.address = address
        // One fits on Linux, two or so elsewhere; those beyond that go on knocking.
        fillers = (0..<4).map { _ in
            let filler = socket(address.family, numericCast(SOCK_STREAM.rawValue), 0)
            _ = fcntl(filler, F_SETFL, O_NONBLOCK)
            _ = unsafe address.withSockaddr { unsafe connect(filler, $0, $1) }
            return filler
        }
    }

    deinit {
        for descriptor in fillers + [listener] { _ = TCPStream.closeDescriptor(descriptor) }
    }
}

/// A PKI of a test's origins, and the chains that they show.
struct TestPKI: Sendable {
    let authority: CertificateAuthority
    private let material: ForgeMaterial

    init() throws {
        authority = try CertificateAuthority.general(now: WallClock.now)
        material = try ForgeMaterial(authority)
    }

    /// A chain with exactly the flaw that an attack is named after; `trusted-ca` has none.
    func chain(
        _ host: String = "api.test", _ flaw: Attack = .trustedCA, rsa: Bool = false
    ) throws -> PresentedChain {
        guard let name = HostName(host) else { throw UnexpectedEnd(after: host) }
        return try Forge(material).chain(
            for: name, attack: flaw, variant: flaw.plain, rsaLeaf: rsa, genuine: nil, now: WallClock.now)
    }
}
