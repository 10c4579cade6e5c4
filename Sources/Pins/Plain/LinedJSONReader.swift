import Facts

/// Text to `LinedJSON`.
struct LinedJSONReader {
    private let bytes: [UInt8]
    private var at = 0
    private var line = 1
    private var depth = 0
    private var nodes = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0xef, 0xbb, 0xbf]) { at = 3 }
    }

    mutating func document() throws(PinFileFault) -> LinedJSON {
        let value = try value()
        skipSpace()
        guard at == bytes.count else { throw fault("more follows the value") }
        return value
    }

    private func fault(_ message: String) -> PinFileFault { PinFileFault(line: line, "this is no JSON: \(message)") }

    private var next: UInt8? { at < bytes.count ? bytes[at] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 32 || byte == 10 || byte == 13 || byte == 9 {
            if byte == 10 { line += 1 }
            at += 1
        }
    }

    private mutating func value() throws(PinFileFault) -> LinedJSON {
        skipSpace()
        nodes += 1
        guard nodes <= LinedJSON.nodeLimit else {
            throw PinFileFault(line: line, "it has more than \(LinedJSON.nodeLimit) values, the most that are read")
        }
        let first = line
        func made(_ value: LinedJSON.Value) -> LinedJSON { LinedJSON(value: value, line: first) }
        switch next {
        case UInt8(ascii: "{"):
            try enter()
            defer { depth -= 1 }
            return made(.object(try members()))
        case UInt8(ascii: "["):
            try enter()
            defer { depth -= 1 }
            return made(.array(try values()))
        case UInt8(ascii: "\""): return made(.string(try string()))
        case UInt8(ascii: "t"): return made(try word("true", .bool(true)))
        case UInt8(ascii: "f"): return made(try word("false", .bool(false)))
        case UInt8(ascii: "n"): return made(try word("null", .null))
        case UInt8(ascii: "-"), .some(UInt8(ascii: "0")...UInt8(ascii: "9")):
            // The scalar as Facts reads it: what it is worth is its own business, not that of a place.
            return made(
                .number(try scalar { $0 == 43 || $0 == 45 || $0 == 46 || $0 | 0x20 == 101 || $0 >= 48 && $0 <= 57 }))
        case nil: throw fault("it ends where a value was expected")
        default: throw fault("a value was expected")
        }
    }

    private mutating func enter() throws(PinFileFault) {
        guard depth < LinedJSON.depthLimit else {
            throw PinFileFault(line: line, "it is nested more than \(LinedJSON.depthLimit) deep")
        }
        depth += 1
        at += 1
    }

    private mutating func members() throws(PinFileFault) -> [LinedJSON.Member] {
        var members: [LinedJSON.Member] = []
        skipSpace()
        if next == UInt8(ascii: "}") {
            at += 1
            return members
        }
        while true {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw fault("a member's name was expected") }
            let first = line
            let name = try string()
            skipSpace()
            guard next == UInt8(ascii: ":") else { throw fault("a colon was expected") }
            at += 1
            members.append(.init(name: name, line: first, value: try value()))
            if try ends(with: UInt8(ascii: "}")) { return members }
        }
    }

    private mutating func values() throws(PinFileFault) -> [LinedJSON] {
        var values: [LinedJSON] = []
        skipSpace()
        if next == UInt8(ascii: "]") {
            at += 1
            return values
        }
        while true {
            values.append(try value())
            if try ends(with: UInt8(ascii: "]")) { return values }
        }
    }

    private mutating func ends(with bracket: UInt8) throws(PinFileFault) -> Bool {
        skipSpace()
        guard next == bracket || next == UInt8(ascii: ",") else { throw fault("a comma or the end was expected") }
        defer { at += 1 }
        return next == bracket
    }

    private mutating func word(_ text: StaticString, _ value: LinedJSON.Value) throws(PinFileFault) -> LinedJSON.Value {
        let word = text.description.utf8
        guard bytes[at...].starts(with: word) else { throw fault("a value was expected") }
        at += word.count
        return value
    }

    private mutating func string() throws(PinFileFault) -> String {
        let start = at
        at += 1
        while let byte = next, byte != UInt8(ascii: "\"") {
            guard byte != 10 else { throw fault("a string does not end in its line") }
            at += byte == UInt8(ascii: "\\") && at + 1 < bytes.count && bytes[at + 1] != 10 ? 2 : 1
        }
        guard next != nil else { throw fault("a string does not end") }
        at += 1
        guard case .string(let text)? = parsed(start..<at) else {
            throw fault("a string has an escape or a character that is not allowed")
        }
        return text
    }

    private mutating func scalar(_ isPart: (UInt8) -> Bool) throws(PinFileFault) -> String {
        let start = at
        while let byte = next, isPart(byte) { at += 1 }
        guard case .number(let text)? = parsed(start..<at) else { throw fault("a number is broken") }
        return text
    }

    private func parsed(_ range: Range<Int>) -> JSONValue? { try? JSONValue.parse(Array(bytes[range])) }
}
