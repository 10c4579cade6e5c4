import Facts

/// Looks for a ClientHello behind other bytes of a client.
///
/// STARTTLS, in whatever protocol.
///
/// What may be the beginning of one is held back until it is known; all else is handed on as it came. After so much that a
/// dialogue cannot be that long, a hello is looked for only where one can be expected: at the beginning of what a client
/// says when its server has spoken, and with nothing but TLS behind it. What an upload contains is no hello.
package struct LateHello {
    /// What to do with the bytes so far.
    package struct Finding {
        /// To be handed on, in the clear.
        package var before: [UInt8] = []
        /// The hello that was found; it begins `rest`.
        package var hello: ClientHello?
        package var rest: [UInt8] = []
        /// It was found.
        package var isOver: Bool { hello != nil }
    }

    /// Bytes of the client before its hello, up to which each of them may begin it. The dialogues that lead to TLS (XMPP,
    /// SMTP, IMAP, LDAP, PostgreSQL) take some hundreds; much more is another protocol's data.
    package static let limit = 64 * 1024

    /// Beginnings that are followed, and turn out to be none. Chance makes one in 2^40 places; each is read to its end again
    /// and again.
    private static let attemptLimit = 32

    /// Record type, a version 3.x, length; a handshake message of type 1, its length below 64 KiB; version 3.x.
    private static let headerLength = 10

    private var held: [UInt8] = []
    private var passed = 0
    private var attempts = 0
    /// The server was the last to say something.
    private var hasServerSpoken = false

    package init() {}

    package mutating func serverSpoke() { hasServerSpoken = true }

    /// No dialogue is as long as this; what comes now is data, or the hello after it.
    private var isLate: Bool { passed > Self.limit }

    /// Whether these bytes cannot begin a hello, without a look at more than the first few: they go on as they are.
    package mutating func skips(_ bytes: Span<UInt8>) -> Bool {
        guard isLate, held.isEmpty else { return false }
        let mayBegin = (0..<min(bytes.count, Self.headerLength)).allSatisfy { Self.fits(bytes[$0], at: $0) }
        if hasServerSpoken, mayBegin { return false }
        hasServerSpoken = false
        return true
    }

    /// Something waits for what comes next.
    package var holds: Bool { !held.isEmpty }
    /// It began as a record of TLS does, and nearly nothing else: a control character and a version.
    package var isLikely: Bool { held.count > 1 }

    /// - Parameter bytes: as they came, at once.
    package mutating func read(_ bytes: Span<UInt8>) -> Finding {
        held.append(copying: bytes, 0..<bytes.count)
        hasServerSpoken = false
        var finding = Finding()
        if isLate {
            readWhole(&finding)
            return finding
        }
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
                held = []
                return finding
            }
        }
        give(start, to: &finding)
        return finding
    }

    /// What the client says at once is a hello from its beginning to its end, or is none.
    private mutating func readWhole(_ finding: inout Finding) {
        switch look(at: 0) {
        case .none: give(held.count, to: &finding)
        case .perhaps: break
        case .hello(let hello):
            guard isRecordsAlone else { return give(held.count, to: &finding) }
            finding.hello = hello
            finding.rest = held
            held = []
        }
    }

    /// One record of TLS after the other, the last one perhaps not whole.
    private var isRecordsAlone: Bool {
        var start = 0
        while start < held.count {
            let header = Array(held[start...].prefix(5))
            guard (20...23).contains(header[0]), header.count < 2 || header[1] == 3, header.count < 3 || header[2] <= 4
            else { return false }
            guard header.count == 5 else { return true }
            start += 5 + Int(header[3]) << 8 + Int(header[4])
        }
        return true
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
    private mutating func look(at start: Int) -> Look {
        let count = held.count - start
        guard (0..<min(count, Self.headerLength)).allSatisfy({ Self.fits(held[start + $0], at: $0) }) else {
            return .none
        }
        guard count >= Self.headerLength else { return count >= 5 || start == 0 ? .perhaps : .none }
        guard attempts < Self.attemptLimit else { return .none }
        var parser = ClientHelloParser()
        switch parser.read(held.span.extracting(start..<held.count)) {
        case .complete(let hello): return .hello(hello)
        case .needMore: return .perhaps
        case .notTLS, .malformed:
            attempts += 1
            return .none
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
