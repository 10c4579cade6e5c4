import Facts

/// A flow that is still going on, with what has come of it and was not handed out yet.
final class OpenFlow {
    var flow: Flow
    /// On the monotonic clock.
    let began: Double
    var up: BodyRecord?
    var down: BodyRecord?
    var isAsked = false
    var isAnswered = false
    /// Something about it has changed that nobody has been told.
    var isTouched = false
    private var changes: [FlowChange] = []
    private var rawLeft: (up: Int, down: Int)
    private let bodyLimit: Int
    private let tools: DecodingTools

    init(_ flow: Flow, began: Double, bodyLimit: Int, tools: DecodingTools) {
        self.flow = flow
        self.began = began
        self.bodyLimit = bodyLimit
        self.tools = tools
        rawLeft = (bodyLimit, bodyLimit)
    }

    var isOver: Bool { flow.state != .open }

    func milliseconds(at now: Double) -> Double { max(0, ((now - began) * 1e6).rounded() / 1e3) }

    // MARK: What comes

    func asked(_ head: RequestHead) {
        flow.method = head.method
        flow.version = head.version
        flow.stream = head.stream ?? flow.stream
        flow.request = FlowSide(headers: head.fields)
        up = BodyRecord(fields: head.fields, limit: bodyLimit, tools: tools)
    }

    func informed(_ head: AnswerHead) {
        if flow.response == nil { flow.response = FlowSide() }
        flow.response?.informational.append(FlowSide.Interim(status: head.status, headers: head.fields))
    }

    func answered(_ head: AnswerHead, at now: Double) {
        flow.status = head.status
        flow.version = flow.version ?? head.version
        if flow.response == nil { flow.response = FlowSide() }
        flow.response?.reason = head.reason
        flow.response?.headers = head.fields
        down = BodyRecord(fields: head.fields, limit: bodyLimit, tools: tools)
        flow.timing.firstByteMS = flow.timing.firstByteMS ?? milliseconds(at: now)
    }

    func content(_ direction: ExchangeDirection, _ bytes: ArraySlice<UInt8>) {
        switch direction {
        case .up: up?.add(bytes)
        case .down: down?.add(bytes)
        }
    }

    func shed(_ direction: ExchangeDirection, _ count: Int) {
        switch direction {
        case .up: up?.shed(count)
        case .down: down?.shed(count)
        }
    }

    func trailers(_ direction: ExchangeDirection, _ fields: [HeaderField]) {
        switch direction {
        case .up: flow.request?.trailers += fields
        case .down: flow.response?.trailers += fields
        }
    }

    /// The message of that direction is whole.
    func ended(_ direction: ExchangeDirection, at now: Double) {
        switch direction {
        case .up:
            guard !isAsked else { return }
            isAsked = true
            flow.timing.sentMS = milliseconds(at: now)
            up?.end()
        case .down:
            guard !isAnswered else { return }
            isAnswered = true
            flow.timing.lastByteMS = milliseconds(at: now)
            down?.end()
        }
        if isAsked, isAnswered { over(.complete, at: now) }
    }

    func message(_ message: ExchangeMessage, at now: Double) {
        let number = flow.messages
        flow.messages += 1
        changes.append(.message(flow: flow.id, FlowMessage(index: number, atMS: milliseconds(at: now), message)))
    }

    /// Kept as far as a body would be.
    func raw(_ direction: ExchangeDirection, _ bytes: ArraySlice<UInt8>) {
        let left = direction == .up ? rawLeft.up : rawLeft.down
        let kept = bytes.prefix(left)
        if direction == .up { rawLeft.up -= kept.count } else { rawLeft.down -= kept.count }
        if !kept.isEmpty { changes.append(.raw(flow: flow.id, direction, Array(kept))) }
    }

    func over(_ state: Flow.State, at now: Double) {
        guard !isOver else { return }
        flow.state = state
        flow.durationMS = milliseconds(at: now)
    }

    // MARK: What is handed out

    /// Everything new: its bytes and messages, and then what it is after them.
    func take(into all: inout [FlowChange]) {
        isTouched = false
        let bodies = (shown(up, isRequest: true), shown(down, isRequest: false))
        flow.request?.body = bodies.0
        flow.response?.body = bodies.1
        if let bytes = up?.take(), !bytes.isEmpty { all.append(.body(flow: flow.id, .up, bytes)) }
        if let bytes = down?.take(), !bytes.isEmpty { all.append(.body(flow: flow.id, .down, bytes)) }
        all += changes
        changes = []
        all.append(.flow(flow))
    }

    /// A request without content has no body; an answer has one, if an empty one.
    private func shown(_ body: BodyRecord?, isRequest: Bool) -> FlowBody? {
        guard let body = body?.body else { return nil }
        guard isRequest, body.size == 0, let fields = flow.request?.headers else { return body }
        let announcesOne =
            !fields.values(of: "content-length").isEmpty || !fields.values(of: "transfer-encoding").isEmpty
        return announcesOne ? body : nil
    }
}
