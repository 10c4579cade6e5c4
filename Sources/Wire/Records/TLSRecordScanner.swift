/// Sees one direction's TLS records as any bystander could: types and lengths.
///
/// Bytes may be cut anywhere. What is not TLS makes it lost for good: guessing where the next record begins would
/// make up records.
package struct TLSRecordScanner {
    package struct Record: Hashable, Sendable {
        package var type: UInt8
        package var version: UInt16
        package var length: Int
        /// Level and code, of an alert that is not encrypted.
        package var alert: PlainAlert?
    }

    package struct PlainAlert: Hashable, Sendable {
        package var level: UInt8
        package var code: UInt8
    }

    private enum State {
        case header
        case payload(remaining: Int)
        /// Behind the header of a record that holds a plaintext alert and nothing else.
        case alert
        case lost
    }

    private static let headerLength = 5
    /// 2^14 and the most that encryption may add, in TLS 1.2 (RFC 5246 §6.2.3).
    private static let maximumLength = 1 << 14 + 2048
    /// A plaintext alert's length; an encrypted one is longer.
    private static let alertLength = 2

    private var state = State.header
    /// What is there of a header (at most five bytes) or of an alert (at most two), and how many bytes that is.
    private var partial: UInt64 = 0
    private var partialCount = 0
    private var current = Record(type: 0, version: 0, length: 0, alert: nil)

    package init() {}

    /// How many bytes were no records, from the first that was none.
    package private(set) var strayCount = 0

    /// What was none began as one does: it would be a record, and is no other protocol.
    package private(set) var isBrokenRecord = false

    package var isLost: Bool {
        if case .lost = state { true } else { false }
    }

    /// Takes the next bytes of the stream. A record is told as soon as its header is there, a plaintext alert with
    /// its content.
    package mutating func scan(_ bytes: Span<UInt8>, _ onRecord: (Record) -> Void) {
        var at = 0
        while at < bytes.count {
            switch state {
            case .lost:
                strayCount += bytes.count - at
                return
            case .payload(let remaining):
                let step = min(remaining, bytes.count - at)
                at += step
                state = step == remaining ? .header : .payload(remaining: remaining - step)
            case .header:
                take(bytes[at])
                at += 1
                // The type alone tells early that this is no TLS.
                guard partialCount > 1 || Self.isType(UInt8(truncatingIfNeeded: partial)) else {
                    state = .lost
                    strayCount += 1
                    continue
                }
                guard partialCount == Self.headerLength else { continue }
                beginRecord(onRecord)
                if isLost { strayCount += Self.headerLength }
            case .alert:
                take(bytes[at])
                at += 1
                guard partialCount == Self.alertLength else { continue }
                current.alert = PlainAlert(
                    level: UInt8(truncatingIfNeeded: partial >> 8), code: UInt8(truncatingIfNeeded: partial))
                onRecord(current)
                (partial, partialCount) = (0, 0)
                state = .header
            }
        }
    }

    package mutating func scan(_ bytes: [UInt8], _ onRecord: (Record) -> Void) { scan(bytes.span, onRecord) }

    private mutating func take(_ byte: UInt8) {
        partial = partial << 8 | UInt64(byte)
        partialCount += 1
    }

    private mutating func beginRecord(_ onRecord: (Record) -> Void) {
        let length = Int(partial & 0xffff)
        let version = UInt16(truncatingIfNeeded: partial >> 16)
        let type = UInt8(truncatingIfNeeded: partial >> 32)
        (partial, partialCount) = (0, 0)
        // Only application data may be empty (RFC 5246 §6.2.1).
        guard version >> 8 == 3, version & 0xff <= 4, length <= Self.maximumLength,
            length > 0 || type == RecordType.applicationData
        else {
            state = .lost
            isBrokenRecord = true
            return
        }
        current = Record(type: type, version: version, length: length, alert: nil)
        if type == RecordType.alert, length == Self.alertLength {
            state = .alert
            return
        }
        onRecord(current)
        state = length == 0 ? .header : .payload(remaining: length)
    }

    private static func isType(_ type: UInt8) -> Bool {
        (RecordType.changeCipherSpec...RecordType.heartbeat).contains(type)
    }
}

/// Content types of TLS records (RFC 8446 §5.1, RFC 6520).
package enum RecordType {
    package static let changeCipherSpec: UInt8 = 20
    package static let alert: UInt8 = 21
    package static let handshake: UInt8 = 22
    package static let applicationData: UInt8 = 23
    package static let heartbeat: UInt8 = 24
}
