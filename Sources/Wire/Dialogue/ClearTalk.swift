/// How much of what a client says before any TLS only leads to TLS, or to good-bye.
///
/// Greetings, questions for what the server can do, requests for TLS, and taking leave. All else is the client's own: a
/// login, a letter, a query. It goes by what the client's first bytes are: lines of words (SMTP, IMAP, POP3, FTP, NNTP,
/// ManageSieve), XML (XMPP), PostgreSQL's or LDAP's messages. What it does not know is the client's own.
package struct ClearTalk {
    /// A line, a tag or a message that only leads on is shorter: what is longer carries something.
    package static let limit = 4096

    private enum Unit {
        /// So many bytes that say nothing of the client's own.
        case talk(Int)
        case more
        case own
    }

    /// What has come of something that is not whole.
    private var begun: [UInt8] = []
    private var read = 0
    private var isXML = false
    /// The client has said something of its own.
    package private(set) var saysMore = false

    package init() {}

    /// Bytes from the beginning on that say nothing of the client's own; what is not whole yet is among them.
    package var count: Int { saysMore ? read : read + begun.count }

    package mutating func read(_ bytes: Span<UInt8>) {
        guard !saysMore else { return }
        begun.append(copying: bytes, 0..<bytes.count)
        // Units are cut off the front of a view, so that many short ones cost no more than their bytes.
        var rest = begun[...]
        while let first = rest.first {
            switch next(rest) {
            case .talk(let count):
                isXML = isXML || first == UInt8(ascii: "<")
                read += count
                rest = rest.dropFirst(count)
            case .more:
                if rest.count > Self.limit { return saysOwn() }
                begun = Array(rest)
                return
            case .own: return saysOwn()
            }
        }
        begun = []
    }

    private mutating func saysOwn() {
        saysMore = true
        begun = []
    }

    /// Of bytes, of which there is one at the least, the first unit.
    private func next(_ rest: ArraySlice<UInt8>) -> Unit {
        let start = rest.startIndex
        return switch rest[start] {
        case 0,
            UInt8(ascii: "X") where rest.count > 1 && rest[start + 1] == 0:
            Self.postgreSQL(rest)
        case UInt8(ascii: "<"): Self.tag(rest)
        case let byte where isXML && Self.blanks.contains(byte): .talk(1)
        // A line of text has no control character in its third place.
        case 0x30 where rest.count < 3: .more
        case 0x30 where rest[start + 2] == 2 || rest[start + 1] > 0x80: Self.ldap(rest)
        default: Self.line(rest)
        }
    }

    // MARK: Lines

    private static let words: Set<String> = [
        "EHLO", "HELO", "LHLO", "QUIT", "NOOP", "RSET", "HELP", "STARTTLS", "STLS", "CAPA", "CAPABILITY",
        "CAPABILITIES", "LOGOUT", "FEAT", "SYST", "LANG",
    ]
    /// Behind a tag of the client's choice (IMAP).
    private static let tagged: Set<String> = ["CAPABILITY", "LOGOUT", "NOOP", "STARTTLS", "ID"]
    private static let pairs: Set<String> = ["AUTH TLS", "AUTH SSL", "MODE READER"]

    private static func line(_ rest: ArraySlice<UInt8>) -> Unit {
        guard let end = rest.firstIndex(of: 10) else { return .more }
        let length = end - rest.startIndex + 1
        guard length <= Self.limit else { return .own }
        let words = rest[..<end].split(whereSeparator: { $0 == 32 || $0 == 13 || $0 == 9 }).prefix(2)
            .map { String(decoding: $0.prefix(16), as: UTF8.self).uppercased() }
        guard let first = words.first else { return .talk(length) }
        let isTalk =
            Self.words.contains(first) || words.count == 2 && Self.tagged.contains(words[1])
            || Self.pairs.contains(words.joined(separator: " "))
        return isTalk ? .talk(length) : .own
    }

    // MARK: XML

    private static let blanks: Set<UInt8> = [9, 10, 13, 32]
    private static let names: Set<String> = ["?xml", "stream:stream", "/stream:stream", "starttls", "/starttls"]

    private static func tag(_ rest: ArraySlice<UInt8>) -> Unit {
        var quote: UInt8?
        for index in rest.indices {
            let byte = rest[index]
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                let name = rest[..<index].dropFirst().prefix(24).prefix { $0 > 32 }
                var text = String(decoding: name, as: UTF8.self)
                if text.hasSuffix("/") || text.hasSuffix("?"), text.count > 1 { text.removeLast() }
                return Self.names.contains(text) ? .talk(index - rest.startIndex + 1) : .own
            }
        }
        return .more
    }

    // MARK: Messages

    private static func postgreSQL(_ rest: ArraySlice<UInt8>) -> Unit {
        if rest.first != 0 {
            guard rest.count >= 5 else { return .more }
            return rest.starts(with: [UInt8(ascii: "X"), 0, 0, 0, 4]) ? .talk(5) : .own
        }
        guard rest.count >= PostgreSQLRequest.length else { return .more }
        return PostgreSQLRequest(rest) == nil ? .own : .talk(PostgreSQLRequest.length)
    }

    /// An extended request that names StartTLS, an unbinding, an abandoning, a question to the root for what the server can do
    /// (RFC 4511 §4.2 to §4.14).
    private static func ldap(_ rest: ArraySlice<UInt8>) -> Unit {
        guard let length = messageLength(rest) else { return .more }
        guard length.header + length.content <= Self.limit else { return .own }
        guard rest.count >= length.header + length.content else { return .more }
        let message = Array(rest.dropFirst(length.header).prefix(length.content))
        // The number of the message, then what it is.
        guard message.count > 2, message[0] == 2, message[1] <= 4, message.count > 2 + Int(message[1]) else {
            return .own
        }
        let body = message[(2 + Int(message[1]))...]
        let isTalk =
            switch body.first {
            case 0x42, 0x50: true
            case 0x77: String(decoding: body, as: UTF8.self).contains("1.3.6.1.4.1.1466.20037")
            // Its base is empty.
            case 0x63: body.dropFirst(2).starts(with: [4, 0])
            default: false
            }
        return isTalk ? .talk(length.header + length.content) : .own
    }

    /// Of a message in BER, its length in the short form or in a long one of up to four bytes; nil where that is not whole.
    private static func messageLength(_ rest: ArraySlice<UInt8>) -> (header: Int, content: Int)? {
        let first = Int(rest[rest.startIndex + 1])
        guard first > 0x80 else { return (2, first) }
        let count = min(first & 0x7f, 4)
        guard rest.count >= 2 + count else { return nil }
        return (2 + count, rest.dropFirst(2).prefix(count).reduce(0) { $0 << 8 | Int($1) })
    }
}
