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
        while !begun.isEmpty {
            switch next() {
            case .talk(let count):
                isXML = isXML || begun[0] == UInt8(ascii: "<")
                read += count
                begun.removeFirst(count)
            case .more:
                if begun.count > Self.limit { saysOwn() }
                return
            case .own: return saysOwn()
            }
        }
    }

    private mutating func saysOwn() {
        saysMore = true
        begun = []
    }

    private func next() -> Unit {
        switch begun[0] {
        case 0,
            UInt8(ascii: "X") where begun.count == 5 && begun[1] == 0:
            return postgreSQL()
        case UInt8(ascii: "<"): return tag()
        case let byte where isXML && Self.blanks.contains(byte): return .talk(1)
        // A line of text has no control character in its third place.
        case 0x30 where begun.count < 3: return .more
        case 0x30 where begun[2] == 2 || begun[1] > 0x80: return ldap()
        default: return line()
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

    private func line() -> Unit {
        guard let end = begun.firstIndex(of: 10) else { return .more }
        guard end < Self.limit else { return .own }
        let words = begun[..<end].split(whereSeparator: { $0 == 32 || $0 == 13 || $0 == 9 }).prefix(2)
            .map { String(decoding: $0.prefix(16), as: UTF8.self).uppercased() }
        guard let first = words.first else { return .talk(end + 1) }
        let isTalk =
            Self.words.contains(first) || words.count == 2 && Self.tagged.contains(words[1])
            || Self.pairs.contains(words.joined(separator: " "))
        return isTalk ? .talk(end + 1) : .own
    }

    // MARK: XML

    private static let blanks: Set<UInt8> = [9, 10, 13, 32]
    private static let names: Set<String> = ["?xml", "stream:stream", "/stream:stream", "starttls", "/starttls"]

    private func tag() -> Unit {
        var quote: UInt8?
        for index in begun.indices {
            let byte = begun[index]
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                let name = begun[1..<index].prefix(24).prefix { $0 > 32 }
                var text = String(decoding: name, as: UTF8.self)
                if text.hasSuffix("/") || text.hasSuffix("?"), text.count > 1 { text.removeLast() }
                return Self.names.contains(text) ? .talk(index + 1) : .own
            }
        }
        return .more
    }

    // MARK: Messages

    private func postgreSQL() -> Unit {
        if begun[0] != 0 { return begun == [UInt8(ascii: "X"), 0, 0, 0, 4] ? .talk(5) : .own }
        guard begun.count >= PostgreSQLRequest.length else { return .more }
        return PostgreSQLRequest(begun) == nil ? .own : .talk(PostgreSQLRequest.length)
    }

    /// An extended request that names StartTLS, an unbinding, a question to the root for what the server can do
    /// (RFC 4511 §4.2 to §4.14).
    private func ldap() -> Unit {
        guard let length = messageLength() else { return .more }
        guard length.header + length.content <= Self.limit else { return .own }
        guard begun.count >= length.header + length.content else { return .more }
        let message = Array(begun[length.header..<length.header + length.content])
        // The number of the message, then what it is.
        guard message.count > 2, message[0] == 2, message[1] <= 4, message.count > 2 + Int(message[1]) else {
            return .own
        }
        let body = message[(2 + Int(message[1]))...]
        let isTalk =
            switch body.first {
            case 0x42: true
            case 0x77: String(decoding: body, as: UTF8.self).contains("1.3.6.1.4.1.1466.20037")
            // Its base is empty.
            case 0x63: body.dropFirst(2).starts(with: [4, 0])
            default: false
            }
        return isTalk ? .talk(length.header + length.content) : .own
    }

    /// Of a message in BER, its length in the short form or in a long one of up to four bytes; nil where that is not whole.
    private func messageLength() -> (header: Int, content: Int)? {
        let first = Int(begun[1])
        guard first > 0x80 else { return (2, first) }
        let count = min(first & 0x7f, 4)
        guard begun.count >= 2 + count else { return nil }
        return (2 + count, begun[2..<2 + count].reduce(0) { $0 << 8 | Int($1) })
    }
}
