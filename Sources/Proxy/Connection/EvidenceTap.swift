import Facts
import TLS
import Wire

/// What a connection's bytes show, for its evidence.
///
/// It keeps counts, shapes and hashes, and none of the bytes.
final class EvidenceTap: ExchangeListener {
    /// Of `MonotonicClock`.
    private let accepted: Double
    private var bytesUp = 0
    private var bytesDown = 0
    /// Of the client, before its ClientHello.
    private var clearUp = 0
    private var first: Observation.FirstBytes?
    private var preface = PrefaceTest()
    private var prefaceOnly = false
    private var status = HTTPStatusReader()
    private var asked = RequestHosts()
    /// When the first bytes for the client were passed on, in ms.
    private var answered: Double?
    /// The bytes are a client's own TLS, as it goes by; nil where they are in the clear.
    @Seldom private(set) var tunnel: PassthroughTap?
    /// They are copied, in the clear: nothing but their number is kept, and in a tunnel what the first ones look like.
    private var onlyCounts = false
    private var notesFirst = false
    /// Where TLS is not on offer, what the client says only to lead to it or to go; nil elsewhere.
    private var talk: ClearTalk?
    private var countsTalkApart = false
    /// Where a ClientHello came behind other bytes, what the server may still answer to those.
    private var answers: ClearBeforeTLS?

    /// The client's records as they came, where they are looked at for what follows its alert, and them in the clear.
    @Seldom private var wire: FarewellRecords?
    /// What follows them: a client may take its leave in the clear (SMTP's QUIT).
    @Seldom private var farewell: ClearTalk?
    private var isRefused = false

    /// Of application data that goes into the digest: enough to recognise a request, and nothing to read in it.
    private static let firstBytesLimit = 64

    init(accepted: Double) { self.accepted = accepted }

    func watchTunnel(_ hello: ClientHello) { tunnel = PassthroughTap(hello: hello) }

    func watchWire() { wire = FarewellRecords() }

    /// The client is refused TLS after its ClientHello, `hello` as it came: whatever it goes on with is in the clear.
    func refusedTLS(_ hello: Span<UInt8>) {
        isRefused = true
        watchWire()
        cameFromClient(hello)
    }

    func cameFromClient(_ bytes: Span<UInt8>) {
        guard wire != nil else { return }
        wire?.scan(bytes)
        let count = min(wire?.strayCount ?? 0, bytes.count)
        guard count > 0 else { return }
        // Something that would be a record is no text.
        guard wire?.isBroken == false else { return }
        if farewell == nil { farewell = ClearTalk() }
        farewell?.read(bytes.extracting((bytes.count - count)...))
    }

    /// What the client sent behind its own alert and under its keys, which nobody read any more: whoever is in the middle can.
    ///
    /// - Parameter isAlert: as `FarewellRecords.unread` has it.
    /// - Returns: bytes of its last records; 0 where they are nothing but alerts themselves.
    func sentBehindAlert(_ trace: HandshakeTrace, isAlert: ([UInt8], Int) -> Bool) -> Int {
        guard trace.alerts.contains(where: { $0.from == .client }) else { return 0 }
        return wire?.unread(behind: trace.readCount, isAlert: isAlert) ?? 0
    }

    /// Bytes that are no TLS, behind the end of it: whoever is in the middle reads them.
    ///
    /// A client says of that end, or only goes on (GnuTLS sends an alert where the app asks for it): it had read our flight
    /// then, or been refused TLS. One whose records broke off before has not ended anything, and is not meant.
    private func sentBehindTLS(_ observation: Observation) -> Int {
        guard let count = wire?.strayCount, farewell?.saysMore == true else { return 0 }
        let saidGoodbye = observation.close?.by == .client && observation.close?.how == .closeNotify
        let hasRead = isRefused || observation.flight?.delivered == true
        return saidGoodbye || hasRead || observation.alerts.contains { $0.from == .client } ? count : 0
    }

    func count(notingFirst: Bool = false, readingTalk: Bool = false) {
        onlyCounts = true
        notesFirst = notingFirst
        if readingTalk { talk = ClearTalk() }
    }

    /// TLS was taken away from the client: what it said of its own, if anything, it said in the clear for that.
    ///
    /// - Returns: whether it did.
    func tookTLSAway() -> Bool {
        countsTalkApart = true
        return talk?.saysMore ?? (bytesUp > 0)
    }

    /// What has passed was in the clear, before a ClientHello: it is none of what the client says under its TLS.
    func beginsTLS() {
        clearUp += bytesUp
        bytesUp = 0
        bytesDown = 0
        first = nil
        onlyCounts = false
        talk = nil
        answers = ClearBeforeTLS()
    }

    /// The client has sent more than what HTTP/2 begins with.
    var showsRequest: Bool { bytesUp > 0 && !prefaceOnly }

    // MARK: ExchangeListener

    func passed(_ bytes: Span<UInt8>, _ direction: ExchangeDirection, at now: Double) {
        switch direction {
        case .up:
            if tunnel != nil {
                tunnel?.fromClient(bytes)
            } else if !onlyCounts {
                heard(bytes)
            } else {
                if notesFirst, bytesUp == 0 { noteFirst(bytes) }
                talk?.read(bytes)
            }
            bytesUp += bytes.count
        case .down:
            if tunnel != nil { fromServer(bytes) } else if !onlyCounts { said(bytes, now) }
            bytesDown += bytes.count
        }
    }

    private func fromServer(_ bytes: Span<UInt8>) {
        guard let parts = answers?.read(bytes) else { return tunnel?.fromServer(bytes) ?? () }
        if answers?.isOver == true { answers = nil }
        tunnel?.fromServer(parts.tls)
    }

    func clientEnded(at now: Double) {}

    func ended(_ close: Observation.Close?, isAnswerLost: Bool, at now: Double) {}

    private func heard(_ bytes: Span<UInt8>) {
        let isFirst = bytesUp == 0
        if isFirst { noteFirst(bytes) }
        if !asked.isIncomplete { asked.read(bytes) }
        guard isFirst || prefaceOnly else { return }
        preface.feed(bytes)
        prefaceOnly = preface.isPrefaceOnly
    }

    private func said(_ bytes: Span<UInt8>, _ now: Double) {
        if bytesDown == 0 { answered = ((now - accepted) * 1e6).rounded() / 1e3 }
        if !status.isDone { status.feed(bytes) }
    }

    private func noteFirst(_ bytes: Span<UInt8>) {
        var start: [UInt8] = []
        start.append(copying: bytes.extracting(first: Self.firstBytesLimit))
        first = Observation.FirstBytes(shape: FirstBytesShape.describe(start), sha256: SHA256.hex(start))
    }

    /// What did not pass, and was in the clear between the client and us all the same.
    func counted(up: Int = 0, down: Int = 0) {
        bytesUp += up
        bytesDown += down
    }

    // MARK: The end

    /// Whom its requests ask, where that is not simply whom the connection is for. What could not be read may be for that
    /// one, so it is among them then.
    private func askedHosts(_ observation: Observation) -> [HostName] {
        guard let host = observation.host, !asked.hosts.isEmpty else { return [] }
        let target = observation.target.flatMap { $0.host.isIP ? nil : $0.host } ?? host
        guard target != host || asked.hosts != [host] else { return [] }
        let isWhole = !asked.isIncomplete && !asked.isInHead
        return asked.hosts + (isWhole || asked.hosts.contains(host) ? [] : [host])
    }

    func complete(_ observation: inout Observation) {
        observation.asked = askedHosts(observation)
        let apart = countsTalkApart ? min(talk?.count ?? 0, bytesUp) : 0
        observation.bytesUp = bytesUp - apart + sentBehindTLS(observation)
        observation.bytesDown = bytesDown
        observation.clearUp = clearUp + apart
        observation.first = first
        observation.prefaceOnly = prefaceOnly
        if let status = status.status {
            observation.status = status
            observation.statusMS = answered
        }
        guard let tunnel else { return }
        observation.requests = tunnel.requests
        observation.clientAsked = tunnel.clientAsked
        observation.passthroughData = tunnel.sawData
        observation.serverAnswered = tunnel.serverAnswered
        observation.records = tunnel.records
    }
}
