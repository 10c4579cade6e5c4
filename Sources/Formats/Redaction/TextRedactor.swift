/// Finds names with values in any text.
///
/// `password=…`, `"token": "…"`, `<secret>…</secret>`, `https://user:pw@host`.
struct TextRedactor {
    private let bytes: [UInt8]
    /// In code, only a value in quotes is one.
    private let isCode: Bool
    private(set) var edits = Edits()
    /// Before this, all has been decided.
    private var done: Int

    /// Longer names are none.
    private static let nameLimit = 96
    /// Nor are values of so many bytes names.
    private static let wordLimit = 128

    init(_ bytes: [UInt8], from start: Int = 0, isCode: Bool = false) {
        self.bytes = bytes
        self.isCode = isCode
        done = start
    }

    mutating func read() {
        var at = done
        while at < bytes.count {
            switch bytes[at] {
            case UInt8(ascii: "="), UInt8(ascii: ":"): pair(at)
            case UInt8(ascii: "<"): element(at)
            default: break
            }
            at = max(at + 1, done)
        }
    }

    private func byte(_ at: Int) -> UInt8? { at >= 0 && at < bytes.count ? bytes[at] : nil }

    private mutating func secret(_ range: Range<Int>) {
        edits.replace(range, of: bytes)
        done = max(done, range.upperBound)
    }

    // MARK: Names and values

    private mutating func pair(_ separator: Int) {
        if bytes[separator] == UInt8(ascii: ":"), bytes[separator...].starts(with: "://".utf8) {
            return userinfo(separator + 3)
        }
        guard let name = name(before: separator) else { return }
        if isCookieField(name, separator) { return cookies(separator + 1, after: name) }
        let isName = bytes[name].elementsEqual("name".utf8) || bytes[name].elementsEqual("id".utf8)
        guard isName || SecretNames.isSecret(bytes[name], length: .max, in: .query) else { return }
        var start = separator + 1
        if byte(start) == UInt8(ascii: "=") || byte(separator - 1) == UInt8(ascii: "=") { return }
        if byte(start) == UInt8(ascii: ">") { start += 1 }
        // In a query nothing stands between; elsewhere, blanks may.
        var spaces = 0
        while let space = byte(start), space == 0x20 || space == 0x09, spaces < 8 {
            start += 1
            spaces += 1
        }
        let mark = byte(name.lowerBound - 1)
        let isQuery =
            spaces == 0 && bytes[separator] == UInt8(ascii: "=")
            && (mark == UInt8(ascii: "?") || mark == UInt8(ascii: "&") || mark == UInt8(ascii: "#"))
        // What is no secret is read again from where it begins: of a long one no more is needed than that it is long.
        let mayBeSecret = SecretNames.isSecret(bytes[name], length: .max, in: isQuery ? .query : .body)
        guard let value = value(from: start, limit: mayBeSecret ? .max : Self.wordLimit) else { return }
        if Self.saysNothing(bytes[value]) { return }
        if SecretNames.isSecret(bytes[name], length: value.count, in: isQuery ? .query : .body) {
            secret(value.lowerBound..<credentialsEnd(value, after: name))
        } else if isName, namesASecret(value) {
            attributeValue(after: value.upperBound)
        }
    }

    /// Behind a scheme of `Authorization` its credentials follow (RFC 9110 §11.4): `Bearer …`, `Basic …`, any other. Behind a
    /// cookie, other ones.
    private func credentialsEnd(_ value: Range<Int>, after name: Range<Int>) -> Int {
        if bytes[name].suffix(6).lazy.map({ $0 | 0x20 }).elementsEqual("cookie".utf8),
            bytes[name.upperBound..<value.lowerBound].contains(UInt8(ascii: ":"))
        {
            return cookiesEnd(value.upperBound)
        }
        let isAuthorization = bytes[name].suffix(13).lazy.map { $0 | 0x20 }.elementsEqual("authorization".utf8)
        guard isAuthorization, value.count <= 32, bytes[value].allSatisfy({ $0.isNameByte }) else {
            return value.upperBound
        }
        var end = value.upperBound
        while byte(end) == 0x20 || byte(end) == 0x09 { end += 1 }
        guard end > value.upperBound, let start = byte(end), !Self.endsBare(start) else { return value.upperBound }
        while let byte = byte(end), !Self.endsBare(byte) { end += 1 }
        return end
    }

    /// In the place of a secret there is none.
    private static func saysNothing(_ value: ArraySlice<UInt8>) -> Bool {
        ["null", "true", "false"].contains { value.elementsEqual($0.utf8) }
    }

    /// Behind a bare cookie others follow: `; name=value`.
    private func cookiesEnd(_ start: Int) -> Int {
        var end = start
        while byte(end) == UInt8(ascii: ";") {
            var at = end + 1
            while byte(at) == 0x20 { at += 1 }
            while let byte = byte(at), !Self.endsBare(byte) { at += 1 }
            guard at > end + 1 else { break }
            end = at
        }
        return end
    }

    /// `Cookie: …` and `Set-Cookie: …` of a text that has fields line by line.
    ///
    /// At the beginning of a line, behind what tools put there (`> `, `< `), or as the first thing in quotes. Elsewhere it may be a
    /// member of an object, with others behind it.
    private func isCookieField(_ name: Range<Int>, _ separator: Int) -> Bool {
        guard bytes[separator] == UInt8(ascii: ":"), !isCode, bytes[name.upperBound..<separator].allSatisfy(\.isSpace)
        else { return false }
        // Behind a line's end that is told within another line: `\nCookie`.
        let isEscaped = byte(name.lowerBound - 1) == UInt8(ascii: "\\")
        let word = bytes[name].dropFirst(isEscaped ? 1 : 0).map { $0 | 0x20 }
        guard word.elementsEqual("cookie".utf8) || word.elementsEqual("set-cookie".utf8) else { return false }
        var before = name.lowerBound - 1
        while let byte = byte(before),
            byte == 0x20 || byte == 0x09 || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "<"),
            name.lowerBound - before < 16
        {
            before -= 1
        }
        guard let byte = byte(before) else { return true }
        return byte < 0x20 || isEscaped || before == name.lowerBound - 1 && (byte == 0x22 || byte == 0x27)
    }

    /// All of them, to the end of the line (RFC 6265 §4: a value may stand in quotes); where the field stands in quotes itself, as
    /// in a command, to these.
    private mutating func cookies(_ start: Int, after name: Range<Int>) {
        let mark = byte(name.lowerBound - 1)
        let quote = mark == UInt8(ascii: "'") || mark == UInt8(ascii: "\"") ? mark : nil
        var start = start
        while byte(start) == 0x20 || byte(start) == 0x09 { start += 1 }
        var end = start
        while let byte = byte(end), byte >= 0x20 || byte == 0x09 {
            if byte == quote, bytes[end - 1] != UInt8(ascii: "\\") { break }
            // A line that is told within another one.
            if byte == UInt8(ascii: "\\"), [UInt8(ascii: "n"), UInt8(ascii: "r")].contains(self.byte(end + 1)) {
                break
            }
            end += 1
        }
        while end > start, bytes[end - 1].isSpace { end -= 1 }
        if start < end { secret(start..<end) }
    }

    private func name(before separator: Int) -> Range<Int>? {
        var end = separator
        while end > 0, separator - end < 4, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
        if end > 0, bytes[end - 1] == UInt8(ascii: "\"") || bytes[end - 1] == UInt8(ascii: "'") {
            end -= 1
            while end > 0, bytes[end - 1] == UInt8(ascii: "\\") { end -= 1 }
        }
        var start = end
        while start > 0, end - start < Self.nameLimit,
            bytes[start - 1].isNameByte || bytes[start - 1] == UInt8(ascii: "[")
                || bytes[start - 1] == UInt8(ascii: "]")
        {
            start -= 1
        }
        return start < end ? start..<end : nil
    }

    /// - Parameter limit: of so many bytes or more, the first ones are enough.
    private func value(from start: Int, limit: Int = .max) -> Range<Int>? {
        var start = start
        var escapes = 0
        while byte(start) == UInt8(ascii: "\\") {
            escapes += 1
            start += 1
        }
        if let quote = byte(start), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") || quote == 0x60 {
            return quoted(quote, escapes, from: start + 1, limit: limit == .max ? .max : limit + escapes)
        }
        guard escapes == 0, !isCode else { return nil }
        var end = start
        while end - start < limit, let byte = byte(end), !Self.endsBare(byte) { end += 1 }
        return end > start ? start..<end : nil
    }

    /// To the same quote with as many backslashes before it; to the end where there is none.
    private func quoted(_ quote: UInt8, _ escapes: Int, from start: Int, limit: Int) -> Range<Int>? {
        var end = start
        var run = 0
        while end - start < limit, let byte = byte(end) {
            if byte == UInt8(ascii: "\\") {
                run += 1
            } else {
                if byte == quote, run <= escapes { return start..<(end - run) }
                run = 0
            }
            end += 1
        }
        return start..<end
    }

    static func endsBare(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte == 0x7f || ",;\"'<>(){}[]&|\\`".utf8.contains(byte)
    }

    // MARK: URLs

    private mutating func userinfo(_ start: Int) {
        var end = start
        var at: Int?
        while let byte = byte(end), !Self.endsBare(byte), byte != UInt8(ascii: "/"), byte != UInt8(ascii: "?"),
            byte != UInt8(ascii: "#")
        {
            if byte == UInt8(ascii: "@") { at = end }
            end += 1
        }
        if let at { secret(start..<at) }
    }

    // MARK: Markup

    /// `<password>…</password>`, `<key>password</key><string>…</string>`, and `<name>password</name><value>…</value>`, in which
    /// XML-RPC has another element.
    private mutating func element(_ start: Int) {
        guard let (name, after) = tag(start) else { return }
        var local = bytes[name]
        if let colon = local.lastIndex(of: UInt8(ascii: ":")) { local = local[(colon + 1)...] }
        if SecretNames.isSecret(local, length: 0, in: .body) {
            secret(unwrapped(after..<contentEnd(after)))
        } else if local.elementsEqual("key".utf8) || local.elementsEqual("name".utf8) {
            let isKey = local.elementsEqual("key".utf8)
            let content = bytes[after...].prefix(128).prefix { $0 != UInt8(ascii: "<") }
            guard SecretNames.isSecret(content, length: 0, in: .body),
                let close = bytes[content.endIndex...].prefix(128).firstIndex(of: UInt8(ascii: ">"))
            else { return }
            guard let (next, value) = tag(afterSpace(close + 1)), isKey || bytes[next].elementsEqual("value".utf8)
            else { return }
            let inner = isKey ? nil : tag(afterSpace(value))?.after
            secret(unwrapped((inner ?? value)..<contentEnd(inner ?? value)))
        }
    }

    private func afterSpace(_ start: Int) -> Int {
        var at = start
        while let space = byte(at), space.isSpace { at += 1 }
        return at
    }

    /// An opening tag without an end of its own: its name, and what follows it.
    private func tag(_ start: Int) -> (name: Range<Int>, after: Int)? {
        guard byte(start) == UInt8(ascii: "<") else { return nil }
        var at = start + 1
        while let byte = byte(at), byte.isNameByte || byte == UInt8(ascii: ":") { at += 1 }
        let name = (start + 1)..<at
        guard !name.isEmpty else { return nil }
        // Attributes, within reason.
        while let byte = byte(at), byte != UInt8(ascii: ">"), byte != UInt8(ascii: "<"), at - start < 1024 { at += 1 }
        guard byte(at) == UInt8(ascii: ">"), bytes[at - 1] != UInt8(ascii: "/") else { return nil }
        return (name, at + 1)
    }

    private func contentEnd(_ start: Int) -> Int {
        if bytes[start...].starts(with: "<![CDATA[".utf8) {
            var at = start + 9
            while at < bytes.count, !bytes[at...].starts(with: "]]>".utf8) { at += 1 }
            return at
        }
        return bytes[start...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
    }

    private func unwrapped(_ content: Range<Int>) -> Range<Int> {
        let start = bytes[content].starts(with: "<![CDATA[".utf8) ? content.lowerBound + 9 : content.lowerBound
        let trimmed = bytes[start..<content.upperBound].trimmed
        return trimmed.startIndex..<trimmed.endIndex
    }

    /// `name="csrf-token" content="…"`: a field of a page.
    private func namesASecret(_ value: Range<Int>) -> Bool {
        value.count < Self.wordLimit
            && (SecretNames.isSecret(bytes[value], length: 0, in: .body)
                || SecretNames.isSecretHeader(String(decoding: bytes[value], as: UTF8.self)))
    }

    private mutating func attributeValue(after start: Int) {
        // Within the same tag, object or line.
        let end = min(bytes.count, start + 512)
        var at = start
        while at < end, bytes[at] != UInt8(ascii: ">"), bytes[at] != 0x0a, bytes[at] != UInt8(ascii: "}") {
            let rest = bytes[at..<end]
            for word in ["value", "content"] where rest.starts(with: word.utf8) {
                var next = at + word.utf8.count
                while let byte = byte(next), "\"\\' ".utf8.contains(byte) { next += 1 }
                guard let separator = byte(next), separator == UInt8(ascii: "=") || separator == UInt8(ascii: ":")
                else {
                    continue
                }
                next += 1
                while byte(next) == 0x20 { next += 1 }
                if let value = value(from: next) { return secret(value) }
            }
            at += 1
        }
    }
}
