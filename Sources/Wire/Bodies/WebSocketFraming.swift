/// Which bytes of a WebSocket are the payload of messages (RFC 6455 §5.2).
///
/// One direction is read, in passing.
struct WebSocketFraming: Hashable, Sendable {
    private enum Step: Hashable {
        case opcode
        case length
        /// So many bytes of it are to come.
        case longLength(Int)
        case mask(Int)
        case payload
        /// A length that no frame has: what follows cannot be told apart.
        case lost
    }

    private var step = Step.opcode
    private var isControl = false
    private var isMasked = false
    private var remaining: UInt64 = 0

    /// The first of `bytes` that are all payload of a message, or all something else.
    mutating func next(_ bytes: Span<UInt8>) -> (count: Int, isBody: Bool) {
        switch step {
        case .lost: return (bytes.count, true)
        case .payload:
            let count = Int(min(remaining, UInt64(bytes.count)))
            remaining -= UInt64(count)
            if remaining == 0 { step = .opcode }
            return (count, !isControl)
        case .opcode, .length, .longLength, .mask:
            var count = 0
            while count < bytes.count, isInHeader {
                read(bytes[count])
                count += 1
            }
            return (count, false)
        }
    }

    private var isInHeader: Bool {
        switch step {
        case .opcode, .length, .longLength, .mask: true
        case .payload, .lost: false
        }
    }

    private mutating func read(_ byte: UInt8) {
        switch step {
        case .opcode:
            isControl = byte & 0x08 != 0
            step = .length
        case .length:
            isMasked = byte & 0x80 != 0
            remaining = 0
            switch byte & 0x7f {
            case 126: step = .longLength(2)
            case 127: step = .longLength(8)
            case let length:
                remaining = UInt64(length)
                lengthRead()
            }
        case .longLength(let left):
            remaining = remaining << 8 | UInt64(byte)
            if left > 1 { step = .longLength(left - 1) } else { lengthRead() }
        case .mask(let left):
            if left > 1 { step = .mask(left - 1) } else { headerRead() }
        case .payload, .lost: break
        }
    }

    private mutating func lengthRead() {
        // RFC 6455 §5.2: the highest bit is 0; §5.5: a control frame is short.
        if remaining > UInt64(Int64.max) || isControl && remaining > 125 {
            step = .lost
        } else if isMasked {
            step = .mask(4)
        } else {
            headerRead()
        }
    }

    private mutating func headerRead() { step = remaining > 0 ? .payload : .opcode }
}
