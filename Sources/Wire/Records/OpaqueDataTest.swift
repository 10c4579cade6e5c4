import Facts

/// Whether tunnelled TLS carried a request and its answer, by types and lengths of records.
///
/// A client that refuses the genuine server must fail it, or a broken app would look healthy; so where the records can
/// be read in two ways, the answer is no. It is shown the records of both directions in the order in which they
/// passed, and is best asked when the connection has ended.
///
/// *TLS 1.2 and older* show what each record is: wanted is application data of the client, not empty (before
/// TLS 1.2: longer than an alert), after its ChangeCipherSpec, and application data of the server after that.
///
/// *TLS 1.3* hides it, so the client's flight is told by its lengths:
///
/// - up to 44 bytes: an alert, or the empty Certificate of a client that has none; never counted
/// - then 45 to 100 bytes: the Finished (53 with SHA-256, 69 with SHA-384, 16 more from JSSE)
/// - or over 100 bytes: a client certificate. Its Finished is the later of the next two records that looks like one,
///   since an Ed25519 CertificateVerify (89) looks like one too; where neither does, it was in that record as well
///
/// and wanted is a record longer than an alert after the Finished, or more records than a client has alerts to send; then
/// one of the server that by its length is neither an alert nor, where HTTP/2 may be spoken, a frame that any server sends
/// that has read settings. The server's session tickets come before: whoever feeds it sees to that (`TicketWait`).
package struct OpaqueDataTest {
    /// No alert is longer: 19 bytes from most, 35 from JSSE (docs/verdicts.md, "Passthrough: the bracket").
    static let longestAlert = 40
    /// A warning, a fatal one, and close_notify: nobody sends more of them.
    static let mostAlerts = 3
    /// An empty record of TLS 1.2 with AES-GCM: nonce and tag. Before 1.2 an empty one goes before each with data.
    static let longestEmptyRecord = 24
    /// In TLS 1.3, of who does not pad: an alert (2 bytes) and a KeyUpdate (5), with the type and a tag of 16 or 8 bytes,
    /// and 16 more from JSSE.
    private static func isControl(_ length: Int) -> Bool {
        switch length {
        case 19, 11, 35, 22, 14, 38: true
        default: false
        }
    }
    /// Of a server that has read a client's preface, and may have nobody to ask: an acknowledgement of settings (9 bytes), a
    /// WINDOW_UPDATE or RST_STREAM (13), a PING or GOAWAY (17), and two of them in one record (RFC 9113 §6).
    ///
    /// In JSSE each record is longer by 16. Two of them are told so in a connection: answers may be as short.
    private mutating func isHTTP2Control(_ length: Int) -> Bool {
        switch length - 17 {
        case 9, 13, 17, 22, 26, 30, 25, 29, 33, 38, 42, 46: break
        default: return false
        }
        // Before there was anything to answer it is none of the two.
        guard hasAsked(before: lengths.count) else { return true }
        controls += 1
        return controls <= 2
    }
    /// Finished of a suite with SHA-256 and a tag of 8 bytes.
    static let shortestFinished = 45
    static let longestLoneFinished = 90
    static let shortestCertificateFlight = 101
    /// EndOfEarlyData is the one record of exactly this length that can precede a Finished.
    static let endOfEarlyData = 21
    /// A record this long was cut off: its message goes on in the next.
    static let fullRecord = 1 << 14
    /// Client records looked at: a request shows in the first few.
    static let recordLimit = 32

    private var version: TLSVersion?
    /// The client may send application data before it has seen anything of the server.
    private var mayHaveEarlyData: Bool
    private let certificateFlight: CertificateFlight
    private let mayBeHTTP2: Bool

    /// How much the hello lets us read out of a flight with a client certificate.
    private enum CertificateFlight {
        case readable
        /// The server may ask for short records (RFC 8449): only three records in a row are taken for such a flight.
        case onlyInThree
        /// The client asks for short records, or offers a raw public key, which is no longer than a Finished.
        case unreadable
    }

    // TLS 1.3
    private var serverSpoke = false
    /// Application data before anything of the server: nothing else is encrypted so early (RFC 8446 §4.2.10).
    private var sentEarlyData = false
    private var lengths: [Int] = []
    /// For each of the server's answers: how many of `lengths` came before it.
    private var turns: [Int] = []
    /// The same for the last of those that may answer a request.
    private var lastAnswered = 0
    /// Records of the server behind a request that by their length are control frames of HTTP/2.
    private var controls = 0
    private var clientAlerted = false

    // TLS 1.2 and older
    private var changedCipher = false
    private var requested = false
    private var replied = false

    /// The client has asked something since the server's last answer: in TLS 1.2, and in 1.3 beyond `recordLimit`.
    private var isAsking = false
    private var exchanges = 0

    /// Without a hello that could be read, the least favourable is assumed.
    package init(hello: ClientHello?) {
        mayHaveEarlyData = hello?.offersEarlyData ?? true
        mayBeHTTP2 = hello?.alpnProtocols.contains(Array("h2".utf8)) ?? true
        certificateFlight =
            if let hello, !hello.offers(extension: ExtensionType.maxFragmentLength),
                !hello.offers(extension: ExtensionType.clientCertificateType)
            {
                hello.offers(extension: ExtensionType.recordSizeLimit) ? .onlyInThree : .readable
            } else {
                .unreadable
            }
    }

    /// Tells what the ServerHello said.
    package mutating func negotiated(_ version: TLSVersion) { self.version = version }

    package mutating func clientRecord(type: UInt8, length: Int) {
        switch type {
        case RecordType.changeCipherSpec: changedCipher = true
        case RecordType.alert: clientAlerted = true
        case RecordType.handshake where serverSpoke && !clientAlerted:
            // In TLS 1.3 the second ClientHello, after a HelloRetryRequest: all begins anew, and early data is over.
            lengths.removeAll(keepingCapacity: true)
            turns.removeAll(keepingCapacity: true)
            lastAnswered = 0
            mayHaveEarlyData = false
        case RecordType.applicationData:
            let isData = length > (version == .tls12 ? Self.longestEmptyRecord : Self.longestAlert)
            if changedCipher, isData { requested = true }
            let isBeyond = lengths.count >= Self.recordLimit
            if serverSpoke, !clientAlerted, !isBeyond { lengths.append(length) }
            if !serverSpoke, mayHaveEarlyData { sentEarlyData = true }
            if isData, isBeyond || isPlain { isAsking = true }
        default: break
        }
    }

    package mutating func serverRecord(type: UInt8, length: Int) {
        switch type {
        case RecordType.handshake: serverSpoke = true
        case RecordType.applicationData:
            if requested { replied = true }
            let isControl = Self.isControl(length)
            if isAsking, isPlain ? changedCipher : !isControl {
                exchanges += 1
                isAsking = false
            }
            if !isControl, lengths.count > turns.last ?? 0 { turns.append(lengths.count) }
            if !isControl, !mayBeHTTP2 || !isHTTP2Control(length) { lastAnswered = lengths.count }
        default: break
        }
    }

    /// The client sent application data, and the server answered it.
    package var sawData: Bool {
        guard let version else { return false }
        guard version >= .tls13 else { return requested && replied }
        return hasAsked(before: lastAnswered)
    }

    /// The client sent application data, whether it was answered or not.
    ///
    /// A connection that was used has to be attacked, so here little is enough: a record that by its length is neither an
    /// alert nor a KeyUpdate of a client that does not pad, or early data.
    package var clientAsked: Bool {
        guard let version else { return false }
        guard version >= .tls13 else { return requested }
        if sentEarlyData || hasAsked(before: lengths.count) { return true }
        guard let flight = finishedFlight, flight.longestAlert == Self.longestAlert else { return false }
        return lengths.dropFirst(flight.end).contains { !Self.isControl($0) }
    }

    private func hasAsked(before end: Int) -> Bool {
        guard let flight = finishedFlight else { return false }
        let sent = lengths[..<end].dropFirst(flight.end)
        return sent.contains { $0 > flight.longestAlert } || sent.count > Self.mostAlerts
    }

    /// How often the client asked and the server answered: a client record after one of the server's begins a new
    /// request. What travels at once, as in HTTP/2, counts as one; the preface and settings of HTTP/2 count as well.
    package var requests: Int {
        guard let version else { return 0 }
        guard version >= .tls13 else { return exchanges }
        guard let flight = finishedFlight else { return 0 }
        // A client that pads its records may pad its alerts, and those beyond the limit were not compared with that.
        var count = flight.longestAlert == Self.longestAlert ? exchanges : 0
        var start = flight.end
        for end in turns where end > start {
            if lengths[start..<end].contains(where: { $0 > flight.longestAlert }) { count += 1 }
            start = end
        }
        // Many short records may be one request.
        return max(count, sawData ? 1 : 0)
    }

    private var isPlain: Bool { version.map { $0 < .tls13 } ?? false }

    /// Where in `lengths` the client's handshake ends, and how long an alert of this client can be.
    private var finishedFlight: (end: Int, longestAlert: Int)? {
        var start = 0
        if mayHaveEarlyData {
            // Early data that is still on its way looks like anything that may follow it. Only where the server
            // accepted it has it an end that can be recognised.
            guard
                let end = lengths.indices.dropLast().first(where: {
                    lengths[$0] == Self.endOfEarlyData && Self.looksLikeFinished(lengths[$0 + 1])
                })
            else { return nil }
            start = end + 1
        }
        guard let first = lengths[start...].firstIndex(where: { $0 >= Self.shortestFinished }) else { return nil }
        if lengths[first] < Self.shortestCertificateFlight {
            let isPadded = !Self.isUnpaddedFinished(lengths[first])
            // Padded, or a Certificate that holds nothing but a short public key.
            if isPadded, certificateFlight == .unreadable { return nil }
            return (first + 1, isPadded ? max(Self.longestAlert, lengths[first]) : Self.longestAlert)
        }
        return certificateFlightEnd(first).map { ($0, Self.longestAlert) }
    }

    private func certificateFlightEnd(_ first: Int) -> Int? {
        // Two of one length are pieces of a message that was cut small, or of a client that pads all to one length,
        // alerts as well.
        if first + 1 < lengths.count, lengths[first + 1] == lengths[first], lengths[first] < Self.fullRecord {
            return nil
        }
        var last = first
        while last + 1 < lengths.count, lengths[last] >= Self.fullRecord { last += 1 }
        let (second, third) = (last + 1, last + 2)
        switch certificateFlight {
        case .unreadable: return nil
        case .onlyInThree: return last == first && isFinished(at: third) ? third + 1 : nil
        case .readable: return isFinished(at: third) ? third + 1 : isFinished(at: second) ? second + 1 : last + 1
        }
    }

    private func isFinished(at index: Int) -> Bool { index < lengths.count && Self.looksLikeFinished(lengths[index]) }

    private static func looksLikeFinished(_ length: Int) -> Bool {
        (shortestFinished...longestLoneFinished).contains(length)
    }

    /// 45, 53, 61 (with an empty Certificate before it), 69, 77, 85: hash, tag, and what JSSE adds make steps of 8.
    /// A client whose Finished has another length pads its records, so its alerts can be as long as this one.
    private static func isUnpaddedFinished(_ length: Int) -> Bool {
        (length - shortestFinished).isMultiple(of: 8) && length <= longestLoneFinished
    }
}
