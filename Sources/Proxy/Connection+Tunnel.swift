import Facts
import Wire

/// Bytes copied untouched, in passthrough and for hosts that are nobody's business.
extension Connection {
    func startTunnel() {
        stage = .tunnel
        note.action = .tunnelled
        note.attack = .passthrough
        if let hello { tap = PassthroughTap(hello: hello) }
        sendPending(pending)
    }

    func startForwarding() {
        stage = .tunnel
        note.action = .forwarded
        guard case .http(let plain) = request else { return }
        sendPending(plain.head + pending)
    }

    private func sendPending(_ bytes: [UInt8]) {
        pending = []
        if !bytes.isEmpty { copyUp(bytes.span) }
        client.resume()
        origin?.resume()
        let greeting = originGreeting
        originGreeting = []
        if !greeting.isEmpty { copyDown(greeting.span) }
        // It ended while the origin was being dialed.
        if clientHasEnded { origin?.end() }
    }

    func copyUp(_ bytes: Span<UInt8>) {
        guard let origin else { return }
        note.bytesUp += bytes.count
        look(bytes, fromClient: true)
        if losesAnswer, tap?.clientAsked == true { return loseAnswer() }
        origin.write(bytes)
        if origin.backlog > Self.backlogLimit { client.pause() }
    }

    func copyDown(_ bytes: Span<UInt8>) {
        note.bytesDown += bytes.count
        look(bytes, fromClient: false)
        client.write(bytes)
        if client.backlog > Self.backlogLimit { origin?.pause() }
    }

    /// Looks at a copy; never sits in the way of the bytes.
    private func look(_ bytes: Span<UInt8>, fromClient: Bool) {
        guard tap != nil else { return }
        if fromClient { tap?.fromClient(bytes) } else { tap?.fromServer(bytes) }
        if isSpared { reportAnswers() }
        if tap?.sawData == true { worker.checkSettled() }
    }

    /// What a tunnel's records showed, asked when it has ended.
    func noteTunnel() {
        guard let tap else { return }
        reportEndOfTunnel()
        note.requests = tap.requests
        note.passthroughData = tap.sawData
        note.serverAnswered = tap.serverAnswered
        note.records = tap.records
        if let alert = tap.clientAlert {
            note.alerts.append(
                Alert(from: .client, level: alert.level, code: alert.code, epoch: .plaintext, ms: elapsed))
        }
    }
}
