import Facts
import TLS
import Wire

/// What a connection's bytes show, for its evidence: counts, shapes, hashes, and no bytes.
final class EvidenceTap {
    private var bytesUp = 0
    private var bytesDown = 0
    private var first: Observation.FirstBytes?
    private var preface = PrefaceTest()
    private var prefaceOnly = false
    private var status = HTTPStatusReader()
    /// When the first bytes for the client were decrypted and passed on, in ms.
    private var answered: Double?
    /// The client's TLS as it goes by; nil where nothing is watched.
    private(set) var tunnel: PassthroughTap?

    /// Of application data that goes into the digest: enough to recognise a request, and nothing to read in it.
    private static let firstBytesLimit = 64

    // MARK: An intercepted connection

    func up(_ bytes: Span<UInt8>) {
        let isFirst = bytesUp == 0
        bytesUp += bytes.count
        if isFirst { noteFirst(bytes) }
        if isFirst || prefaceOnly {
            preface.feed(bytes)
            prefaceOnly = preface.isPrefaceOnly
        }
    }

    /// - Parameter elapsed: now, in ms; taken before the bytes are sent, as what the client does because of them comes
    ///   after.
    func down(_ bytes: Span<UInt8>, _ elapsed: @autoclosure () -> Double) {
        if bytesDown == 0 { answered = elapsed() }
        bytesDown += bytes.count
        if !status.isDone { status.feed(bytes) }
    }

    private func noteFirst(_ bytes: Span<UInt8>) {
        var start: [UInt8] = []
        start.append(copying: bytes.extracting(first: Self.firstBytesLimit))
        first = Observation.FirstBytes(shape: FirstBytesShape.describe(start), sha256: SHA256.hex(start))
    }

    // MARK: A connection that is copied

    func watch(_ hello: ClientHello) { tunnel = PassthroughTap(hello: hello) }

    func copied(_ bytes: Span<UInt8>, fromClient: Bool) {
        if fromClient { bytesUp += bytes.count } else { bytesDown += bytes.count }
        guard tunnel != nil else { return }
        if fromClient { tunnel?.fromClient(bytes) } else { tunnel?.fromServer(bytes) }
    }

    /// Sent on or not, it was in the clear between the client and us.
    func counted(up: Int = 0, down: Int = 0) {
        bytesUp += up
        bytesDown += down
    }

    // MARK: The end

    func complete(_ observation: inout Observation) {
        observation.bytesUp = bytesUp
        observation.bytesDown = bytesDown
        observation.first = first
        observation.prefaceOnly = prefaceOnly
        if let status = status.status {
            observation.status = status
            observation.statusMS = answered
        }
        guard let tunnel else { return }
        observation.requests = tunnel.requests
        observation.passthroughData = tunnel.sawData
        observation.serverAnswered = tunnel.serverAnswered
        observation.records = tunnel.records
    }
}
