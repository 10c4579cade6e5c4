import COpenSSL
import Facts

/// What crossed a client's connection, record by record, as OpenSSL's message callback saw it.
public struct HandshakeTrace: Hashable, Sendable {
    /// An alert without its time, which the session's owner knows.
    public struct SeenAlert: Hashable, Sendable {
        public var from: Alert.Sender
        public var level: UInt8
        public var code: UInt8
        public var epoch: Alert.Epoch
    }

    /// Both directions, in order.
    public private(set) var alerts: [SeenAlert] = []
    /// The client's records since our Certificate went out, the first `Observation.recordLimit`.
    public private(set) var records: [Observation.Record] = []
    /// Our Certificate message has been written.
    public private(set) var certificateSent = false

    private var clientChangedCipher = false
    private var lastRecordType: UInt8 = 0

    /// A peer that sends alerts without end is not listened to for ever.
    private static let alertLimit = 16

    /// One call of OpenSSL's `msg_callback`.
    mutating func saw(
        _ contentType: Int32, outgoing: Bool, version: Int32, bytes: UnsafeRawBufferPointer, finished: Bool
    ) {
        switch contentType {
        case Int32(SSL3_RT_HEADER) where !outgoing && bytes.count >= 5:
            unsafe lastRecordType = bytes[0]
            guard certificateSent, records.count < Observation.recordLimit else { return }
            let length = unsafe Int(bytes[3]) << 8 | Int(bytes[4])
            records.append(Observation.Record(type: lastRecordType, length: length))
        case Int32(SSL3_RT_HANDSHAKE) where outgoing && bytes.count > 0:
            if unsafe bytes[0] == UInt8(SSL3_MT_CERTIFICATE) { certificateSent = true }
        case Int32(SSL3_RT_CHANGE_CIPHER_SPEC) where !outgoing:
            clientChangedCipher = true
        case Int32(SSL3_RT_ALERT) where bytes.count == 2 && alerts.count < Self.alertLimit:
            let is13 = version == TLS1_3_VERSION
            let isPlain = !outgoing && (is13 ? lastRecordType == UInt8(SSL3_RT_ALERT) : !clientChangedCipher)
            alerts.append(
                unsafe SeenAlert(
                    from: outgoing ? .proxy : .client, level: bytes[0], code: bytes[1],
                    epoch: finished ? .application : isPlain ? .plaintext : .handshake))
        default: break
        }
    }
}

/// OpenSSL's message callback; `argument` is the session, unretained.
func messageSeen(
    _ outgoing: Int32, _ version: Int32, _ contentType: Int32, _ bytes: UnsafeRawPointer?, _ count: Int,
    _: OpaquePointer?, _ argument: UnsafeMutableRawPointer?
) {
    guard let argument = unsafe argument else { return }
    let session = unsafe Unmanaged<TLSSession>.fromOpaque(argument).takeUnretainedValue()
    unsafe session.trace.saw(
        contentType, outgoing: outgoing != 0, version: version,
        bytes: UnsafeRawBufferPointer(start: bytes, count: count),
        finished: session.isFinished)
}
