import Facts

/// One stream of HTTP/2 that is open, and what it has become.
struct HTTP2Stream {
    /// Of one direction.
    enum Half: Hashable { case head, content, ended }

    /// What a CONNECT made of it.
    enum Tunnel: Hashable { case none, webSocket, raw }

    /// Large, and few streams have them: apart, so that the others are cheap to hand about.
    private final class Sockets {
        var up: WebSocketReader
        var down: WebSocketReader

        init(up: WebSocketReader, down: WebSocketReader) {
            self.up = up
            self.down = down
        }
    }

    let exchange: Int
    /// The origin has begun it.
    var isPushed = false
    var up = Half.head
    var down = Half.head
    /// What the request asks the stream to become: `CONNECT`, or a protocol in lower case (RFC 8441).
    var wanted: String?
    /// The request announces content, and waits to be told to send it (`Expect: 100-continue`).
    var isWaiting = false
    var tunnel = Tunnel.none
    /// Bytes of the header blocks that were decoded of it.
    var headBytes = 0
    /// Something stood where it may not stand, and that was said.
    var isNoted = false
    private var sockets: Sockets?

    init(exchange: Int) { self.exchange = exchange }

    var isOver: Bool { up == .ended && down == .ended }
    /// A WebSocket in which one side or the other has left in the middle of a message.
    var isCut: Bool { !isWhole(.up) || !isWhole(.down) }

    func isWhole(_ direction: ExchangeDirection) -> Bool {
        sockets.map { direction == .up ? $0.up.isWhole : $0.down.isWhole } ?? true
    }

    /// A WebSocket of which both sides have said that they are done.
    var isClosed: Bool { sockets.map { $0.up.isClosed && $0.down.isClosed } ?? false }

    /// A WebSocket of which one side has said that it is done.
    var isClosing: Bool { sockets.map { $0.up.isClosed || $0.down.isClosed } ?? false }

    func half(_ direction: ExchangeDirection) -> Half { direction == .up ? up : down }

    mutating func go(_ direction: ExchangeDirection, to half: Half) {
        switch direction {
        case .up: up = half
        case .down: down = half
        }
    }

    /// The answer has accepted what was wanted.
    mutating func open(_ answer: AnswerHead, _ tools: DecodingTools) {
        guard wanted == "websocket" else { return tunnel = .raw }
        tunnel = .webSocket
        let deflate = MessageDeflate.agreed(answer.fields)
        sockets = Sockets(
            up: WebSocketReader(.up, deflate?.up, tools),
            down: WebSocketReader(.down, deflate?.down, tools))
    }

    mutating func read(_ bytes: ArraySlice<UInt8>, _ direction: ExchangeDirection, _ steps: inout ExchangeSteps) {
        guard !bytes.isEmpty else { return }
        if direction == .up { isWaiting = false }
        switch (tunnel, direction) {
        // No content stands before a head or behind the end; what does is shown as what it is.
        case (_, direction) where half(direction) != .content: steps.add(exchange, .raw(direction, bytes))
        // What goes through a tunnel is its content (RFC 9113 §8.5).
        case (.none, _), (.raw, _): steps.add(exchange, .content(direction, bytes))
        case (.webSocket, .up): sockets?.up.read(bytes, of: exchange, &steps)
        case (.webSocket, .down): sockets?.down.read(bytes, of: exchange, &steps)
        }
    }

    /// It came to no end; of a WebSocket's messages there may be a part.
    func abort(_ why: String, by leaver: ExchangeStep.Leaver? = nil, _ steps: inout ExchangeSteps) {
        sockets?.up.cutOff(of: exchange, &steps)
        sockets?.down.cutOff(of: exchange, &steps)
        steps.add(exchange, .aborted(why: why, by: leaver))
    }

    mutating func shed(_ count: Int, _ direction: ExchangeDirection, _ steps: inout ExchangeSteps) {
        guard count > 0 else { return }
        switch (tunnel, direction) {
        case (.webSocket, .up): sockets?.up.shed(count, of: exchange, &steps)
        case (.webSocket, .down): sockets?.down.shed(count, of: exchange, &steps)
        default: steps.add(exchange, .shed(direction, count))
        }
    }
}
