/// What an HTTP/1 head says about its message's end, read in passing.
///
/// It takes what real servers send: lines that end with LF alone, folded fields, no reason phrase, bytes of any kind in
/// values. Where leniency could be meant in two ways, the fault is noted and the head read on to its end.
struct HTTPHeadFraming: Hashable, Sendable {
    enum Kind: Hashable { case request, answer }

    private enum Field: Hashable { case contentLength, transferEncoding, connection, upgrade }

    /// Of a head, interim answers before it included: what Chromium takes; servers send a tenth of it at most.
    static let limit = 256 * 1024
    /// Kept of one line, until it ends. The fields that matter are a few words long; others only have to be told from
    /// them.
    static let lineLimit = 512
    /// Empty lines before the first: Chromium skips as many, since old servers send one too many after a body.
    static let emptyLimit = 2
    /// The longest registered one has 17 bytes (UPDATEREDIRECTREF).
    static let methodLimit = 32

    private let kind: Kind
    private var line: [UInt8] = []
    private var lineLength = 0
    /// The last eight bytes of the line, where a request's version stands.
    private var tail: UInt64 = 0
    private var lastWasReturn = false
    private var isStartLine = true
    private var empty = 0
    /// The field that the next line may continue.
    private var last: Field?
    private(set) var seen: Int

    private(set) var isComplete = false
    /// Nothing more can be read.
    private(set) var hasFailed = false
    private(set) var fault: HTTPFramingFault?
    /// In an answer.
    private(set) var status = 0
    /// In a request.
    private(set) var method = HTTPRequestMethod.other
    private(set) var isVersion10 = false
    private(set) var wantsWebSocket = false
    private var contentLength: Int?
    private var codings = 0
    /// Of the codings, those that code nothing.
    private var identities = 0
    private var chunked = 0
    private var endsChunked = false
    private var closes = false
    private var keepsAlive = false

    /// - Parameter seen: bytes of interim answers that count to the limit.
    init(_ kind: Kind, after seen: Int = 0) {
        self.kind = kind
        self.seen = seen
    }

    /// How many of `bytes` belong to the head.
    mutating func read(_ bytes: Span<UInt8>) -> Int {
        var count = 0
        while count < bytes.count, !isComplete, !hasFailed {
            let run = lastWasReturn ? 0 : readWithin(bytes.extracting(count...))
            count += run
            if run == 0 {
                read(bytes[count])
                count += 1
            }
        }
        return count
    }

    /// Bytes up to the end of a line, at once; the limit is for whoever reads the next byte.
    private mutating func readWithin(_ bytes: Span<UInt8>) -> Int {
        let room = min(bytes.count, Self.limit - 1 - seen)
        var count = 0
        if isStartLine {
            while count < room, !hasFailed, bytes[count] != Self.lf, bytes[count] != Self.cr {
                append(bytes[count])
                count += 1
            }
            seen += count
            return count
        }
        while count < room, bytes[count] != Self.lf, bytes[count] != Self.cr { count += 1 }
        guard count > 0 else { return 0 }
        // The first byte tells whether the others are needed.
        let needed = Self.mayMatter(line.first ?? bytes[0]) ? count : line.isEmpty ? 1 : 0
        line.append(copying: bytes, 0..<min(needed, Self.lineLimit - line.count))
        seen += count
        lineLength += count
        return count
    }

    /// A line that begins with this may be one of the fields that are read: by its first letter most are not, and need not
    /// be kept. What is in no name may hide one.
    private static func mayMatter(_ first: UInt8) -> Bool {
        switch first | 0x20 {
        case UInt8(ascii: "c"), UInt8(ascii: "t"), UInt8(ascii: "u"): true
        default: !ASCII.isToken(first)
        }
    }

    /// The sender goes on with this connection after the message (RFC 9112 §9.3).
    var keepsConnection: Bool { !closes && (!isVersion10 || keepsAlive) }

    /// What the fields say, for a message that may have content.
    ///
    /// - Parameter asReceivers: what most receivers make of two lengths, and of chunks in HTTP/1.0: chunks count. In an
    ///   answer `chunked` may be said twice, and `identity` says nothing.
    func bodyLength(asReceivers: Bool = false) throws(HTTPFramingFault) -> HTTPBodyLength {
        if let fault { throw fault }
        let isLenient = asReceivers && kind == .answer
        if codings > (isLenient ? identities : 0) {
            // The coding overrides the length (RFC 9112 §6.3, 3), but who has it forwarded ends the connection (§6.1).
            guard contentLength == nil || asReceivers && endsChunked else { throw .contentLengthAndTransferEncoding }
            // RFC 9112 §6.1: faulty in HTTP/1.0.
            guard !isVersion10 || asReceivers else { throw .transferCoding }
            if chunked == 1 || isLenient && chunked == codings, endsChunked { return .chunked }
            guard chunked == 0, kind == .answer else { throw .transferCoding }
            return .untilClose
        }
        if let contentLength { return .length(contentLength) }
        return kind == .answer ? .untilClose : .none
    }

    // MARK: Lines

    private mutating func read(_ byte: UInt8) {
        seen += 1
        if byte == Self.lf {
            endLine()
        } else {
            if lastWasReturn {
                note(.carriageReturn)
                append(Self.cr)
            }
            lastWasReturn = byte == Self.cr
            if !lastWasReturn { append(byte) }
        }
        if seen >= Self.limit, !isComplete { fail(.headTooLong) }
    }

    private mutating func append(_ byte: UInt8) {
        if line.count < Self.lineLimit { line.append(byte) }
        lineLength += 1
        tail = tail << 8 | UInt64(byte)
        // As soon as it can be told: what is no HTTP may have no lines.
        if isStartLine, !mayStart(byte) { fail(.notHTTP) }
    }

    private func mayStart(_ byte: UInt8) -> Bool {
        switch kind {
        case .answer: return lineLength > Self.answerStart.count || byte == Self.answerStart[lineLength - 1]
        case .request:
            if lineLength > Self.methodLimit || ASCII.isToken(byte) { return true }
            return lineLength > 1 && line.contains(UInt8(ascii: " "))
        }
    }

    private mutating func endLine() {
        lastWasReturn = false
        let isEmpty = lineLength == 0
        if isStartLine {
            if isEmpty {
                empty += 1
                if empty > Self.emptyLimit { fail(.notHTTP) }
            } else {
                readStartLine()
                isStartLine = false
            }
        } else if isEmpty {
            isComplete = true
        } else {
            readField()
        }
        line.removeAll(keepingCapacity: !isComplete)
        lineLength = 0
        tail = 0
    }

    private mutating func readStartLine() {
        switch kind {
        case .request:
            guard let space = line.prefix(Self.methodLimit + 1).firstIndex(of: UInt8(ascii: " ")),
                tail == Self.version10 || tail == Self.version11
            else { return fail(.notHTTP) }
            method = HTTPRequestMethod(String(decoding: line[..<space], as: UTF8.self))
            isVersion10 = tail == Self.version10
        case .answer:
            let rest = line.dropFirst(Self.answerStart.count)
            let words = rest.dropFirst().drop(while: ASCII.isWhiteSpace)
            let code = words.prefix(while: ASCII.isDigit)
            let after = words.dropFirst(code.count).first
            guard let minor = rest.first, ASCII.isDigit(minor), words.count < rest.count - 1, code.count == 3,
                after.map(ASCII.isWhiteSpace) ?? true, code.first != UInt8(ascii: "0")
            else { return fail(.notHTTP) }
            status = code.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
            isVersion10 = minor == UInt8(ascii: "0")
        }
    }

    // MARK: Fields

    private mutating func readField() {
        if line.first.map(ASCII.isWhiteSpace) ?? false {
            let hidden = Self.field(named: line.prefix { $0 != UInt8(ascii: ":") })
            if Self.saysLength(last) || Self.saysLength(hidden) { note(.foldedField) }
            // What it adds to the options is not known.
            if last == .connection { closes = true }
            return
        }
        last = nil
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
        let name = line[..<colon]
        guard let field = Self.field(named: name) else { return }
        last = field
        guard name.allSatisfy(ASCII.isToken) else {
            if Self.saysLength(field) { note(.fieldName) }
            return
        }
        let value = ASCII.trimmed(line, (colon + 1)..<line.count)
        let isWhole = lineLength == line.count
        switch field {
        case .contentLength: readContentLength(value, isWhole)
        case .transferEncoding: readCodings(value, isWhole)
        case .connection:
            if !isWhole { closes = true }
            for option in ASCII.list(line, value) {
                if ASCII.equal(line[option], StaticName.close.bytes) { closes = true }
                if ASCII.equal(line[option], StaticName.keepAlive.bytes) { keepsAlive = true }
            }
        case .upgrade:
            let wanted = ASCII.list(line, value)
            wantsWebSocket = wanted.contains { ASCII.equal(line[$0], Self.webSocket) }
        }
    }

    /// A list of equal lengths is taken for one (RFC 9112 §6.3, 5).
    private mutating func readContentLength(_ value: Range<Int>, _ isWhole: Bool) {
        for digits in line[value].split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            let trimmed = line[ASCII.trimmed(line, digits.startIndex..<digits.endIndex)]
            // 18 digits fit into an Int with room to spare.
            guard isWhole, (1...18).contains(trimmed.count), trimmed.allSatisfy(ASCII.isDigit) else {
                return note(.contentLength)
            }
            let length = trimmed.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
            guard contentLength ?? length == length else { return note(.contentLength) }
            contentLength = length
        }
    }

    private mutating func readCodings(_ value: Range<Int>, _ isWhole: Bool) {
        for coding in line[value].split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            let trimmed = line[ASCII.trimmed(line, coding.startIndex..<coding.endIndex)]
            codings += 1
            guard isWhole, !trimmed.isEmpty, trimmed.allSatisfy(ASCII.isToken) else { return note(.transferCoding) }
            endsChunked = ASCII.equal(trimmed, Self.chunked)
            if endsChunked { chunked += 1 }
            if ASCII.equal(trimmed, Self.identity) { identities += 1 }
        }
        // Without any element it still is a field that some heed.
        if value.isEmpty { note(.transferCoding) }
    }

    private mutating func note(_ fault: HTTPFramingFault) { self.fault = self.fault ?? fault }

    private mutating func fail(_ fault: HTTPFramingFault) {
        self.fault = fault
        hasFailed = true
        line = []
    }

    private static func saysLength(_ field: Field?) -> Bool { field == .contentLength || field == .transferEncoding }

    /// The field that a reader could see in `name` who skips what belongs in no name.
    private static func field(named name: ArraySlice<UInt8>) -> Field? {
        let bare = name.allSatisfy(ASCII.isToken) ? name : name.filter(ASCII.isToken)[...]
        // They differ in length.
        let (expected, field): (StaticName, Field)
        switch bare.count {
        case 7: (expected, field) = (.upgrade, .upgrade)
        case 10: (expected, field) = (.connection, .connection)
        case 14: (expected, field) = (.contentLength, .contentLength)
        case 17: (expected, field) = (.transferEncoding, .transferEncoding)
        default: return nil
        }
        return ASCII.equal(bare, expected.bytes) ? field : nil
    }

    private static let cr = UInt8(ascii: "\r")
    private static let lf = UInt8(ascii: "\n")
    private static let answerStart = Array("HTTP/1.".utf8)
    private static let version10 = "HTTP/1.0".utf8.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    private static let version11 = "HTTP/1.1".utf8.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    private static let webSocket = Array("websocket".utf8)
    private static let chunked = Array("chunked".utf8)
    private static let identity = Array("identity".utf8)
}
