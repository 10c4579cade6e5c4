import Facts
import Loop
import TLS

/// What is noted of a connection as it goes, and read by nobody before the end.
///
/// All times are taken here, in milliseconds since the connection was accepted, to the microsecond.
struct ConnectionNotes {
    private var observation: Observation
    private let accepted: Double
    /// Of the TLS session's alerts, how many were noted.
    private var alertsTaken = 0

    /// Alerts that end nothing but the client's own sending, whatever their level.
    static let harmlessAlerts = [AlertCode.closeNotify.rawValue, AlertCode.userCanceled.rawValue]

    /// - Parameters:
    ///   - at: when it was accepted, Unix seconds.
    ///   - accepted: the same on the monotonic clock.
    init(number: UInt64, trial: Int, at: Double, accepted: Double, client: Endpoint?) {
        self.accepted = accepted
        observation = Observation(connection: number, trial: trial, at: at, client: client)
    }

    var elapsed: Double { ((MonotonicClock.now - accepted) * 1e6).rounded() / 1e3 }

    /// The end: what the taps have seen goes in, and the whole comes out.
    func finished(_ seen: EvidenceTap) -> Observation {
        var whole = observation
        seen.complete(&whole)
        return whole
    }

    // MARK: Whose it is, and what it asks for

    mutating func client(_ name: String?, _ fault: Observation.Credentials?) {
        observation.clientName = name
        observation.credentials = fault
    }

    mutating func asked(via: Observation.Via, target: Endpoint?, host: HostName?) {
        observation.via = via
        observation.target = target
        observation.host = host
    }

    mutating func hello(_ facts: HelloFacts, for host: HostName?) {
        observation.hello = facts
        observation.helloMS = elapsed
        observation.host = host
    }

    /// At most `addressLimit`: a name has a few.
    ///
    /// - Parameter isOneCalled: the one that is called is noted as the origin's; through an upstream proxy none is.
    mutating func found(_ addresses: [Endpoint], isOneCalled: Bool) {
        guard addresses.count > 1 || !isOneCalled else { return }
        observation.foundAt = Array(addresses.prefix(Self.addressLimit))
    }

    private static let addressLimit = 64

    mutating func host(_ host: HostName?) { observation.host = host }

    mutating func asksForNetworkAlone() { observation.isProbe = true }

    /// A request in the clear, sent on or not.
    mutating func cleartext(for host: HostName) {
        observation.via = .http
        observation.host = host
        observation.action = .forwarded
    }

    /// The same of what came behind a question whether there is a network, or had no end.
    mutating func unreadCleartext(for host: HostName) {
        cleartext(for: host)
        observation.isProbe = false
    }

    mutating func left(_ unfinished: Observation.Unfinished) { observation.unfinished = unfinished }

    /// Nothing was done to it but to send it on.
    var isInTheClear: Bool { observation.action == .none || observation.action == .forwarded }

    /// After other bytes, the client has begun with TLS: what was done so far was not done to that.
    mutating func beginsTLS() {
        observation.action = .none
        observation.attack = nil
    }

    // MARK: What was done

    mutating func did(_ action: Observation.Action) { observation.action = action }

    mutating func met(_ attack: AttackID, _ variant: String?) {
        observation.attack = attack
        observation.variant = variant
    }

    /// The proxy answered with a redirect of its own.
    mutating func redirected() { observation.redirected = true }

    mutating func answered(status: Int) {
        observation.status = status
        observation.statusMS = elapsed
    }

    mutating func leftOut(_ isLimitOfCA: Bool) { observation.leftOut = isLimitOfCA }

    /// - Parameter unlike: what of it is not as the genuine server has it.
    mutating func presented(_ chain: [String], unlike: [String]) {
        observation.presented = chain
        observation.unlike = unlike
    }

    // MARK: The origin

    mutating func dialed() { observation.isDialed = true }

    /// Anew, where a connection that was kept turned out to be closed.
    mutating func calls() { observation.isDialed = false }

    mutating func through(_ proxy: Endpoint?) { observation.upstreamProxy = proxy }

    mutating func origin(at address: Endpoint?) { observation.upstream = Observation.Upstream(address: address) }

    mutating func originFault(_ reason: String) {
        if observation.upstream == nil { observation.upstream = Observation.Upstream() }
        observation.upstream?.error = reason
    }

    mutating func standsIn(for reason: String) {
        originFault(reason)
        observation.isStoodIn = true
    }

    mutating func originShowed(_ certificates: [CertificateFacts]) {
        observation.upstream?.certificates = certificates
    }

    mutating func originAgreed(_ session: TLSSession) {
        observation.upstream?.negotiated = session.negotiated
        observation.upstream?.verified = session.originVerified
        observation.upstream?.asksForCertificate = session.asksForCertificate
        if let chain = session.originChain {
            observation.upstream?.chain = chain.sha256
            observation.upstream?.spki = chain.spki
        }
    }

    mutating func renegotiation(withOrigin origin: TLSSession?, withClient client: TLSSession?) {
        if client?.refusedRenegotiation == true { observation.renegotiates = .client }
        if origin?.refusedRenegotiation == true { observation.renegotiates = .origin }
    }

    /// Whoever is noted as the one that closed: what came from there.
    mutating func unreadable(fromOrigin origin: TLSSession?, fromClient client: TLSSession?) {
        switch observation.close?.by {
        case .origin: observation.close?.unreadable = origin?.unreadable
        case .proxy: observation.close?.unreadable = client?.unreadable
        case .client, .gate, nil: break
        }
    }

    // MARK: The client's handshake

    mutating func flight(ms: Double) { observation.flight = Observation.Flight(ms: ms, delivered: false) }

    mutating func flightDelivered() { observation.flight?.delivered = true }

    mutating func finishedHandshake(_ session: TLSSession) {
        observation.finishedMS = elapsed
        // Only who has read our flight can answer it with a Finished.
        observation.flight?.delivered = true
        observation.negotiated = session.negotiated
    }

    /// A resumed handshake shows no certificate: how the client goes on is no answer to one.
    mutating func resumption(_ session: TLSSession) {
        observation.resumed = session.isResumed
        if observation.resumed { (observation.presented, observation.unlike) = ([], []) }
    }

    mutating func alerts(_ session: TLSSession) {
        let seen = session.trace.alerts
        guard seen.count > alertsTaken else { return }
        for alert in seen[alertsTaken...] {
            add(Alert(from: alert.from, level: alert.level, code: alert.code, epoch: alert.epoch, ms: elapsed))
        }
        alertsTaken = seen.count
    }

    mutating func records(_ session: TLSSession, behindAlert count: Int) {
        observation.records = session.trace.records
        observation.behindAlert = count
    }

    mutating func add(_ alert: Alert) { observation.alerts.append(alert) }

    // MARK: Ends

    mutating func closed(by side: Observation.Close.Side, _ how: Observation.Close.Kind) {
        observation.close = Observation.Close(by: side, how: how, ms: elapsed)
    }

    /// The first fault is the one that is told.
    mutating func fault(_ words: String) { observation.error = observation.error ?? words }

    /// The first one is the cause of the others.
    mutating func fault(_ kind: Observation.Fault) { observation.fault = observation.fault ?? kind }

    var isRefusedByOrigin: Bool { observation.fault == .originRefused }
}
