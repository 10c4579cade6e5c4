/// What a server still says in the clear when a client's ClientHello has come already.
///
/// Its answer to a request for TLS that came together with the hello.
package struct ClearBeforeTLS {
    /// What has come, sorted.
    package struct Parts: Equatable {
        package var clear: [UInt8] = []
        package var tls: [UInt8] = []
    }

    /// Bytes in the clear; an answer takes some dozens. What is beyond is nobody's TLS.
    package static let limit = 64 * 1024

    /// At most two bytes, which may begin a record.
    private var held: [UInt8] = []
    private var passed = 0
    /// TLS has begun, or never will.
    package private(set) var isOver = false

    package init() {}

    package mutating func read(_ bytes: Span<UInt8>) -> Parts {
        var all = held
        all.append(copying: bytes, 0..<bytes.count)
        held = []
        guard !isOver, passed < Self.limit else {
            isOver = true
            return Parts(tls: all)
        }
        let start = all.indices.first { index in
            (0..<min(3, all.count - index)).allSatisfy { Self.fits(all[index + $0], at: $0) }
        }
        guard let start else {
            passed += all.count
            return Parts(clear: all)
        }
        passed += start
        guard all.count - start >= 3 else {
            held = Array(all[start...])
            return Parts(clear: Array(all[..<start]))
        }
        isOver = true
        return Parts(clear: Array(all[..<start]), tls: Array(all[start...]))
    }

    /// A record's type, of a handshake message or an alert, and its version, 3.x.
    private static func fits(_ byte: UInt8, at index: Int) -> Bool {
        switch index {
        case 0: byte == 22 || byte == 21
        case 1: byte == 3
        default: byte <= 4
        }
    }
}
