import Facts

/// Reads the exchanges of an HTTP/2 connection, both directions, as they pass (RFC 9113).
///
/// An exchange is a stream. What a receiver would refuse in a message (no `:method`, names in capitals) is shown as it
/// came; where frames or header blocks make no sense at all, their direction is raw from there on, as no receiver goes on
/// behind that: those bytes follow in the exchange at which it happened, every open exchange is told, and the other
/// direction is read on. What comes on a stream that was reset may have been under way, and is ignored, as its receiver
/// does (§5.1); what else stands where nothing may stand is raw, and said so (`HTTP2Reader+Misplaced`).
struct HTTP2Reader {
    /// RFC 9113 §3.4.
    static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    private let tools: DecodingTools
    private var up: HTTP2Side
    private var down: HTTP2Side
    var streams: [Int: HTTP2Stream] = [:]
    private var next: Int
    /// Streams on which a side may not know yet that they are over.
    var given = GivenUpStreams()
    /// Bytes of the header blocks of streams that were open when it was counted, and of those that came since.
    private var (headBytes, idleGoodbyes) = (0, 0)
    private let headShare: DecodingBudget.Share
    /// The lowest stream up to which each side has said that it answers.
    private var leaves: [ExchangeDirection: Int] = [:]
    /// Who said first why the connection ends.
    private var goodbye: (by: ExchangeDirection, why: String)?
    /// The exchange of what came on streams that were over.
    var strays: Int?

    init(tools: DecodingTools, from next: Int = 0) {
        self.tools = tools
        self.next = next
        headShare = DecodingBudget.Share(of: tools.budget)
        up = HTTP2Side(.up, tools)
        down = HTTP2Side(.down, tools)
    }

    /// After `Upgrade: h2c`: stream 1 is the request that asked for it (RFC 7540 §3.2).
    ///
    /// - Parameter settings: its `HTTP2-Settings` field, decoded: the payload of a SETTINGS frame.
    init(tools: DecodingTools, upgraded exchange: Int, settings: [UInt8], from next: Int) {
        self.init(tools: tools, from: next)
        begin(1, HTTP2Stream(exchange: exchange))
        streams[1]?.up = .ended
        let settings = HTTP2Settings(payload: settings)
        apply(settings, of: .up)
        accept(settings, by: .down)
    }

    mutating func read(_ bytes: ArraySlice<UInt8>, _ direction: ExchangeDirection, _ steps: inout ExchangeSteps) {
        var rest = bytes
        while !rest.isEmpty {
            if let lost = lost(direction) { return steps.add(lost.exchange, .raw(direction, rest)) }
            let (count, event) = direction == .up ? up.frames.next(rest) : down.frames.next(rest)
            rest = rest.dropFirst(count)
            if let event { handle(event, direction, &steps) }
        }
    }

    /// Bytes of content that were left out.
    mutating func shed(_ count: Int, _ direction: ExchangeDirection, _ steps: inout ExchangeSteps) {
        if let lost = lost(direction) { return steps.add(lost.exchange, .shed(direction, count)) }
        guard let missing = direction == .up ? up.frames.shed(count) : down.frames.shed(count) else {
            lose(direction, stream: nil, [], "bytes are missing here: the recorder could not keep up", &steps)
            return shed(count, direction, &steps)
        }
        streams[missing.stream]?.shed(missing.content, direction, &steps)
        if missing.ends { close(missing.stream, direction, &steps) }
    }

    /// The connection has ended; what is open then was cut off.
    mutating func end(_ why: String, _ steps: inout ExchangeSteps) {
        // Who said why it ends the connection has ended it, whoever closed it then.
        let why = goodbye?.why ?? why
        let farewell = (goodbye?.by).map(ExchangeStep.Leaver.farewell)
        for direction in ExchangeDirection.allCases {
            let side = side(direction)
            if let block = side.frames.unfinishedBlock {
                if let open = streams[block.stream] {
                    steps.add(open.exchange, .raw(direction, block.wire[...]))
                } else if direction == .up, block.stream > side.frames.begun.odd {
                    let exchange = newNumber()
                    steps.add(exchange, .raw(direction, block.wire[...]))
                    steps.add(exchange, .aborted(why: why, by: farewell))
                }
            }
            if let lost = side.lost { steps.add(lost.exchange, .ended(direction)) }
        }
        for stream in streams.values.sorted(by: { $0.exchange < $1.exchange }) {
            let rest = ExchangeDirection.allCases.filter {
                stream.half($0) != .ended && lost($0)?.exchange != stream.exchange
            }
            if stream.tunnel == .webSocket, !stream.isCut, stream.isClosing {
                for direction in rest { steps.add(stream.exchange, .ended(direction)) }
            } else if !rest.isEmpty {
                stream.abort(why, by: farewell, &steps)
            }
        }
        streams = [:]
        endStrays(&steps)
    }

    // MARK: What frames say

    func side(_ direction: ExchangeDirection) -> HTTP2Side { direction == .up ? up : down }
    func lost(_ direction: ExchangeDirection) -> HTTP2Side.Loss? { direction == .up ? up.lost : down.lost }

    private mutating func change(_ direction: ExchangeDirection, _ change: (inout HTTP2Side) -> Void) {
        if direction == .up { change(&up) } else { change(&down) }
    }

    private mutating func handle(
        _ event: HTTP2FrameReader.Event, _ direction: ExchangeDirection, _ steps: inout ExchangeSteps
    ) {
        switch event {
        case .data(let stream, let bytes, let ends):
            if streams[stream] == nil, isUnseen(stream) { begin(unseen: stream, direction, &steps) }
            if !bytes.isEmpty { lookAt(contentOf: stream, bytes, direction, &steps) }
            streams[stream]?.read(bytes, direction, &steps)
            if ends { close(stream, direction, &steps) }
        case .block(let block, let wire): read(block, wire, direction, &steps)
        case .settings(let settings):
            apply(settings, of: direction)
            change(direction) { if $0.asked.count < Self.settingsLimit { $0.asked.append(settings) } }
        case .settingsAccepted:
            guard let settings = side(direction.other).asked.first else { return }
            change(direction.other) { $0.asked.removeFirst() }
            accept(settings, by: direction)
        case .reset(let stream, let code): reset(stream, code, direction, &steps)
        case .goAway(let last, let code, let text): leave(last, code, text, direction, &steps)
        case .fault(let stream, let wire, let why): lose(direction, stream: stream, wire, why, &steps)
        }
    }

    /// What one side takes counts for what the other sends: more at once, less as soon as that has accepted it.
    private mutating func apply(_ settings: HTTP2Settings, of direction: ExchangeDirection) {
        change(direction.other) { other in
            // Never less: frames may be under way that were sent before the other side knew.
            other.frames.frameLimit = max(other.frames.frameLimit, settings.frameLimit ?? 0)
            if let table = settings.table, table > other.tableLimit { other.allowTable(of: table) }
        }
    }

    private mutating func accept(_ settings: HTTP2Settings, by direction: ExchangeDirection) {
        guard let smallest = settings.smallestTable, let last = settings.table else { return }
        change(direction) { side in
            if smallest < last { side.allowTable(of: smallest) }
            side.allowTable(of: last)
        }
    }

    private mutating func reset(
        _ stream: Int, _ code: UInt32, _ direction: ExchangeDirection, _ steps: inout ExchangeSteps
    ) {
        guard let open = streams.removeValue(forKey: stream) else { return }
        given.add(stream, unknownTo: direction.other)
        // A server that has answered needs no more of the request (RFC 9113 §8.1): that is how gRPC ends many a call.
        // And a client that was refused before it sent its content owes none.
        if open.down == .ended, open.isWaiting || code == HTTP2Error.none && direction == .down {
            if !open.isWaiting { steps.add(open.exchange, .cutShort(.up)) }
            return steps.add(open.exchange, .ended(.up))
        }
        // Browsers let go of a WebSocket's stream like this, once its closing is agreed on.
        if open.isClosed {
            for direction in ExchangeDirection.allCases where open.half(direction) != .ended {
                steps.add(open.exchange, .ended(direction))
            }
            return
        }
        let what = open.isPushed && direction == .up ? "refused the push" : "reset the stream"
        let why = "\(direction.speaker) \(what): \(HTTP2Error.name(code))"
        open.abort(why, by: .reset(direction), &steps)
    }

    /// What the other side began after `last` is not going to be answered (RFC 9113 §6.8).
    private mutating func leave(
        _ last: Int, _ code: UInt32, _ text: [UInt8], _ direction: ExchangeDirection, _ steps: inout ExchangeSteps
    ) {
        var why = "\(direction.speaker) ended the connection: \(HTTP2Error.name(code))"
        if !text.isEmpty { why += " (\(Printable.excerpt(String(decoding: text, as: UTF8.self))))" }
        if code != HTTP2Error.none { goodbye = goodbye ?? (direction, why) }
        // Said once more, it says nothing new of any stream; nor does one after the last stream that the other side began.
        guard last < leaves[direction] ?? .max else { return }
        leaves[direction] = last
        let begun = up.frames.begun
        guard last < (direction == .down ? begun.odd : begun.even) else { return }
        let parity = direction == .down ? 1 : 0
        guard idleGoodbyes < Self.idleGoodbyeLimit else { return }
        let refused = streams.filter { $0.key > last && $0.key % 2 == parity }
        idleGoodbyes += refused.isEmpty ? 1 : 0
        for (stream, open) in refused.sorted(by: { $0.key < $1.key }) {
            streams[stream] = nil
            given.add(stream, unknownTo: direction.other)
            open.abort(why, by: .goAway(direction), &steps)
        }
    }

    // MARK: Header blocks

    private mutating func read(
        _ block: HTTP2HeaderBlock, _ wire: [UInt8], _ direction: ExchangeDirection, _ steps: inout ExchangeSteps
    ) {
        let fields: [HeaderField]
        do throws(DecodingFault) {
            fields = try decode(block.fragment, direction)
        } catch {
            return lose(
                direction, stream: block.stream, wire, "a header block that cannot be decoded: \(error.reason)", &steps)
        }
        if let promised = block.promised { return promise(promised, fields, &steps) }
        if streams[block.stream] == nil {
            if isUnseen(block.stream) {
                begin(unseen: block.stream, direction, &steps)
            } else if direction == .up, block.stream > up.frames.begun.odd {
                guard streams.count < Self.streamLimit else {
                    return lose(.up, stream: nil, wire, "more than \(Self.streamLimit) streams are open", &steps)
                }
                begin(block.stream, HTTP2Stream(exchange: newNumber()))
            }
        }
        guard let open = streams[block.stream] else {
            return strayed("a header block", on: block.stream, wire[...], direction, &steps)
        }
        guard hold(fields, of: block.stream) else {
            return lose(
                direction, stream: block.stream, wire,
                "header fields of more than \(Self.headLimit >> 20) MiB on one stream, or "
                    + "\(Self.connectionHeadLimit >> 20) on one connection", &steps)
        }
        switch (open.half(direction), direction) {
        case (.head, .up): ask(RequestHead(http2: fields, stream: block.stream), block.stream, &steps)
        case (.head, .down):
            if let why = AnswerHead.statusFault(http2: fields) { note(why, block.stream, wire.count, .down, &steps) }
            let head = AnswerHead(http2: fields)
            if block.endsStream, (100..<200).contains(head.status) {
                note(
                    "an interim answer ended the stream: there is no other (RFC 9113 §8.1)", block.stream, wire.count,
                    .down, &steps)
            }
            answer(head, block.stream, open, &steps)
        default:
            lookAt(trailers: fields, of: block.stream, wire.count, direction, &steps)
            steps.add(open.exchange, .trailers(direction, fields))
        }
        if block.endsStream { close(block.stream, direction, &steps) }
    }

    /// - Returns: false where they are too many.
    private mutating func hold(_ fields: [HeaderField], of stream: Int) -> Bool {
        let size = fields.byteCount
        headBytes += size
        streams[stream]?.headBytes += size
        guard (streams[stream]?.headBytes ?? 0) <= Self.headLimit else { return false }
        // Counted anew where it matters: most are over by then.
        if headBytes > headShare.size + Self.connectionHeadLimit / 4 {
            headBytes = streams.values.reduce(0) { $0 + $1.headBytes }
            return headBytes <= Self.connectionHeadLimit && headShare.hold(headBytes)
        }
        return true
    }

    private mutating func decode(
        _ fragment: [UInt8], _ direction: ExchangeDirection
    ) throws(DecodingFault) -> [HeaderField] {
        guard let decoder = direction == .up ? up.headerBlocks : down.headerBlocks else {
            throw DecodingFault(offset: 0, reason: "this build has no HPACK")
        }
        return try decoder.decode(fragment)
    }

    private mutating func ask(_ head: RequestHead, _ stream: Int, _ steps: inout ExchangeSteps) {
        streams[stream]?.up = .content
        streams[stream]?.isWaiting = head.fields.elements(of: "expect").contains("100-continue")
        if head.method == "CONNECT" { streams[stream]?.wanted = head.connectProtocol?.lowercased() ?? "CONNECT" }
        guard let exchange = streams[stream]?.exchange else { return }
        steps.add(exchange, .asked(head))
        if let lost = down.lost { steps.add(exchange, .undecodable(.down, at: lost.at, why: lost.why)) }
    }

    private mutating func answer(
        _ head: AnswerHead, _ stream: Int, _ open: HTTP2Stream, _ steps: inout ExchangeSteps
    ) {
        if (100..<200).contains(head.status) { return steps.add(open.exchange, .informed(head)) }
        streams[stream]?.down = .content
        steps.add(open.exchange, .answered(head))
        guard let wanted = open.wanted, (200..<300).contains(head.status) else { return }
        streams[stream]?.open(head, tools)
        steps.add(open.exchange, .upgraded(to: wanted))
    }

    /// The origin says what it is going to answer without having been asked (RFC 9113 §8.4).
    private mutating func promise(_ promised: Int, _ fields: [HeaderField], _ steps: inout ExchangeSteps) {
        guard promised > down.frames.begun.even, promised.isMultiple(of: 2), streams.count < Self.streamLimit else {
            return lose(.down, stream: nil, [], "a push on stream \(promised), which is none that may begin", &steps)
        }
        var stream = HTTP2Stream(exchange: newNumber())
        stream.isPushed = true
        begin(promised, stream)
        ask(RequestHead(http2: fields, stream: promised), promised, &steps)
        close(promised, .up, &steps)
    }

    // MARK: Streams

    mutating func newNumber() -> Int {
        defer { next += 1 }
        return next
    }

    private mutating func begin(_ stream: Int, _ state: HTTP2Stream) {
        streams[stream] = state
        var begun = up.frames.begun
        if stream.isMultiple(of: 2) { begun.even = max(begun.even, stream) } else { begun.odd = max(begun.odd, stream) }
        up.frames.begun = begun
        down.frames.begun = begun
    }

    /// It began in what could not be read: a client's in the lost bytes of the client, a push in those of the origin.
    private func isUnseen(_ stream: Int) -> Bool {
        let isPush = stream.isMultiple(of: 2)
        let begun = up.frames.begun
        return lost(isPush ? .down : .up) != nil && stream > (isPush ? begun.even : begun.odd)
            && streams.count < Self.streamLimit
    }

    private mutating func begin(unseen stream: Int, _ direction: ExchangeDirection, _ steps: inout ExchangeSteps) {
        var state = HTTP2Stream(exchange: newNumber())
        let other = direction.other
        if let lost = lost(other) {
            state.go(other, to: .ended)
            steps.add(state.exchange, .undecodable(other, at: lost.at, why: lost.why))
        }
        begin(stream, state)
    }

    private mutating func close(_ stream: Int, _ direction: ExchangeDirection, _ steps: inout ExchangeSteps) {
        guard let open = streams[stream], open.half(direction) != .ended else { return }
        streams[stream]?.go(direction, to: .ended)
        if open.isWhole(direction) { steps.add(open.exchange, .ended(direction)) }
        let other = direction.other
        if let lost = lost(other), lost.exchange != open.exchange, open.half(other) != .ended {
            // There is nothing else to wait for.
            streams[stream]?.go(other, to: .ended)
            steps.add(open.exchange, .ended(other))
        }
        guard streams[stream]?.isOver == true else { return }
        if open.isCut { open.abort("the stream ended in the middle of a message", &steps) }
        streams[stream] = nil
    }

    /// From here on the direction is raw.
    ///
    /// - Parameters:
    ///   - stream: where it happened, if that can be told.
    ///   - wire: the bytes that make no sense, of those that were read.
    private mutating func lose(
        _ direction: ExchangeDirection, stream: Int?, _ wire: [UInt8], _ why: String, _ steps: inout ExchangeSteps
    ) {
        let loss = HTTP2Side.Loss(
            exchange: exchangeOfLoss(direction, stream), at: side(direction).frames.count - wire.count, why: why)
        change(direction) { $0.lost = loss }
        up.frames.knowsStreams = false
        down.frames.knowsStreams = false
        let step = ExchangeStep.Kind.undecodable(direction, at: loss.at, why: why)
        steps.add(loss.exchange, step)
        if !wire.isEmpty { steps.add(loss.exchange, .raw(direction, wire[...])) }
        let concerned = streams.filter { $0.value.exchange != loss.exchange && $0.value.half(direction) != .ended }
        for (stream, open) in concerned.sorted(by: { $0.value.exchange < $1.value.exchange }) {
            steps.add(open.exchange, step)
            guard open.half(direction.other) == .ended else { continue }
            steps.add(open.exchange, .ended(direction))
            streams[stream] = nil
        }
    }

    /// That of the stream; else the oldest one that still goes on in this direction; else one of its own.
    private mutating func exchangeOfLoss(_ direction: ExchangeDirection, _ stream: Int?) -> Int {
        if let stream {
            if let open = streams[stream] {
                if open.half(direction) != .ended { return open.exchange }
            } else if direction == .up, !stream.isMultiple(of: 2), stream > up.frames.begun.odd,
                streams.count < Self.streamLimit
            {
                // Its answer can still be read.
                let exchange = newNumber()
                begin(stream, HTTP2Stream(exchange: exchange))
                return exchange
            }
        }
        let open = streams.values.filter { $0.half(direction) != .ended }.map(\.exchange)
        if let oldest = open.min() { return oldest }
        if let other = lost(direction.other)?.exchange, !streams.values.contains(where: { $0.exchange == other }) {
            return other
        }
        return newNumber()
    }
}
