import Facts

/// A flow that is still going on, with what has come of it and was not handed out yet.
final class OpenFlow {
    var flow: Flow
    /// On the monotonic clock.
    private(set) var began: Double
    /// The same, where it began before its server was there: when its request came.
    private var asked: Double
    private var up: BodyRecord?
    private var down: BodyRecord?
    private var upMessages: ContentMessages?
    private var downMessages: ContentMessages?
    private var requestHead: RequestHead?
    private var isAsked = false
    private var isAnswered = false
    private var isCutShort = false
    /// Something about it has changed that nobody has been told.
    var isTouched = false
    /// Of its heads and trailers.
    private var headBytes = 0
    private var passedOver = 0
    private var changes: [FlowChange] = []
    /// What messages hold that were not handed out; nil where none has come.
    private var share: DecodingBudget.Share?
    private var waiting = 0
    private var rawLeft: (up: Int, down: Int)
    /// When something of each direction came last.
    private var last: (up: Double?, down: Double?) = (nil, nil)
    /// Bytes that have passed of what is no exchange: a tunnel's, or what could not be read.
    var counted: (up: Int, down: Int)?
    /// The app's first two: those of a handshake's record (RFC 8446 §5.1), where it began TLS.
    private var start: [UInt8] = []
    /// Its client said nothing more before it was answered: whether it takes its answer shows when the connection ends.
    var waitsForEnd = false
    /// When it said nothing more.
    var leftAt: Double?
    /// It ended in the middle of its answer.
    var isLeftInAnswer = false
    /// It went on as another protocol than those that are read: what each side says is its content.
    private(set) var isUpgraded = false
    /// What its client says from there on is the request's content.
    private var isRequestFollowed = false
    /// Bytes of an answer that could not be read, or of a head that is not whole.
    private var hasRawAnswer = false
    private var hasRawRequest = false
    /// It is HTTP/1, whose first byte is told before its head is whole.
    private var hasBegun = false
    /// When request and answer were whole, where the connection's end is waited for.
    private(set) var wholeAt: Double?
    private let bodyLimit: Int
    private let tools: DecodingTools

    init(_ flow: Flow, began: Double, limits: ConnectionRecorder.Limits, tools: DecodingTools) {
        self.flow = flow
        self.began = began
        asked = began
        bodyLimit = limits.body
        self.tools = tools
        rawLeft = (limits.raw, limits.raw)
    }

    var isOver: Bool { flow.state != .open }

    /// Whether it is told of this time: always when it is over. What is told is told whole, so that one with large heads,
    /// which an HTTP/2 peer makes of a few bytes, has its turn more seldom.
    func isDue() -> Bool {
        guard !isOver, passedOver < min(headBytes / Self.headsPerTurn, Self.mostPassedOver) else {
            passedOver = 0
            return true
        }
        passedOver += 1
        return false
    }

    private static let headsPerTurn = 64 * 1024
    /// Whatever it has: it is told within a second.
    private static let mostPassedOver = 16
    /// Or bytes of what is no exchange, that were not handed out.
    var hasMessages: Bool { !changes.isEmpty }

    /// Its head has come, with a status or without.
    var hasAnswer: Bool { down != nil }
    /// A request of HTTP/1 whose head is not whole.
    var isInRequestHead: Bool { hasBegun && flow.method == nil && flow.undecodable == nil && flow.kind != .tunnel }
    var reached: FlowFailure.Reached {
        guard !isInRequestHead else { return .asking }
        guard hasAnswer else { return hasRawAnswer ? .inHead : .unanswered }
        return isAnswered ? .answered : .answering
    }
    /// It was cut off in an answer of HTTP/1 whose head says nothing of its length.
    var isCutWithoutLength: Bool {
        guard flow.state == .aborted, flow.kind == .http, reached == .answering, let head = flow.response?.headers
        else {
            return false
        }
        return flow.version?.hasPrefix("HTTP/1") == true && head.values(of: "content-length").isEmpty
            && head.values(of: "transfer-encoding").isEmpty
    }
    /// More than a connection's buffers take at once.
    var isAnswerLarge: Bool { down.map { $0.body.size > 256 * 1024 } ?? false }

    func milliseconds(at now: Double) -> Double { max(0, ((now - began) * 1e6).rounded() / 1e3) }

    /// What has come by then came before its start.
    func restart(at now: Double) {
        asked = min(asked, began)
        began = now
        flow.timing.sentMS = flow.timing.sentMS.map { _ in 0 }
    }

    // MARK: What comes

    func begun() { hasBegun = true }

    func asked(_ head: RequestHead) {
        headBytes += head.fields.byteCount
        flow.method = head.method
        flow.version = head.version
        flow.stream = head.stream ?? flow.stream
        flow.request = FlowSide(headers: head.fields)
        flow.request?.target = RequestTarget(beyondURLOf: head)
        up = BodyRecord(fields: head.fields, limit: bodyLimit, tools: tools, beginning: FlowTags.bodyLimit)
        upMessages = ContentMessages(of: head.fields, from: .up, tools)
        requestHead = head
        tag(FlowTags.tags(request: head))
    }

    func informed(_ head: AnswerHead) {
        headBytes += head.fields.byteCount
        if flow.response == nil { flow.response = FlowSide() }
        flow.response?.informational.append(
            FlowSide.Interim(status: head.status, reason: head.reason, headers: head.fields))
    }

    func answered(_ head: AnswerHead, at now: Double) {
        headBytes += head.fields.byteCount
        flow.status = head.status == 0 ? nil : head.status
        flow.version = flow.version ?? head.version
        if flow.response == nil { flow.response = FlowSide() }
        flow.response?.reason = head.reason
        let isOwnVersion = head.version != flow.version
        flow.response?.version = isOwnVersion ? head.version : nil
        flow.response?.headers = head.fields
        down = BodyRecord(fields: head.fields, limit: bodyLimit, tools: tools)
        downMessages = ContentMessages(of: head.fields, from: .down, tools)
        if let requestHead { tag(FlowTags.tags(request: requestHead, answer: head)) }
        flow.timing.firstByteMS = flow.timing.firstByteMS ?? milliseconds(at: now)
    }

    /// After `101 Switching Protocols` (RFC 9110 §15.2.2), or a CONNECT of HTTP/1; in HTTP/2 it is content anyway.
    func upgraded() {
        guard flow.stream == nil else { return }
        isUpgraded = true
        (upMessages, downMessages) = (nil, nil)
        down = BodyRecord(fields: [], limit: bodyLimit, tools: tools)
        // What came before the answer is kept as it was: a request's own content, or a tunnel's first bytes.
        guard up?.body.size ?? 0 == 0, !hasRawRequest else { return }
        isAsked = false
        up = BodyRecord(fields: [], limit: bodyLimit, tools: tools)
        isRequestFollowed = true
    }

    /// What comes of no protocol that is read is content of this direction.
    func isContent(_ direction: ExchangeDirection) -> Bool {
        isUpgraded && (direction == .down || isRequestFollowed)
    }

    func content(_ direction: ExchangeDirection, _ bytes: ArraySlice<UInt8>, at now: Double) {
        came(direction, at: now)
        switch direction {
        case .up:
            up?.add(bytes)
            guard upMessages != nil else { return }
            upMessages?.read(bytes) { addFound($0, at: now) }
            if let loss = upMessages?.loss { tell(loss, of: up) }
        case .down:
            down?.add(bytes)
            guard downMessages != nil else { return }
            downMessages?.read(bytes) { addFound($0, at: now) }
            if let loss = downMessages?.loss { tell(loss, of: down) }
        }
    }

    func shed(_ direction: ExchangeDirection, _ count: Int, at now: Double) {
        came(direction, at: now)
        switch direction {
        case .up:
            up?.shed(count)
            add(upMessages?.shed(count), at: now)
        case .down:
            down?.shed(count)
            add(downMessages?.shed(count), at: now)
        }
    }

    /// Of a message, beside its bytes.
    private static let messageCost = 256

    /// Whoever looks for a message that is not there has to know why.
    private func tell(_ loss: ContentMessages.Loss, of body: BodyRecord?) {
        guard flow.undecodable == nil else { return }
        let reason =
            switch loss {
            case .noRoom: "more is being decoded than there is room for"
            case .grown: "it, or what else came, decodes to far more than that"
            case .broken: "it does not decode"
            }
        undecodable(
            at: body?.body.size ?? 0, "from here on messages are not told apart: \(reason); the body has what came")
    }

    /// - Returns: false where there is no room for any more of them.
    private func addFound(_ messages: [ExchangeMessage], at now: Double) -> Bool {
        waiting = messages.reduce(waiting) { $0 + $1.data.count + ($1.name?.utf8.count ?? 0) + Self.messageCost }
        let share = self.share ?? DecodingBudget.Share(of: tools.budget)
        self.share = share
        guard share.hold(waiting) else { return false }
        for one in messages { message(one, at: now) }
        return true
    }

    private func add(_ messages: [ExchangeMessage]?, at now: Double) {
        for one in messages ?? [] { message(one, at: now) }
    }

    /// Each tag once, in the order in which they were found.
    func tag(_ tags: [String]) { for tag in tags where !flow.tags.contains(tag) { flow.tags.append(tag) } }

    /// A socket that begins more different operations than this is an attack, and each is compared with all before it.
    func tag(by message: ExchangeMessage) {
        if flow.tags.count < FlowTags.countLimit { tag(FlowTags.tags(of: message)) }
    }

    func trailers(_ direction: ExchangeDirection, _ fields: [HeaderField]) {
        headBytes += fields.byteCount
        switch direction {
        case .up: flow.request?.trailers += fields
        case .down: flow.response?.trailers += fields
        }
    }

    private func came(_ direction: ExchangeDirection, at now: Double) {
        if direction == .up { last.up = now } else { last.down = now }
    }

    /// What has no end of its own has been sent with its last byte: the connection's end may come much later.
    private func end(_ direction: ExchangeDirection, at now: Double) -> Double {
        guard flow.kind != .http || isUpgraded else { return now }
        return (direction == .up ? last.up : last.down) ?? now
    }

    /// The message of that direction is whole.
    func ended(_ direction: ExchangeDirection, at now: Double) {
        switch direction {
        case .up:
            guard !isAsked else { return }
            isAsked = true
            if !isCutShort { flow.timing.sentMS = flow.timing.sentMS ?? milliseconds(at: end(.up, at: now)) }
            // Of one that is not there nobody sees a hash.
            let isShown = shown(up, isRequest: true) != nil
            up?.end(isHashed: isShown)
            add(upMessages?.end(isWhole: true), at: now)
            if let requestHead, !isUpgraded, let body = up?.beginning, !body.isEmpty {
                tag(FlowTags.tags(request: requestHead, body: body[...]))
            }
        case .down:
            guard !isAnswered else { return }
            isAnswered = true
            flow.timing.lastByteMS = milliseconds(at: end(.down, at: now))
            down?.end()
            compareLength()
            add(downMessages?.end(isWhole: true), at: now)
            // gRPC-Web has them in its content.
            if let trailers = downMessages?.trailers, !trailers.isEmpty { flow.response?.trailers += trailers }
        }
        guard isAsked, isAnswered, wholeAt == nil else { return }
        if waitsForEnd, flow.kind == .http { wholeAt = now } else { over(.complete, at: now) }
    }

    /// In HTTP/2 the length that a head announces is no framing. An answer that is shorter or longer is malformed all the
    /// same (RFC 9113 §8.1.1): the client may refuse it, and somebody looks for the reason. A request may be shorter: a
    /// server that has answered needs no more of it.
    private func compareLength() {
        guard flow.stream != nil, flow.kind == .http, flow.undecodable == nil, flow.method != "HEAD",
            flow.status != 304, let down, let announced = down.announced, announced != down.body.size
        else { return }
        flow.undecodable = Flow.Undecodable(
            at: down.body.size,
            why: "content-length says \(announced), and \(English.count(down.body.size, "byte")) came, "
                + "which HTTP/2 forbids (RFC 9113 §8.1.1)")
    }

    /// The first fault is told, as it is what the others follow from.
    func undecodable(at place: Int, _ why: String) {
        if flow.method == nil { flow.kind = .raw }
        flow.undecodable = flow.undecodable ?? Flow.Undecodable(at: place, why: why)
    }

    /// Its request ends here, though it has not come to its end.
    func cutShort(_ direction: ExchangeDirection) {
        lose(direction)
        if direction == .up { isCutShort = true }
    }

    /// What else comes of this direction is raw: nobody knows where its body ends.
    func lose(_ direction: ExchangeDirection) {
        switch direction {
        case .up: if !isAsked { up?.lose() }
        case .down: if !isAnswered { down?.lose() }
        }
    }

    func message(_ message: ExchangeMessage, at now: Double) {
        let number = flow.messages
        flow.messages += 1
        came(message.from, at: now)
        changes.append(.message(flow: flow.id, FlowMessage(index: number, atMS: milliseconds(at: now), message)))
    }

    /// Kept as far as a body would be.
    func raw(_ direction: ExchangeDirection, _ bytes: ArraySlice<UInt8>, at now: Double) {
        came(direction, at: now)
        if flow.kind == .raw {
            let before = counted ?? (0, 0)
            if direction == .up, start.count < 2 { start += bytes.prefix(2 - start.count) }
            counted =
                direction == .up ? (before.up + bytes.count, before.down) : (before.up, before.down + bytes.count)
        }
        if direction == .down { hasRawAnswer = true } else { hasRawRequest = true }
        let left = direction == .up ? rawLeft.up : rawLeft.down
        let kept = bytes.prefix(left)
        if direction == .up { rawLeft.up -= kept.count } else { rawLeft.down -= kept.count }
        if !kept.isEmpty { changes.append(.raw(flow: flow.id, direction, Array(kept))) }
    }

    /// The app's bytes are a TLS handshake, to which the server has said nothing.
    var isUnansweredHandshake: Bool { start == [0x16, 0x03] && (counted?.down ?? 0) == 0 }

    func over(_ state: Flow.State, at now: Double) {
        guard !isOver else { return }
        if state == .aborted {
            add(upMessages?.end(isWhole: false), at: now)
            add(downMessages?.end(isWhole: false), at: now)
        }
        flow.state = state
        flow.durationMS = milliseconds(at: now)
    }

    /// Below it the end of the connection, which is the time that a flow tells, is the time when its client left.
    private static let noticeable = 0.05

    /// An app that gives up, by its own time-out for example, is often not seen to have gone until its answer comes.
    func tellWhenLeft(before end: Double) {
        guard let leftAt, end - leftAt > Self.noticeable, flow.failure?.id == .clientGone else { return }
        let after = Int((max(0, leftAt - asked) * 1000).rounded())
        flow.failure?.text += "; it ended its side \(after) ms after the request began"
    }

    // MARK: What is handed out

    /// Everything new: its bytes and messages, and then what it is after them.
    func take(into all: inout [FlowChange]) {
        isTouched = false
        let bodies = (shown(up, isRequest: true), shown(down, isRequest: false))
        flow.request?.body = bodies.0
        flow.response?.body = bodies.1
        if let counted {
            if up == nil { flow.request = FlowSide(body: FlowBody(size: counted.up)) }
            if down == nil { flow.response = FlowSide(body: FlowBody(size: counted.down)) }
        }
        if let bytes = up?.take(), !bytes.isEmpty { all.append(.body(flow: flow.id, .up, bytes)) }
        if let bytes = down?.take(), !bytes.isEmpty { all.append(.body(flow: flow.id, .down, bytes)) }
        all += changes
        changes = []
        waiting = 0
        _ = share?.hold(0)
        all.append(.flow(flow))
    }

    /// A request without content has no body; an answer has one, if an empty one.
    private func shown(_ body: BodyRecord?, isRequest: Bool) -> FlowBody? {
        // One of which nothing could be measured is not an empty one.
        guard let record = body, !record.isLost || record.body.size > 0 else { return nil }
        let body = record.body
        guard isRequest, body.size == 0, let fields = flow.request?.headers else { return body }
        let announcesOne = fields.contains { $0.isNamed("content-length") || $0.isNamed("transfer-encoding") }
        return announcesOne ? body : nil
    }
}
