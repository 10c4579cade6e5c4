/// Whom the HTTP/2 requests of one connection ask, from what its client sends (RFC 9113).
///
/// It reads heads alone, keeps nothing of content, and judges nothing: a frame that it cannot follow ends its reading.
struct HTTP2RequestHosts {
    /// The fields' bytes of each request that has them.
    private(set) var fields: [[UInt8]] = []
    /// Nothing more can be told.
    private(set) var hasLost = false

    /// The client's connection preface (§3.4).
    static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
    /// Of one header block; servers take 8 to 64 KiB.
    static let blockLimit = 64 * 1024

    private var hpack = HPACKHosts()
    private var prefaceLeft = preface.count
    /// What has come of a frame's nine bytes.
    private var header: [UInt8] = []
    /// Content of the frame at hand that has not come.
    private var left = 0
    /// The frame at hand carries a header block.
    private var isOfBlock = false
    /// PADDED and PRIORITY of a HEADERS frame: what stands before and behind its part of the block.
    private var flags: UInt8 = 0
    private var payload: [UInt8] = []
    private var block: [UInt8] = []

    /// Its preface is over.
    var hasBegun: Bool { prefaceLeft == 0 }

    mutating func take() -> [[UInt8]] {
        defer { fields = [] }
        return fields
    }

    mutating func read(_ bytes: Span<UInt8>) {
        var at = 0
        while at < bytes.count, !hasLost {
            if prefaceLeft > 0 {
                guard bytes[at] == Self.preface[Self.preface.count - prefaceLeft] else { return lose() }
                prefaceLeft -= 1
                at += 1
            } else if header.count < 9 {
                header.append(bytes[at])
                at += 1
                if header.count == 9 { begin() }
            } else {
                let count = min(left, bytes.count - at)
                if isOfBlock {
                    for index in at..<at + count { payload.append(bytes[index]) }
                }
                left -= count
                at += count
                if left == 0 { end() }
            }
        }
    }

    private static let (headers, pushPromise, continuation): (UInt8, UInt8, UInt8) = (1, 5, 9)
    private static let (endHeaders, padded, priority): (UInt8, UInt8, UInt8) = (0x4, 0x8, 0x20)

    private mutating func begin() {
        left = Int(header[0]) << 16 | Int(header[1]) << 8 | Int(header[2])
        let type = header[3]
        flags = header[4]
        isOfBlock = type == Self.headers || type == Self.continuation
        // A client promises nothing (§8.4).
        guard type != Self.pushPromise, !isOfBlock || left + block.count <= Self.blockLimit else { return lose() }
        if left == 0 { end() }
    }

    private mutating func end() {
        let isHeaders = header[3] == Self.headers
        header = []
        guard isOfBlock else { return }
        defer { payload = [] }
        var part = payload[...]
        if isHeaders {
            guard block.isEmpty else { return lose() }
            var padding = 0
            if flags & Self.padded != 0 { padding = part.popFirst().map(Int.init) ?? 0 }
            if flags & Self.priority != 0 { part = part.dropFirst(5) }
            guard padding <= part.count else { return lose() }
            part = part.dropLast(padding)
        }
        block += part
        guard flags & Self.endHeaders != 0 else { return }
        defer { block = [] }
        do throws(HPACKHosts.Fault) {
            fields += try hpack.read(block[...])
        } catch {
            lose()
        }
    }

    private mutating func lose() {
        hasLost = true
        (header, payload, block) = ([], [], [])
    }
}
