import Facts

/// Finds the messages in one direction's content as it comes: events, lines of JSON, gRPC.
///
///     var messages = ContentMessages(of: head.fields, from: .down, tools)   // nil: this content has none
///     messages?.read(bytes) { store($0) }   // for every `content` step of that direction
///     store(messages?.shed(count))          // for every `shed` step
///     store(messages?.end(isWhole: true))   // for its `ended` step; false for `aborted`
///
/// Content codings are removed on the way. Where the format allows it, reading goes on behind bytes that were left out;
/// else there are no more messages (`isLost`), and the body alone tells what came.
package struct ContentMessages {
    private enum Format {
        case events(EventStreamReader)
        case lines(JSONLinesReader)
        case framed(FramedMessageReader)
    }

    /// Of all that may come out of a content coding, beyond what its bytes have earned (`DecodingBudget.growth`): four of the
    /// longest messages, and four times what is kept of a body unless somebody wants more.
    static let decodedLimit = 4 * ExchangeMessage.sizeLimit
    /// Shown to a content coding at once: what comes of it, at most all that may, is looked at part by part.
    static let pieceLength = 1024
    /// Looked at before what was found in it is handed on: the shortest messages take a hundred times as much.
    static let partLength = 64 * 1024
    /// Messages that a content may have, and for each byte of it on the wire: no compression that carries something does better.
    static let messagesEarned = (atFirst: 10_000, perByte: 100)
    /// Of a message that is given up in its middle.
    static let givenUpLimit = 64 * 1024
    /// Nobody applies more than two codings; each holds a window of some MiB.
    static let codingLimit = 4

    private var format: Format
    /// In the order in which they are to be removed.
    private var codings: [any ContentDecoder]
    /// Bytes of the content that they were shown.
    private var came = 0
    /// That came out of each of them.
    private var went: [Int] = []
    private let decodedLimit: Int
    /// What codings and messages that have not ended hold.
    private let share: DecodingBudget.Share
    private var base64: Base64Stream?
    /// How many messages may still come.
    private var left = messagesEarned.atFirst
    /// Nothing more can be read of it.
    package private(set) var isLost = false
    /// Why no more are found, where the content goes on.
    private(set) var loss: Loss?

    enum Loss: Hashable {
        /// There was no room for more (`DecodingBudget`).
        case noRoom
        /// It decodes to far more than came.
        case grown
        /// Its coding is broken.
        case broken
    }

    /// - Parameters:
    ///   - fields: of the head that the content follows.
    ///   - direction: in which it comes.
    package init?(of fields: [HeaderField], from direction: ExchangeDirection, _ tools: DecodingTools) {
        self.init(of: fields, from: direction, tools, decodedLimit: Self.decodedLimit)
    }

    init?(of fields: [HeaderField], from direction: ExchangeDirection, _ tools: DecodingTools, decodedLimit: Int) {
        self.decodedLimit = decodedLimit
        let type = MediaType.of(fields)
        let names = fields.contentCodings
        let framed = { (dialect: FramedMessageReader.Dialect, field: String) in
            let coding = fields.elements(of: field).first { $0 != "identity" }
            // A coding within a coding multiplies what few bytes can ask for.
            return Format.framed(
                FramedMessageReader(
                    direction, dialect, decodedLimit: decodedLimit, isEarning: names.isEmpty,
                    decoder: coding.map { name in { tools.content(name, $0) } }))
        }
        share = DecodingBudget.Share(of: tools.budget)
        switch MediaType.Messages(type) {
        case nil: return nil
        case .events: format = .events(EventStreamReader(direction))
        case .lines: format = .lines(JSONLinesReader(direction))
        case .grpc: format = framed(.grpc, "grpc-encoding")
        case .grpcWeb(let isText):
            format = framed(.grpcWeb, "grpc-encoding")
            base64 = isText ? Base64Stream() : nil
        case .connect: format = framed(.connect, "connect-content-encoding")
        }
        guard names.count <= Self.codingLimit else { return nil }
        codings = names.reversed().compactMap { tools.content($0, .max) }
        guard codings.count == names.count else { return nil }
    }

    /// gRPC-Web's, which come at the end of the content.
    package var trailers: [HeaderField] { if case .framed(let reader) = format { reader.trailers } else { [] } }

    /// - Parameter told: of the messages as they are found, not all of them at once; false: they have no room, and no more
    ///   are looked for.
    package mutating func read(_ bytes: ArraySlice<UInt8>, _ told: ([ExchangeMessage]) -> Bool) {
        let isPlain = codings.isEmpty && base64 == nil
        var rest = bytes
        while !rest.isEmpty, !isLost {
            let piece = rest.prefix(isPlain ? Self.partLength : Self.pieceLength)
            rest = rest.dropFirst(piece.count)
            left += Self.messagesEarned.perByte * piece.count
            let found = isPlain ? piece : decoded(piece)
            guard take(found ?? [], told) else { return drop() }
            guard !isLost, found == nil || base64?.isBroken ?? false || codings.contains(where: \.isCut) else {
                continue
            }
            loss = codings.contains(where: \.isCut) ? .grown : .broken
            var last: [ExchangeMessage] = []
            lose(&last)
            guard last.isEmpty || told(last) else { return drop() }
        }
    }

    /// Hands on what is found in each part of it; false: there was no room for that.
    private mutating func take(_ bytes: ArraySlice<UInt8>, _ told: ([ExchangeMessage]) -> Bool) -> Bool {
        var rest = bytes
        repeat {
            var messages: [ExchangeMessage] = []
            rest = rest.dropFirst(take(rest.prefix(Self.partLength), &messages))
            if !isLost, !share.hold(held) { giveUp(&messages) }
            left -= messages.count
            guard messages.isEmpty || told(messages), left >= 0 else { return false }
        } while !rest.isEmpty && !isLost
        return true
    }

    /// All that is found of them, whatever room they need.
    package mutating func read(_ bytes: ArraySlice<UInt8>) -> [ExchangeMessage] {
        var all: [ExchangeMessage] = []
        read(bytes) { messages in
            all += messages
            return true
        }
        return all
    }

    /// So many bytes of the content were left out here.
    package mutating func shed(_ count: Int) -> [ExchangeMessage] {
        var messages: [ExchangeMessage] = []
        guard !isLost, count > 0 else { return messages }
        if !codings.isEmpty || base64 != nil {
            lose(&messages)
            return messages
        }
        switch format {
        case .events(var reader):
            reader.shed(count, &messages)
            format = .events(reader)
        case .lines(var reader):
            reader.shed(count, &messages)
            format = .lines(reader)
        case .framed(var reader):
            reader.shed(count, &messages)
            isLost = reader.isLost
            format = .framed(reader)
        }
        return messages
    }

    /// Nothing more comes.
    ///
    /// - Parameter isWhole: the content has ended as it should, not because somebody left.
    package mutating func end(isWhole: Bool) -> [ExchangeMessage] {
        var messages: [ExchangeMessage] = []
        if !isLost { finish(isWhole: isWhole, &messages) }
        isLost = true
        return messages
    }

    /// nil: a coding is broken.
    private mutating func decoded(_ piece: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var bytes = piece
        came += piece.count
        if went.isEmpty { went = Array(repeating: 0, count: codings.count) }
        let most = max(decodedLimit, came * DecodingBudget.growth)
        for (place, coding) in codings.enumerated() {
            // What came before does not let a few bytes make more than that at once.
            let most = min(most, went[place] + decodedLimit)
            guard let decoded = try? coding.decode(bytes, most: most) else { return nil }
            went[place] += decoded.count
            bytes = decoded[...]
        }
        return base64?.decode(bytes)[...] ?? bytes
    }

    /// - Returns: how many of the bytes were looked at.
    private mutating func take(_ bytes: ArraySlice<UInt8>, _ messages: inout [ExchangeMessage]) -> Int {
        guard !isLost, !bytes.isEmpty else { return bytes.count }
        switch format {
        case .events(var reader):
            // Taken out, so that it is changed in place.
            format = .lines(JSONLinesReader(.up))
            reader.read(bytes, &messages)
            format = .events(reader)
        case .lines(var reader):
            format = .lines(JSONLinesReader(.up))
            reader.read(bytes, &messages)
            format = .lines(reader)
        case .framed(var reader):
            format = .lines(JSONLinesReader(.up))
            let count = reader.read(bytes, &messages)
            isLost = reader.isLost
            format = .framed(reader)
            return count
        }
        return bytes.count
    }

    private var held: Int {
        let message =
            switch format {
            case .events(let reader): reader.held
            case .lines(let reader): reader.held
            case .framed(let reader): reader.held
            }
        return codings.reduce(message) { $0 + $1.held }
    }

    /// There is no room for what it holds: the message at hand is cut off, and the last one.
    private mutating func giveUp(_ messages: inout [ExchangeMessage]) {
        let first = messages.count
        lose(&messages)
        for index in messages.indices[first...] where messages[index].data.count > Self.givenUpLimit {
            messages[index].data = Array(messages[index].data.prefix(Self.givenUpLimit))
            messages[index].isCut = true
        }
        drop()
    }

    private mutating func drop() {
        isLost = true
        loss = .noRoom
        codings = []
        if case .framed(var reader) = format {
            reader.drop()
            format = .framed(reader)
        } else {
            format = .lines(JSONLinesReader(.up))
        }
        _ = share.hold(0)
    }

    private mutating func finish(isWhole: Bool, _ messages: inout [ExchangeMessage]) {
        switch format {
        case .events(var reader):
            reader.end()
            format = .events(reader)
        case .lines(var reader): reader.end(isWhole: isWhole, &messages)
        case .framed(var reader):
            reader.end(&messages)
            format = .framed(reader)
        }
    }

    private mutating func lose(_ messages: inout [ExchangeMessage]) {
        finish(isWhole: false, &messages)
        isLost = true
    }
}
