import Facts
import Loop
import TLS
import Wire

/// The first bytes: what the client asks for, and its ClientHello.
extension Connection {
    func readRequest() {
        while case .request = machine.state {
            switch intake.reader.read(intake.pending) {
            case .needMore: return
            case .answer(let answer, let consumed):
                intake.pending.removeFirst(consumed)
                client.write(answer)
                if intake.pending.isEmpty { return }
            case .challenge(let request, let answer, let consumed, let last):
                intake.pending.removeFirst(consumed)
                // Who never shows any is named by what it asked for.
                note(request)
                client.write(answer)
                if last { return handle(.requestRefused) }
                if intake.pending.isEmpty { return }
            case .complete(let request, let consumed):
                intake.pending.removeFirst(consumed)
                accept(request)
            case .refused(.notForAProxy, _) where asksProxyItself: askSite()
            case .refused(let error, let answer):
                noteCredentials()
                notes.fault(error.isOfAnotherProtocol ? .unreadable : .proxyForbidden)
                notes.fault("request: \(error)")
                // Behind a request of another protocol nobody has read what looks like a field.
                if error.isOfHTTP, let target = RefusedRequest.endpoint(in: intake.pending) {
                    noteCleartext(for: target.host, intake.pending.count)
                    intake.host = target.host
                    beginTaps(for: target)
                    follower?.passed(intake.pending.span, .up, at: now)
                }
                intake.pending = []
                intake.isRefused = true
                client.write(answer)
                handle(.requestRefused)
            }
        }
    }

    /// Sent on or not, it was in the clear between the client and us.
    private func noteCleartext(for host: HostName, _ count: Int) {
        notes.cleartext(for: host)
        evidence.counted(up: count)
    }

    /// What a client has begun, a ClientHello or what tells the proxy where to, and never brought to an end.
    func noteUnfinished() {
        guard clientTLS == nil, intake.hello == nil, !intake.isRefused, let first = intake.pending.first else { return }
        switch (intake.request, first) {
        case (nil, 0x16), (.connect, 0x16), (.socks, 0x16), (.tls, 0x16):
            // It may have come whole while the origin was called, and nobody has read it.
            var parser = ClientHelloParser()
            guard case .needMore = parser.read(intake.pending) else { return }
            notes.left(.clientHello(bytes: intake.pending.count))
        case (nil, _): notes.left(.request(bytes: intake.pending.count))
        default: break
        }
    }

    /// What a client has said in the clear, and nobody has read as a request: a head without an end, a request behind one that
    /// could not be sent on.
    func noteUnread() {
        guard mayBeUnread, !intake.pending.isEmpty,
            let target = RefusedRequest.endpoint(inUnfinished: intake.pending), !isForSite(target.host)
        else { return }
        if case .http(let first) = intake.request {
            if first.isProbe, isProbe(intake.pending) { return }
            let known = first.namedHost ?? first.target.host
            let role = { [plan = machine.plan] host in plan.profile.role(of: host) }
            // Of one connection one host is told: the one that has to refuse.
            guard first.isProbe || known == target.host || role(target.host) == .refuse && role(known) != .refuse else {
                return
            }
        }
        notes.unreadCleartext(for: target.host)
        evidence.counted(up: intake.pending.count)
        guard !hasTaps else { return }
        intake.host = target.host
        beginTaps(for: target)
        let unread = intake.pending
        follower?.passed(unread.span, .up, at: now)
    }

    /// Where content may come, or another protocol, nobody knows what is a request.
    private var mayBeUnread: Bool {
        guard clientTLS == nil, intake.hello == nil, evidence.tunnel == nil, !intake.isRefused, notes.isInTheClear
        else {
            return false
        }
        return switch intake.request {
        case nil: true
        case .http(let first): first.bodyLength == .none
        case .connect, .socks, .tls: false
        }
    }

    private func isProbe(_ bytes: [UInt8]) -> Bool {
        var reader = ProxyRequestReader()
        guard case .complete(.http(let request), bytes.count) = reader.read(bytes) else { return false }
        return request.isProbe
    }

    /// Behind what has ended the proxy's interest in it.
    func keepUnread(_ bytes: Span<UInt8>) {
        guard mayBeUnread, intake.pending.count < RefusedRequest.limit else { return }
        let room = min(bytes.count, RefusedRequest.limit - intake.pending.count)
        intake.pending.append(copying: bytes.extracting(0..<room))
    }

    private func accept(_ request: ProxyRequest) {
        intake.request = request
        approach?.asked = now
        worker.hasAsked(self)
        if isForSite(request) { return handle(.siteAsked) }
        note(request)
        guard !hasComeBack(request) else { return refuseLoop(request) }
        switch request {
        case .connect(let target), .socks(let target):
            handle(
                .tunnelAsked(
                    .init(target: target, home: home(of: target), mayBeNamed: mayBeNamed(target))))
        case .http(let plain):
            if plain.isProbe { notes.asksForNetworkAlone() }
            let destination = machine.plan.destination(of: plain.target)
            handle(
                .requestAsked(
                    .init(
                        target: plain.target, isReused: kept?.endpoint == destination,
                        isRepeatable: PlainExchange.isRepeatable(plain))))
        case .tls: handle(.helloCame)
        }
    }

    private func refuseLoop(_ request: ProxyRequest) {
        let reason = "the upstream proxy leads back to this one"
        notes.through(upstreamProxy?.endpoint)
        notes.fault(.proxyLoop)
        notes.fault("leads back to the proxy: \(reason)")
        let target = request.target?.description ?? "?"
        client.write(HTTPAnswer.error(.loopDetected, "cannot reach \(target): \(reason)"))
        handle(.requestRefused)
    }

    private func note(_ request: ProxyRequest) {
        // Until a server name says more: whom it was for has to be known even when the origin cannot be reached.
        var host = request.target?.host
        if case .http(let plain) = request, let named = plain.namedHost { host = named }
        intake.host = host
        notes.asked(via: request.via, target: request.target, host: host)
        noteCredentials()
    }

    /// Called before it is decided what happens to the connection.
    private func noteCredentials() {
        machine.clientName = intake.reader.client ?? machine.clientName
        notes.client(machine.clientName, intake.reader.fault)
    }

    /// The tunnel stands: the client may begin.
    func confirm() {
        switch intake.request {
        case .connect: client.write(HTTPAnswer.connectionEstablished)
        case .socks: client.write(SOCKS5.reply(.succeeded))
        case .http, .tls, nil: break
        }
    }

    func enterHello() {
        // It was held back if it sent much while the origin was being dialed.
        client.resume()
        // It was listened to before, and has said nothing: to listen to its server as well changes nothing.
        if origin != nil, intake.wasListenedTo, intake.pending.isEmpty { origin?.resume() }
        if case .debugging = machine.plan.phase {
            // A server that speaks first speaks no TLS, and its client may wait for that for ever.
            guard originGreeting.isEmpty else { return handle(.otherProtocolCame) }
            origin?.resume()
        }
        if !intake.pending.isEmpty { readHello() }
    }

    func readHello() {
        switch intake.helloParser.read(intake.pending) {
        // The rest of one in two segments may wait for that (Nagle's algorithm, RFC 9293 §3.7.4).
        case .needMore: client.acknowledge()
        case .complete(let hello): heard(hello)
        case .notTLS, .malformed:
            let target = intake.request?.target?.host
            var host = target
            if target?.isIP == true, case .http(let named?) = SpokenName(reading: intake.pending) { host = named }
            intake.host = host
            notes.host(host)
            handle(.otherProtocolCame)
        }
    }

    /// The client's whole ClientHello, first of all it said or after other bytes.
    func heard(_ hello: ClientHello) {
        intake.hello = hello
        let facts = hello.facts(worker.fingerprint(of: hello))
        let target = intake.request?.target ?? machine.originalDestination
        let isUnnamed = facts.sni?.isIP ?? true
        let home = isUnnamed ? home(of: target) : nil
        intake.host = ConnectionMachine.host(sni: facts.sni, home: home, target: target)
        notes.hello(facts, for: intake.host)
        approach?.hello = facts
        if machine.state == .hello(target: nil), isForSite(facts.sni) { return handle(.siteAsked) }
        guard !worker.calls.isOwn(hello.random) else { return handle(.ownHelloRead) }
        guard !hello.hasInvalidSNI || goesOnUnnamed(home ?? target?.host) else { return handle(.invalidNameRead) }
        // Behind other bytes the origin is there already, and goes on meanwhile.
        let isFirst =
            switch machine.state {
            case .hello, .listening: true;
            default: false
            }
        if isUnnamed, home == nil, isFirst, asksWhoLives(at: target, behind: facts.sni) { return }
        handle(.helloRead(sni: facts.sni, home: home))
    }

    /// A server name that is none ("host:443") is a slip that servers let pass, and so does whoever intercepts. The gate leaves it to
    /// them: what was asked for says whom it is for.
    private func goesOnUnnamed(_ host: HostName?) -> Bool {
        host?.isIP == false && machine.plan.phase != .debugging
    }

    func turnAway(_ fault: ConnectionMachine.Fault) {
        notes.fault(fault.kind)
        switch fault {
        case .unreachable(let reason, _):
            notes.fault("origin unreachable: \(reason)")
            notes.originFault(reason)
            tellUnreachable(reason, .badGateway, notes.isRefusedByOrigin ? .connectionRefused : .hostUnreachable)
        case .forbidden(let reason):
            notes.fault("not called: \(reason)")
            tellUnreachable(reason, .forbidden, .notAllowed)
        case .loop(let reason):
            notes.fault("leads back to the proxy: \(reason)")
            if intake.hello == nil {
                tellUnreachable(reason, .loopDetected, .notAllowed)
            } else {
                alert(.internalError)
            }
        case .nameless:
            notes.fault("neither CONNECT nor SNI: nowhere to connect to")
            alert(.unrecognizedName)
        case .invalidName:
            notes.fault("the server name (SNI) in the ClientHello is no host name")
            alert(.unrecognizedName)
        case .originRefused(let reason, _):
            notes.fault("origin refused: \(reason)")
            notes.originFault(reason)
            alert(originAlert.map(AlertCode.init).flatMap { $0.isOfOffer ? $0 : nil } ?? .internalError)
        case .cannotPresent(let reason):
            notes.fault(reason)
            alert(.internalError)
        case .unreadable(let reason):
            notes.fault("request: \(reason)")
            client.write(HTTPAnswer.error(.badRequest, reason))
        case .cutShort(let reason): notes.fault("request: \(reason)")
        case .unanswered:
            let reason = "the origin closed the connection without an answer"
            notes.fault(reason)
            notes.originFault(reason)
            client.write(HTTPAnswer.error(.badGateway, "\(intake.request?.target?.description ?? "?"): \(reason)"))
        case .overrun: notes.fault(Observation.overrun)
        }
    }

    private func tellUnreachable(_ reason: String, _ status: HTTPAnswer.Status, _ reply: SOCKS5.Reply) {
        switch intake.request {
        // What it hears now it takes for its server's.
        case .connect where machine.isTold, .socks where machine.isTold:
            if intake.hello != nil { alert(.internalError) }
        case .connect(let target):
            client.write(HTTPAnswer.error(status, "cannot reach \(target): \(reason)"))
        case .socks: client.write(SOCKS5.reply(reply))
        case .http(let plain):
            noteCleartext(for: plain.namedHost ?? plain.target.host, plain.head.count)
            showRequest()
            client.write(HTTPAnswer.error(status, "cannot reach \(plain.target): \(reason)"))
        case .tls, nil: alert(.internalError)
        }
    }

    /// Shows a plain request to whoever follows exchanges, before it goes anywhere or where it never does: as of the time
    /// when it came.
    func showRequest() {
        guard !hasTaps, case .http(let plain) = intake.request else { return }
        let came = approach?.asked ?? now
        beginTaps(at: came)
        follower?.passed(plain.head.span, .up, at: came)
    }

    /// A fatal alert in the clear, before any handshake of ours has begun (RFC 8446 §6).
    func alert(_ code: AlertCode) {
        client.write([21, 3, 3, 0, 2, 2, code.rawValue])
        notes.add(Alert(from: .proxy, level: 2, code: code.rawValue, epoch: .plaintext, ms: notes.elapsed))
    }
}

extension ConnectionMachine.Fault {
    /// What it is, where nothing has said it better.
    fileprivate var kind: Observation.Fault {
        switch self {
        case .unreachable(_, let isLate): isLate ? .originTimeout : .originUnreachable
        case .forbidden: .proxyForbidden
        case .loop: .proxyLoop
        case .nameless, .invalidName: .proxyForbidden
        case .unreadable, .cutShort: .unreadable
        case .originRefused(_, let isLate): isLate ? .originTimeout : .originClosed
        case .cannotPresent: .proxyLimit
        case .unanswered, .overrun: .originClosed
        }
    }
}
