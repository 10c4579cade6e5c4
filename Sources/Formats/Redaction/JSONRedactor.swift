import Facts

/// Finds secrets in JSON by its tokens.
///
/// So that order, duplicates, digits and white space stay as they are.
/// One value after the other, as in lines of JSON; a text that was cut is read as far as it goes.
struct JSONRedactor {
    private let bytes: [UInt8]
    private var at: Int
    private(set) var edits = Edits()
    private var text: (inout Redactor, [UInt8]) -> [UInt8]
    private var inner: Redactor
    /// Bytes that were read again, as they turned out to be a secret's.
    private var repeated = 0

    /// Deeper is left to the search for names in text, and so is what would be read so many times again, each of it within
    /// the last.
    private static let depthLimit = 200
    private static let repeatLimit = 16

    init(_ bytes: [UInt8], from start: Int, inner: Redactor, text: @escaping (inout Redactor, [UInt8]) -> [UInt8]) {
        self.bytes = bytes
        at = start
        self.inner = inner
        self.text = text
    }

    /// - Returns: where JSON ends: what follows is something else, and nothing of it was looked at.
    mutating func read() -> Int {
        while true {
            skipSpace()
            let start = at
            guard at < bytes.count else { return at }
            let before = edits.list.count
            guard value(isSecret: false, depth: 0) else {
                edits.list.removeSubrange(before...)
                return start
            }
        }
    }

    private var next: UInt8? { at < bytes.count ? bytes[at] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte.isSpace || byte == 0x1e { at += 1 }
    }

    /// False where this is no JSON. The end of the text may come anywhere.
    ///
    /// - Parameter isInList: `["cookie", "…"]` is a name and its value there, as lists of fields are written.
    private mutating func value(isSecret: Bool, depth: Int, isInList: Bool = false) -> Bool {
        skipSpace()
        guard let byte = next else { return true }
        guard depth < Self.depthLimit else { return false }
        switch byte {
        case UInt8(ascii: "{"): return object(isSecret: isSecret, depth: depth)
        case UInt8(ascii: "["): return list(isSecret: isSecret, depth: depth, isInList: isInList)
        case UInt8(ascii: "\""):
            let content = string()
            if isSecret { edits.replace(content, of: bytes) } else { look(into: content) }
            return true
        case UInt8(ascii: "-"), 0x30...0x39:
            let start = at
            while let byte = next, byte.isAlphanumeric || "+-.".utf8.contains(byte) { at += 1 }
            if isSecret { edits.replace(start..<at, with: [0x22] + Edits.mark + [0x22]) }
            return true
        case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
            let start = at
            while let byte = next, byte.isAlphanumeric { at += 1 }
            let word = bytes[start..<at]
            return ["true", "false", "null"].contains {
                at == bytes.count ? Array($0.utf8).starts(with: word) : word.elementsEqual($0.utf8)
            }
        default: return false
        }
    }

    private mutating func list(isSecret: Bool, depth: Int, isInList: Bool) -> Bool {
        let before = edits.list.count
        at += 1
        skipSpace()
        if next == UInt8(ascii: "]") {
            at += 1
            return true
        }
        var starts: [Int] = []
        while true {
            skipSpace()
            if starts.count < 3 { starts.append(at) }
            guard value(isSecret: isSecret, depth: depth + 1, isInList: true) else { return false }
            guard let isEnd = isEnd(UInt8(ascii: "]")) else { return false }
            if isEnd { break }
        }
        guard isInList, !isSecret, starts.count == 2, isSecretName(starts[0]) else { return true }
        return again([starts[1]], from: before, depth)
    }

    /// A string that names a secret, or a field whose value is one.
    private mutating func isSecretName(_ start: Int) -> Bool {
        guard bytes[start] == UInt8(ascii: "\"") else { return false }
        let end = at
        defer { at = end }
        at = start
        let content = plain(string())
        return SecretNames.isSecret(content, length: 0, in: .body)
            || SecretNames.isSecretHeader(String(decoding: content, as: UTF8.self))
    }

    private mutating func object(isSecret: Bool, depth: Int) -> Bool {
        at += 1
        skipSpace()
        if next == UInt8(ascii: "}") {
            at += 1
            return true
        }
        // `{"name": "password", "value": "…"}` is a name and a value as well.
        var isPair = false
        let first = edits.list.count
        var pairedValues: [Int] = []
        while true {
            skipSpace()
            guard let byte = next else { break }
            guard byte == UInt8(ascii: "\"") else { return false }
            let name = plain(string())
            skipSpace()
            guard let colon = next else { break }
            guard colon == UInt8(ascii: ":") else { return false }
            at += 1
            skipSpace()
            let start = at
            let isNumber = next.map { $0 == UInt8(ascii: "-") || $0.isDigit } ?? false
            let isNamed =
                SecretNames.isSecret(name, length: 0, in: .body) && !(isNumber && SecretNames.mayCount(name))
            guard value(isSecret: isSecret || isNamed, depth: depth + 1) else { return false }
            switch String(decoding: name, as: UTF8.self) {
            case "name", "key", "field", "header", "id":
                if start < at, bytes[start] == UInt8(ascii: "\"") {
                    isPair = isPair || isSecretName(start)
                }
            case "value", "values", "content", "val": pairedValues.append(start)
            default: break
            }
            guard let isEnd = isEnd(UInt8(ascii: "}")) else { return false }
            if isEnd { break }
        }
        if isPair, !isSecret { return again(pairedValues, from: first, depth) }
        return true
    }

    /// Those values are secrets, as their object has said later, or before.
    ///
    /// - Parameter first: of the object's own edits.
    private mutating func again(_ values: [Int], from first: Int, _ depth: Int) -> Bool {
        let end = at
        defer { at = end }
        let before = edits.list.count
        var places: [Range<Int>] = []
        for start in values {
            at = start
            guard value(isSecret: true, depth: depth + 1) else { return false }
            places.append(start..<at)
            repeated += at - start
            guard repeated / Self.repeatLimit <= bytes.count else { return false }
        }
        // An object may have a million of them.
        let others = edits.list[first..<before].filter { edit in
            let start = edit.range.lowerBound
            let next = places.partitioningIndex { $0.upperBound > start }
            return next == places.endIndex || !places[next].contains(start)
        }
        edits.list.replaceSubrange(first..<before, with: others)
        return true
    }

    /// After an element: was it the last? Nil where something else follows; the end of the text is an end.
    private mutating func isEnd(_ bracket: UInt8) -> Bool? {
        skipSpace()
        guard let byte = next else { return true }
        guard byte == bracket || byte == UInt8(ascii: ",") else { return nil }
        at += 1
        return byte == bracket
    }

    /// Over a string; what is between its quotes.
    private mutating func string() -> Range<Int> {
        at += 1
        let start = at
        while let byte = next, byte != UInt8(ascii: "\"") { at += byte == UInt8(ascii: "\\") ? 2 : 1 }
        at = min(at, bytes.count)
        let end = at
        if at < bytes.count { at += 1 }
        return start..<end
    }

    /// Without escapes; as it is where they are broken.
    private func plain(_ content: Range<Int>) -> [UInt8] { unescaped(content) ?? Array(bytes[content]) }

    /// nil: there are no escapes, or the string is none that JSON allows, such as one over several lines.
    private func unescaped(_ content: Range<Int>) -> [UInt8]? {
        let raw = bytes[content]
        guard raw.contains(UInt8(ascii: "\\")) else { return nil }
        guard let value = try? JSONValue.parse([0x22] + raw + [0x22]), let text = value.string else { return nil }
        return Array(text.utf8)
    }

    /// A string that is no secret may contain one: a URL, JSON, text.
    ///
    /// What was read with its escapes is written with them: whoever escaped them once more would change what stays.
    private mutating func look(into content: Range<Int>) {
        guard content.count >= 6 else { return }
        let before = unescaped(content)
        var redactor = inner
        redactor.count = 0
        let after = text(&redactor, before ?? Array(bytes[content]))
        guard redactor.count > 0 else { return }
        if before == nil, !after.contains(UInt8(ascii: "\"")) || bytes[content].contains(UInt8(ascii: "\\")) {
            return edits.replace(content, with: after, count: redactor.count)
        }
        var json = JSONWriter()
        json.value(String(decoding: after, as: UTF8.self))
        edits.replace(content, with: Array(json.bytes.dropFirst().dropLast()), count: redactor.count)
    }
}
