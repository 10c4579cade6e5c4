/// What the proxy itself says to its client.
package enum HTTPAnswer {
    package enum Status: Int, Sendable, Hashable, CaseIterable {
        case badRequest = 400
        case forbidden = 403
        case uriTooLong = 414
        case headTooLarge = 431
        case notImplemented = 501
        case badGateway = 502
        case unavailable = 503
        case versionNotSupported = 505
        /// RFC 5842 §7.2.
        case loopDetected = 508

        var reason: String {
            switch self {
            case .badRequest: "Bad Request"
            case .forbidden: "Forbidden"
            case .uriTooLong: "URI Too Long"
            case .headTooLarge: "Request Header Fields Too Large"
            case .notImplemented: "Not Implemented"
            case .badGateway: "Bad Gateway"
            case .unavailable: "Service Unavailable"
            case .versionNotSupported: "HTTP Version Not Supported"
            case .loopDetected: "Loop Detected"
            }
        }
    }

    /// Without a body or a length, as RFC 9110 §9.3.6 demands: the tunnel begins right after it.
    package static let connectionEstablished = Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8)

    /// An answer that ends the connection. The message becomes the body, so that it shows wherever the client's user
    /// looks.
    package static func error(_ status: Status, _ message: String) -> [UInt8] {
        let body = Array("pinproof: \(message)\n".utf8)
        let head = """
            HTTP/1.1 \(status.rawValue) \(status.reason)\r
            Content-Type: text/plain; charset=utf-8\r
            Content-Length: \(body.count)\r
            Connection: close\r
            \r

            """
        return Array(head.utf8) + body
    }

    /// Asks for a client's user and password (RFC 9110 §11.7.1). Many clients show them only when they are asked.
    package static func challenge(last: Bool) -> [UInt8] {
        let body = Array("pinproof: the profile tells clients by their proxy credentials\n".utf8)
        let head = """
            HTTP/1.1 407 Proxy Authentication Required\r
            Proxy-Authenticate: Basic realm="pinproof"\r
            Content-Type: text/plain; charset=utf-8\r
            Content-Length: \(body.count)\r
            Connection: \(last ? "close" : "keep-alive")\r
            Proxy-Connection: \(last ? "close" : "keep-alive")\r
            \r

            """
        return Array(head.utf8) + body
    }

    /// The answer to bytes that could not be read; none where the client speaks no HTTP.
    package static func error(_ error: WireError) -> [UInt8] {
        status(of: error).map { self.error($0, error.description) } ?? []
    }

    /// nil where the client speaks no HTTP.
    static func status(of error: WireError) -> Status? {
        switch error {
        case .unknownProtocol, .socks4, .socks, .socksAuthentication, .unknownCredentials, .messageTooLong,
            .unexpectedMessage,
            .unexpectedRecord, .recordLength, .truncated, .repeatedExtension, .unknownVersion:
            nil
        case .requestLineTooLong: .uriTooLong
        case .headTooLong: .headTooLarge
        case .httpVersion: .versionNotSupported
        case .scheme, .transferCoding: .notImplemented
        case .lineEnd, .controlCharacter, .requestLine, .requestTarget, .notForAProxy, .authority, .fieldLine,
            .foldedField,
            .repeatedHost, .contentLength, .contentLengthAndTransferEncoding, .contentWithConnect:
            .badRequest
        }
    }
}
