/// Why bytes from the network are not what they should be.
package enum WireError: Error, Hashable, Sendable {
    // TLS
    case messageTooLong(limit: Int)
    case unexpectedMessage(type: UInt8)
    case unexpectedRecord(type: UInt8)
    case recordLength(Int)
    /// A length inside of the message points beyond its end, or is not allowed there.
    case truncated(field: String)
    case repeatedExtension(UInt16)
    /// A version that no TLS has.
    case unknownVersion(UInt16)

    // the proxy's port
    case unknownProtocol(firstByte: UInt8)
    case socks4
    case socks(SOCKS5.Reply)
    case socksAuthentication
    /// User and password that are no client's.
    case unknownCredentials
    case requestLineTooLong(limit: Int)
    case headTooLong(limit: Int)
    case lineEnd
    case controlCharacter(UInt8)
    case requestLine
    /// A character that no address has, unless it is percent-encoded.
    case requestTarget(UInt8)
    case httpVersion(String)
    /// `GET /path`: a request for a server, not for a proxy.
    case notForAProxy
    case scheme(String)
    case authority(String)
    case fieldLine(number: Int)
    case foldedField(number: Int)
    case repeatedHost
    case contentLength
    case transferCoding
    case contentLengthAndTransferEncoding
    case contentWithConnect
}

extension WireError {
    /// What came is none of the protocols in which a proxy is asked.
    package var isOfAnotherProtocol: Bool {
        switch self {
        case .unknownProtocol, .socks4, .requestLine, .httpVersion, .unknownVersion, .unexpectedMessage,
            .unexpectedRecord:
            true
        default: false
        }
    }

    /// What came is HTTP, or was taken for it: whom it is for can be told by its fields.
    package var isOfHTTP: Bool { HTTPAnswer.status(of: self) != nil }
}

extension WireError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .messageTooLong(let limit): "the handshake message is over \(limit) bytes"
        case .unexpectedMessage(let type): "the handshake begins with a message of type \(type)"
        case .unexpectedRecord(let type): "the handshake is interrupted by a record of type \(type)"
        case .recordLength(let length): "a handshake record of \(length) bytes"
        case .truncated(let field): "the handshake message is cut short or wrong in \(field)"
        case .repeatedExtension(let type): "extension \(type) comes twice"
        case .unknownVersion(let value): "unknown TLS version \(value)"
        case .unknownProtocol(let byte): "neither HTTP, SOCKS5 nor TLS: the first byte is \(byte)"
        case .socks4: "SOCKS4 is not supported, SOCKS5 is"
        case .socks(let reply): "SOCKS5 request refused: \(reply)"
        case .socksAuthentication: "SOCKS5 client offers no method that can be used: none, or user and password"
        case .unknownCredentials: "the proxy credentials are no client's"
        case .requestLineTooLong(let limit): "the request line is over \(limit) bytes"
        case .headTooLong(let limit): "the request's head is over \(limit) bytes"
        case .lineEnd: "a line of the request does not end with CR LF"
        case .controlCharacter(let byte): "control character \(byte) in the request"
        case .requestLine: "malformed request line"
        case .requestTarget(UInt8(ascii: " ")): "the request's address has a space in it, which has to be %20"
        case .requestTarget(let byte): "the request's address has character \(byte) in it, which does not belong there"
        case .httpVersion(let version): "HTTP version \"\(version)\" is not supported"
        case .notForAProxy: "this is a proxy: it wants CONNECT or an absolute http:// URL"
        case .scheme(let scheme): "scheme \"\(scheme)\" is not supported: use CONNECT for anything but http"
        case .authority(let text): "\"\(text)\" is not host:port"
        case .fieldLine(let number): "malformed header field \(number)"
        case .foldedField(let number): "header field \(number) is folded"
        case .repeatedHost: "more than one host header"
        case .contentLength: "malformed or repeated content-length"
        case .transferCoding: "transfer-encoding is not exactly \"chunked\""
        case .contentLengthAndTransferEncoding: "content-length and transfer-encoding contradict each other"
        case .contentWithConnect: "a CONNECT request has no content"
        }
    }

    /// Text from the network as it may be shown: short, and printable ASCII only.
    static func printable(_ bytes: some Collection<UInt8>) -> String {
        let longest = 80  // one line of a terminal
        let shown = bytes.prefix(longest).map { (0x20...0x7e).contains($0) ? $0 : UInt8(ascii: "?") }
        return String(decoding: shown, as: UTF8.self) + (bytes.count > longest ? "..." : "")
    }
}
