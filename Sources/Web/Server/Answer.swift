import FlyingFox
import Foundation

/// What is answered, before it is HTTP.
struct Answer: Sendable {
    enum Body: Sendable {
        case bytes([UInt8])
        /// Of a file, its first so many bytes.
        case file(String, Int)
        /// As they come; a fault on the way cuts the connection, so that nobody takes half for the whole.
        case pipe(BytePipe)
        case events(EventReader)
    }

    var status: Int
    var type: String
    var headers: [(name: String, value: String)] = []
    var body: Body

    init(status: Int = 200, type: String, bytes: [UInt8]) {
        self.init(status: status, type: type, .bytes(bytes))
    }

    init(status: Int = 200, type: String, _ body: Body) {
        self.status = status
        self.type = type
        self.body = body
    }

    static func json(_ bytes: [UInt8]) -> Answer { Answer(type: "application/json", bytes: bytes) }

    /// Bytes of a peer: a browser saves them and shows them never as a page.
    static func download(_ body: Body, name: String, type: String = "application/octet-stream") -> Answer {
        var answer = Answer(type: type, body)
        answer.headers = [("Content-Disposition", "attachment; filename=\"\(name)\"")]
        return answer
    }

    func with(_ name: String, _ value: String) -> Answer {
        var answer = self
        answer.headers.append((name, value))
        return answer
    }

    /// - Parameter host: where page and API are, for the page's WebSocket.
    func response(to request: HTTPRequest, at host: String) async throws -> HTTPResponse {
        if case .events(let reader) = body {
            let response = try await WebSocketHTTPHandler(handler: EventFrames(reader: reader)).handleRequest(request)
            guard response.statusCode.code != 101 else {
                var response = response
                for (name, value) in Self.safety(at: host) { response.headers[name] = value }
                return response
            }
            reader.close()
            return try await Problem(400, "events come over a WebSocket (RFC 6455): ask for the upgrade")
                .answer.response(to: request, at: host)
        }
        var headers = Self.safety(at: host)
        headers[.contentType] = type
        for (name, value) in self.headers { headers.addValue(value, for: HTTPHeader(name)) }
        let content: HTTPBodySequence =
            switch body {
            // RFC 9110 §9.3.2: what a HEAD is answered with has no content.
            case _ where request.method == .HEAD: HTTPBodySequence()
            case .bytes(let bytes): HTTPBodySequence(data: Data(bytes), suggestedBufferSize: 65_536)
            case .file(let path, let size):
                try HTTPBodySequence(file: URL(filePath: path), range: 0..<size, suggestedBufferSize: 65_536)
            case .pipe(let pipe): HTTPBodySequence(from: pipe, suggestedBufferSize: 65_536)
            case .events: HTTPBodySequence()
            }
        return HTTPResponse(
            statusCode: HTTPStatusCode(status, phrase: Problem.title(status)), headers: headers, body: content)
    }

    /// The whole answer as it goes out, for who is not let through to the server; the connection ends with it.
    func bytes(at host: String) -> [UInt8] {
        guard case .bytes(let content) = body else { return [] }
        var fields = Self.safety(at: host).map { ($0.key.rawValue, $0.value) }.sorted { $0.0 < $1.0 }
        fields += [("Content-Type", type), ("Content-Length", String(content.count)), ("Connection", "close")]
        let head = ["HTTP/1.1 \(status) \(Problem.title(status))"] + fields.map { "\($0): \($1)" }
        return Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8) + content
    }

    /// With every answer: nothing is taken for what it is not, comes from elsewhere, or goes elsewhere.
    private static func safety(at host: String) -> HTTPHeaders {
        [
            HTTPHeader("Content-Security-Policy"): policy(at: host),
            HTTPHeader("X-Content-Type-Options"): "nosniff",
            HTTPHeader("Referrer-Policy"): "no-referrer",
            HTTPHeader("Cross-Origin-Resource-Policy"): "same-origin",
            HTTPHeader("Cross-Origin-Opener-Policy"): "same-origin",
            HTTPHeader("X-Frame-Options"): "DENY",
            .cacheControl: "no-store",
        ]
    }

    static func policy(at host: String) -> String {
        """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; \
        connect-src 'self' ws://\(host); form-action 'none'; base-uri 'none'; frame-ancestors 'none'
        """
    }
}
