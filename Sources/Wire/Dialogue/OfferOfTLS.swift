/// Takes the server's offer of TLS out of a dialogue in the clear, as it goes by.
///
/// And the client's request for it. SMTP, IMAP, POP3, XMPP, LDAP, FTP and what else has the same words. One letter of a word is changed and no length,
/// as some firewalls do it, and no word is held back: the dialogue cannot hang on it. A server that is asked all the same
/// answers that it knows no such command. PostgreSQL has no words: its request is answered in the server's place.
package struct OfferOfTLS {
    /// One direction of the dialogue.
    private struct Reader {
        /// The last bytes that went by, in lower case, at most `memory`; a line begins with the dialogue.
        var last: [UInt8] = [10]
        var seen = 0
    }

    /// Bytes of each side that are looked at. The dialogues that lead to TLS take some hundreds.
    package static let limit = 64 * 1024

    /// In lower case; the last byte of each is the one that is changed.
    ///
    /// `logindisabled` tells a client of IMAP to wait for TLS, so whoever takes TLS away takes that away as well; the
    /// number is the name of LDAP's request.
    private static let words = [
        "starttls", "\nstls", "auth tls", "auth ssl", "logindisabled", "1.3.6.1.4.1.1466.20037",
    ].map { Array($0.utf8) }
    private static let memory = words.reduce(0) { max($0, $1.count) }
    private static let lastBytes = Set(words.compactMap(\.last))

    private var client = Reader()
    private var server = Reader()
    /// The client has said nothing but requests that come before PostgreSQL's dialogue.
    private var isBeginning = true
    /// The beginning of such a request whose end has not come.
    private var begun: [UInt8] = []
    /// An offer, or a request, was taken away.
    package private(set) var wasTaken = false

    /// The client is left the offer, and what it asks for is refused.
    private let isShown: Bool

    package init(isShown: Bool = false) { self.isShown = isShown }

    /// What goes on to the client of what the server said.
    package mutating func fromServer(_ bytes: Span<UInt8>) -> [UInt8] {
        var changed = Array(copying: bytes, 0..<bytes.count)
        if !isShown, Self.take(&changed, &server) { wasTaken = true }
        return changed
    }

    /// What goes on to the server of what the client said, and what the client is answered at once.
    package mutating func fromClient(_ bytes: Span<UInt8>) -> (onward: [UInt8], answer: [UInt8]) {
        var changed = begun
        begun = []
        changed.append(copying: bytes, 0..<bytes.count)
        var answer: [UInt8] = []
        var start = 0
        while isBeginning, let request = PostgreSQLRequest(changed[start...]) {
            switch request {
            case .tls:
                changed.removeSubrange(start..<start + PostgreSQLRequest.length)
                answer.append(PostgreSQLRequest.no)
                wasTaken = true
            case .kerberos: start += PostgreSQLRequest.length
            }
        }
        if isBeginning, PostgreSQLRequest.isBegun(by: changed[start...]) {
            begun = Array(changed[start...])
            changed.removeSubrange(start...)
        } else if !changed[start...].isEmpty {
            isBeginning = false
        }
        if Self.take(&changed, &client) { wasTaken = true }
        return (changed, answer)
    }

    /// Changes the last letter of each word; true where there was one.
    private static func take(_ bytes: inout [UInt8], _ reader: inout Reader) -> Bool {
        guard reader.seen < limit else { return false }
        reader.seen += bytes.count
        var hasTaken = false
        for index in bytes.indices {
            let byte = lowered(bytes[index])
            reader.last.append(byte)
            if reader.last.count > memory { reader.last.removeFirst() }
            guard lastBytes.contains(byte), words.contains(where: { ends(reader.last, with: $0) }) else { continue }
            // `STARTTLX`, `1466.20030`.
            bytes[index] = byte == UInt8(ascii: "7") ? UInt8(ascii: "0") : bytes[index] & 0x20 | UInt8(ascii: "X")
            hasTaken = true
        }
        return hasTaken
    }

    private static func ends(_ last: [UInt8], with word: [UInt8]) -> Bool {
        last.count >= word.count && last[(last.count - word.count)...].elementsEqual(word)
    }

    private static func lowered(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}

/// What a client of PostgreSQL may ask before its startup message.
///
/// A length of eight, and a number: SSLRequest and GSSENCRequest of its "Message Formats".
enum PostgreSQLRequest {
    case tls, kerberos

    static let length = 8
    /// The answer that there is no TLS here.
    static let no = UInt8(ascii: "N")

    private static let common: [UInt8] = [0, 0, 0, 8, 4, 210, 22]

    init?(_ bytes: some Collection<UInt8>) {
        guard bytes.starts(with: Self.common) else { return nil }
        switch bytes.dropFirst(Self.common.count).first {
        case 47: self = .tls
        case 48: self = .kerberos
        default: return nil
        }
    }

    /// All of it, one byte at least, is how such a request begins, and more has to come.
    static func isBegun(by bytes: some Collection<UInt8>) -> Bool {
        !bytes.isEmpty && bytes.count <= common.count && common.starts(with: bytes)
    }
}
