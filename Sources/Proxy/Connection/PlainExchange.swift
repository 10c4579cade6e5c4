import Facts
import Loop
import Wire

/// One plain HTTP request with its answer, measured as both go by.
///
/// So the next request can go where it says.
struct PlainExchange {
    let request: PlainRequest
    private var up: HTTPMessageFraming
    private var down: HTTPMessageFraming
    private var hasContent = false
    /// The origin said more than its answer.
    private(set) var isOverrun = false

    init(_ request: PlainRequest) {
        self.request = request
        up = HTTPMessageFraming(contentOf: request.bodyLength)
        down = HTTPMessageFraming(answerTo: request.method)
    }

    /// How many of the client's bytes, behind the head, are this request's; after an upgrade, all.
    mutating func fromClient(_ bytes: Span<UInt8>) -> Int {
        guard !isUpgraded else { return bytes.count }
        let count = up.take(bytes)
        hasContent = hasContent || count > 0
        return count
    }

    /// Where the request's content ends cannot be known: what follows may be another request, for another host.
    var requestFault: HTTPFramingFault? { up.fault }
    /// Where the answer ends cannot be known, but by the connection's end.
    var isUnmeasured: Bool { down.fault != nil }

    /// Where it ends cannot be known for sure, and it is whole to most clients: what they say next is another request.
    var isAnsweredUnclearly: Bool { up.isComplete && down.isCompleteForReceivers }

    /// The connection goes on as another protocol.
    var isUpgraded: Bool { down.upgrade != nil && request.isWebSocket }

    /// How many of the origin's bytes are this request's answer. Nobody has asked for those behind it (RFC 9112 §9.2):
    /// the client would take them for its next answer, from whatever host.
    mutating func fromOrigin(_ bytes: Span<UInt8>) -> Int {
        guard !isUpgraded else { return bytes.count }
        let count = down.take(bytes)
        if isUpgraded { return bytes.count }
        // Nobody asked for another protocol: what the client has said since is for whom its next request names.
        if down.upgrade != nil { isOverrun = true }
        isOverrun = isOverrun || count < bytes.count
        return count
    }

    /// The client has its answer, was not told to send the content, and has sent none of it: what it sends next may be that, or
    /// its next request, for another host (RFC 9110 §10.1.1; curl after a 417).
    var isAnsweredUnsent: Bool {
        request.awaitsContinue && !hasContent && !up.isComplete && !down.saidContinue && down.isComplete
            && down.upgrade == nil
    }

    /// Both messages are whole, and both sides keep their connections.
    var isOver: Bool { isWhole && request.keepsConnection && down.keepsConnection }

    /// Both messages are whole, and one side has said that its connection ends with them: there is no next request on it.
    var isLast: Bool { isWhole && !(request.keepsConnection && down.keepsConnection) }

    private var isWhole: Bool { up.isComplete && down.isComplete && down.upgrade == nil && !isOverrun }

    /// A connection that is found closed may have been closed before it was asked: what can be sent again without
    /// meaning something else (RFC 9110 §9.2.2), and lies before us as a whole.
    static func isRepeatable(_ request: PlainRequest) -> Bool {
        request.bodyLength == .none && ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"].contains(request.method)
    }
}

/// An origin's connection that a plain request has left open, for the client's next one.
struct KeptOrigin {
    let endpoint: Endpoint
    let stream: any ByteStream
}
