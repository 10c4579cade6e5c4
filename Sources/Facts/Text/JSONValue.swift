/// A JSON text as it stands.
///
/// Members keep their order and their duplicates, numbers their digits.
/// For what others have written (bodies, HAR files, our own exported flows), where a reader that rounds, sorts or merges
/// would change it.
package enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    /// As it is written, `1.50` or `12345678901234567890`.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([Member])

    package struct Member: Hashable, Sendable {
        package var name: String
        package var value: JSONValue

        package init(_ name: String, _ value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// Deeper texts are refused: those who look at a value do it by recursion.
    package static let depthLimit = 256

    /// The one value that the bytes are, with white space around it (RFC 8259).
    package static func parse(_ bytes: [UInt8]) throws(JSONFault) -> JSONValue {
        var reader = JSONReader(bytes)
        return try reader.document()
    }

    package static func parse(_ bytes: some Sequence<UInt8>) throws(JSONFault) -> JSONValue {
        try parse(Array(bytes))
    }

    // MARK: Looking

    /// The last member of that name, as most readers take it; nil where this is no object or has none.
    package subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.name == name }?.value
    }

    package var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    package var array: [JSONValue]? {
        if case .array(let values) = self { values } else { nil }
    }

    package var members: [Member]? {
        if case .object(let members) = self { members } else { nil }
    }

    package var bool: Bool? {
        if case .bool(let flag) = self { flag } else { nil }
    }

    /// nil where it is no number; one that no Double can say is infinite.
    package var double: Double? {
        if case .number(let text) = self { Double(text) } else { nil }
    }

    /// nil where it is no whole number that fits.
    package var int: Int? {
        guard case .number(let text) = self else { return nil }
        return Int(text) ?? Double(text).flatMap { Int(exactly: $0) }
    }
}

/// Where a text stops being JSON.
package struct JSONFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// Bytes before it.
    package var offset: Int
    /// What is wrong there, as the end of a sentence: `a value was expected`.
    package var reason: String

    package var description: String { "no JSON from byte \(offset) on: \(reason)" }
}

private struct JSONReader {
    private let bytes: [UInt8]
    private var at = 0
    private var depth = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func document() throws(JSONFault) -> JSONValue {
        let value = try value()
        skipSpace()
        guard at == bytes.count else { throw fault("more follows the value") }
        return value
    }

    private func fault(_ reason: String) -> JSONFault { JSONFault(offset: at, reason: reason) }

    private var next: UInt8? { at < bytes.count ? bytes[at] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { at += 1 }
    }

    private mutating func value() throws(JSONFault) -> JSONValue {
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return try nested { reader throws(JSONFault) in try reader.object() }
        case UInt8(ascii: "["): return try nested { reader throws(JSONFault) in try reader.list() }
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "-"), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): return .number(try number())
        default: throw fault("a value was expected")
        }
    }

    private mutating func nested(
        _ read: (inout JSONReader) throws(JSONFault) -> JSONValue
    ) throws(JSONFault) -> JSONValue {
        guard depth < JSONValue.depthLimit else { throw fault("it is nested more than \(JSONValue.depthLimit) deep") }
        depth += 1
        at += 1
        let value = try read(&self)
        depth -= 1
        return value
    }

    private mutating func object() throws(JSONFault) -> JSONValue {
        var members: [JSONValue.Member] = []
        skipSpace()
        if next == UInt8(ascii: "}") {
            at += 1
            return .object(members)
        }
        while true {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw fault("a member's name was expected") }
            let name = try string()
            skipSpace()
            guard next == UInt8(ascii: ":") else { throw fault("a colon was expected") }
            at += 1
            members.append(JSONValue.Member(name, try value()))
            if try ends(with: UInt8(ascii: "}")) { return .object(members) }
        }
    }

    private mutating func list() throws(JSONFault) -> JSONValue {
        var values: [JSONValue] = []
        skipSpace()
        if next == UInt8(ascii: "]") {
            at += 1
            return .array(values)
        }
        while true {
            values.append(try value())
            if try ends(with: UInt8(ascii: "]")) { return .array(values) }
        }
    }

    /// After an element: is this the last one?
    private mutating func ends(with bracket: UInt8) throws(JSONFault) -> Bool {
        skipSpace()
        guard next == bracket || next == UInt8(ascii: ",") else { throw fault("a comma or the end was expected") }
        defer { at += 1 }
        return next == bracket
    }

    private mutating func word(_ text: StaticString, _ value: JSONValue) throws(JSONFault) -> JSONValue {
        let word = Array(text.description.utf8)
        guard bytes[at...].starts(with: word) else { throw fault("a value was expected") }
        at += word.count
        return value
    }

    private mutating func number() throws(JSONFault) -> String {
        let start = at
        if next == UInt8(ascii: "-") { at += 1 }
        if next == UInt8(ascii: "0") { at += 1 } else { try digits() }
        if next == UInt8(ascii: ".") {
            at += 1
            try digits()
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            at += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { at += 1 }
            try digits()
        }
        return String(decoding: bytes[start..<at], as: UTF8.self)
    }

    private mutating func digits() throws(JSONFault) {
        let start = at
        while let byte = next, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { at += 1 }
        guard at > start else { throw fault("a digit was expected") }
    }

    /// Nearly every string is plain ASCII without an escape, which is neither copied nor looked over twice.
    private mutating func string() throws(JSONFault) -> String {
        at += 1
        let start = at
        while let byte = next, Self.isPlain(byte) { at += 1 }
        guard next == UInt8(ascii: "\"") else { return try string(from: start) }
        defer { at += 1 }
        return String(decoding: bytes[start..<at], as: UTF8.self)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x80 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    /// - Parameter start: where it begins; what has been read of it is plain.
    private mutating func string(from start: Int) throws(JSONFault) -> String {
        var run = start
        var text: [UInt8] = []
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                text += bytes[run..<at]
                guard let string = String(validating: text, as: UTF8.self) else {
                    throw fault("the string before this is no UTF-8")
                }
                at += 1
                return string
            case UInt8(ascii: "\\"):
                text += bytes[run..<at]
                try escape(into: &text)
                run = at
            case 0..<0x20: throw fault("a control character stands in a string")
            default: at += 1
            }
        }
        throw fault("a string does not end")
    }

    private mutating func escape(into text: inout [UInt8]) throws(JSONFault) {
        at += 1
        guard let byte = next else { throw fault("a string does not end") }
        at += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0c)
        case UInt8(ascii: "n"): text.append(0x0a)
        case UInt8(ascii: "r"): text.append(0x0d)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            var scalar = UInt32(try unit())
            if scalar >= 0xd800, scalar < 0xdc00, at + 1 < bytes.count, bytes[at] == UInt8(ascii: "\\"),
                bytes[at + 1] == UInt8(ascii: "u")
            {
                let before = at
                at += 2
                let low = UInt32(try unit())
                if low >= 0xdc00, low < 0xe000 {
                    scalar = 0x10000 + (scalar - 0xd800) << 10 + (low - 0xdc00)
                } else {
                    at = before
                }
            }
            // Half a surrogate pair is no character.
            text += String(Character(Unicode.Scalar(scalar) ?? "\u{fffd}")).utf8
        default:
            at -= 1
            throw fault("no escape begins like this")
        }
    }

    private mutating func unit() throws(JSONFault) -> UInt16 {
        guard at + 4 <= bytes.count, bytes[at..<(at + 4)].allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let unit = UInt16(String(decoding: bytes[at..<(at + 4)], as: UTF8.self), radix: 16)
        else { throw fault("four hexadecimal digits were expected") }
        at += 4
        return unit
    }
}

extension JSONWriter {
    /// A value as it was read; members keep their order, numbers their digits.
    package mutating func value(_ value: JSONValue) {
        switch value {
        case .null: null()
        case .bool(let flag): self.value(flag)
        case .number(let text): number(text)
        case .string(let text): self.value(text)
        case .array(let values):
            beginArray()
            for value in values { self.value(value) }
            endArray()
        case .object(let members):
            beginObject()
            for member in members {
                key(member.name)
                self.value(member.value)
            }
            endObject()
        }
    }
}
