import Facts
import Loop
import Policy
import TLS
import Wire

/// The origin's side: dialing it, and its TLS handshake.
extension Connection {
    func dial(_ endpoint: Endpoint) {
        called = endpoint
        notes.through(upstreamProxy?.endpoint)
        if let open = kept, open.endpoint == endpoint {
            kept = nil
            origin = open.stream
            notes.dialed()
            return handle(.dialed)
        }
        dropKept()
        notes.calls()
        let upstream = upstreamProxy
        let isNamed = intake.namedHosts.contains { machine.plan.profile.names($0) }
        let source = client.address?.address
        var named = intake.request?.target?.host ?? intake.hello?.sni
        // By the name in its hello instead of by the address that it asked for.
        if case .dialing(.meeting(let meeting)) = machine.state, !meeting.target.host.isIP {
            named = meeting.target.host
        }
        let host = upstream == nil ? named : nil
        let dialer = Dialer(
            on: worker.loop, target: endpoint, through: upstream, via: via,
            refusal: { [worker] in worker.refusal(of: source, to: $0, isNamed: isNamed) },
            connecting: worker.ends.map { ends in
                { ends(.dialed(host: host, from: $0.endpoint, to: $1.endpoint)) }
            },
            resolved: upstream != nil && machine.plan.phase == .debugging
                ? nil
                : { [weak self, homes = worker.homes] addresses in
                    guard let named else { return }
                    for address in addresses { homes.note(named, at: address.endpoint) }
                    self?.notes.found(addresses.map(\.endpoint), isOneCalled: upstream == nil)
                })
        self.dialer = dialer
        approach?.connect.begin()
        // Cancelled before anything else is begun.
        dialer.start { [weak self] result in
            guard let self else { return }
            self.dialer = nil
            switch result {
            case .success(let dialed):
                dialed.stream.handler = self
                if worker.noticesLostPeers { dialed.stream.noticeLostPeer() }
                origin = dialed.stream
                originGreeting = dialed.greeting
                approach?.connect.end()
                tellConnected()
                notes.dialed()
                handle(.dialed)
            case .failure(let failure):
                guard let refusal = failure.refusal else {
                    notes.fault(failure.kind)
                    guard failure.kind != .proxyLoop else {
                        return handle(.dialRefused(failure.reason, isLoop: true))
                    }
                    return handle(.dialFailed(failure.reason))
                }
                handle(.dialRefused(failure.reason, isLoop: refusal == .ownListen))
            }
        }
    }

    /// The proxies that the client's request has come through, and this one.
    var via: [UInt8] {
        let own = Array("1.1 \(worker.pseudonym)".utf8)
        return intake.reader.via.isEmpty ? own : intake.reader.via + Array(", ".utf8) + own
    }

    /// Our own request to an upstream proxy has come back: two that are each other's would ask one another for ever.
    func hasComeBack(_ request: ProxyRequest) -> Bool {
        guard case .connect = request, !intake.reader.via.isEmpty else { return false }
        return intake.reader.via.split(separator: UInt8(ascii: ",")).contains { hop in
            hop.split(separator: UInt8(ascii: " ")).dropFirst().first?.elementsEqual(worker.pseudonym.utf8) ?? false
        }
    }

    var upstreamProxy: UpstreamProxy? {
        worker.upstreamProxy ?? machine.plan.profile.upstream.proxy.map(UpstreamProxy.init)
    }

    func handshakeWithOrigin(sni: HostName?, verifying host: HostName, offering protocols: Conduct.Protocols) {
        notes.did(.intercepted)
        // An upstream proxy's address says nothing of where the origin lives.
        let isCalled = upstreamProxy == nil || machine.plan.phase == .debugging
        notes.origin(at: isCalled ? origin?.address?.endpoint : nil)
        let alpn = offered(protocols)
        offersLess = alpn != intake.hello?.alpn ?? []
        do throws(OpenSSLError) {
            let session = try context().session(
                sni: sni, verifying: host, alpn: alpn, maxVersion: intake.hello?.maxVersion ?? .tls12,
                asksForStatus: asksForStatus, resumingAt: machine.plan.phase == .debugging ? called : nil,
                in: worker.workspace)
            originTLS = session
            approach?.originHandshake.begin()
            session.start()
            session.takeOutput { bytes in
                call = HelloRandom(ofHelloIn: bytes).flatMap(worker.calls.begin)
                if approach != nil { approach?.ja4 = ja4(ofHelloIn: bytes) }
                origin?.write(bytes)
            }
            origin?.resume()
        } catch {
            return handle(.originFailed("\(error)"))
        }
        guard !originGreeting.isEmpty else { return }
        let greeting = originGreeting
        originGreeting = []
        originSentHandshake(greeting.span)
    }

    /// Debugging, an origin is offered what the client offers: some answer differently to what they take for a robot, and
    /// what it agrees to is what it would have agreed to. The gate judges clients by what they make of a chain, and needs the
    /// same choice of suites for that; an origin that would take none of the client's is reached all the same.
    private func context() throws(OpenSSLError) -> ClientContext {
        guard let hello = intake.hello else { return worker.origins.own }
        guard case .debugging = machine.plan.phase else {
            return try worker.origins.context(following: OriginOffer(cipherSuites: hello.cipherSuites, goesOn: true))
        }
        return try worker.origins.context(
            following: OriginOffer(
                cipherSuites: hello.cipherSuites, groups: hello.supportedGroups ?? [],
                signatureAlgorithms: hello.signatureAlgorithms ?? [],
                lowest: hello.versions.allSatisfy { $0 == .tls13 } ? .tls13 : .tls12))
    }

    /// Where the client does, and is judged. Debugging, an answer would have to be made for each host, and few miss it.
    private var asksForStatus: Bool { machine.plan.phase != .debugging && intake.hello?.asksForStatus ?? false }

    private func ja4(ofHelloIn bytes: Span<UInt8>) -> String? {
        var parser = ClientHelloParser()
        guard case .complete(let hello) = parser.read(bytes) else { return nil }
        return worker.fingerprint(of: hello).ja4
    }

    /// The client's own list, or what is left of it where HTTP/1.1 is to be spoken.
    private func offered(_ protocols: Conduct.Protocols) -> [String] {
        let all = intake.hello?.alpn ?? []
        let http1 = all.filter { $0 == "http/1.1" }
        return switch protocols {
        case .all: all
        case .http1: http1
        case .http1IfOffered: http1.isEmpty ? all : http1
        case .none: []
        }
    }

    func originSentHandshake(_ bytes: Span<UInt8>) {
        guard let session = originTLS else { return }
        if intake.answers != nil {
            guard let rest = passingAnswers(bytes), !rest.isEmpty else { return }
            return originSentRecords(rest.span, session)
        }
        originSentRecords(bytes, session)
    }

    private func originSentRecords(_ bytes: Span<UInt8>, _ session: TLSSession) {
        let status = session.receive(bytes) { early.append(copying: $0) }
        flushOrigin()
        if case .handshaking = status { return }
        // For whoever asks why the connection came to nothing.
        if let chain = session.originChain { notes.originShowed(worker.chainFacts.facts(of: chain)) }
        switch status {
        case .handshaking: return
        case .closeNotified where missesCertificate, .failed where missesCertificate: goOnWithoutOrigin()
        // It left in the middle, whatever it had shown before.
        case .closeNotified where !session.isFinished:
            notes.originAgreed(session)
            notes.fault(.originHandshake)
            handle(.originFailed("it left the handshake (close_notify)"))
        case .open, .closeNotified:
            approach?.originHandshake.end()
            notes.originAgreed(session)
            // What it says next waits in the kernel until the client has finished.
            origin?.pause()
            // OpenSSL ends the handshake of a chain that does not verify; nothing else may pass here either.
            handle(session.originVerified ? .originReady : .originFailed("its certificate was not verified"))
        case .failed(let reason):
            notes.originAgreed(session)
            notes.fault(session.originRefusal == nil ? .originHandshake : .originCertificate)
            originAlert = offersLess ? nil : session.peerAlert
            handle(.originFailed(session.originRefusal.map { "its certificate does not verify: \($0)" } ?? reason))
        }
    }

    /// The origin ends the handshake as there is no client certificate to show, and by then all is known that is to be
    /// presented after it.
    ///
    /// In TLS 1.3 it says so only when the handshake is over on this side. Whatever it ends with: it has shown a chain that
    /// verifies, and asked.
    var missesCertificate: Bool {
        guard case .attack = machine.plan.phase, case .originHandshake = machine.state, let originTLS else {
            return false
        }
        return !originTLS.isFinished && originTLS.originVerified && originTLS.asksForCertificate
            && originTLS.negotiated?.version == .tls12
    }

    /// What the client makes of our chain is still to be seen; the origin's end is held back meanwhile, as in TLS 1.3.
    func goOnWithoutOrigin() {
        guard let originTLS else { return }
        approach?.originHandshake.end()
        notes.originAgreed(originTLS)
        origin?.pause()
        handle(.originReady)
    }

    /// Puts what the origin's session has written on the wire, and holds the client back where that piles up.
    func flushOrigin() {
        guard let originTLS else { return }
        // Taken even when there is nobody to send it to: the buffer belongs to all sessions of the loop.
        originTLS.takeOutput { origin?.write($0) }
        if origin?.backlog ?? 0 > ConnectionMachine.backlogLimit { handle(.backedUp(.origin)) }
    }

    /// Nothing of what the client says is for the origin, and nothing of what that says, or how it goes, is for the
    /// client.
    func takeLeaveOfOrigin() {
        originTLS?.closeNotify()
        flushOrigin()
        dropOrigin()
        originTLS = nil
        early = []
    }
}
