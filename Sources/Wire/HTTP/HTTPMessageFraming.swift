/// Where HTTP/1 messages end in bytes that are relayed as they come (RFC 9112 §6.3).
///
///     var answer = HTTPMessageFraming(answerTo: "GET")
///     let count = answer.take(bytes)      // how many of them belong to this answer
///     if answer.isComplete { … }          // the rest, if any, is the next one's
///
/// It changes and keeps nothing, and never looks at content. It is no judge of what is well-formed: whatever comes is
/// somebody's to pass on. Where two readers could measure differently, it says so (`fault`) and counts everything that
/// follows to this message, so that nothing after it is taken for another one's. For who only looks on (`asReceivers`), and
/// sends nothing anywhere by it, it measures as the receivers do: fewer faults, and still one that nobody could measure.
package struct HTTPMessageFraming: Hashable, Sendable {
    /// What the connection carries after a message that ends HTTP/1 on it.
    package enum Upgrade: Hashable, Sendable {
        case webSocket
        /// A tunnel, or another protocol.
        case other
    }

    private enum State: Hashable {
        case head(HTTPHeadFraming)
        case content(HTTPBodyFraming)
    }

    private var state: State
    /// Of the request that an answer is for; nil in a request.
    private let asked: HTTPRequestMethod?
    private let asReceivers: Bool
    /// What most receivers take for an answer's content, where its end may turn out not to be known for sure.
    private var receivers: HTTPBodyFraming?

    /// Bytes of its head so far, interim ones included.
    package private(set) var headLength = 0
    /// Of a request that has been read: what the answer's end depends on.
    package private(set) var method = HTTPRequestMethod.other
    /// An interim answer has told the client to send its content (RFC 9110 §15.2.1).
    package private(set) var saidContinue = false
    /// Of the final answer.
    package private(set) var status: Int?
    /// The sender goes on with this connection after the message; false until that is known.
    package private(set) var keepsConnection = false
    /// The message ends HTTP/1: everything after it is opaque, in both directions.
    package private(set) var upgrade: Upgrade?
    /// Why the message's end cannot be known.
    package private(set) var fault: HTTPFramingFault?

    /// The content of a request whose head has been read.
    package init(contentOf length: HTTPBodyLength) {
        asked = nil
        asReceivers = false
        state = .content(HTTPBodyFraming(length))
    }

    /// A request, head and all.
    package init(asReceivers: Bool = false) {
        asked = nil
        self.asReceivers = asReceivers
        state = .head(HTTPHeadFraming(.request))
    }

    /// An answer, the interim ones before it included.
    package init(answerTo method: HTTPRequestMethod, asReceivers: Bool = false) {
        asked = method
        self.asReceivers = asReceivers
        state = .head(HTTPHeadFraming(.answer))
    }

    package init(answerTo method: String) { self.init(answerTo: HTTPRequestMethod(method)) }

    /// All of the message has passed.
    package var isComplete: Bool { if case .content(let content) = state { content.isComplete } else { false } }
    /// Its end cannot be known for sure, and most receivers have it whole.
    package var isCompleteForReceivers: Bool { fault != nil && receivers?.isComplete ?? false }
    /// The message has no other end than that of the connection.
    package var endsWithConnection: Bool {
        if case .content(let content) = state { content.endsWithConnection } else { false }
    }
    /// No byte of a final head has passed, or not all of it.
    package var isInHead: Bool { if case .head = state { true } else { false } }

    /// How many of `bytes` belong to the message: all, or as many as complete it.
    package mutating func take(_ bytes: Span<UInt8>) -> Int {
        var at = 0
        while at < bytes.count, !isComplete { at += next(bytes.extracting(at...)).count }
        return at
    }

    /// The first of `bytes` that are all content, or all of the head and other framing; none when it is complete.
    package mutating func next(_ bytes: Span<UInt8>) -> (count: Int, isContent: Bool) {
        switch state {
        case .head(var head):
            // Taken out, so that its line is not copied with every byte.
            state = .content(HTTPBodyFraming(.none))
            let count = head.read(bytes)
            headLength += count
            if head.hasFailed {
                fail(head.fault ?? .notHTTP)
            } else if head.isComplete {
                headRead(head)
            } else {
                state = .head(head)
            }
            return (count, false)
        case .content(var content):
            let run = content.next(bytes)
            state = .content(content)
            skim(bytes.extracting(first: run.count))
            if let found = content.fault, fault == nil {
                fault = found
                keepsConnection = false
            }
            return run
        }
    }

    private mutating func headRead(_ head: HTTPHeadFraming) {
        guard let asked else {
            method = head.method
            keepsConnection = head.keepsConnection
            return measure(head)
        }
        if (100..<200).contains(head.status), head.status != 101, head.fault != .carriageReturn {
            saidContinue = saidContinue || head.status == 100
            state = .head(HTTPHeadFraming(.answer, after: head.seen))
            return
        }
        status = head.status
        if head.status == 101 || asked == .connect && (200..<300).contains(head.status) {
            upgrade = head.status == 101 && head.wantsWebSocket ? .webSocket : .other
            return
        }
        keepsConnection = head.keepsConnection
        // Where the head itself ends is not sure.
        if head.fault == .carriageReturn { return fail(.carriageReturn) }
        if asked == .unclear { return fail(.method) }
        if asked == .head || head.status == 204 || head.status == 304 { return }
        measure(head)
    }

    private mutating func measure(_ head: HTTPHeadFraming) {
        do throws(HTTPFramingFault) {
            let length = try head.bodyLength(asReceivers: asReceivers)
            if length == .untilClose { keepsConnection = false }
            state = .content(HTTPBodyFraming(length, asReceivers: asReceivers))
            if length == .chunked { noteReceivers(head) }
        } catch {
            noteReceivers(head)
            fail(error)
        }
    }

    private mutating func noteReceivers(_ head: HTTPHeadFraming) {
        guard asked != nil, !asReceivers, let length = try? head.bodyLength(asReceivers: true), length != .untilClose
        else {
            return
        }
        receivers = HTTPBodyFraming(length, asReceivers: true)
    }

    private mutating func skim(_ bytes: Span<UInt8>) {
        guard var content = receivers else { return }
        var at = 0
        while at < bytes.count, !content.isComplete { at += content.next(bytes.extracting(at...)).count }
        receivers = content
    }

    private mutating func fail(_ fault: HTTPFramingFault) {
        self.fault = fault
        keepsConnection = false
        state = .content(HTTPBodyFraming(.untilClose))
    }
}

/// A request's method, as far as the end of its answer depends on it.
package enum HTTPRequestMethod: Hashable, Sendable {
    case head
    case connect
    case other
    /// HEAD or CONNECT but for its case: another method to some servers, the same to others.
    case unclear

    package init(_ method: String) {
        switch method {
        case "HEAD": self = .head
        case "CONNECT": self = .connect
        default: self = ["HEAD", "CONNECT"].contains(method.uppercased()) ? .unclear : .other
        }
    }
}
