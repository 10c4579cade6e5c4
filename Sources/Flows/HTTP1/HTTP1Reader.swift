import Facts
import Wire

/// Reads the exchanges of an HTTP/1 connection, both directions, as they pass.
///
///     var reader = HTTP1Reader()
///     reader.read(bytes, .up, &steps)
///     if let (upgrade, rest) = reader.upgrade { … }   // what follows is another protocol
///
/// It measures messages as their receivers do (`HTTPMessageFraming`); where those could be measured in two ways, it says so,
/// and what follows is raw.
struct HTTP1Reader {
    /// Requests without an answer; with more, answers are not told apart any longer.
    static let pipelineLimit = BodyFinder.pipelineLimit

    private var up = Side()
    private var down = Side()
    /// In the order in which they were asked; the first is the one that is being answered, or asked.
    private var open: [Exchange] = []
    private var answered: AnswerHead?
    private var next: Int
    /// The number of the request that is being read.
    private var asking: Int?
    /// That request announces a body, and waits to be told to send it (`Expect: 100-continue`).
    private var isWaiting = false
    /// Of a client that was not told to: its body after all, or its next request.
    private var unclear: [UInt8] = []
    /// The next request begins where the refused one's content may.
    private var guessedAt: Int?
    private(set) var upgrade: Upgrade?

    /// - Parameter next: the number of the first exchange.
    init(from next: Int = 0) { self.next = next }

    /// - Returns: what was not read, as the connection has become another protocol (`upgrade`).
    mutating func read(
        _ bytes: ArraySlice<UInt8>, _ direction: ExchangeDirection, _ steps: inout ExchangeSteps
    ) -> ArraySlice<UInt8> {
        var rest = bytes
        while !rest.isEmpty, upgrade == nil {
            let count = direction == .up ? readRequest(rest, &steps) : readAnswer(rest, &steps)
            rest = rest.dropFirst(count)
        }
        return rest
    }

    /// Bytes of content that were left out.
    mutating func shed(_ count: Int, _ direction: ExchangeDirection, _ steps: inout ExchangeSteps) {
        guard let exchange = direction == .up ? asking : open.first?.number else { return }
        steps.add(exchange, .shed(direction, count))
        if direction == .up { settle(&steps) }
        var left = count
        // The framing has to know of them all the same: content is content, whatever its bytes.
        while left > 0 {
            let some = [UInt8](repeating: 0, count: min(left, 64 * 1024))
            switch direction {
            case .up: _ = up.message?.next(some.span)
            case .down: _ = down.message?.next(some.span)
            }
            left -= some.count
        }
        if direction == .up {
            up.count += count
            up.held = []
        } else {
            down.count += count
            down.held = []
        }
        close(direction, &steps)
    }

    /// The connection has ended; what is open then was cut off, unless it had no other end.
    mutating func end(_ why: String, isCut: Bool, _ steps: inout ExchangeSteps) {
        if !unclear.isEmpty { settle(&steps) }
        if let asking, !open.contains(where: { $0.number == asking }) {
            // A client that was refused before it sent its body owes none.
            if up.lost == asking || isWaiting {
                steps.add(asking, .ended(.up))
            } else {
                if !up.held.isEmpty { steps.add(asking, .raw(.up, up.held[...])) }
                steps.add(asking, .aborted(why: why))
            }
        }
        if let lost = down.lost { steps.add(lost, .ended(.down)) }
        for (place, exchange) in open.enumerated() where exchange.number != down.lost {
            if down.lost != nil, exchange.isAsked {
                giveUp(exchange, &steps)
                continue
            }
            let isAnswered = place == 0 && answered != nil
            if !isCut, isAnswered, down.message?.endsWithConnection == true, down.lost == nil, exchange.isAsked {
                steps.add(exchange.number, .ended(.down))
            } else {
                if place == 0, !isAnswered, !down.held.isEmpty {
                    steps.add(exchange.number, .raw(.down, down.held[...]))
                }
                steps.add(exchange.number, .aborted(why: why))
            }
        }
        open = []
        asking = nil
    }

    /// Nobody knows where the answers before it end: its own is among their bytes, if there is one.
    private func giveUp(_ exchange: Exchange, _ steps: inout ExchangeSteps) {
        steps.add(
            exchange.number,
            .undecodable(
                .down, at: down.lostAt,
                why: "an answer before it on this connection could not be followed; this one is among its bytes"))
        steps.add(exchange.number, .ended(.down))
    }

    // MARK: Requests

    private mutating func readRequest(_ bytes: ArraySlice<UInt8>, _ steps: inout ExchangeSteps) -> Int {
        if let lost = up.lost {
            steps.add(lost, .raw(.up, bytes))
            return bytes.count
        }
        // After a CONNECT the tunnel's first bytes may come before its answer.
        if asking == nil, let last = open.last, last.method == .connect {
            up.count += bytes.count
            steps.add(last.number, .raw(.up, bytes))
            return bytes.count
        }
        // Empty lines before a request are none of it (RFC 9112 §2.2).
        let blank = asking == nil ? bytes.prefix { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }.count : 0
        guard blank == 0 else {
            up.count += blank
            return blank
        }
        if isWaiting, let asking, !open.contains(where: { $0.number == asking }) {
            return choose(bytes, asking, &steps)
        }
        var message = up.message ?? HTTPMessageFraming(asReceivers: true)
        up.message = nil
        let number = asking ?? begin(&steps)
        let wasInHead = message.isInHead
        let run = message.next(bytes.span)
        let part = bytes.prefix(run.count)
        up.count += run.count
        if wasInHead {
            up.held += part
            if !message.isInHead {
                requestRead(message, number, &steps)
                if up.lost != nil { return run.count }
            }
        } else if run.isContent {
            isWaiting = false
            steps.add(number, .content(.up, part))
            up.held = []
        } else {
            up.held += part
        }
        up.message = message
        if !message.isInHead {
            note(message.fault, .up, number, &steps)
            close(.up, &steps)
        }
        return run.count
    }

    private mutating func begin(_ steps: inout ExchangeSteps) -> Int {
        // What both sides say of no known protocol is one exchange.
        let number = open.isEmpty ? down.lost ?? newNumber() : newNumber()
        asking = number
        // The one before had no body to wait with.
        isWaiting = false
        steps.add(number, .began)
        return number
    }

    private mutating func newNumber() -> Int {
        defer { next += 1 }
        return next
    }

    private mutating func requestRead(_ message: HTTPMessageFraming, _ number: Int, _ steps: inout ExchangeSteps) {
        let bytes = up.held
        up.held = []
        guard message.fault != .notHTTP, let head = HTTP1Head.request(bytes[...]) else {
            return lose(.up, number, bytes, (message.fault ?? .notHTTP).description, &steps)
        }
        steps.add(number, .asked(head))
        if let guessedAt { steps.add(number, .misplaced(.up, at: guessedAt, why: Self.guess)) }
        guessedAt = nil
        var exchange = Exchange(number: number, method: message.method)
        if head.fields.elements(of: "upgrade").contains("h2c") {
            exchange.settings = head.fields.values(of: "http2-settings").first
        }
        open.append(exchange)
        isWaiting = head.fields.elements(of: "expect").contains("100-continue")
    }

    /// A client that was refused without having been told to go on does not send the body, and may ask anew (RFC 9110
    /// §10.1.1, curl after a 417): what looks like a request line is one.
    private mutating func choose(_ bytes: ArraySlice<UInt8>, _ number: Int, _ steps: inout ExchangeSteps) -> Int {
        let line = unclear + bytes.prefix { $0 != UInt8(ascii: "\n") }
        guard RequestLineTest.mayBegin(line) else {
            settle(&steps)
            return 0
        }
        guard line.count < unclear.count + bytes.count else {
            unclear = line
            return bytes.count
        }
        guard RequestLineTest.isOne(line) else {
            settle(&steps)
            return 0
        }
        steps.add(number, .misplaced(.up, at: up.count, why: Self.guess))
        steps.add(number, .ended(.up))
        up.message = nil
        asking = nil
        guessedAt = up.count
        settle(&steps)
        return 0
    }

    /// Reads on with what was not clear.
    private mutating func settle(_ steps: inout ExchangeSteps) {
        isWaiting = false
        var rest = unclear[...]
        unclear = []
        while !rest.isEmpty { rest = rest.dropFirst(readRequest(rest, &steps)) }
    }

    // MARK: Answers

    private mutating func readAnswer(_ bytes: ArraySlice<UInt8>, _ steps: inout ExchangeSteps) -> Int {
        if let lost = down.lost {
            steps.add(lost, .raw(.down, bytes))
            return bytes.count
        }
        // A server that speaks unasked: the bytes are an exchange of their own, of nothing that is known.
        guard let exchange = open.first ?? answeredEarly(bytes, &steps) else {
            let number = up.lost ?? newNumber()
            down.count += bytes.count
            let why = number == 0 ? HTTPFramingFault.notHTTP.description : "the server sent this without a request"
            lose(.down, number, Array(bytes), why, &steps)
            return bytes.count
        }
        var message = down.message ?? HTTPMessageFraming(answerTo: exchange.method, asReceivers: true)
        down.message = nil
        let wasInHead = message.isInHead
        let run = message.next(bytes.span)
        let part = bytes.prefix(run.count)
        down.count += run.count
        if wasInHead {
            down.held += part
            readHeads(message, exchange.number, &steps)
            if down.lost != nil { return run.count }
        } else if run.isContent {
            steps.add(exchange.number, .content(.down, part))
            down.held = []
        } else {
            down.held += part
        }
        down.message = message
        if !message.isInHead {
            note(message.fault, .down, exchange.number, &steps)
            if let kind = message.upgrade, let answered {
                goOn(kind, answered, exchange, &steps)
                return run.count
            }
            close(.down, &steps)
        }
        return run.count
    }

    /// A server that has had enough answers before the whole head of the request is there (408, 414, 431): what there is of
    /// it, up to its last whole line, is what was asked. The rest of the connection's requests is raw.
    private mutating func answeredEarly(_ bytes: ArraySlice<UInt8>, _ steps: inout ExchangeSteps) -> Exchange? {
        guard let number = asking, up.lost == nil, bytes.first == UInt8(ascii: "H"),
            let end = up.held.lastIndex(of: UInt8(ascii: "\n")), let head = HTTP1Head.request(up.held[...end]),
            RequestLineTest.isOne(Array(up.held.prefix { $0 != UInt8(ascii: "\n") }))
        else { return nil }
        let exchange = Exchange(number: number, method: HTTPRequestMethod(head.method))
        steps.add(number, .asked(head))
        open.append(exchange)
        lose(.up, number, Array(up.held[(end + 1)...]), "the server answered before the whole head was there", &steps)
        up.held = []
        return exchange
    }

    /// A framing stops behind every head, an interim one too.
    private mutating func readHeads(
        _ message: HTTPMessageFraming, _ number: Int, _ steps: inout ExchangeSteps
    ) {
        if message.fault == .notHTTP || message.fault == .headTooLong {
            let bytes = down.held
            down.held = []
            return lose(.down, number, bytes, (message.fault ?? .notHTTP).description, &steps)
        }
        guard Self.endsHead(down.held) else { return }
        guard let head = HTTP1Head.answer(down.held[...]) else {
            // Empty lines end like a head; a framing that is behind it has read one.
            guard !message.isInHead else { return }
            let bytes = down.held
            down.held = []
            return lose(.down, number, bytes, "its status line cannot be read", &steps)
        }
        down.held = []
        if message.isInHead {
            if number == asking, head.status == 100 { isWaiting = false }
            steps.add(number, .informed(head))
        } else if message.upgrade != nil, Self.isHTTP2(head) {
            // The answer that counts comes as HTTP/2.
            answered = head
            steps.add(number, .informed(head))
        } else {
            answered = head
            steps.add(number, .answered(head))
        }
    }

    private static func endsHead(_ bytes: [UInt8]) -> Bool {
        let end = bytes.suffix(3).filter { $0 != UInt8(ascii: "\r") }
        return end.suffix(2) == [UInt8(ascii: "\n"), UInt8(ascii: "\n")]
    }

    private mutating func goOn(
        _ kind: HTTPMessageFraming.Upgrade, _ answer: AnswerHead, _ exchange: Exchange, _ steps: inout ExchangeSteps
    ) {
        let name = answer.status == 101 ? answer.fields.elements(of: "upgrade").first ?? "unknown" : "CONNECT"
        if !Self.isHTTP2(answer) { steps.add(exchange.number, .upgraded(to: name)) }
        for other in open.dropFirst() {
            steps.add(other.number, .aborted(why: "the connection became \(name) before the answer"))
        }
        let begun = asking.flatMap { number in open.contains { $0.number == number } ? nil : number }
        upgrade = Upgrade(
            exchange: exchange.number, kind: kind, name: name, answer: answer, settings: exchange.settings,
            early: begun == nil ? [] : up.held, next: begun ?? next)
    }

    // MARK: Ends

    /// What follows a message that is whole is the next one.
    private mutating func close(_ direction: ExchangeDirection, _ steps: inout ExchangeSteps) {
        switch direction {
        case .up:
            guard let message = up.message, message.isComplete, let number = asking else { return }
            trailers(&up.held, .up, number, &steps)
            steps.add(number, .ended(.up))
            up.message = nil
            asking = nil
            if let place = open.firstIndex(where: { $0.number == number }) {
                open[place].isAsked = true
                guard down.lost == nil || down.lost == number else { return giveUp(open.remove(at: place), &steps) }
                if open.count > Self.pipelineLimit {
                    lose(.down, number, [], "more than \(Self.pipelineLimit) requests wait for an answer", &steps)
                }
            }
        case .down:
            guard let message = down.message, message.isComplete, let exchange = open.first else { return }
            trailers(&down.held, .down, exchange.number, &steps)
            steps.add(exchange.number, .ended(.down))
            down.message = nil
            answered = nil
            open.removeFirst()
        }
    }

    /// What is held of framing when a chunked message is whole: the last chunk's line, and fields.
    private func trailers(
        _ held: inout [UInt8], _ direction: ExchangeDirection, _ number: Int, _ steps: inout ExchangeSteps
    ) {
        let bytes = held
        held = []
        let line = bytes.drop { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }
        guard let end = line.firstIndex(of: UInt8(ascii: "\n")) else { return }
        let fields = HTTP1Head.trailers(line[(end + 1)...])
        if !fields.isEmpty { steps.add(number, .trailers(direction, fields)) }
    }

    /// Content that could be measured in two ways is still shown as content; where it ends is not known.
    private mutating func note(
        _ fault: HTTPFramingFault?, _ direction: ExchangeDirection, _ number: Int, _ steps: inout ExchangeSteps
    ) {
        guard let fault else { return }
        let side = direction == .up ? up : down
        guard side.lost == nil else { return }
        steps.add(number, .undecodable(direction, at: side.count, why: fault.description))
        if direction == .up { up.lost = number } else { down.lost = number }
    }

    private mutating func lose(
        _ direction: ExchangeDirection, _ number: Int, _ bytes: [UInt8], _ why: String,
        _ steps: inout ExchangeSteps
    ) {
        let at = (direction == .up ? up.count : down.count) - bytes.count
        steps.add(number, .undecodable(direction, at: at, why: why))
        if !bytes.isEmpty { steps.add(number, .raw(direction, bytes[...])) }
        switch direction {
        case .up: up.lost = number
        case .down: (down.lost, down.lostAt) = (number, at)
        }
    }
}
