/// One header or trailer field, as it came.
package struct HeaderField: Hashable, Sendable {
    /// With the case in which it came.
    package var name: String
    /// Without the white space around it; a folded one is joined by a blank (RFC 9112 §5.2).
    package var value: String
    /// Its bytes were no UTF-8, and each is one character of `value` (ISO 8859-1).
    package var isLatin1: Bool

    package init(_ name: String, _ value: String, isLatin1: Bool = false) {
        self.name = name
        self.value = value
        self.isLatin1 = isLatin1
    }

    package init(name: some Collection<UInt8>, value: some Collection<UInt8>) {
        let (name, _) = HeaderField.text(name)
        let (value, isLatin1) = HeaderField.text(value)
        self.init(name, value, isLatin1: isLatin1)
    }

    /// UTF-8 where it is that, else ISO 8859-1, in which every byte is a character.
    static func text(_ bytes: some Collection<UInt8>) -> (String, isLatin1: Bool) {
        // Nearly everything is ASCII, which needs no second look.
        if bytes.allSatisfy({ $0 < 0x80 }) { return (String(decoding: bytes, as: UTF8.self), false) }
        if let text = String(validating: bytes, as: UTF8.self) { return (text, false) }
        return (String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })), true)
    }

    /// What a request asks for. An address has no mark for ISO 8859-1, so bytes that are no UTF-8 stand in it
    /// percent-encoded, which to servers means the same (RFC 3986 §2.1).
    ///
    /// - Returns: `latin1`: each byte as one character, where they are no UTF-8.
    static func target(_ bytes: some Collection<UInt8>) -> (String, latin1: String?) {
        let (text, isLatin1) = text(bytes)
        guard isLatin1 else { return (text, nil) }
        let escaped = String(
            decoding: bytes.flatMap { $0 < 0x80 ? [$0] : Array(("%" + String($0, radix: 16, uppercase: true)).utf8) },
            as: UTF8.self)
        return (escaped, text)
    }

    /// - Parameter name: in lower case, and ASCII.
    package func isNamed(_ name: String) -> Bool {
        guard self.name.utf8.count == name.utf8.count else { return false }
        for (a, b) in zip(self.name.utf8, name.utf8) {
            guard a == b || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(a) && a | 0x20 == b else { return false }
        }
        return true
    }

    /// Its value as it was on the wire.
    package var valueBytes: [UInt8] {
        guard isLatin1 else { return Array(value.utf8) }
        return value.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    }
}

/// What a request begins with.
package struct RequestHead: Hashable, Sendable {
    package var method: String
    /// As it came: a path, an absolute URL, an authority, or `*` (RFC 9112 §3.2); bytes that are no UTF-8 stand
    /// percent-encoded. HTTP/2: `:path`, of a CONNECT that
    /// has none `:authority`.
    package var target: String
    /// The target where its bytes are no UTF-8: each is one character (ISO 8859-1).
    package var latin1Target: String?
    /// HTTP/2's `:scheme`; nil in HTTP/1, whose connection says it.
    package var scheme: String?
    /// HTTP/2's `:authority`; HTTP/1 has its Host field.
    package var authority: String?
    /// Extended CONNECT (RFC 8441): what the stream is to become.
    package var connectProtocol: String?
    /// `HTTP/1.1`, `HTTP/1.0`, `h2`.
    package var version: String
    /// HTTP/2's; that of the promised request, where it is a push.
    package var stream: Int?
    package var fields: [HeaderField]

    package init(
        method: String, target: String, latin1Target: String? = nil, scheme: String? = nil, authority: String? = nil,
        connectProtocol: String? = nil, version: String, stream: Int? = nil, fields: [HeaderField]
    ) {
        self.method = method
        self.target = target
        self.latin1Target = latin1Target
        self.scheme = scheme
        self.authority = authority
        self.connectProtocol = connectProtocol
        self.version = version
        self.stream = stream
        self.fields = fields
    }
}

/// What an answer begins with, an interim one too.
package struct AnswerHead: Hashable, Sendable {
    /// 0 where HTTP/2's is missing or no number.
    package var status: Int
    /// HTTP/1 alone has one, and it may be empty.
    package var reason: String?
    package var version: String
    package var fields: [HeaderField]

    package init(status: Int, reason: String? = nil, version: String, fields: [HeaderField]) {
        self.status = status
        self.reason = reason
        self.version = version
        self.fields = fields
    }
}

extension [HeaderField] {
    /// The values of the fields of that name, which is in lower case.
    package func values(of name: String) -> [String] {
        var values: [String] = []
        for field in self where field.isNamed(name) { values.append(field.value) }
        return values
    }

    /// The value of the first field of that name, which is in lower case.
    package func first(of name: String) -> String? { first { $0.isNamed(name) }?.value }

    /// As SETTINGS_MAX_HEADER_LIST_SIZE counts them, 32 bytes more for each (RFC 9113 §6.5.2).
    package var byteCount: Int { reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 32 } }

    /// What the content was coded with (RFC 9110 §8.4), in the order in which that was done, in lower case.
    ///
    /// Without names that code nothing: `identity`, what some write in its place, and Amazon S3's `aws-chunked` where it stands
    /// alone: its chunks are between the bytes of the content and leave them as they are.
    package var contentCodings: [String] {
        let names = elements(of: "content-encoding").filter { !["", "identity", "none", "utf-8", "utf8"].contains($0) }
        return names == ["aws-chunked"] ? [] : names
    }

    /// The elements of all of its lists, trimmed, in lower case (RFC 9110 §5.6.1).
    package func elements(of name: String) -> [String] {
        values(of: name).flatMap { value in
            value.utf8.split(separator: UInt8(ascii: ",")).map { Substring($0.trimmed).lowercased() }
        }
    }
}

extension Substring.UTF8View {
    /// Without blanks and tabs around it.
    var trimmed: Substring.UTF8View {
        var (start, end) = (startIndex, endIndex)
        while start < end, Self.isBlank(self[start]) { start = index(after: start) }
        while start < end, Self.isBlank(self[index(before: end)]) { end = index(before: end) }
        return self[start..<end]
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}
