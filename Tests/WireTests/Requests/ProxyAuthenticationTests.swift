import Facts
import Testing

@testable import Wire

@Suite("ProxyAuthentication")
struct ProxyAuthenticationTests {
    private static let head = "CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n"
    private static let right = head + "Proxy-Authorization: Basic cDph\r\n\r\n"
    private static let wrong = head + "Proxy-Authorization: Basic cDpi\r\n\r\n"
    private static let bare = head + "\r\n"
    private static let request = [5, 1, 0, 3, 9] + Array("a.example".utf8) + [1, 0xbb]

    private func reader(isRequired: Bool = true) -> ProxyRequestReader {
        ProxyRequestReader(
            authentication: ProxyAuthentication(isRequired: isRequired) {
                $0 == ProxyCredentials(user: Array("p".utf8), password: Array("a".utf8)) ? "phone" : nil
            })
    }

    private func isComplete(_ progress: ProxyRequestReader.Progress) -> Bool {
        if case .complete = progress { true } else { false }
    }

    /// Whether it was asked for credentials, and for the last time.
    private func wasAsked(_ progress: ProxyRequestReader.Progress) -> (asked: Bool, last: Bool) {
        if case .challenge(_, _, _, let last) = progress { (true, last) } else { (false, false) }
    }

    @Test("a request with a client's credentials is that client's")
    func known() {
        var reader = reader()
        #expect(isComplete(reader.read(Array(Self.right.utf8))))
        #expect(reader.client == "phone" && reader.fault == nil)
    }

    @Test("one without is asked for them, in so many bytes that a client finds the answer's end, and may ask again")
    func challenge() throws {
        var reader = reader()
        guard case .challenge(let request, let answer, let consumed, false) = reader.read(Array(Self.bare.utf8)) else {
            Issue.record("not asked")
            return
        }
        #expect(request.target?.description == "a.example:443" && request.via == .connect)
        #expect(consumed == Self.bare.utf8.count && reader.fault == .missing && reader.client == nil)
        let text = String(decoding: answer, as: UTF8.self)
        let parts = text.components("\r\n\r\n")
        #expect(
            text.hasPrefix("HTTP/1.1 407 ") && text.contains("\r\nProxy-Authenticate: Basic realm=\"pinproof\"\r\n"))
        #expect(parts[0].contains("Content-Length: \(parts[1].utf8.count)\r\n"))
        #expect(parts[0].contains("\r\nConnection: keep-alive"))
        #expect(isComplete(reader.read(Array(Self.right.utf8))))
        #expect(reader.client == "phone" && reader.fault == nil)
    }

    @Test("a further request on the same connection is nobody's until it shows credentials itself")
    func further() {
        var reader = reader()
        #expect(isComplete(reader.read(Array(Self.right.utf8))))
        reader.expectNext()
        #expect(reader.client == nil)
        #expect(wasAsked(reader.read(Array(Self.wrong.utf8))).asked)
        #expect(reader.client == nil && reader.fault == .unknown)
        reader.expectNext()
        #expect(isComplete(reader.read(Array(Self.right.utf8))))
        #expect(reader.client == "phone" && reader.fault == nil)
    }

    @Test("wrong ones are asked for again, and remembered even when the right ones follow")
    func wrong() {
        var reader = reader()
        #expect(wasAsked(reader.read(Array(Self.wrong.utf8))).asked)
        #expect(reader.fault == .unknown && reader.client == nil)
        #expect(isComplete(reader.read(Array(Self.right.utf8))))
        #expect(reader.fault == .unknown && reader.client == "phone")
    }

    @Test("a client that is known already need not show any, but must not show wrong ones")
    func optional() {
        var plain = reader(isRequired: false)
        #expect(isComplete(plain.read(Array(Self.bare.utf8))) && plain.fault == nil)
        var other = reader(isRequired: false)
        #expect(wasAsked(other.read(Array(Self.wrong.utf8))).asked && other.fault == .unknown)
    }

    @Test(
        "where the next request could not be found, the connection ends with the answer",
        arguments: [
            "CONNECT a.example:443 HTTP/1.0\r\n\r\n", head + "Connection: close\r\n\r\n",
            head + "Proxy-Connection: Close\r\n\r\n", "HEAD http://a.example/ HTTP/1.1\r\n\r\n",
            "POST http://a.example/ HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc",
            "POST http://a.example/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        ])
    func lastAnswers(text: String) {
        var reader = reader()
        let progress = reader.read(Array(text.utf8))
        #expect(wasAsked(progress) == (true, true))
        if case .challenge(_, let answer, _, _) = progress {
            #expect(String(decoding: answer, as: UTF8.self).contains("\r\nConnection: close\r\n"))
        }
    }

    @Test("a client that never learns is asked a few times, and no more")
    func patience() {
        var reader = reader()
        for _ in 1..<ProxyAuthentication.challengeLimit {
            #expect(wasAsked(reader.read(Array(Self.bare.utf8))) == (true, false))
        }
        #expect(wasAsked(reader.read(Array(Self.bare.utf8))) == (true, true))
    }

    @Test("after the answer only HTTP is understood, and a broken request is a broken request")
    func afterwards() {
        var reader = reader()
        #expect(wasAsked(reader.read(Array(Self.bare.utf8))).asked)
        guard case .refused = reader.read([0x16, 3, 1, 0, 5]) else {
            Issue.record("taken for HTTP")
            return
        }
        var other = self.reader()
        guard case .refused(.authority, _) = other.read(Array("CONNECT a:b:c HTTP/1.1\r\n\r\n".utf8)) else {
            Issue.record("asked for credentials rather than for an authority")
            return
        }
    }

    @Test("an absolute-form request shows its credentials to the proxy, and the origin never sees them")
    func absoluteForm() {
        var reader = reader()
        let text = "GET http://a.example/ HTTP/1.1\r\nproxy-authorization: Basic cDph\r\nX: y\r\n\r\n"
        guard case .complete(.http(let plain), _) = reader.read(Array(text.utf8)) else {
            Issue.record("not forwarded")
            return
        }
        #expect(reader.client == "phone")
        let head = String(decoding: plain.head, as: UTF8.self).lowercased()
        #expect(head.contains("x: y") && !head.contains("proxy-auth") && !head.contains("cdph"))
    }

    @Test("nobody is asked, and nothing is read, where credentials tell nobody")
    func off() {
        var reader = ProxyRequestReader()
        #expect(isComplete(reader.read(Array(Self.wrong.utf8))))
        #expect(reader.client == nil && reader.fault == nil)
    }

    // MARK: SOCKS5

    /// Plays a client that sends all it has; what it was answered.
    private func play(_ bytes: [UInt8], _ reader: inout ProxyRequestReader) -> (
        answers: [[UInt8]], end: ProxyRequestReader.Progress
    ) {
        var buffer = bytes
        var answers: [[UInt8]] = []
        while true {
            let progress = reader.read(buffer)
            guard case .answer(let answer, let consumed) = progress else { return (answers, progress) }
            answers.append(answer)
            buffer.removeFirst(consumed)
        }
    }

    private func login(_ user: String, _ password: String) -> [UInt8] {
        [1, UInt8(user.utf8.count)] + Array(user.utf8) + [UInt8(password.utf8.count)] + Array(password.utf8)
    }

    @Test("SOCKS5 asks whoever can for user and password")
    func socks() {
        var right = reader()
        let played = play([5, 2, 0, 2] + login("p", "a") + Self.request, &right)
        #expect(played.answers == [[5, 2], [1, 0]] && isComplete(played.end))
        #expect(right.client == "phone" && right.fault == nil)

        var wrong = reader()
        #expect(play([5, 2, 0, 2] + login("p", "b"), &wrong).end == .refused(.unknownCredentials, answer: [1, 1]))
        #expect(wrong.client == nil && wrong.fault == .unknown)
    }

    @Test("a SOCKS5 client that knows no password, or has none, goes on as nobody")
    func socksWithout() {
        var plain = reader()
        let played = play([5, 1, 0] + Self.request, &plain)
        #expect(played.answers == [[5, 0]] && isComplete(played.end) && plain.client == nil && plain.fault == nil)
        var empty = reader()
        let other = play([5, 1, 2] + login("", "") + Self.request, &empty)
        #expect(other.answers == [[5, 2], [1, 0]] && isComplete(other.end))
        #expect(empty.client == nil && empty.fault == .missing)
    }

    @Test("credentials are asked for at every prefix, however the bytes are cut")
    func prefixes() {
        let bytes = [5, 1, 2] + login("p", "a")
        for end in 3..<bytes.count {
            var reader = reader()
            #expect(play(Array(bytes[..<end]), &reader).end == .needMore)
            #expect(reader.client == nil)
        }
    }
}

extension String {
    fileprivate func components(_ separator: String) -> [String] {
        guard let range = firstRange(of: separator) else { return [self] }
        return [String(self[..<range.lowerBound]), String(self[range.upperBound...])]
    }
}
