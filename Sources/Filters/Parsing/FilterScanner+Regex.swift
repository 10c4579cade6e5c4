/// `/expression/`, with `i` behind it where letters' case makes no difference.
extension FilterScanner {
    struct Expression {
        var source: String
        var ignoresCase: Bool
        var range: Range<Int>
    }

    enum ExpressionReading {
        case found(Expression)
        /// It ends, and this stands where only `i` may.
        case flags(Range<Int>)
        /// There is no end, and it looks as if there should be one.
        case open
        /// A text that begins with a slash.
        case none
    }

    /// Moves behind it only if it is one.
    ///
    /// - Parameter isSpacious: there may be blanks in it.
    mutating func expression(isSpacious: Bool) -> ExpressionReading {
        guard byte() == UInt8(ascii: "/") else { return .none }
        // In a class a slash is itself, unless that leaves no end.
        guard let end = end(isSpacious, knowsClasses: true) ?? end(isSpacious, knowsClasses: false) else {
            let rest = bytes[position...].prefix(while: { $0 != 0x20 })
            return rest.contains { Self.telling.contains($0) } ? .open : .none
        }
        guard end > position + 1 else { return .none }
        let ignoresCase = end + 1 < bytes.count && bytes[end + 1] == UInt8(ascii: "i")
        let behind = end + (ignoresCase ? 2 : 1)
        guard isEnd(at: behind) else {
            var last = end + 1
            while !isEnd(at: last) { last += 1 }
            return Self.foreignFlags.contains(text((end + 1)..<last)) ? .flags((end + 1)..<last) : .none
        }
        let found = Expression(source: source(end), ignoresCase: ignoresCase, range: position..<behind)
        move(to: behind)
        return .found(found)
    }

    /// Of the slash that closes it.
    private func end(_ isSpacious: Bool, knowsClasses: Bool) -> Int? {
        var index = position + 1
        var isInClass = false
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\\"): index += 1
            case UInt8(ascii: "["): isInClass = knowsClasses
            case UInt8(ascii: "]"): isInClass = false
            case UInt8(ascii: "/") where !isInClass: return index
            default: if !isSpacious, blank(at: index) > 0 { return nil }
            }
            index += 1
        }
        return nil
    }

    /// Without the backslashes of slashes.
    private func source(_ end: Int) -> String {
        var out: [UInt8] = []
        var index = position + 1
        while index < end {
            if bytes[index] == UInt8(ascii: "\\"), index + 1 < end {
                if bytes[index + 1] != UInt8(ascii: "/") { out.append(bytes[index]) }
                index += 1
            }
            out.append(bytes[index])
            index += 1
        }
        return String(decoding: out, as: UTF8.self)
    }

    /// What no path has in it, but an expression.
    private static let telling = Array("[](){}|^\\".utf8)

    /// What other programs have behind their expressions.
    private static let foreignFlags: Set<String> = ["g", "gi", "ig", "m", "mi", "im", "s"]
}

extension FilterScanner.Expression {
    /// It has something in it that is no path: as a bare word, `/v1/` is a text.
    var isTelling: Bool { ignoresCase || source.utf8.contains { "[](){}|^$\\+*?".utf8.contains($0) } }
}
