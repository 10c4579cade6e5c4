import Facts

/// Inflates one direction's messages of permessage-deflate (RFC 7692); a fence makes it.
package protocol MessageInflater: AnyObject {
    /// - Parameters:
    ///   - data: a whole message, without the four bytes that end every block.
    ///   - limit: of what comes out.
    /// - Returns: what came out, cut at `limit`; nil where it is no deflate stream, after which no further one can be
    ///   read under context takeover.
    func inflate(_ data: [UInt8], limit: Int) -> (data: [UInt8], isCut: Bool)?

    /// Bytes that the last message was inflated to beyond its limit, as the next one may refer back to them.
    var dropped: Int { get }
}

extension MessageInflater {
    package var dropped: Int { 0 }
}

/// What permessage-deflate agreed on for one direction (RFC 7692 §7.1).
package struct MessageDeflate: Hashable, Sendable {
    /// Every message begins anew.
    package var withoutTakeover: Bool
    package var windowBits: Int

    package init(withoutTakeover: Bool, windowBits: Int) {
        self.withoutTakeover = withoutTakeover
        self.windowBits = windowBits
    }

    /// Of the answer's `Sec-WebSocket-Extensions`; nil where no compression was agreed on.
    static func agreed(_ fields: [HeaderField]) -> (up: MessageDeflate, down: MessageDeflate)? {
        for value in fields.values(of: "sec-websocket-extensions") {
            for offer in value.split(separator: ",") {
                let parts = offer.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" && $0 != "\"" } }
                guard parts.first?.lowercased() == "permessage-deflate" else { continue }
                let words = Set(parts.dropFirst().map { $0.lowercased() })
                let bits = { (name: String) -> Int in
                    words.lazy.compactMap { $0.hasPrefix(name + "=") ? Int($0.dropFirst(name.count + 1)) : nil }.first
                        ?? 15
                }
                return (
                    MessageDeflate(
                        withoutTakeover: words.contains("client_no_context_takeover"),
                        windowBits: bits("client_max_window_bits")),
                    MessageDeflate(
                        withoutTakeover: words.contains("server_no_context_takeover"),
                        windowBits: bits("server_max_window_bits"))
                )
            }
        }
        return nil
    }
}

/// Reads one direction of a WebSocket (RFC 6455 §5): frames into messages.
struct WebSocketReader {
    private enum Step: Hashable {
        case first, length, longLength(Int), mask(Int), payload
    }

    /// A message that is being put together.
    private struct Message {
        var kind: ExchangeMessage.Kind
        var isCompressed: Bool
        var data: [UInt8] = []
        var size = 0
        var isCut = false

        /// - Parameter mask: the byte for each fourth one, from the first; 0 where there is none.
        mutating func append(_ bytes: ArraySlice<UInt8>, mask: UInt32) {
            size += bytes.count
            guard !isCut else { return }
            let start = data.count
            data += bytes.prefix(ExchangeMessage.sizeLimit - start)
            isCut = data.count - start < bytes.count
            if mask != 0 { unmask(from: start, mask) }
        }

        private mutating func unmask(from start: Int, _ mask: UInt32) {
            let (first, second) = (UInt8(mask >> 24), UInt8(mask >> 16 & 0xff))
            let (third, fourth) = (UInt8(mask >> 8 & 0xff), UInt8(mask & 0xff))
            var bytes = data.mutableSpan
            var at = start
            while at + 4 <= bytes.count {
                bytes[at] ^= first
                bytes[at + 1] ^= second
                bytes[at + 2] ^= third
                bytes[at + 3] ^= fourth
                at += 4
            }
            if at < bytes.count { bytes[at] ^= first }
            if at + 1 < bytes.count { bytes[at + 1] ^= second }
            if at + 2 < bytes.count { bytes[at + 2] ^= third }
        }
    }

    private let direction: ExchangeDirection
    private let inflater: (any MessageInflater)?
    /// Every message begins anew (RFC 7692 §7.1.1).
    private let withoutTakeover: Bool
    /// A compressed message could not be inflated, or is not whole: those after it build on it, and cannot be either.
    private var isInflationLost = false

    private var step = Step.first
    /// Of the frame that is being read, its head so far: at most 14 bytes (RFC 6455 §5.2).
    private var head: [UInt8] = []
    private var isFinal = false
    private var isControl = false
    private var isMasked = false
    private var remaining: UInt64 = 0
    /// 0 where there is none.
    private var mask: UInt32 = 0
    /// Bytes of the payload so far.
    private var maskAt = 0
    private var message: Message?
    private var control: Message?
    private var count = 0
    private(set) var isLost = false
    /// This side has said that it is done.
    private(set) var isClosed = false

    /// Nothing is half read: a side's end is not in the middle of anything.
    var isWhole: Bool { !isLost && step == .first && message == nil }

    /// - Parameter agreed: how this direction's messages are compressed; nil where they are not.
    init(_ direction: ExchangeDirection, _ agreed: MessageDeflate? = nil, _ tools: DecodingTools) {
        self.direction = direction
        inflater = agreed.flatMap(tools.inflater)
        withoutTakeover = agreed?.withoutTakeover ?? false
    }

    mutating func read(_ bytes: ArraySlice<UInt8>, of exchange: Int, _ steps: inout ExchangeSteps) {
        var at = bytes.startIndex
        while at < bytes.endIndex {
            if isLost { return steps.add(exchange, .raw(direction, bytes[at...])) }
            if step == .payload {
                let end = at + Int(min(remaining, UInt64(bytes.endIndex - at)))
                take(bytes[at..<end])
                count += end - at
                remaining -= UInt64(end - at)
                at = end
                if remaining == 0 { frameEnded(exchange, &steps) }
            } else {
                if step == .first { head = [] }
                let byte = bytes[at]
                head.append(byte)
                at += 1
                count += 1
                if let why = read(byte, exchange, &steps) { lose(why, exchange, &steps) }
            }
        }
    }

    /// Nothing is left out: what had come of a message is one that is cut, and the frame's head is the first of what is raw.
    private mutating func lose(_ why: String, _ exchange: Int, _ steps: inout ExchangeSteps) {
        isLost = true
        if var message, message.size > 0 {
            message.isCut = true
            steps.add(exchange, .message(whole(message)))
        }
        message = nil
        steps.add(exchange, .undecodable(direction, at: count - head.count, why: why))
        steps.add(exchange, .raw(direction, head[...]))
    }

    /// Nothing more comes: what there is of a message, or of a frame's head, is told as what it is.
    mutating func cutOff(of exchange: Int, _ steps: inout ExchangeSteps) {
        guard !isLost else { return }
        let isBegun = step == .payload
        for (part, isBegun) in [(message, isBegun && !isControl), (control, isBegun && isControl)] {
            guard var part, isBegun || part.size > 0 else { continue }
            part.isCut = true
            steps.add(exchange, .message(whole(part)))
        }
        (message, control) = (nil, nil)
        if !isBegun, step != .first { steps.add(exchange, .raw(direction, head[...])) }
        step = .first
    }

    /// Bytes of a payload that were left out.
    mutating func shed(_ count: Int, of exchange: Int, _ steps: inout ExchangeSteps) {
        guard !isLost, step == .payload, UInt64(count) <= remaining else {
            if !isLost {
                isLost = true
                let why = "a frame's head is missing: the recorder could not keep up"
                steps.add(exchange, .undecodable(direction, at: self.count, why: why))
            }
            return steps.add(exchange, .shed(direction, count))
        }
        steps.add(exchange, .shed(direction, count))
        self.count += count
        maskAt += count
        remaining -= min(remaining, UInt64(count))
        if isControl {
            control?.size += count
            control?.isCut = true
        } else {
            message?.size += count
            message?.isCut = true
        }
        if remaining == 0 { frameEnded(exchange, &steps) }
    }

    /// - Returns: why it is no frame, where it is none.
    private mutating func read(_ byte: UInt8, _ exchange: Int, _ steps: inout ExchangeSteps) -> String? {
        switch step {
        case .first: return readFirst(byte)
        case .length:
            isMasked = byte & 0x80 != 0
            let length = byte & 0x7f
            if isControl, length > 125 || !isFinal { return "a control frame is long or in pieces" }
            switch length {
            case 126: step = .longLength(2)
            case 127: step = .longLength(8)
            default:
                remaining = UInt64(length)
                lengthRead(exchange, &steps)
            }
        case .longLength(let left):
            remaining = remaining << 8 | UInt64(byte)
            guard left == 1 else {
                step = .longLength(left - 1)
                return nil
            }
            if remaining > UInt64(Int64.max) { return "a frame of more than 2^63 bytes" }
            lengthRead(exchange, &steps)
        case .mask(let left):
            mask = mask << 8 | UInt32(byte)
            if left > 1 { step = .mask(left - 1) } else { headerRead(exchange, &steps) }
        case .payload: break
        }
        return nil
    }

    private mutating func readFirst(_ byte: UInt8) -> String? {
        isFinal = byte & 0x80 != 0
        let opcode = byte & 0x0f
        isControl = opcode & 0x08 != 0
        remaining = 0
        mask = 0
        maskAt = 0
        let isCompressed = byte & 0x40 != 0
        if byte & 0x30 != 0 || isCompressed && (isControl || opcode == 0 || inflater == nil) {
            return "a frame with a reserved bit set"
        }
        switch opcode {
        case 0: if message == nil { return "a continuation of no message" }
        case 1, 2:
            if message != nil { return "a new message in the middle of another" }
            message = Message(kind: opcode == 1 ? .text : .binary, isCompressed: isCompressed)
        case 8: control = Message(kind: .close, isCompressed: false)
        case 9: control = Message(kind: .ping, isCompressed: false)
        case 10: control = Message(kind: .pong, isCompressed: false)
        default: return "a frame of an unknown kind"
        }
        step = .length
        return nil
    }

    private mutating func lengthRead(_ exchange: Int, _ steps: inout ExchangeSteps) {
        if isMasked { step = .mask(4) } else { headerRead(exchange, &steps) }
    }

    private mutating func headerRead(_ exchange: Int, _ steps: inout ExchangeSteps) {
        step = .payload
        if remaining == 0 { frameEnded(exchange, &steps) }
    }

    private mutating func take(_ bytes: ArraySlice<UInt8>) {
        // Taken out, so that its bytes are changed in place.
        var part = isControl ? control : message
        if isControl { control = nil } else { message = nil }
        let turn = UInt32(maskAt & 3) * 8
        part?.append(bytes, mask: turn == 0 ? mask : mask << turn | mask >> (32 - turn))
        maskAt += bytes.count
        if isControl { control = part } else { message = part }
    }

    private mutating func frameEnded(_ exchange: Int, _ steps: inout ExchangeSteps) {
        step = .first
        if isControl {
            if let control {
                isClosed = isClosed || control.kind == .close
                steps.add(exchange, .message(whole(control)))
            }
            control = nil
        } else if isFinal {
            if let message { steps.add(exchange, .message(whole(message))) }
            message = nil
        }
    }

    private mutating func whole(_ message: Message) -> ExchangeMessage {
        guard message.isCompressed else {
            return ExchangeMessage(
                from: direction, message.kind, message.data, size: message.size, isCut: message.isCut)
        }
        guard !message.isCut, !isInflationLost,
            let (data, isCut) = inflater?.inflate(message.data, limit: ExchangeMessage.sizeLimit)
        else {
            isInflationLost = !withoutTakeover
            return ExchangeMessage(from: direction, message.kind, message.data, size: message.size, isCut: true)
        }
        return ExchangeMessage(from: direction, message.kind, data, isCut: isCut)
    }
}
