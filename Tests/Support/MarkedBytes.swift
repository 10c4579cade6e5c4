/// Bytes of one direction of a connection, each known to be of a body or not.
package struct MarkedBytes: Sendable {
    package private(set) var bytes: [UInt8] = []
    package private(set) var isBody: [Bool] = []

    package init() {}

    package mutating func framing(_ more: [UInt8]) { add(more, isBody: false) }
    package mutating func framing(_ text: String) { framing(Array(text.utf8)) }
    package mutating func body(_ more: [UInt8]) { add(more, isBody: true) }
    package mutating func body(_ text: String) { body(Array(text.utf8)) }

    package mutating func append(_ more: MarkedBytes) {
        bytes += more.bytes
        isBody += more.isBody
    }

    package mutating func add(_ more: [UInt8], isBody: Bool) {
        bytes += more
        self.isBody += [Bool](repeating: isBody, count: more.count)
    }

    // MARK: HTTP/1

    /// A message with this content, in chunks where `chunk` says how long they are.
    package mutating func message(_ start: String, content: [UInt8], chunk: Int? = nil) {
        guard let chunk else {
            framing("\(start)\r\nContent-Length: \(content.count)\r\n\r\n")
            return body(content)
        }
        framing("\(start)\r\nTransfer-Encoding: chunked\r\n\r\n")
        var rest = content[...]
        while !rest.isEmpty {
            let piece = rest.prefix(max(1, chunk))
            framing("\(String(piece.count, radix: 16))\r\n")
            body(Array(piece))
            framing("\r\n")
            rest = rest.dropFirst(piece.count)
        }
        framing("0\r\nTrailer: x\r\n\r\n")
    }

    // MARK: HTTP/2

    package static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    /// - Parameter type: 0 is DATA, 1 HEADERS, 4 SETTINGS.
    package mutating func frame(_ type: UInt8, stream: UInt8 = 1, _ payload: [UInt8]) {
        let length = payload.count
        framing([
            UInt8(length >> 16 & 255), UInt8(length >> 8 & 255), UInt8(length & 255), type, 0, 0, 0, 0, stream,
        ])
        add(payload, isBody: type == 0)
    }

    // MARK: WebSocket

    /// - Parameter opcode: 1 and 2 are messages, 8 to 10 control frames.
    package mutating func webSocket(_ opcode: UInt8, isMasked: Bool = false, _ payload: [UInt8]) {
        let mask: UInt8 = isMasked ? 0x80 : 0
        let length = payload.count
        switch length {
        case 0..<126: framing([0x80 | opcode, mask | UInt8(length)])
        case 126..<65536: framing([0x80 | opcode, mask | 126, UInt8(length >> 8), UInt8(length & 255)])
        default:
            framing([0x80 | opcode, mask | 127] + (0..<8).map { UInt8(length >> (56 - 8 * $0) & 255) })
        }
        if isMasked { framing([1, 2, 3, 4]) }
        add(payload, isBody: opcode < 8)
    }
}
