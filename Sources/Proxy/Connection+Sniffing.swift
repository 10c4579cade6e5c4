import Facts
import Loop
import TLS
import Wire

/// The first bytes: what the client asks for, and its ClientHello.
extension Connection {
    func readRequest() {
        while stage == .request {
            switch requestReader.read(pending) {
            case .needMore: return
            case .answer(let answer, let consumed):
                pending.removeFirst(consumed)
                client.write(answer)
                if pending.isEmpty { return }
            case .challenge(let request, let answer, let consumed, let last):
                pending.removeFirst(consumed)
                // Who never shows any is named by what it asked for.
                noteRequest(request)
                noteCredentials()
                client.write(answer)
                if last { return drain() }
                if pending.isEmpty { return }
            case .complete(let request, let consumed):
                pending.removeFirst(consumed)
                accept(request)
            case .refused(let error, let answer):
                noteCredentials()
                note.error = "request: \(error)"
                noteCleartext(for: RefusedRequest.host(in: pending), pending.count)
                client.write(answer)
                drain()
            }
        }
    }

    /// Sent on or not, it was in the clear between the client and us.
    private func noteCleartext(for host: HostName?, _ count: Int) {
        guard let host else { return }
        note.via = .http
        note.host = host
        note.action = .forwarded
        note.bytesUp += count
    }

    private func accept(_ request: ProxyRequest) {
        stage = .waiting
        self.request = request
        noteRequest(request)
        noteCredentials()
        switch request {
        case .connect(let target), .socks(let target): handle(.tunnelAsked(target))
        case .http(let plain): handle(.requestAsked(plain.target))
        case .tls: handle(.helloCame)
        }
    }

    private func noteRequest(_ request: ProxyRequest) {
        note.via = request.via
        note.target = request.target
        // Until a server name says more: whom it was for has to be known even when the origin cannot be reached.
        note.host = request.target?.host
        if case .http(let plain) = request, let named = plain.namedHost { note.host = named }
    }

    /// The tunnel stands: the client may begin.
    func confirm() {
        switch request {
        case .connect: client.write(HTTPAnswer.connectionEstablished)
        case .socks: client.write(SOCKS5.reply(.succeeded))
        case .http, .tls, nil: break
        }
    }

    func enterHello() {
        stage = .hello
        lastActivity = MonotonicClock.now
        // It was held back if it sent much while the origin was being dialed.
        client.resume()
        if !pending.isEmpty { readHello() }
    }

    func readHello() {
        switch helloParser.read(pending) {
        case .needMore: return
        case .complete(let hello):
            stage = .waiting
            self.hello = hello
            let facts = hello.facts(worker.fingerprint(of: hello))
            note.hello = facts
            note.host = ConnectionMachine.host(sni: facts.sni, target: note.target)
            guard !hello.hasInvalidSNI else { return handle(.invalidNameRead) }
            isSpared = note.host.map(isBeforeOnset) ?? false
            handle(.helloRead(sni: facts.sni, isSpared: isSpared))
        case .notTLS, .malformed:
            stage = .waiting
            note.host = note.target?.host
            if note.host?.isIP == true, case .http(let named?) = SpokenName(reading: pending) { note.host = named }
            handle(.otherProtocolCame)
        }
    }

    func turnAway(_ fault: ConnectionMachine.Fault) {
        switch fault {
        case .unreachable(let reason):
            note.error = "origin unreachable: \(reason)"
            note.upstream = Observation.Upstream(error: reason)
            switch request {
            case .connect(let target), .socks(let target):
                let words = HTTPAnswer.error(.badGateway, "cannot reach \(target): \(reason)")
                client.write(note.via == .socks5 ? SOCKS5.reply(.hostUnreachable) : words)
            case .http(let plain):
                noteCleartext(for: note.host, plain.head.count)
                client.write(HTTPAnswer.error(.badGateway, "cannot reach \(plain.target): \(reason)"))
            case .tls, nil: alert(Self.internalError)
            }
        case .nameless:
            note.error = "neither CONNECT nor SNI: nowhere to connect to"
            alert(Self.unrecognizedName)
        case .originRefused(let reason):
            note.error = "origin refused: \(reason)"
            note.upstream?.error = reason
            alert(Self.internalError)
        case .cannotPresent(let reason):
            note.error = reason
            alert(Self.internalError)
        }
        drain()
    }

    private static let internalError = AlertCode(rawValue: 80)
    private static let unrecognizedName = AlertCode(rawValue: 112)

    /// A fatal alert in the clear, before any handshake of ours has begun (RFC 8446 §6).
    func alert(_ code: AlertCode) {
        client.write([21, 3, 3, 0, 2, 2, code.rawValue])
        note.alerts.append(Alert(from: .proxy, level: 2, code: code.rawValue, epoch: .plaintext, ms: elapsed))
    }
}
