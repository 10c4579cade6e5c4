import Facts

/// Looks for a ClientHello behind other bytes of a client.
///
/// STARTTLS, in whatever protocol.
///
/// What may be the beginning of one is held back until it is known; all else is handed on as it came.
package struct LateHello {
    /// What to do with the bytes so far.
    package struct Finding {
        /// To be handed on, in the clear.
        package var before: [UInt8] = []
        /// The hello that was found; it begins `rest`.
        package var hello: ClientHello?
        package var rest: [UInt8] = []
        /// There is no use in looking on: it was found, or too much has come before it.
        package var isOver = false
    }

    /// Bytes of the client before its hello. The dialogues that lead to TLS (XMPP, SMTP, IMAP, LDAP, PostgreSQL) take
    /// some hundreds; much more is another protocol's data.
    package static let limit = 64 * 1024

    /// Record type, a version 3.x, length; a handshake message of type 1, its length below 64 KiB; version 3.x.
    private static let headerLength = 10

    private var held: [UInt8] = []
    private var passed = 0

    package init() {}

    /// Something waits for what comes next.
    package var holds: Bool { !held.isEmpty }
    /// It began as a record of TLS does, and nearly nothing else: a control character and a version.
    package var isLikely: Bool { held.count > 1 }

    /// - Parameter bytes: as they came, at once.
    package mutating func read(_ bytes: Span<UInt8>) -> Finding {
        held.append(copying: bytes, 0..<bytes.count)
        var finding = Finding()
        var start = 0
        while start < held.count {
            switch look(at: start) {
            case .none: start += 1
            case .perhaps:
                give(start, to: &finding)
                return finding
            case .hello(let hello):
                give(start, to: &finding)
                finding.hello = hello
                finding.rest = held
                finding.isOver = true
                held = []
                return finding
            }
        }
        give(start, to: &finding)
        finding.isOver = passed > Self.limit
        return finding
    }

    /// Nothing has come for a while, or nothing ever will: what is held back was no hello.
    package mutating func release() -> [UInt8] {
        defer { held = [] }
        passed += held.count
        return held
    }

    private mutating func give(_ count: Int, to finding: inout Finding) {
        guard count > 0 else { return }
        finding.before = Array(held[..<count])
        held.removeFirst(count)
        passed += count
    }

    private enum Look {
        case none, perhaps
        case hello(ClientHello)
    }

    /// Of a message's last bytes only a whole record header is held back, or every text that ends in 0x16 would wait. At
    /// the beginning of what a client says at once less will do.
    private func look(at start: Int) -> Look {
        let count = held.count - start
        guard (0..<min(count, Self.headerLength)).allSatisfy({ Self.fits(held[start + $0], at: $0) }) else {
            return .none
        }
        guard count >= Self.headerLength else { return count >= 5 || start == 0 ? .perhaps : .none }
        var parser = ClientHelloParser()
        switch parser.read(held.span.extracting(start..<held.count)) {
        case .complete(let hello): return .hello(hello)
        case .needMore: return .perhaps
        case .notTLS, .malformed: return .none
        }
    }

    private static func fits(_ byte: UInt8, at index: Int) -> Bool {
        switch index {
        case 0: byte == 22
        case 1, 9: byte == 3
        case 2: byte <= 4
        case 3: byte <= 64
        case 5: byte == 1
        case 6: byte == 0
        default: true
        }
    }
}
