import Facts
import Loop
import TLS
import Wire

/// Asks at an address who lives there.
///
/// By a handshake without a server name, and a look at the certificate. It is a call of the proxy's own, on a connection that nothing of the client's goes over.
final class HomeProbe: StreamHandler {
    private let neighbours: KnownHomes.Neighbours
    /// Begins a call, and says how it went.
    private let call: (@escaping (Result<Dialer.Dialed, Dialer.Failure>) -> Void) -> Dialer
    /// A handshake that expects the name.
    private let session: (HostName) -> TLSSession?
    private let calls: OwnCalls
    /// Our ClientHello, while it may come back.
    private var ownCall: OwnCalls.Call?
    private var done: ((Answer) -> Void)?
    private var dialer: Dialer?
    private var stream: (any ByteStream)?
    private var tls: TLSSession?
    private var expected: HostName
    /// Names that a handshake was tried with.
    private var tried: Set<HostName> = []
    private let began: Double

    enum Answer: Hashable {
        /// One that has to refuse: the certificate verifies, and is good for its name and for no other neighbour's.
        case host(HostName)
        /// None of the neighbours, or more than one.
        case stranger
        /// Nobody answered.
        case unknown
    }

    /// Names that are tried: the first neighbour's, and one that the certificate is for.
    private static let tries = 2

    init?(
        _ neighbours: KnownHomes.Neighbours, at now: Double, own calls: OwnCalls,
        calling call: @escaping (@escaping (Result<Dialer.Dialed, Dialer.Failure>) -> Void) -> Dialer,
        session: @escaping (HostName) -> TLSSession?
    ) {
        guard let first = neighbours.refusing.first else { return nil }
        self.neighbours = neighbours
        self.call = call
        self.session = session
        self.calls = calls
        expected = first
        began = now
    }

    /// - Parameter done: called once, perhaps before this returns, and never after `cancel`.
    func start(_ done: @escaping (Answer) -> Void) {
        self.done = done
        begin()
    }

    func cancel() {
        done = nil
        hangUp()
    }

    func checkDeadline(_ now: Double) {
        dialer?.checkDeadline(now)
        if now - began > Patience.homeProbe { finish(.unknown) }
    }

    private func begin() {
        tried.insert(expected)
        dialer = call { [weak self] result in
            guard let self, done != nil else { return }
            dialer = nil
            guard case .success(let dialed) = result, let tls = session(expected) else { return finish(.unknown) }
            dialed.stream.handler = self
            stream = dialed.stream
            self.tls = tls
            tls.start()
            send()
            stream?.resume()
            if !dialed.greeting.isEmpty { finish(.stranger) }
        }
    }

    private func send() {
        tls?.takeOutput { bytes in
            if ownCall == nil { ownCall = HelloRandom(ofHelloIn: bytes).flatMap(calls.begin) }
            stream?.write(bytes)
        }
    }

    private func hangUp() {
        dialer?.cancel()
        dialer = nil
        stream?.close()
        stream = nil
        tls = nil
        ownCall = nil
    }

    private func finish(_ answer: Answer) {
        let done = self.done
        self.done = nil
        hangUp()
        done?(answer)
    }

    private func judge(_ tls: TLSSession) {
        guard let leaf = tls.originChain?.certificates.first else { return finish(.unknown) }
        if tls.originVerified {
            let isShared = neighbours.others.contains { leaf.isFor($0) }
            return finish(isShared ? .stranger : .host(expected))
        }
        guard tried.count < Self.tries,
            let other = neighbours.refusing.first(where: { !tried.contains($0) && leaf.isFor($0) })
        else { return finish(.stranger) }
        hangUp()
        expected = other
        begin()
    }

    // MARK: StreamHandler

    func stream(_ stream: any ByteStream, received bytes: Span<UInt8>) {
        guard let tls else { return }
        let status = tls.receive(bytes) { _ in }
        send()
        switch status {
        case .handshaking: break
        case .open, .closeNotified, .failed: judge(tls)
        }
    }

    func streamReachedEnd(_ stream: any ByteStream) { finish(.unknown) }

    func stream(_ stream: any ByteStream, failed error: SystemError) { finish(.unknown) }

    func streamConnected(_ stream: any ByteStream) {}

    func streamDrained(_ stream: any ByteStream) {}
}
