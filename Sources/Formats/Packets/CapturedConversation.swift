import Facts

/// A client's connection with the proxy as packets, laid out so that Wireshark reads it.
///
///     var conversation = CapturedConversation(client: client, proxy: proxy, number: 1)
///     conversation.begin(at: time, into: &blocks)
///     conversation.pass(bytes[...], .up, at: time, into: &blocks)
///     conversation.end(.up, at: time, into: &blocks)
///
/// Two things are not as they were, and a comment on the first packet says so. Where Wireshark would take the proxy's port
/// for another protocol's, another one is written (`ReadablePort`). And where it does not look into a CONNECT's tunnel (one to
/// a port like 80 or 8080, or without TLS), what passes in that is a connection of its own.
package struct CapturedConversation: Hashable, Sendable {
    private enum Phase: Hashable {
        /// Nothing has been said; where the port can be anything's it is open nevertheless.
        case silent
        /// CONNECT was asked for, and is not answered by a yes yet.
        case asking(target: UInt16)
        /// The tunnel stands, and nothing has passed in it.
        case tunnel(target: UInt16)
        case passing
    }

    private let client: TCPConversation.End
    private let proxy: TCPConversation.End
    private let number: UInt64
    private var beganAt: UInt64 = 0
    private var phase = Phase.silent
    private var conversation: TCPConversation
    /// Bytes that are missing since the last packet, of either direction.
    private var missing: [ExchangeDirection: Int] = [:]

    /// - Parameter number: of the connection.
    package init(client: TCPConversation.End, proxy: TCPConversation.End, number: UInt64) {
        self.client = client
        self.proxy = proxy
        self.number = number
        conversation = TCPConversation(client: client, server: proxy, number: number)
    }

    /// - Parameter time: nanoseconds since 1970, here and below.
    package mutating func begin(at time: UInt64, into blocks: inout PcapngBlocks) {
        beganAt = time
        // Where the port says what is read, the first byte has to come first.
        if ReadablePort.isNeutral(proxy.port) { conversation.open(at: time, into: &blocks) }
    }

    package mutating func pass(
        _ bytes: ArraySlice<UInt8>, _ direction: ExchangeDirection, at time: UInt64, into blocks: inout PcapngBlocks
    ) {
        guard let first = bytes.first else { return }
        switch phase {
        case .silent:
            phase = .passing
            if direction == .up {
                open(carrying: ReadablePort.Content(first: first), into: &blocks)
                if let target = Self.target(bytes) { phase = .asking(target: target) }
            }
        case .asking:
            if direction == .up {
                if let target = Self.target(bytes) { phase = .asking(target: target) } else { phase = .passing }
            } else if case .asking(let target) = phase, bytes.starts(with: "HTTP/1.1 2".utf8) {
                phase = .tunnel(target: target)
            }
        case .tunnel(let target):
            phase = .passing
            let content = direction == .up ? ReadablePort.Content(first: first) : .http
            let isRead = content == .tls && (target == 443 || ReadablePort.isNeutral(target))
            if !isRead { moveTunnel(to: target, carrying: content, at: time, into: &blocks) }
        case .passing: break
        }
        open(carrying: .http, into: &blocks)
        conversation.send(bytes, direction, at: time, comment: missingComment(direction), into: &blocks)
    }

    /// So many bytes passed that were not captured.
    package mutating func miss(_ count: Int, _ direction: ExchangeDirection) {
        let (sum, isTooMuch) = missing[direction, default: 0].addingReportingOverflow(count)
        missing[direction] = isTooMuch ? Int.max : sum
        conversation.skip(count, direction)
        phase = .passing
    }

    package mutating func end(_ direction: ExchangeDirection, at time: UInt64, into blocks: inout PcapngBlocks) {
        open(carrying: nil, into: &blocks)
        conversation.end(direction, at: time, comment: missingComment(direction), into: &blocks)
    }

    package mutating func reset(
        by direction: ExchangeDirection, at time: UInt64, into blocks: inout PcapngBlocks
    ) {
        open(carrying: nil, into: &blocks)
        conversation.reset(by: direction, at: time, comment: missingComment(direction), into: &blocks)
    }

    // MARK: Where it is read

    /// - Parameter content: nil: it has carried nothing.
    private mutating func open(carrying content: ReadablePort.Content?, into blocks: inout PcapngBlocks) {
        guard !conversation.isOpen else { return }
        let port = content.map { ReadablePort.port(proxy.port, carrying: $0) } ?? proxy.port
        var comment: String?
        if port != proxy.port {
            let end = TCPConversation.End(proxy.address, port)
            conversation = TCPConversation(client: client, server: end, number: number)
            comment =
                "the proxy's port is \(proxy.port); it is written as \(port), as Wireshark reads something else on the real one"
        }
        conversation.open(at: beganAt, comment: comment, into: &blocks)
    }

    private mutating func moveTunnel(
        to target: UInt16, carrying content: ReadablePort.Content, at time: UInt64, into blocks: inout PcapngBlocks
    ) {
        let port = ReadablePort.port(target, carrying: content)
        // Never on the ports that CONNECT itself was written with.
        let end = TCPConversation.End(proxy.address, port == proxy.port ? (content == .tls ? 443 : 80) : port)
        conversation = TCPConversation(client: client, server: end, number: number &+ 1 << 32)
        conversation.open(
            at: time,
            comment: "what passes in the tunnel to port \(target) that was asked for by CONNECT, from port "
                + "\(client.port) to the proxy's port \(proxy.port): a connection of its own here, as Wireshark does not "
                + "read it there",
            into: &blocks)
    }

    /// The port that a CONNECT's head asks for, if that is all that the bytes are.
    private static func target(_ bytes: ArraySlice<UInt8>) -> UInt16? {
        guard bytes.starts(with: "CONNECT ".utf8), bytes.suffix(4).elementsEqual("\r\n\r\n".utf8) else { return nil }
        let authority = bytes.dropFirst(8).prefix { $0 != 0x20 && $0 != 0x0d }
        guard let colon = authority.lastIndex(of: 0x3a) else { return nil }
        return UInt16(String(decoding: authority[(colon + 1)...], as: UTF8.self))
    }

    private mutating func missingComment(_ direction: ExchangeDirection) -> String? {
        guard let count = missing.removeValue(forKey: direction) else { return nil }
        return "\(count) bytes before this packet are missing: they came faster than the disk took them"
    }
}
