/// What a frame of HTTP/2 begins with (RFC 9113 §4.1).
struct HTTP2Frame: Hashable {
    enum Kind {
        static let data: UInt8 = 0
        static let headers: UInt8 = 1
        static let priority: UInt8 = 2
        static let reset: UInt8 = 3
        static let settings: UInt8 = 4
        static let push: UInt8 = 5
        static let ping: UInt8 = 6
        static let goAway: UInt8 = 7
        static let windowUpdate: UInt8 = 8
        static let continuation: UInt8 = 9
    }

    enum Flag {
        /// Of DATA and HEADERS.
        static let endStream: UInt8 = 0x01
        /// Of SETTINGS and PING.
        static let ack: UInt8 = 0x01
        static let endHeaders: UInt8 = 0x04
        static let padded: UInt8 = 0x08
        static let priority: UInt8 = 0x20
    }

    /// Bytes of every frame's header.
    static let headerLength = 9

    /// Of its payload, in bytes.
    var length = 0
    var kind: UInt8 = 0
    var flags: UInt8 = 0
    /// The reserved bit and the stream's 31.
    private var word: UInt32 = 0

    init() {}

    /// Nine bytes, as they are on the wire.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count >= Self.headerLength else { return nil }
        for (place, byte) in bytes.prefix(Self.headerLength).enumerated() { take(byte, at: place) }
    }

    var stream: Int { Int(word & 0x7fff_ffff) }
    func has(_ flag: UInt8) -> Bool { flags & flag != 0 }

    mutating func take(_ byte: UInt8, at place: Int) {
        switch place {
        case 0: length = Int(byte)
        case 1, 2: length = length << 8 | Int(byte)
        case 3: kind = byte
        case 4: flags = byte
        case 5: word = UInt32(byte)
        default: word = word << 8 | UInt32(byte)
        }
    }

    /// As it was on the wire.
    var bytes: [UInt8] {
        [UInt8(length >> 16 & 0xff), UInt8(length >> 8 & 0xff), UInt8(length & 0xff), kind, flags]
            + (0..<4).map { UInt8(word >> (24 - 8 * UInt32($0)) & 0xff) }
    }

    /// Why no receiver takes it for a frame, whatever came before it (RFC 9113 §6); nil for a proper one.
    ///
    /// Whoever gets one like this ends the connection.
    var fault: String? {
        switch kind {
        case Kind.data, Kind.headers, Kind.priority, Kind.reset, Kind.push, Kind.continuation:
            if stream == 0 { return "a frame of type \(kind) without a stream" }
        case Kind.settings, Kind.ping, Kind.goAway:
            if stream != 0 { return "a frame of type \(kind) on a stream" }
        default: break
        }
        let isWrong =
            switch kind {
            case Kind.reset, Kind.windowUpdate: length != 4
            case Kind.settings: has(Flag.ack) ? length != 0 : !length.isMultiple(of: 6)
            case Kind.ping: length != 8
            case Kind.goAway: length < 8
            default: false
            }
        return isWrong ? "a frame of type \(kind) with \(length) bytes" : nil
    }
}

/// Names of error codes (RFC 9113 §7).
enum HTTP2Error {
    static let none: UInt32 = 0

    private static let names = [
        "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED",
        "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM",
        "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
    ]

    /// `CANCEL`; an unknown one is `error 0x1f`.
    static func name(_ code: UInt32) -> String {
        names.indices.contains(Int(code)) ? names[Int(code)] : "error 0x" + String(code, radix: 16)
    }
}
