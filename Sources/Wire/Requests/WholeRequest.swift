/// Finds the end of an HTTP/1 request and its body, for a server without limits of its own.
///
/// Strict where two readers could see two requests (RFC 9112 §6.3): what is let through is one request to everybody.
package struct WholeRequestReader {
    package enum Progress: Hashable, Sendable {
        case needMore
        /// The request's bytes; what follows is the next one's, or another protocol's after an upgrade.
        case complete(length: Int, wantsUpgrade: Bool)
        /// By its answer's status.
        case refused(status: Int, reason: String)
    }

    /// Those of RFC 9110 §9.3 and RFC 5789 that a server may be asked with; letters' case counts.
    private static let methods = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"]

    private let bodyLimit: Int
    private let lineLimit: Int
    private var scanner = HTTPHeadScanner()
    private var whole: (length: Int, wantsUpgrade: Bool)?

    /// - Parameters:
    ///   - bodyLimit: bytes.
    ///   - lineLimit: bytes of one line of the head, for a server that takes the longer for each byte, the longer the line is.
    package init(bodyLimit: Int, lineLimit: Int = .max) {
        self.bodyLimit = bodyLimit
        self.lineLimit = lineLimit
    }

    /// - Parameter bytes: all since the request began.
    package mutating func read(_ bytes: Span<UInt8>) -> Progress {
        if whole == nil {
            switch scanner.read(bytes) {
            case .needMore: return .needMore
            case .malformed(let error): return Self.refused(error)
            case .complete(let length):
                var head: [UInt8] = []
                head.append(copying: bytes, 0..<length)
                do throws(WireError) {
                    if let refusal = measure(try HTTPHead(head), length) { return refusal }
                } catch {
                    return Self.refused(error)
                }
            }
        }
        guard let whole, bytes.count >= whole.length else { return .needMore }
        return .complete(length: whole.length, wantsUpgrade: whole.wantsUpgrade)
    }

    private mutating func measure(_ head: HTTPHead, _ length: Int) -> Progress? {
        guard Self.methods.contains(where: { head.text(head.method).elementsEqual($0.utf8) }) else {
            return .refused(status: 501, reason: "the method is none that is known here")
        }
        guard head.target.count <= lineLimit else {
            return .refused(status: 414, reason: "an address here has at most \(lineLimit) bytes")
        }
        guard head.fields.allSatisfy({ $0.name.count + $0.value.count <= lineLimit }) else {
            return .refused(status: 431, reason: "a header field here has at most \(lineLimit) bytes")
        }
        guard head.values(of: .host).count <= 1 else { return Self.refused(.repeatedHost) }
        guard head.values(of: .transferEncoding).isEmpty else {
            return .refused(status: 411, reason: "a body needs a Content-Length")
        }
        var body = 0
        let lengths = head.values(of: .contentLength)
        if let first = lengths.first {
            let digits = head.text(first)
            guard lengths.count == 1, (1...18).contains(digits.count), digits.allSatisfy(ASCII.isDigit) else {
                return Self.refused(.contentLength)
            }
            body = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        }
        guard body <= bodyLimit else {
            return .refused(status: 413, reason: "a body here has at most \(bodyLimit) bytes")
        }
        whole = (length + body, !head.values(of: .upgrade).isEmpty)
        return nil
    }

    private static func refused(_ error: WireError) -> Progress {
        .refused(status: HTTPAnswer.status(of: error)?.rawValue ?? 400, reason: error.description)
    }
}
