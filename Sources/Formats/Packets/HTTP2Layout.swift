import Facts
import Flows

/// Recorded messages as frames of HTTP/2 (RFC 9113), with header fields as they stand.
///
/// HPACK's literals without indexing and without Huffman's code (RFC 7541 §6.2.2): they depend on nothing that came before.
enum HTTP2Layout {
    /// What each side begins with: room for any body, so that no window is ever exceeded.
    static func preface(_ direction: ExchangeDirection) -> [UInt8] {
        let settings = frame(4, 0, 0, [0, 4, 0x7f, 0xff, 0xff, 0xff])
        let window = frame(8, 0, 0, [0x7f, 0xff, 0x00, 0x00])
        return (direction == .up ? Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) : []) + settings + window
    }

    /// Of a frame's payload: the least that everybody takes is 16,384.
    static let payloadLimit = 16_000

    /// HEADERS, and CONTINUATION where one frame does not hold them.
    static func headers(_ fields: [(name: [UInt8], value: [UInt8])], stream: Int, ends: Bool) -> [UInt8] {
        var block: [UInt8] = []
        for (name, value) in fields {
            block.append(0)
            append(name, to: &block)
            append(value, to: &block)
        }
        var (rest, out, type) = (block[...], [UInt8](), UInt8(1))
        repeat {
            let part = rest.prefix(payloadLimit)
            rest = rest.dropFirst(part.count)
            let flags: UInt8 = (rest.isEmpty ? 4 : 0) | (type == 1 && ends ? 1 : 0)
            out += frame(type, flags, stream, Array(part))
            type = 9
        } while !rest.isEmpty
        return out
    }

    static func fields(_ headers: [HeaderField]) -> [(name: [UInt8], value: [UInt8])] {
        headers.map { (Array($0.name.lowercased().utf8), $0.valueBytes) }
    }

    /// DATA; an empty one where it says no more than that the message ends.
    static func data(_ content: ArraySlice<UInt8>, stream: Int, ends: Bool) -> [UInt8] {
        var (rest, out) = (content, [UInt8]())
        out.reserveCapacity(content.count + content.count / 512 + 16)
        if rest.isEmpty, ends { return frame(0, 1, stream, []) }
        while !rest.isEmpty {
            let part = rest.prefix(payloadLimit)
            rest = rest.dropFirst(part.count)
            out += frame(0, rest.isEmpty && ends ? 1 : 0, stream, Array(part))
        }
        return out
    }

    private static func frame(_ type: UInt8, _ flags: UInt8, _ stream: Int, _ payload: [UInt8]) -> [UInt8] {
        let (length, id) = (payload.count, UInt32(truncatingIfNeeded: stream))
        return [
            UInt8(truncatingIfNeeded: length >> 16), UInt8(truncatingIfNeeded: length >> 8),
            UInt8(truncatingIfNeeded: length), type, flags, UInt8(id >> 24 & 0x7f), UInt8(id >> 16 & 0xff),
            UInt8(id >> 8 & 0xff), UInt8(id & 0xff),
        ] + payload
    }

    /// A string and its length, in HPACK's integers with a prefix of seven bits (RFC 7541 §5.1).
    private static func append(_ text: [UInt8], to block: inout [UInt8]) {
        var rest = text.count
        if rest < 127 {
            block.append(UInt8(rest))
        } else {
            block.append(127)
            rest -= 127
            while rest >= 128 {
                block.append(UInt8(rest & 127) | 128)
                rest >>= 7
            }
            block.append(UInt8(rest))
        }
        block += text
    }
}

/// A recorded message as one frame of a WebSocket (RFC 6455 §5.2).
enum WebSocketLayout {
    /// A client has to mask what it sends; any four bytes will do.
    private static let mask: [UInt8] = [0x70, 0x69, 0x6e, 0x21]

    /// nil of what is no WebSocket's.
    static func frame(_ message: ExchangeMessage) -> [UInt8]? {
        let code: UInt8
        switch message.kind {
        case .text: code = 1
        case .binary: code = 2
        case .close: code = 8
        case .ping: code = 9
        case .pong: code = 10
        case .event, .grpc: return nil
        }
        let (data, isMasked) = (message.data, message.from == .up)
        var out: [UInt8] = [0x80 | code]
        let bit: UInt8 = isMasked ? 0x80 : 0
        switch data.count {
        case ..<126: out.append(bit | UInt8(data.count))
        case ..<65_536: out += [bit | 126, UInt8(data.count >> 8), UInt8(data.count & 0xff)]
        default:
            out.append(bit | 127)
            for index in (0..<8).reversed() { out.append(UInt8(truncatingIfNeeded: data.count >> (8 * index))) }
        }
        guard isMasked else { return out + data }
        out += mask
        out.reserveCapacity(out.count + data.count)
        for (index, byte) in data.enumerated() { out.append(byte ^ mask[index & 3]) }
        return out
    }
}
