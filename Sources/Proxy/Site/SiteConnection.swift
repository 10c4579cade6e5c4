import Facts
import Loop
import Policy
import TLS
import Wire

/// A client of `OwnSite`, from there to its end: one answer, in the clear or over TLS.
final class SiteConnection: StreamHandler {
    private unowned let worker: Worker
    private let site: OwnSite
    private let stream: any ByteStream
    /// Whom the client has asked the proxy for.
    private let host: HostName?
    /// Counts the connection as long as anybody holds it.
    private let place: ConnectionBudget.Place?
    private let began = MonotonicClock.now
    private var state = State.sniffing
    /// What has come and nothing has used yet.
    private var received: [UInt8] = []

    private enum State {
        case sniffing
        case hello(ClientHelloParser)
        case clear(SiteRequestReader)
        case secured(TLSSession, SiteRequestReader)
        /// The answer is on its way; what comes is read and forgotten, so that no reset overtakes it.
        case answered
    }

    /// Seconds for all of it: a browser opens connections ahead, and a phone takes a moment.
    private static let limit = 60.0

    init(_ visitor: Visitor, to site: OwnSite, worker: Worker) {
        self.worker = worker
        self.site = site
        stream = visitor.stream
        host = visitor.host
        place = visitor.place
        received = visitor.bytes
    }

    /// A client of the proxy's, as it is left to the site.
    struct Visitor {
        let stream: any ByteStream
        let host: HostName?
        let place: ConnectionBudget.Place?
        /// What it has sent, from its request or its ClientHello on.
        let bytes: [UInt8]
        /// Its stream tells that no second time.
        let hasEnded: Bool
    }

    func begin(hasEnded: Bool) {
        stream.handler = self
        stream.resume()
        read()
        // What it wants to say is said.
        if hasEnded, !isAnswered { close() }
    }

    private var isAnswered: Bool { if case .answered = state { true } else { false } }

    func close() {
        stream.close()
        worker.left(self)
    }

    func checkDeadline(_ now: Double, othersWait: Bool) {
        if now - began > (othersWait ? Patience.whileOthersWait : Self.limit) { close() }
    }

    private func read() {
        switch state {
        case .sniffing:
            guard let first = received.first else { return }
            state = first == 0x16 ? .hello(ClientHelloParser()) : .clear(SiteRequestReader())
            read()
        case .hello(var parser):
            let progress = parser.read(received)
            state = .hello(parser)
            switch progress {
            case .needMore: return
            case .complete(let hello): shakeHands(hello)
            case .notTLS, .malformed: close()
            }
        case .clear(var reader):
            let progress = reader.read(received)
            state = .clear(reader)
            guard let answer = answer(progress, isSecured: false) else { return }
            state = .answered
            stream.write(answer)
            stream.end()
        case .secured(let session, let reader): decrypt(session, reader)
        case .answered: received = []
        }
    }

    private func shakeHands(_ hello: ClientHello) {
        guard let name = [host, hello.sni].compactMap(\.self).first(where: OwnSite.isOwn) else { return close() }
        do {
            let chain = try worker.forge.chain(
                for: name, attack: .trustedCA, variant: .unattacked,
                rsaLeaf: hello.prefersRSALeaf(for: hello.maxVersion ?? .tls12), genuine: nil, now: WallClock.now)
            let session = try worker.serverContext(.standard).session(
                presenting: chain, version: nil, alpn: hello.alpn.contains("http/1.1") ? "http/1.1" : nil,
                in: worker.workspace)
            state = .secured(session, SiteRequestReader())
            read()
        } catch {
            // A CA that signs for some hosts alone signs for none of ours.
            stream.write([21, 3, 3, 0, 2, 2, AlertCode.internalError.rawValue])
            state = .answered
            stream.end()
        }
    }

    /// `received` is ciphertext when this is called, and plaintext is kept apart from it.
    private func decrypt(_ session: TLSSession, _ reader: SiteRequestReader) {
        let records = received
        received = []
        let status = session.receive(records.span) { plain.append(copying: $0) }
        var reader = reader
        let progress = plain.isEmpty ? .needMore : reader.read(plain)
        state = .secured(session, reader)
        let answer = answer(progress, isSecured: true)
        if let answer {
            session.write(answer.span)
            session.closeNotify()
        }
        session.takeOutput { stream.write($0) }
        if answer != nil {
            state = .answered
            return stream.end()
        }
        switch status {
        case .handshaking, .open: break
        case .closeNotified, .failed:
            state = .answered
            stream.end()
        }
    }

    private var plain: [UInt8] = []

    private func answer(_ progress: SiteRequestReader.Progress, isSecured: Bool) -> [UInt8]? {
        switch progress {
        case .needMore: return nil
        case .refused(let answer): return answer
        case .complete(var request):
            // It has one as long as it is open.
            guard let local = stream.localAddress?.endpoint else { return [] }
            let asked = host ?? request.host
            request.host = asked
            let visit = OwnSite.Visit(
                request: request, isChecked: isSecured && asked?.text == OwnSite.checkName,
                local: local)
            return site.answer(visit).bytes(isHead: request.method == "HEAD")
        }
    }

    // MARK: StreamHandler

    func stream(_ stream: any ByteStream, received bytes: Span<UInt8>) {
        guard !isAnswered else { return }
        received.append(copying: bytes)
        read()
    }

    func streamReachedEnd(_ stream: any ByteStream) {
        // Its answer may still be on the way to it.
        guard isAnswered, stream.backlog > 0 else { return close() }
        hasClientEnded = true
    }

    private var hasClientEnded = false

    func stream(_ stream: any ByteStream, failed error: SystemError) { close() }
    func streamConnected(_ stream: any ByteStream) {}
    func streamDrained(_ stream: any ByteStream) { if hasClientEnded { close() } }
}
