import Facts
import Loop
import TLS

/// TLS over a blocking socket, at either end.
///
/// Unchecked Sendable: it is handed from thread to thread, and used by one at a time.
final class TestTLS: @unchecked Sendable {
    let socket: TestSocket
    let session: TLSSession
    private let workspace: TLSWorkspace
    /// Decrypted and not read yet.
    private(set) var plain: [UInt8] = []
    private var held: [UInt8] = []

    /// A client; `handshake` starts it.
    init(
        _ socket: TestSocket, sni: String? = "api.test", verifying host: String = "api.test",
        trusting trust: TrustStore,
        alpn: [String] = [], highest: TLSVersion = .tls13, keyLog: KeyLog? = nil, offering offer: OriginOffer? = nil,
        asksForStatus: Bool = false
    ) throws {
        guard let expected = HostName(host) else { throw UnexpectedEnd(after: host) }
        self.socket = socket
        workspace = TLSWorkspace()
        session = try ClientContext(trust: trust, keyLog: keyLog, offering: offer).session(
            sni: sni.flatMap { HostName($0) }, verifying: expected, alpn: alpn, maxVersion: highest,
            asksForStatus: asksForStatus, in: workspace)
    }

    /// A server.
    init(
        _ socket: TestSocket, presenting chain: PresentedChain, version: TLSVersion? = nil, alpn: String? = nil,
        keyLog: KeyLog? = nil, _ kind: ServerContext.Kind = .standard, stapling staple: [UInt8]? = nil
    ) throws {
        self.socket = socket
        workspace = TLSWorkspace()
        session = try ServerContext(kind, keyLog: keyLog).session(
            presenting: chain, version: version, alpn: alpn, stapling: staple, in: workspace)
    }

    /// What the session wants to put on the wire.
    func takeOutput() -> [UInt8] {
        var out: [UInt8] = []
        session.takeOutput { bytes in unsafe bytes.withUnsafeBufferPointer { unsafe out.append(contentsOf: $0) } }
        return out
    }

    /// The client's first flight, not sent.
    func hello() -> [UInt8] {
        session.start()
        return takeOutput()
    }

    /// Takes one batch from the wire, and answers it where TLS wants to.
    func step() throws {
        let bytes = try socket.receive()
        guard !bytes.isEmpty else { throw UnexpectedEnd(after: "\(session.status)") }
        session.receive(bytes.span) { bytes in
            unsafe bytes.withUnsafeBufferPointer { unsafe plain.append(contentsOf: $0) }
        }
        let out = takeOutput()
        if !out.isEmpty { try socket.send(out) }
    }

    /// Takes what was read from the socket past the session.
    func take(_ bytes: [UInt8]) {
        session.receive(bytes.span) { bytes in
            unsafe bytes.withUnsafeBufferPointer { unsafe plain.append(contentsOf: $0) }
        }
    }

    /// Until both Finished are out; throws the session's reason when it fails.
    func handshake() throws {
        let first = hello()
        if !first.isEmpty { try socket.send(first) }
        while !session.isFinished {
            try step()
            if case .failed(let reason) = session.status { throw Refused(reason: reason) }
        }
    }

    /// Sends the hello, and keeps the server's answer unread by the session.
    func receiveHello() throws {
        try socket.send(hello())
        held = try socket.receive()
    }

    /// Goes on from `receiveHello`.
    func finishHandshake() throws {
        let bytes = held
        held = []
        session.receive(bytes.span) { _ in }
        let out = takeOutput()
        if !out.isEmpty { try socket.send(out) }
        while !session.isFinished {
            try step()
            if case .failed(let reason) = session.status { throw Refused(reason: reason) }
        }
    }

    /// Shakes hands, and says `text` in the segment that the Finished goes out in (TLS 1.3).
    ///
    /// - Returns: everything up to the peer's close_notify.
    func finishSaying(_ text: String) throws -> [UInt8] {
        try socket.send(hello())
        while !session.isFinished {
            let bytes = try socket.receive()
            guard !bytes.isEmpty else { throw UnexpectedEnd(after: "\(session.status)") }
            // What it makes of the server's flight stays in the session's buffer.
            session.receive(bytes.span) { _ in }
            if case .failed(let reason) = session.status { throw Refused(reason: reason) }
        }
        session.write(Array(text.utf8).span)
        try socket.send(takeOutput())
        return try readToCloseNotify()
    }

    func write(_ bytes: [UInt8]) throws {
        session.write(bytes.span)
        try socket.send(takeOutput())
    }

    func write(_ text: String) throws { try write(Array(text.utf8)) }

    /// Up to and including `mark`.
    func read(until mark: String) throws -> String {
        let mark = Array(mark.utf8)
        while true {
            if let end = (mark.count..<max(mark.count, plain.count + 1)).first(where: {
                $0 <= plain.count && plain[($0 - mark.count)..<$0].elementsEqual(mark)
            }) {
                defer { plain.removeFirst(end) }
                return String(decoding: plain[..<end], as: UTF8.self)
            }
            try step()
        }
    }

    func read(count: Int) throws -> [UInt8] {
        while plain.count < count { try step() }
        defer { plain.removeFirst(count) }
        return Array(plain[..<count])
    }

    /// All there is until the peer's close_notify; throws when the connection ends without one.
    func readToCloseNotify() throws -> [UInt8] {
        while session.status != .closeNotified { try step() }
        defer { plain = [] }
        return plain
    }

    func closeNotify() throws {
        session.closeNotify()
        try socket.send(takeOutput())
    }
}

struct Refused: Error { let reason: String }
