/// A YAML value with its place, aliases written out: what the reader of a profile walks.
struct Tree {
    struct Entry {
        var key: Tree
        var value: Tree
    }

    enum Content {
        case scalar(String, isPlain: Bool)
        case list([Tree])
        case map([Entry])
        /// Already reported: whoever meets it keeps silent.
        case reported
    }

    var place: Place
    var content: Content

    /// What stands here, by the core schema of YAML 1.2 (§10.3.2).
    var found: ProfileError.Found? {
        switch content {
        case .reported: return nil
        case .list: return .list
        case .map: return .map
        case .scalar(let text, let isPlain):
            guard isPlain else { return .text(text, quoted: true) }
            switch text {
            case "", "~", "null", "Null", "NULL": return .nothing
            case "true", "True", "TRUE", "false", "False", "FALSE": return .boolean(text)
            default: return Self.isNumber(text) ? .number(text) : .text(text, quoted: false)
            }
        }
    }

    private static func isNumber(_ text: String) -> Bool {
        var rest = Array(text.utf8)[...]
        if rest.starts(with: "0x".utf8) { return rest.count > 2 && rest.dropFirst(2).allSatisfy(isHexDigit) }
        if rest.starts(with: "0o".utf8) {
            return rest.count > 2
                && rest.dropFirst(2).allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0) }
        }
        if text.lowercased() == ".nan" { return true }
        if let first = rest.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") { rest = rest.dropFirst() }
        if String(decoding: rest, as: UTF8.self).lowercased() == ".inf" { return true }
        let whole = rest.prefix(while: isDigit)
        rest = rest.dropFirst(whole.count)
        var digits = whole.count
        if rest.first == UInt8(ascii: ".") {
            let fraction = rest.dropFirst().prefix(while: isDigit)
            rest = rest.dropFirst(1 + fraction.count)
            digits += fraction.count
        }
        guard digits > 0 else { return false }
        if let first = rest.first, first | 0x20 == UInt8(ascii: "e") {
            rest = rest.dropFirst()
            if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { rest = rest.dropFirst() }
            return !rest.isEmpty && rest.allSatisfy(isDigit)
        }
        return rest.isEmpty
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    private static func isHexDigit(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }
}
