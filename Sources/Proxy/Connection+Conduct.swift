import Facts
import Loop
import Policy
import TLS
import Wire

/// What a forged server does otherwise than the genuine one (`Conduct`), beside its chain.
extension Connection {
    // MARK: What is presented

    /// The attack that the client meets: before the change of key, a control under the key that it pins.
    func met(_ attack: Attack, _ variant: Attack.Variant, _ host: HostName) -> (Attack, Attack.Variant) {
        guard variant.beginsUnderLentKey, machine.plan.profile.lent[host]?.backupKey != nil,
            !trial.hasSession(with: subject(host)), let lent = Attack.lentKey.variants.first
        else { return (attack, variant) }
        beginsSession = true
        return (.lentKey, lent.behaving(as: variant.conduct))
    }

    func serverContext() throws(OpenSSLError) -> ServerContext {
        if conduct.resumption, let resumable = trial.resumable { return resumable }
        switch conduct.offer {
        case .mirrored, .tls12, .http1, .older, .noALPN: return try worker.serverContext(.standard)
        case .only: return try worker.serverContext(.legacy)
        case .unencrypted: return try worker.serverContext(.unencrypted)
        case .anonymous: return try worker.serverContext(.anonymous)
        }
    }

    func prefersRSALeaf(_ version: TLSVersion) -> Bool {
        guard let hello else { return false }
        return conduct.offer == .unencrypted ? hello.prefersRSALeafUnencrypted : hello.prefersRSALeaf(for: version)
    }

    // MARK: What is answered

    /// Nothing of what the client says is for the origin, and nothing of what that says, or how it goes, is for the
    /// client.
    func takeLeaveOfOrigin() {
        originTLS?.closeNotify()
        flushOrigin()
        dropOrigin()
        originTLS = nil
        early = []
        if conduct.answer == .redirect { redirect = machine.plan.redirectTarget.map { RedirectAnswer(to: $0) } }
    }

    /// A server of HTTP/2 speaks first, and some clients wait for it: empty SETTINGS (RFC 9113 §3.4).
    func greet() {
        guard note.negotiated?.alpn == "h2" else { return }
        let settings: [UInt8] = [0, 0, 0, 4, 0, 0, 0, 0, 0]
        deliver(settings.span)
    }

    func answerRedirect(_ session: TLSSession) {
        guard let answer = redirect?.answer, session.isFinished else { return }
        redirect = nil
        deliver(answer.span)
        noteClose(by: .proxy, how: .closeNotify)
        sayGoodbye(session)
    }

    func sayGoodbye(_ session: TLSSession) {
        session.closeNotify()
        flushClient()
        drain()
    }

    /// The client asked for an attacked host in the clear; it is sent to the same URL of https.
    func redirectToTLS(_ host: HostName) {
        guard case .http(let plain) = request else { return }
        note.action = .forwarded
        note.bytesUp += plain.head.count
        let answer = RedirectAnswer.redirect(to: host, plain)
        note.bytesDown += answer.count
        note.status = 302
        note.statusMS = elapsed
        client.write(answer)
        noteClose(by: .proxy, how: .fin)
        drain()
    }

    // MARK: No TLS at all

    func refuseTLS(_ attack: Attack, _ variant: Attack.Variant, _ refusal: Conduct.Refusal) {
        note.action = .intercepted
        note.attack = attack.id
        note.variant = variant.name
        conduct = variant.conduct
        dropOrigin()
        pending = []
        switch refusal {
        case .reset:
            noteClose(by: .proxy, how: .rst)
            client.reset()
            end(by: .proxy, how: .rst)
        case .close:
            noteClose(by: .proxy, how: .fin)
            drain()
        case .handshakeFailure: refuse(with: .handshakeFailure)
        case .inappropriateFallback: refuse(with: AlertCode(rawValue: 86))
        case .silence:
            // Read and forgotten, until the client has had enough.
            stage = .presenting
            lastActivity = MonotonicClock.now
            client.resume()
        }
    }

    private func refuse(with code: AlertCode) {
        alert(code)
        noteClose(by: .proxy, how: .aborted)
        drain()
    }
}

extension Conduct {
    /// What is agreed with a client, where its origin agreed to `genuine`.
    func version(_ genuine: TLSVersion, offered: [TLSVersion]) -> TLSVersion {
        switch offer {
        case .older: offered.contains(.tls12) ? .tls12 : genuine
        case .mirrored, .http1, .noALPN: genuine
        case .tls12, .unencrypted, .anonymous: .tls12
        case .only(let version): version
        }
    }
}
