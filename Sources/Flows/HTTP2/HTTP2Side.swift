import Facts

/// One direction of an HTTP/2 connection: who sends in it, and what of it has been read.
struct HTTP2Side {
    /// Since when nothing can be read.
    struct Loss: Hashable {
        /// What the raw bytes belong to.
        var exchange: Int
        var at: Int
        var why: String
    }

    var frames: HTTP2FrameReader
    let headerBlocks: (any HeaderBlockDecoder)?
    /// What the other side lets its dynamic table grow to, in bytes.
    private(set) var tableLimit = 4096
    /// What this side has asked for, and the other has not accepted yet.
    var asked: [HTTP2Settings] = []
    /// nil as long as all is well.
    var lost: Loss?

    init(_ direction: ExchangeDirection, _ tools: DecodingTools) {
        frames = HTTP2FrameReader(direction)
        headerBlocks = tools.headerBlocks()
    }

    mutating func allowTable(of size: Int) {
        tableLimit = size
        headerBlocks?.allowTable(of: size)
    }
}

extension ExchangeDirection {
    var other: ExchangeDirection { self == .up ? .down : .up }
    /// Who speaks in it, at the beginning of a sentence.
    var speaker: String { self == .up ? "the client" : "the origin" }
}
