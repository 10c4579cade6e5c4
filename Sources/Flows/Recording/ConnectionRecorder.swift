import Facts

/// Makes flows of one connection's plaintext.
///
///     var recorder = ConnectionRecorder(facts, reader: ConnectionReader(alpn: "h2"), …)
///     recorder.read(bytes, .up, at: now)          // as often as bytes come
///     recorder.take(into: &changes)               // whenever they are to be told
///     recorder.end(by: close, at: now)
///
/// Of a tunnel nothing is read; what passes is counted (`counted`), and it is one flow.
/// Each flow that was touched is told once in a `take`: its new bytes and messages, and then what it is after them.
package struct ConnectionRecorder {
    /// What every flow of the connection begins with.
    package struct Facts {
        package var connection: UInt64
        package var client = Flow.Client()
        package var server = Flow.Server()
        /// `https` where TLS was taken off.
        package var scheme: String
        package var tls: FlowTLS?
        /// Of the connection; the first flow tells them.
        package var timing = FlowTiming()

        package init(connection: UInt64, scheme: String) {
            self.connection = connection
            self.scheme = scheme
        }
    }

    package struct Limits: Hashable, Sendable {
        /// Bytes of one body that are kept.
        package var body: Int
        /// Bytes of one side that could not be decoded, of those that are kept.
        package var raw: Int

        package init(body: Int = 16 * 1024 * 1024, raw: Int? = nil) {
            self.body = body
            self.raw = raw ?? body
        }
    }

    private var facts: Facts
    private let limits: Limits
    private let tools: DecodingTools
    private let wall: () -> FlowClock
    private let newID: () -> Int64
    private var reader: ConnectionReader
    private var steps = ExchangeSteps()
    private var open: [Int: OpenFlow] = [:]
    /// In the order in which they were touched; those that are over leave with the next `take`.
    private var touched: [OpenFlow] = []
    /// Exchanges below this number have begun.
    private var begun = 0
    private var headBytes = 0
    private var hasClientEnded = false
    /// When it had.
    private var leftAt: Double?
    /// The one that was over last, if its answer is more than can have been on its way to the client when that was told.
    private var last: OpenFlow?

    /// - Parameters:
    ///   - clock: asked for each flow that begins.
    ///   - newID: called for each flow that begins, in their order.
    package init(
        _ facts: Facts, reader: ConnectionReader, limits: Limits, tools: DecodingTools,
        clock: @autoclosure @escaping () -> FlowClock,
        newID: @escaping () -> Int64
    ) {
        self.facts = facts
        self.reader = reader
        self.limits = limits
        self.tools = tools
        wall = clock
        self.newID = newID
    }

    /// Bytes of the heads that were read since this was called last: a compressed one of some bytes may have a megabyte.
    package mutating func takeHeadBytes() -> Int {
        defer { headBytes = 0 }
        return headBytes
    }

    /// Nothing has come that is an exchange.
    package var isEmpty: Bool { begun == 0 }

    package mutating func read(_ bytes: [UInt8], _ direction: ExchangeDirection, at now: Double) {
        steps.at = now
        tools.budget.turn(to: now)
        reader.read(bytes[...], direction, &steps)
        record()
    }

    /// The server is there, of a request that was read before: it starts now, as those do whose server was there.
    ///
    /// - Parameter took: milliseconds.
    package mutating func connected(to address: String?, proxy: String?, took: Double?, at now: Double) {
        facts.server.address = address ?? facts.server.address
        facts.server.proxy = proxy ?? facts.server.proxy
        for flow in open.values {
            (flow.flow.server.address, flow.flow.server.proxy) = (facts.server.address, facts.server.proxy)
            flow.flow.timing.connectMS = took
            flow.flow.started = wall().unix(now)
            flow.restart(at: now)
            touch(flow)
        }
    }

    /// A tunnel has carried so many bytes since it began; the first call is its beginning.
    package mutating func counted(up: Int, down: Int, at now: Double) {
        if open[0] == nil, begun == 0 {
            steps.at = now
            steps.add(0, .began)
            record()
            open[0]?.flow.kind = .tunnel
        }
        guard let flow = open[0] else { return }
        flow.counted = (up, down)
        touch(flow)
    }

    /// So many bytes of a body were left out here.
    package mutating func shed(_ count: Int, _ direction: ExchangeDirection, at now: Double) {
        steps.at = now
        reader.shed(count, direction, &steps)
        record()
    }

    /// Nothing more of this connection is told but its end: too much had piled up.
    package mutating func cut(at now: Double) {
        for flow in open.values {
            if let whole = flow.wholeAt {
                flow.over(.complete, at: whole)
                touch(flow)
                continue
            }
            flow.flow.undecodable = Flow.Undecodable(
                at: 0, why: "the recorder could not keep up with this connection; the relay went on")
            flow.over(.aborted, at: now)
            touch(flow)
        }
        open = [:]
    }

    /// The client says nothing more. It may wait for its answers all the same, or have left: `end` tells.
    package mutating func clientEnded(at now: Double) {
        hasClientEnded = true
        leftAt = leftAt ?? now
        for flow in open.values {
            flow.leftAt = flow.leftAt ?? now
            flow.waitsForEnd = true
            // Who waits for an answer ends before it begins; who ends in the middle of it has had enough.
            flow.isLeftInAnswer = flow.hasAnswer
        }
    }

    /// The connection has ended; what was going on is cut off by that.
    ///
    /// - Parameter isAnswerLost: the client had ended, and has not taken all that it was sent after that.
    package mutating func end(by close: Observation.Close?, isAnswerLost: Bool = false, at now: Double) {
        steps.at = now
        let close = close ?? (hasClientEnded ? Observation.Close(by: .client, how: .fin, ms: 0) : nil)
        let goingOn = open.values
        defer {
            let isStopped = close == nil || close?.by == .gate
            for flow in goingOn where isStopped && flow.flow.state == .aborted { flow.tag([Self.incompleteTag]) }
        }
        // TLS has an end of its own, so that nobody between the two can cut an answer short unseen (RFC 9112 §9.8).
        let isTruncated = facts.scheme == "https" && close?.by == .origin && close?.how == .fin
        reader.end(
            FlowFailure.words(for: close), isCut: isAnswerLost || isTruncated || Self.isCut(close), &steps)
        record(endedBy: close)
        if isTruncated { for flow in goingOn where flow.isCutWithoutLength { flow.flow.failure = .withoutCloseNotify } }
        for flow in open.values {
            if let whole = flow.wholeAt {
                if isAnswerLost {
                    flow.flow.failure =
                        flow.isLeftInAnswer
                        ? close.flatMap { FlowFailure(cutOffBy: $0, .answering) } : .leftBeforeAnswer
                }
                flow.over(isAnswerLost ? .aborted : .complete, at: isAnswerLost ? now : whole)
            } else if flow.flow.kind == .raw, flow.isUnansweredHandshake, close?.by == .origin, close?.how == .fin {
                flow.flow.failure = .saidNothing(by: flow.flow.server.host)
                flow.over(.aborted, at: now)
            } else if flow.flow.kind == .tunnel || flow.flow.kind == .raw {
                if Self.isClean(close) { flow.over(.complete, at: now) } else { cutOff(flow, close, now) }
            } else {
                flow.over(.aborted, at: now)
            }
            touch(flow)
        }
        // Answers pass as fast as the kernel takes them, which is long before a client has them.
        if isAnswerLost, open.isEmpty, let last, last.flow.kind == .http, last.flow.state == .complete {
            last.flow.state = .aborted
            last.flow.failure = FlowFailure(cutOffBy: Observation.Close(by: .client, how: .rst, ms: 0), .answering)
            touch(last)
        }
        open = [:]
        for flow in goingOn { flow.tellWhenLeft(before: now) }
    }

    /// Whether the end came in the middle, for all that is known: an answer without a length may not be whole.
    private static func isCut(_ close: Observation.Close?) -> Bool {
        switch close?.how {
        case .fin, .closeNotify, .kept: false
        case .rst, .timeout, .aborted, nil: true
        }
    }

    /// Whether a tunnel's end was one that its sides wanted.
    private static func isClean(_ close: Observation.Close?) -> Bool {
        !isCut(close) && (close?.by == .client || close?.by == .origin)
    }

    /// Says of what was cut off without an answer why that was, where that says more than is known.
    package mutating func explain(_ failure: FlowFailure) {
        for flow in touched where failure.says(moreThan: flow.flow) { flow.flow.failure = failure }
    }

    fileprivate static func isUnexplained(_ flow: Flow) -> Bool {
        flow.state == .aborted && flow.kind != .tunnel && flow.status == nil
    }

    /// A flow that was cut off without an answer, and nobody knows why.
    package var unexplained: Flow? {
        touched.last { Self.isUnexplained($0.flow) }?.flow
    }

    /// Adds what has changed since this was called last.
    ///
    /// - Parameter limit: of flows that go on, those that began later are left for the next time, unless messages have
    ///   come: a flow that is told once and a body that is told as a whole are cheaper for whoever keeps them.
    package mutating func take(into changes: inout [FlowChange], begunBefore limit: Double = .infinity) {
        touched.removeAll { flow in
            guard flow.isOver || flow.began < limit || flow.hasMessages, flow.isDue() else { return false }
            flow.take(into: &changes)
            return true
        }
    }

    /// Something has changed that was left for the next time.
    package var hasMore: Bool { !touched.isEmpty }

    // MARK: Inside

    private mutating func record(endedBy close: Observation.Close? = nil) {
        for step in steps.take() {
            // What comes for one that is over came too late to belong to it.
            guard let flow = open[step.exchange] ?? begin(step) else { continue }
            perform(step, on: flow, close)
            touch(flow)
            if flow.isOver {
                open[step.exchange] = nil
                last = flow.isAnswerLarge ? flow : nil
            }
        }
    }

    private mutating func touch(_ flow: OpenFlow) {
        guard !flow.isTouched else { return }
        flow.isTouched = true
        touched.append(flow)
    }

    /// nil: it had begun already, and is over.
    private mutating func begin(_ step: ExchangeStep) -> OpenFlow? {
        guard step.exchange >= begun else { return nil }
        let isFirst = begun == 0
        begun = step.exchange + 1
        var flow = Flow(id: newID(), kind: .http, state: .open, started: wall().unix(step.at))
        flow.connection = facts.connection
        flow.client = facts.client
        flow.server = facts.server
        flow.scheme = facts.scheme
        flow.tls = facts.tls
        if isFirst { flow.timing = facts.timing }
        let made = OpenFlow(flow, began: step.at, limits: limits, tools: tools)
        made.waitsForEnd = hasClientEnded
        made.leftAt = leftAt
        open[step.exchange] = made
        return made
    }

    private mutating func perform(_ step: ExchangeStep, on flow: OpenFlow, _ close: Observation.Close?) {
        switch step.kind {
        case .asked(let head): headBytes += head.fields.byteCount
        case .informed(let head), .answered(let head): headBytes += head.fields.byteCount
        case .trailers(_, let fields): headBytes += fields.byteCount
        default: break
        }
        switch step.kind {
        case .began: flow.begun()
        case .asked(let head):
            flow.asked(head)
            flow.flow.url = FlowURL.text(head, scheme: facts.scheme, server: facts.server)
        case .informed(let head): flow.informed(head)
        case .answered(let head): flow.answered(head, at: step.at)
        case .content(let direction, let bytes): flow.content(direction, bytes, at: step.at)
        case .shed(let direction, let count): flow.shed(direction, count, at: step.at)
        case .trailers(let direction, let fields): flow.trailers(direction, fields)
        case .ended(.down) where close != nil && flow.isLeftInAnswer && flow.flow.kind == .http && !flow.isUpgraded:
            cutOff(flow, close, step.at)
        case .ended(let direction): flow.ended(direction, at: step.at)
        case .upgraded(let name):
            if name.lowercased() == "websocket" { flow.flow.kind = .websocket } else { flow.upgraded() }
        case .message(let message):
            flow.message(message, at: step.at)
            flow.tag(by: message)
        case .raw(let direction, let bytes):
            if flow.flow.method == nil { flow.flow.kind = .raw }
            if flow.isContent(direction) {
                flow.content(direction, bytes, at: step.at)
            } else {
                flow.raw(direction, bytes, at: step.at)
            }
        case .undecodable(let direction, let at, let why):
            flow.undecodable(at: at, why)
            flow.lose(direction)
        case .cutShort(let direction): flow.cutShort(direction)
        case .misplaced(_, let at, let why): flow.undecodable(at: at, why)
        case .aborted(let why, let leaver?):
            flow.flow.failure = FlowFailure(givenUpBy: leaver, why)
            flow.over(.aborted, at: step.at)
        case .aborted(_, nil): cutOff(flow, close, step.at)
        }
    }

    /// Neither side has ended it: the proxy stops, and whatever was still to come is not in the record.
    package static let incompleteTag = "recording-incomplete"

    private func cutOff(_ flow: OpenFlow, _ close: Observation.Close?, _ now: Double) {
        flow.flow.failure = close.flatMap { close in
            !flow.isInRequestHead && (flow.flow.kind == .raw || flow.flow.kind == .tunnel)
                ? FlowFailure(tunnelCutOffBy: close, flow.flow.server.host)
                : FlowFailure(cutOffBy: close, flow.reached)
        }
        flow.over(.aborted, at: now)
    }
}

extension FlowFailure {
    /// Whether this is why a flow was cut off, rather than what is said of it.
    package func says(moreThan flow: Flow) -> Bool {
        guard ConnectionRecorder.isUnexplained(flow) else { return false }
        switch flow.failure?.id {
        // Of an app that left nobody knows but that it has: there may have been a reason.
        // And where the proxy has answered in the origin's place, a client that stays is waited for, and then for too long.
        case .clientGone: return id != .clientGone || text.count > flow.failure?.text.count ?? 0
        case nil, .proxyLimit: return true
        // An origin may have said why it ends the connection, in TLS; or the proxy has not done what it wanted.
        case .originClosed, .originReset: return id == .originRefused || id == .proxyLimit
        default: return false
        }
    }
}
