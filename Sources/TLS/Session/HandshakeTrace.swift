import COpenSSL
import Facts

/// What crossed a client's connection, by record, as OpenSSL's message callback saw it.
package struct HandshakeTrace: Hashable, Sendable {
    /// An alert without its time, which the session's owner knows.
    package struct SeenAlert: Hashable, Sendable {
        package var from: Alert.Sender
        package var level: UInt8
        package var code: UInt8
        package var epoch: Alert.Epoch
    }

    /// Both directions, in order.
    package private(set) var alerts: [SeenAlert] = []
    /// The client's records since our flight went out, the first `Observation.recordLimit`.
    package private(set) var records: [Observation.Record] = []
    /// How many of the client's records were read at all, from its ClientHello on: none behind its end.
    package private(set) var readCount = 0
    /// Our Certificate message has been written; in a handshake without one, what ends our flight.
    package private(set) var flightSent = false

    /// Of one direction's records: whether a ChangeCipherSpec has passed, and the last type.
    private struct Direction: Hashable {
        var changedCipher = false
        var lastRecordType: UInt8 = 0
    }

    private var incoming = Direction()
    private var outgoing = Direction()

    /// A peer that sends alerts without end is not listened to for ever.
    private static let alertLimit = 16

    /// One call of OpenSSL's `msg_callback`.
    mutating func saw(
        _ contentType: Int32, outgoing: Bool, version: Int32, bytes: UnsafeRawBufferPointer, finished: Bool
    ) {
        switch contentType {
        case Int32(SSL3_RT_HEADER) where bytes.count >= 5:
            let type = unsafe bytes[0]
            if outgoing { self.outgoing.lastRecordType = type } else { incoming.lastRecordType = type }
            guard !outgoing else { return }
            readCount += 1
            guard flightSent, records.count < Observation.recordLimit else { return }
            records.append(unsafe Observation.Record(type: type, length: Int(bytes[3]) << 8 | Int(bytes[4])))
        case Int32(SSL3_RT_HANDSHAKE) where outgoing && bytes.count > 0:
            switch unsafe Int32(bytes[0]) {
            // Anonymous suites have no Certificate, resumed sessions nothing but a Finished.
            case SSL3_MT_CERTIFICATE, SSL3_MT_SERVER_DONE, SSL3_MT_FINISHED: flightSent = true
            default: break
            }
        case Int32(SSL3_RT_CHANGE_CIPHER_SPEC):
            if outgoing { self.outgoing.changedCipher = true } else { incoming.changedCipher = true }
        case Int32(SSL3_RT_ALERT) where bytes.count == 2 && alerts.count < Self.alertLimit:
            // TLS 1.3 gives encrypted records another type; before that only a ChangeCipherSpec tells.
            let direction = outgoing ? self.outgoing : incoming
            let isPlain =
                version == TLS1_3_VERSION
                ? direction.lastRecordType == UInt8(SSL3_RT_ALERT) : !direction.changedCipher
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
    if outgoing != 0, contentType == Int32(SSL3_RT_ALERT), count == 2,
        unsafe bytes?.load(fromByteOffset: 1, as: UInt8.self) == AlertCode.noRenegotiation.rawValue
    {
        session.refusedRenegotiation = true
    }
}
