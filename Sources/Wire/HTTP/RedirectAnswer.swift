import Facts

/// Answers one HTTP/1 request with a redirect, or says that there is nothing.
///
/// The redirect leads to the same path of another host.
package struct RedirectAnswer: Sendable {
    /// Host and port as a URL has them; nil: 404.
    private let place: String?
    private var head: [UInt8] = []
    private var scanner = HTTPHeadScanner()
    /// What to say, once the head is whole; the connection ends after it.
    package private(set) var answer: [UInt8]?

    package init(to place: String?) { self.place = place }

    /// Bytes after the head, a body say, are of no interest.
    package mutating func feed(_ bytes: Span<UInt8>) {
        guard answer == nil else { return }
        // The scanner's own limit ends this.
        for index in bytes.indices { head.append(bytes[index]) }
        var scanner = self.scanner
        let progress = scanner.read(head.span)
        self.scanner = scanner
        switch progress {
        case .needMore: return
        case .malformed(let error): answer = HTTPAnswer.error(error)
        case .complete(let length):
            do throws(WireError) {
                let request = try HTTPHead(Array(head[..<length]))
                answer = place.map { Self.redirect(to: $0, request) } ?? Self.notFound
            } catch {
                answer = HTTPAnswer.error(error)
            }
        }
        head = []
    }

    /// The answer to a plain request that the proxy was asked for.
    package static func redirect(to place: String, _ request: PlainRequest) -> [UInt8] {
        guard let head = try? HTTPHead(request.head) else { return HTTPAnswer.error(.requestLine) }
        return redirect(to: place, head)
    }

    private static let notFound = Array("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8)

    private static func redirect(to place: String, _ head: HTTPHead) -> [UInt8] {
        // 302 rather than 307: a body need not be sent twice, and what matters is where the client goes.
        Array("HTTP/1.1 302 Found\r\nLocation: https://\(place)".utf8)
            + path(of: head.text(head.target)) + Array("\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8)
    }

    /// Of an origin-form or absolute-form target, in which no control character can be.
    private static func path(of target: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let slash = UInt8(ascii: "/")
        if target.first == slash { return target }
        // After `scheme://`.
        guard let scheme = target.firstIndex(of: slash), scheme + 1 < target.endIndex, target[scheme + 1] == slash,
            let start = target[(scheme + 2)...].firstIndex(of: slash)
        else { return [slash] }
        return target[start...]
    }
}
