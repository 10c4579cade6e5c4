/// Appends JSON to a byte array: on one line for evidence, indented for reports.
///
///     var json = JSONWriter()
///     json.beginObject()
///     json.field("host", "api.example.com")
///     json.endObject()
///     json.bytes  // {"host":"api.example.com"}
///
/// Commas, indentation and escaping are its business; balance and keys are the caller's. One observation is written
/// per proxied connection on the data path, hence bytes and no `String`s.
package struct JSONWriter: Sendable {
    package enum Layout: Sendable {
        case compact
        /// Two spaces a level; a container begun `inline` stays on its line.
        case indented
    }

    package private(set) var bytes: [UInt8] = []
    private let layout: Layout
    private var depth = 0
    /// Levels of inline containers that are open; 0 where values begin lines of their own.
    private var inlineDepth = 0
    private var needsComma = false
    private var followsKey = false

    package init(layout: Layout = .compact, reserving capacity: Int = 0) {
        self.layout = layout
        bytes.reserveCapacity(capacity)
    }

    /// What has been written so far, which goes away: of something long on one line not all is in memory at once.
    package mutating func take() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    // MARK: containers

    package mutating func beginObject(inline: Bool = false) { begin(UInt8(ascii: "{"), inline) }
    package mutating func endObject() { end(UInt8(ascii: "}")) }
    package mutating func beginArray(inline: Bool = false) { begin(UInt8(ascii: "["), inline) }
    package mutating func endArray() { end(UInt8(ascii: "]")) }

    package mutating func key(_ name: String) {
        separate()
        quote(name)
        bytes.append(UInt8(ascii: ":"))
        if layout == .indented { bytes.append(UInt8(ascii: " ")) }
        followsKey = true
    }

    // MARK: values

    package mutating func value(_ text: String) {
        separate()
        quote(text)
        needsComma = true
    }

    package mutating func value(_ number: Int) {
        separate()
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        digits(UInt64(number.magnitude))
        needsComma = true
    }

    package mutating func value(_ number: UInt64) {
        separate()
        digits(number)
        needsComma = true
    }

    /// The shortest decimal that reads back as the same number; JSON has no infinity and no NaN, they become null.
    package mutating func value(_ number: Double) {
        separate()
        double(number)
        needsComma = true
    }

    package mutating func value(_ flag: Bool) { literal(flag ? "true" : "false") }
    package mutating func null() { literal("null") }

    /// A number as it was written elsewhere, with all its digits; it has to be one (RFC 8259 §6).
    package mutating func number(_ text: String) { literal(text) }

    /// A value that another writer has written on one line.
    package mutating func verbatim(_ json: [UInt8]) {
        separate()
        bytes += json
        needsComma = true
    }

    // MARK: fields

    package mutating func field(_ name: String, _ text: String) {
        key(name)
        value(text)
    }

    package mutating func field(_ name: String, _ number: Int) {
        key(name)
        value(number)
    }

    package mutating func field(_ name: String, _ number: Double) {
        key(name)
        value(number)
    }

    package mutating func field(_ name: String, _ flag: Bool) {
        key(name)
        value(flag)
    }

    /// Null where there is no text.
    package mutating func field(_ name: String, orNull text: String?) {
        key(name)
        if let text { value(text) } else { null() }
    }

    package mutating func field(_ name: String, _ texts: [String], inline: Bool = true) {
        key(name)
        beginArray(inline: inline)
        for text in texts { value(text) }
        endArray()
    }

    // MARK: inside

    private mutating func begin(_ bracket: UInt8, _ inline: Bool) {
        separate()
        bytes.append(bracket)
        depth += 1
        if inline || inlineDepth > 0 { inlineDepth += 1 }
        needsComma = false
    }

    private mutating func end(_ bracket: UInt8) {
        depth -= 1
        if layout == .indented, inlineDepth == 0, needsComma { newline() }
        if inlineDepth > 0 { inlineDepth -= 1 }
        bytes.append(bracket)
        needsComma = true
    }

    private mutating func separate() {
        if followsKey {
            followsKey = false
            return
        }
        if needsComma {
            bytes.append(UInt8(ascii: ","))
            needsComma = false
        }
        guard layout == .indented, depth > 0 else { return }
        if inlineDepth == 0 {
            newline()
        } else if bytes.last == UInt8(ascii: ",") {
            bytes.append(UInt8(ascii: " "))
        }
    }

    private mutating func newline() {
        bytes.append(UInt8(ascii: "\n"))
        for _ in 0..<max(0, depth) { bytes.append(contentsOf: "  ".utf8) }
    }

    private mutating func literal(_ word: String) {
        separate()
        bytes.append(contentsOf: word.utf8)
        needsComma = true
    }

    /// Nearly all text is plain ASCII: it is copied at once, looked over, and written anew only if it was not.
    private mutating func quote(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        let start = bytes.count
        bytes.append(contentsOf: text.utf8)
        for index in start..<bytes.count where Self.needsCare(bytes[index]) {
            bytes.removeSubrange(index...)
            escape(text, from: index - start)
            break
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func needsCare(_ byte: UInt8) -> Bool {
        byte &- 0x20 >= 0x5f || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    /// Escapes what JSON asks for, and what could play tricks on the terminal of whoever looks at the line.
    private mutating func escape(_ text: String, from offset: Int) {
        // `offset` is the first byte that is not plain ASCII, so a scalar begins there.
        for scalar in text.unicodeScalars[text.utf8.index(text.utf8.startIndex, offsetBy: offset)...] {
            switch scalar {
            case "\"": bytes.append(contentsOf: "\\\"".utf8)
            case "\\": bytes.append(contentsOf: "\\\\".utf8)
            case "\n": bytes.append(contentsOf: "\\n".utf8)
            case "\r": bytes.append(contentsOf: "\\r".utf8)
            case "\t": bytes.append(contentsOf: "\\t".utf8)
            case _ where scalar.isPrintable: bytes.append(contentsOf: scalar.utf8)
            default: for unit in scalar.utf16 { escape(unit) }
            }
        }
    }

    private mutating func escape(_ unit: UInt16) {
        bytes.append(contentsOf: "\\u".utf8)
        for shift in [12, 8, 4, 0] as [UInt16] {
            let nibble = UInt8(truncatingIfNeeded: unit >> shift) & 15
            bytes.append(nibble + (nibble < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10))
        }
    }

    /// `minimum`: padded with zeros on the left to so many digits.
    private mutating func digits(_ number: UInt64, minimum: Int = 1) {
        let start = bytes.count
        var rest = number
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0 || bytes.count - start < minimum
        var low = start
        var high = bytes.count - 1
        while low < high {
            bytes.swapAt(low, high)
            low += 1
            high -= 1
        }
    }

    /// Times come in whole microseconds nearly always: those are written as integers with a point, which is several
    /// times faster than the general way. `micro / 1e6` is correctly rounded, so the text reads back as `number`.
    private mutating func double(_ number: Double) {
        guard number.isFinite else {
            bytes.append(contentsOf: "null".utf8)
            return
        }
        let micro = (number * 1e6).rounded()
        guard micro.magnitude < 0x1p53, micro / 1e6 == number, number != 0 || number.sign == .plus else {
            bytes.append(contentsOf: number.description.utf8)
            return
        }
        if micro < 0 { bytes.append(UInt8(ascii: "-")) }
        let (whole, fraction) = UInt64(micro.magnitude).quotientAndRemainder(dividingBy: 1_000_000)
        digits(whole)
        guard fraction > 0 else { return }
        bytes.append(UInt8(ascii: "."))
        digits(fraction, minimum: 6)
        while bytes.last == UInt8(ascii: "0") { bytes.removeLast() }
    }
}
