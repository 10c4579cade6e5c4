import Facts
import Flows

/// Takes secrets out of bytes of one kind or another, and counts them.
struct Redactor {
    var count = 0
    /// How deep this is within texts in texts: JSON in a string, a URL in a query.
    private var depth = 0

    /// Deeper, names and shapes are still looked for, but no further form.
    private static let depthLimit = 8

    // MARK: Bodies

    /// A body without its content coding.
    ///
    /// - Parameter contentType: the field's value, with its parameters.
    mutating func content(_ bytes: [UInt8], contentType: String?) -> [UInt8] {
        let type = MediaType.essence(contentType)
        if let wide = WideText(bytes) {
            let before = count
            let text = self.text(wide.utf8, type: type)
            return count > before ? wide.encoded(text) : bytes
        }
        if type?.hasPrefix("multipart/") == true {
            let boundary = contentType.flatMap { MediaType.parameter("boundary", of: $0) }
            if let out = multipart(bytes, boundary: boundary) { return out }
        }
        guard Self.isText(bytes, type) else { return binary(bytes) }
        return text(bytes, type: type)
    }

    private static func isText(_ bytes: [UInt8], _ type: String?) -> Bool {
        if let type, MediaType.isText(type) { return true }
        let sample = bytes.prefix(4096)
        return !sample.contains { $0 < 0x09 || ($0 > 0x0d && $0 < 0x20 && $0 != 0x1b && $0 != 0x1e) }
    }

    /// Text of whatever form: JSON, a form, lines of events, markup, prose.
    mutating func text(_ bytes: [UInt8], type: String? = nil) -> [UInt8] {
        guard bytes.count >= 4 else { return bytes }
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.depthLimit else { return shapes(named(bytes, isCode: false)) }
        if let out = wrapped(bytes) { return out }
        // JSON that is called a form: curl does so unless it is told otherwise.
        let isCalledForm = type == "application/x-www-form-urlencoded" && !Self.isJSON(bytes)
        if isCalledForm || Self.isForm(bytes) { return shapes(form(bytes)) }
        if type == "text/event-stream" { return shapes(events(bytes)) }
        if bytes.starts(with: "--".utf8), !bytes.starts(with: "-----BEGIN".utf8),
            let out = multipart(bytes, boundary: nil)
        {
            return out
        }
        let isCode = type.map(MediaType.isCode) ?? false
        if !isCode, let start = Self.startOfJSON(bytes) {
            var json = JSONRedactor(bytes, from: start, inner: self) { redactor, bytes in redactor.text(bytes) }
            let end = json.read()
            var edits = json.edits
            if end < bytes.count {
                var rest = TextRedactor(bytes, from: end)
                rest.read()
                edits.list += rest.edits.list
            }
            return shapes(edits.applied(to: bytes, count: &count))
        }
        return shapes(named(bytes, isCode: isCode))
    }

    /// A text that is another one in base64; nil where it is none, or has no secrets.
    private mutating func wrapped(_ bytes: [UInt8]) -> [UInt8]? {
        // Shorter ones are words.
        guard bytes.count >= 16, bytes.allSatisfy({ $0.isAlphanumeric || "+/-_=\r\n".utf8.contains($0) }),
            let plain = Base64Text.decoded(bytes), String(validating: plain, as: UTF8.self) != nil,
            !plain.contains(where: { $0 < 0x20 && !$0.isSpace })
        else { return nil }
        var inner = self
        inner.count = 0
        let after = inner.text(plain)
        guard inner.count > 0 else { return nil }
        count += inner.count
        return Array(Base64.encode(after).utf8)
    }

    /// Where a `{` or `[` begins a text, behind what guards it (`)]}',`) or numbers it (`42[`).
    private static func startOfJSON(_ bytes: [UInt8]) -> Int? {
        for (place, byte) in bytes.prefix(32).enumerated() {
            if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") { return place }
            guard byte.isSpace || byte.isDigit || byte == 0x1e || ")]}',;:(forwhile&".utf8.contains(byte) else {
                return byte >= 0xbb && place < 3 ? bytes.prefix(32).firstIndex { $0 == 0x7b || $0 == 0x5b } : nil
            }
        }
        return nil
    }

    /// Behind blanks and a byte order mark alone: `file[0]=` begins a form.
    private static func isJSON(_ bytes: [UInt8]) -> Bool {
        let text = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? bytes.dropFirst(3) : bytes[...]
        guard let first = text.first(where: { !$0.isSpace }) else { return false }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[") || !bytes.contains(UInt8(ascii: "="))
    }

    private static func isForm(_ bytes: [UInt8]) -> Bool {
        guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")), equals > 0,
            bytes[..<equals].allSatisfy({ $0.isNameByte || "[]%+".utf8.contains($0) })
        else { return false }
        return bytes.allSatisfy { $0 > 0x20 && $0 < 0x7f && !"\"<>{}:;,".utf8.contains($0) }
    }

    /// What was hidden in what is taken out may show another one: `<a token="<b">`. So it is read again until nothing is found.
    private mutating func named(_ bytes: [UInt8], isCode: Bool) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Self.readingLimit {
            var text = TextRedactor(bytes, isCode: isCode)
            text.read()
            guard !text.edits.list.isEmpty else { break }
            bytes = text.edits.applied(to: bytes, count: &count)
        }
        return bytes
    }

    /// Each time finds what was in the way before; texts that were not made for it have nothing left after the first. What is
    /// binary, or follows JSON, is read once.
    private static let readingLimit = 8

    private mutating func shapes(_ bytes: [UInt8]) -> [UInt8] {
        var edits = Edits()
        for place in KeyShapes.places(in: bytes) { edits.replace(place, of: bytes) }
        return edits.applied(to: bytes, count: &count)
    }

    /// A query, a form, or a fragment that is one.
    mutating func form(_ bytes: [UInt8]) -> [UInt8] {
        var edits = Edits()
        for field in FormFields.places(in: bytes[...]) {
            guard let value = field.value, !value.isEmpty, !Self.isDone(bytes[value]) else { continue }
            let name = FormFields.decoded(bytes[field.name])
            if SecretNames.isSecret(name, length: value.count, in: .query) {
                edits.replace(value, of: bytes)
                continue
            }
            var inner = self
            inner.count = 0
            let after = inner.text(FormFields.decoded(bytes[value]))
            if inner.count > 0 { edits.replace(value, with: FormFields.encoded(after), count: inner.count) }
        }
        return edits.applied(to: bytes, count: &count)
    }

    /// Replaced when this was no form yet: there a value began behind its quote, and ended at what stands behind the mark.
    private static func isDone(_ value: ArraySlice<UInt8>) -> Bool {
        let value = value.first == UInt8(ascii: "'") ? value.dropFirst() : value
        return value.starts(with: Edits.mark)
            && value.dropFirst(Edits.mark.count).first.map(TextRedactor.endsBare) ?? true
    }

    /// Server-sent events: each line's value is a text of its own.
    private mutating func events(_ bytes: [UInt8]) -> [UInt8] {
        var out: [UInt8] = []
        for (place, line) in bytes.split(separator: 0x0a, omittingEmptySubsequences: false).enumerated() {
            if place > 0 { out.append(0x0a) }
            let colon = line.firstIndex(of: UInt8(ascii: ":"))
            let start = colon.map { line[($0 + 1)...].drop { $0 == 0x20 }.startIndex } ?? line.startIndex
            out += line[..<start]
            out += text(Array(line[start...]))
        }
        // A value over several lines is one text, which the lines alone may not show.
        return named(out, isCode: false)
    }

    private mutating func multipart(_ bytes: [UInt8], boundary: String?) -> [UInt8]? {
        guard depth < Self.depthLimit else { return nil }
        let parts = Multipart.parts(of: bytes[...], boundary: boundary)
        guard !parts.isEmpty else { return nil }
        depth += 1
        defer { depth -= 1 }
        var edits = Edits()
        for part in parts where !part.content.isEmpty {
            if let name = part.name, SecretNames.isSecret(name.utf8, length: part.content.count, in: .query) {
                edits.replace(part.content, of: bytes)
                continue
            }
            var inner = self
            inner.count = 0
            let after = inner.content(Array(bytes[part.content]), contentType: part.type)
            if inner.count > 0 { edits.replace(part.content, with: after, count: inner.count) }
            let head = Array(bytes[part.head])
            inner.count = 0
            let newHead = inner.shapes(inner.named(head, isCode: false))
            if inner.count > 0 { edits.replace(part.head, with: newHead, count: inner.count) }
        }
        return shapes(edits.applied(to: bytes, count: &count))
    }

    // MARK: Binary

    /// Only known shapes, and names with values in runs of text; every length stays, so that what counts them still reads.
    mutating func binary(_ bytes: [UInt8]) -> [UInt8] {
        var edits = Edits()
        func replace(_ place: Range<Int>) {
            let mark = Edits.mark.prefix(place.count)
            edits.replace(place, with: mark + [UInt8](repeating: UInt8(ascii: "*"), count: place.count - mark.count))
        }
        var at = 0
        while at < bytes.count {
            guard bytes[at] >= 0x20, bytes[at] < 0x7f else {
                at += 1
                continue
            }
            let end = bytes[at...].firstIndex { $0 < 0x20 && !$0.isSpace || $0 >= 0x7f } ?? bytes.count
            if end - at >= 8 {
                let run = Array(bytes[at..<end])
                var text = TextRedactor(run)
                text.read()
                let named = text.edits.list.map(\.range).sorted { $0.lowerBound < $1.lowerBound }
                for place in named { replace((place.lowerBound + at)..<(place.upperBound + at)) }
                for place in KeyShapes.places(in: run) {
                    let next = named.partitioningIndex { $0.upperBound > place.lowerBound }
                    if next < named.endIndex, named[next].overlaps(place) { continue }
                    replace((place.lowerBound + at)..<(place.upperBound + at))
                }
            }
            at = end
        }
        return edits.applied(to: bytes, count: &count)
    }

    // MARK: Heads

    mutating func url(_ url: String) -> String {
        let bytes = Array(url.utf8)
        let hash = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.endIndex
        let mark = bytes[..<hash].firstIndex(of: UInt8(ascii: "?")) ?? hash
        var out = shapes(named(Array(bytes[..<mark]), isCode: false))
        if mark < hash { out += [bytes[mark]] + shapes(form(Array(bytes[(mark + 1)..<hash]))) }
        if hash < bytes.endIndex {
            let fragment = Array(bytes[(hash + 1)...])
            out +=
                [bytes[hash]]
                + (Self.isForm(fragment) ? shapes(form(fragment)) : shapes(named(fragment, isCode: false)))
        }
        return String(decoding: out, as: UTF8.self)
    }

    mutating func field(_ field: HeaderField) -> HeaderField {
        var field = field
        let name = field.name.lowercased()
        let before = count
        switch name {
        case "cookie", "cookie2": field.value = cookies(field.value)
        case "set-cookie", "set-cookie2": field.value = setCookie(field.value)
        case _ where SecretNames.isSecretHeader(name): field.value = secret(field.value)
        case "www-authenticate", "proxy-authenticate": field.value = challenges(field.value)
        case "sec-websocket-protocol": field.value = protocols(field.value)
        case "location", "referer", "content-location", "origin": field.value = url(field.value)
        default: field.value = String(decoding: text(Array(field.value.utf8)), as: UTF8.self)
        }
        if count > before, !field.value.unicodeScalars.allSatisfy({ $0.value < 256 }) { field.isLatin1 = false }
        return field
    }

    private mutating func secret(_ value: String) -> String {
        guard !value.isEmpty, value != "[redacted]" else { return value }
        count += 1
        return "[redacted]"
    }

    /// A challenge of Kerberos or NTLM has a token behind its scheme (RFC 4559 §4.1); all others have parameters.
    private mutating func challenges(_ value: String) -> String {
        value.split(separator: ",", omittingEmptySubsequences: false).map { part in
            let words = part.split(maxSplits: 1) { $0 == " " || $0 == "\t" }
            guard words.count == 2, ["negotiate", "ntlm", "kerberos"].contains(words[0].lowercased()) else {
                return String(decoding: text(Array(part.utf8)), as: UTF8.self)
            }
            return part.prefix { $0 == " " || $0 == "\t" } + words[0] + " " + secret(String(words[1]))
        }.joined(separator: ",")
    }

    /// Browsers can say nothing else before a WebSocket, so that tokens stand behind a name for them: `bearer, TOKEN`.
    private mutating func protocols(_ value: String) -> String {
        var isSecret = false
        return value.split(separator: ",", omittingEmptySubsequences: false).map { part in
            let name = part.filter { !$0.isWhitespace }
            defer { isSecret = SecretNames.isSecretHeader(String(name)) }
            guard isSecret, !name.isEmpty else { return String(decoding: text(Array(part.utf8)), as: UTF8.self) }
            return " " + secret(String(name))
        }.joined(separator: ",")
    }

    private mutating func cookies(_ value: String) -> String {
        value.split(separator: ";", omittingEmptySubsequences: false).map { cookie($0) }.joined(separator: ";")
    }

    private mutating func setCookie(_ value: String) -> String {
        var parts = value.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
        if let first = parts.first { parts[0] = cookie(first[...]) }
        return parts.joined(separator: ";")
    }

    /// The name stays; what has none is all value.
    private mutating func cookie(_ pair: Substring) -> String {
        guard let equals = pair.firstIndex(of: "=") else {
            let name = pair.prefix { $0 == " " }
            return name + secret(String(pair[name.endIndex...]))
        }
        return pair[...equals] + secret(String(pair[pair.index(after: equals)...]))
    }
}
