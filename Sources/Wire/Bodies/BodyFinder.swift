import Facts

/// Tells bodies from all else in both directions of a connection's plaintext, as it passes.
///
/// A body may be left out of a recording when there is too much of everything; what says where bodies are, and what they
/// belong to, may not. Both directions are to be shown in the order in which they passed.
package struct BodyFinder: Sendable {
    private enum Reading {
        /// Nothing has come but so many bytes of HTTP/2's preface.
        case undecided(matched: Int, mayBeHTTP1: Bool)
        /// nil: between two messages.
        case http1(HTTPMessageFraming?)
        case http2(HTTP2Framing)
        case webSocket(WebSocketFraming)
        case unknown(seen: Int)
    }

    /// Of a protocol that is none of those, taken for no body: enough to recognise it, and its greeting.
    static let unknownLimit = 4 * 1024
    /// Requests without an answer yet. Browsers pipeline none, tools a few dozen; with more, the answers are not told
    /// apart any longer.
    package static let pipelineLimit = 1000

    private var up: Reading
    private var down: Reading
    /// Requests that have no whole answer yet.
    private var asked: [HTTPRequestMethod] = []

    /// - Parameter alpn: what was agreed on; nil where nothing was, and the first bytes have to tell.
    package init(alpn: String?) {
        switch alpn {
        case nil: up = .undecided(matched: 0, mayBeHTTP1: true)
        case "http/1.1", "http/1.0": up = .http1(nil)
        case "h2": up = .undecided(matched: 0, mayBeHTTP1: false)
        default: up = .unknown(seen: 0)
        }
        down = up
    }

    /// The first of `bytes` that are all body, or all something else; none of no bytes.
    package mutating func next(
        _ bytes: Span<UInt8>, _ direction: ExchangeDirection
    ) -> (count: Int, isBody: Bool) {
        guard !bytes.isEmpty else { return (0, false) }
        switch direction {
        case .up: return nextUp(bytes)
        case .down: return nextDown(bytes)
        }
    }

    private mutating func nextUp(_ bytes: Span<UInt8>) -> (count: Int, isBody: Bool) {
        switch up {
        case .undecided(let matched, let mayBeHTTP1): return decideUp(bytes, matched, mayBeHTTP1)
        case .http1(let current):
            // Let go of, so that it is changed in place.
            up = .http1(nil)
            var request = current ?? HTTPMessageFraming(asReceivers: true)
            let wasInHead = request.isInHead
            let run = request.next(bytes)
            if wasInHead, !request.isInHead, request.fault == .notHTTP {
                up = .unknown(seen: request.headLength)
            } else {
                if wasInHead, !request.isInHead { asks(request.method) }
                if !request.isComplete {
                    up = .http1(request)
                } else if request.method == .connect {
                    // Opaque at once, or after the answer.
                    up = .unknown(seen: 0)
                }
            }
            return (run.count, run.isContent)
        case .http2(var frames):
            let run = frames.next(bytes)
            up = frames.isOther ? .unknown(seen: run.count) : .http2(frames)
            return run
        case .webSocket(var frames):
            let run = frames.next(bytes)
            up = .webSocket(frames)
            return run
        case .unknown(let seen): return Self.next(bytes, unknown: seen, &up)
        }
    }

    private mutating func nextDown(_ bytes: Span<UInt8>) -> (count: Int, isBody: Bool) {
        switch down {
        case .undecided(_, let mayBeHTTP1):
            switch bytes[0] {
            // A SETTINGS frame is far shorter than 64 KiB.
            case 0: down = .http2(HTTP2Framing(isKnown: false))
            case UInt8(ascii: "H"), UInt8(ascii: "\r"), UInt8(ascii: "\n"):
                down = mayBeHTTP1 ? .http1(nil) : .unknown(seen: 0)
            default: down = .unknown(seen: 0)
            }
            return nextDown(bytes)
        case .http1(let current):
            down = .http1(nil)
            var answer = current ?? HTTPMessageFraming(answerTo: asked.first ?? .other, asReceivers: true)
            let wasInHead = answer.isInHead
            let run = answer.next(bytes)
            if wasInHead, !answer.isInHead, answer.fault == .notHTTP {
                down = .unknown(seen: answer.headLength)
            } else if !answer.isComplete {
                down = .http1(answer)
            } else {
                if !asked.isEmpty { asked.removeFirst() }
                if let upgrade = answer.upgrade { goOn(upgrade) }
            }
            return (run.count, run.isContent)
        case .http2(var frames):
            let run = frames.next(bytes)
            down = frames.isOther ? .unknown(seen: run.count) : .http2(frames)
            return run
        case .webSocket(var frames):
            let run = frames.next(bytes)
            down = .webSocket(frames)
            return run
        case .unknown(let seen): return Self.next(bytes, unknown: seen, &down)
        }
    }

    private static func next(
        _ bytes: Span<UInt8>, unknown seen: Int, _ reading: inout Reading
    ) -> (count: Int, isBody: Bool) {
        guard seen < unknownLimit else { return (bytes.count, true) }
        let count = min(unknownLimit - seen, bytes.count)
        reading = .unknown(seen: seen + count)
        return (count, false)
    }

    /// HTTP/2 begins with its preface. What does not is HTTP/1 at best, and what agreed with the preface so far is read
    /// as that again.
    private mutating func decideUp(
        _ bytes: Span<UInt8>, _ matched: Int, _ mayBeHTTP1: Bool
    ) -> (count: Int, isBody: Bool) {
        let preface = PrefaceTest.preface
        var (count, matched) = (0, matched)
        while count < bytes.count, matched < preface.count, bytes[count] == preface[matched] {
            count += 1
            matched += 1
        }
        if matched == preface.count {
            up = .http2(HTTP2Framing(isKnown: true))
        } else if count == bytes.count {
            up = .undecided(matched: matched, mayBeHTTP1: mayBeHTTP1)
        } else {
            up = .unknown(seen: matched)
            if mayBeHTTP1 {
                var request = HTTPMessageFraming(asReceivers: true)
                let start = Array(preface[..<matched])
                _ = request.next(start.span)
                if request.fault == nil { up = .http1(request) }
            }
            if count == 0 { return nextUp(bytes) }
        }
        return (count, false)
    }

    private mutating func asks(_ method: HTTPRequestMethod) {
        guard asked.count < Self.pipelineLimit else {
            down = .unknown(seen: Self.unknownLimit)
            return
        }
        asked.append(method)
    }

    /// HTTP/1 is over. The client has waited for this answer: a request that is not whole yet is none.
    private mutating func goOn(_ upgrade: HTTPMessageFraming.Upgrade) {
        asked = []
        switch upgrade {
        case .webSocket: down = .webSocket(WebSocketFraming())
        case .other: down = .undecided(matched: 0, mayBeHTTP1: false)
        }
        switch (up, upgrade) {
        case (.http1(nil), .webSocket): up = .webSocket(WebSocketFraming())
        case (.http1(nil), .other): up = .undecided(matched: 0, mayBeHTTP1: false)
        case (.unknown, _): break
        default: up = .unknown(seen: Self.unknownLimit)
        }
    }
}
