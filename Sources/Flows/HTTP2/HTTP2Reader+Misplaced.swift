import Facts

/// What stands where HTTP/2 allows nothing: it passed to the other side all the same, and whoever debugs wants to see it.
extension HTTP2Reader {
    /// Before content is read of a stream: says so where none may stand.
    mutating func lookAt(
        contentOf stream: Int, _ bytes: ArraySlice<UInt8>, _ direction: ExchangeDirection, _ steps: inout ExchangeSteps
    ) {
        guard let open = streams[stream] else { return strayed("DATA", on: stream, bytes, direction, &steps) }
        switch open.half(direction) {
        case .content: break
        case .head: note("DATA before the header fields (RFC 9113 §8.1)", stream, bytes.count, direction, &steps)
        case .ended: note("DATA behind END_STREAM (RFC 9113 §5.1)", stream, bytes.count, direction, &steps)
        }
    }

    /// A further header block: trailers, where it may be that.
    mutating func lookAt(
        trailers fields: [HeaderField], of stream: Int, _ count: Int, _ direction: ExchangeDirection,
        _ steps: inout ExchangeSteps
    ) {
        if streams[stream]?.half(direction) == .ended {
            note("a header block behind END_STREAM (RFC 9113 §5.1)", stream, count, direction, &steps)
        } else if let field = fields.first(where: { $0.name.hasPrefix(":") }) {
            note(
                "\(Printable.excerpt(field.name)) in a second header block, which stands among the trailers here "
                    + "(RFC 9113 §8.1)", stream, count, direction, &steps)
        }
    }

    /// Of a stream that is open; the first thing is told, as it is what the others follow from.
    ///
    /// - Parameter count: bytes read of it.
    mutating func note(
        _ why: String, _ stream: Int, _ count: Int, _ direction: ExchangeDirection, _ steps: inout ExchangeSteps
    ) {
        guard let open = streams[stream], !open.isNoted else { return }
        streams[stream]?.isNoted = true
        steps.add(open.exchange, .misplaced(direction, at: side(direction).frames.count - count, why: why))
    }

    /// On a stream that is over, and its exchange with it: all of these of a connection are one exchange of raw bytes.
    mutating func strayed(
        _ what: String, on stream: Int, _ bytes: ArraySlice<UInt8>, _ direction: ExchangeDirection,
        _ steps: inout ExchangeSteps
    ) {
        guard !given.has(stream, unknownTo: direction) else { return }
        if strays == nil {
            let exchange = newNumber()
            strays = exchange
            let why = lost(direction.other) == nil ? "which is over (RFC 9113 §5.1)" : "of which no beginning was read"
            steps.add(
                exchange,
                .misplaced(
                    direction, at: side(direction).frames.count - bytes.count,
                    why: "\(what) on stream \(stream), \(why)"))
        }
        if let strays { steps.add(strays, .raw(direction, bytes)) }
    }

    /// Nothing more can come.
    mutating func endStrays(_ steps: inout ExchangeSteps) {
        guard let strays else { return }
        for direction in ExchangeDirection.allCases { steps.add(strays, .ended(direction)) }
        self.strays = nil
    }
}

/// Streams that one side gave up, on which the other may have sent more before it knew.
struct GivenUpStreams {
    /// As many as a connection has open at most; of older ones everything that was under way has come.
    static let limit = HTTP2Reader.streamLimit

    private var sides: [Int: ExchangeDirection] = [:]
    private var order: [Int] = []

    mutating func add(_ stream: Int, unknownTo direction: ExchangeDirection) {
        if sides.updateValue(direction, forKey: stream) == nil { order.append(stream) }
        guard order.count > Self.limit else { return }
        // Half at a time, so that each costs little.
        for old in order.prefix(Self.limit / 2) { sides[old] = nil }
        order.removeFirst(Self.limit / 2)
    }

    func has(_ stream: Int, unknownTo direction: ExchangeDirection) -> Bool { sides[stream] == direction }
}
