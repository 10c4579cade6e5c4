/// Whether a client's bytes are an HTTP/2 preface and control frames, and no request yet.
package struct PrefaceTest {
    private enum State {
        /// So many bytes of the preface agreed.
        case preface(matched: Int)
        /// So many bytes of a frame's header are there.
        case header(count: Int)
        case payload(remaining: Int)
        /// Something else came.
        case other
    }

    /// RFC 9113 §3.4.
    static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
    /// Bytes looked at. A client that has said more than this in control frames alone is not known; what is beyond is
    /// taken for a request.
    package static let limit = 16 * 1024

    private static let headerLength = 9

    private var state = State.preface(matched: 0)
    private var seen = 0
    private var length = 0
    private var type: UInt8 = 0

    package init() {}

    /// All bytes so far are the whole preface, and after it at most SETTINGS, WINDOW_UPDATE, PRIORITY, PING and GOAWAY
    /// frames. False also before anything came.
    package var isPrefaceOnly: Bool {
        switch state {
        case .header, .payload: true
        case .preface, .other: false
        }
    }

    /// It has found something else; feeding it more changes nothing.
    package var isDone: Bool {
        if case .other = state { true } else { false }
    }

    package mutating func feed(_ bytes: Span<UInt8>) {
        var at = 0
        while at < bytes.count {
            if case .other = state { return }
            guard seen < Self.limit else {
                state = .other
                return
            }
            switch state {
            case .other: return
            case .preface(let matched):
                let next = matched + 1
                guard bytes[at] == Self.preface[matched] else {
                    state = .other
                    return
                }
                state = next == Self.preface.count ? .header(count: 0) : .preface(matched: next)
                at += 1
                seen += 1
            case .header(let count):
                takeHeader(bytes[at], count)
                at += 1
                seen += 1
            case .payload(let remaining):
                let step = min(remaining, bytes.count - at)
                at += step
                seen += step
                state = step == remaining ? .header(count: 0) : .payload(remaining: remaining - step)
            }
        }
    }

    package mutating func feed(_ bytes: [UInt8]) { feed(bytes.span) }

    private mutating func takeHeader(_ byte: UInt8, _ count: Int) {
        switch count {
        case 0: length = Int(byte)
        case 1, 2: length = length << 8 | Int(byte)
        case 3: type = byte
        default: break
        }
        // Length and type are known with the fourth byte: no need to wait for flags and stream.
        if count == 3, !Self.isControlFrame(type, length) {
            state = .other
        } else if count + 1 < Self.headerLength {
            state = .header(count: count + 1)
        } else {
            state = length == 0 ? .header(count: 0) : .payload(remaining: length)
        }
    }

    /// The frame's length must be the one its type has (RFC 9113 §6): a longer one could carry anything.
    private static func isControlFrame(_ type: UInt8, _ length: Int) -> Bool {
        switch type {
        case 0x2: length == 5  // PRIORITY
        case 0x4: length.isMultiple(of: 6) && length <= 256 * 6  // SETTINGS
        case 0x6: length == 8  // PING
        case 0x7: (8...264).contains(length)  // GOAWAY, with a short reason
        case 0x8: length == 4  // WINDOW_UPDATE
        default: false
        }
    }
}
