import Facts
import Flows

extension Filter: CustomStringConvertible {
    /// The filter in normal form.
    ///
    /// Times and named filters stand there as what they were when it was read. It is read as the same filter again, if
    /// named filters did not make it longer than a filter may be.
    package var description: String { isEverything ? "" : root.written(within: .any) }
}

extension FilterNode {
    /// What a node stands in, which says whether it needs parentheses.
    enum Surroundings { case any, all, not }

    func written(within surroundings: Surroundings) -> String {
        switch self {
        case .all(let nodes):
            if nodes.isEmpty { return "*" }
            let text = nodes.map { $0.written(within: .all) }.joined(separator: " ")
            return surroundings == .not ? "(\(text))" : text
        case .any(let nodes):
            let text = nodes.map { $0.written(within: .any) }.joined(separator: " or ")
            return surroundings == .any ? text : "(\(text))"
        // Two signs beside each other would be none.
        case .not(.not(let node)): return "-(-\(node.written(within: .not)))"
        case .not(let node): return "-" + node.written(within: .not)
        case .term(let term): return term.description
        }
    }
}

extension FilterTerm: CustomStringConvertible {
    package var description: String {
        switch self {
        case .anywhere(let text): text.written(isWord: true)
        case .value(let field, let patterns):
            "\(field.rawValue):" + patterns.map { $0.written(isPath: field == .path) }.joined(separator: ",")
        case .part(let field, let text): "\(field.rawValue):" + text.written(isWord: false)
        case .header(let side, let name, let value):
            "\(side.prefix)header:" + name.written(with: value)
        case .body(let side, let text): "\(side.prefix)body:" + text.written(isWord: false)
        case .number(let number, let ranges):
            "\(number.rawValue):" + ranges.map { $0.written(number) }.joined(separator: ",")
        case .kind(let kinds): "kind:" + kinds.map(\.rawValue).joined(separator: ",")
        case .failure(let ids): "failure:" + ids.map(\.rawValue).joined(separator: ",")
        case .tls(let versions): "tls:" + versions.map(\.description).joined(separator: ",")
        case .after(let moment): "after:" + Self.written(moment)
        case .before(let moment): "before:" + Self.written(moment)
        case .trait(let trait): "is:" + trait.rawValue
        }
    }

    private static func written(_ moment: Double) -> String {
        moment == moment.rounded() ? UTCTime(unix: moment).rfc3339 : UTCTime.microseconds(unix: moment)
    }
}

extension FilterSide {
    fileprivate var prefix: String {
        switch self {
        case .either: ""
        case .request: "req."
        case .response: "res."
        }
    }
}

extension FilterText {
    fileprivate func written(isWord: Bool) -> String {
        switch self {
        case .expression(let expression): expression.description
        case .pattern(let pattern): isWord ? pattern.writtenWord : pattern.written()
        }
    }
}

extension FilterExpression: CustomStringConvertible {
    package var description: String {
        var out = "/"
        var isEscaped = false
        for scalar in source.unicodeScalars {
            if scalar == "/", !isEscaped { out += "\\" }
            out.unicodeScalars.append(scalar)
            isEscaped = scalar == "\\" && !isEscaped
        }
        return out + (ignoresCase ? "/i" : "/")
    }
}

extension FilterPattern {
    /// Behind a colon. Where it is no path, a slash at its beginning may begin an expression.
    fileprivate func written(isPath: Bool = false) -> String {
        if isCaseSensitive { return "=" + quoted }
        return isPlain && (isPath || segments[0].utf8.first != UInt8(ascii: "/"))
            ? segments.joined(separator: "*") : quoted
    }

    /// As a header's name.
    fileprivate func written(with value: FilterText?) -> String {
        let name = isPlain && !segments.contains { $0.utf8.contains(0x3a) } ? segments.joined(separator: "*") : quoted
        switch value {
        case nil: return name
        case .expression(let expression): return "\(name)=\(expression)"
        case .pattern(let value) where value.isCaseSensitive: return "\(name)=\(value.quoted)"
        case .pattern(let value) where value.isPlain && value.segments[0].utf8.first != UInt8(ascii: "/"):
            return "\(name)=\(value.segments.joined(separator: "*"))"
        // Quotes behind the sign would make letters' case matter.
        case .pattern(let value):
            let joined = (segments.last ?? "") + "=" + value.segments[0]
            return FilterPattern(segments: segments.dropLast() + [joined] + value.segments.dropFirst()).quoted
        }
    }

    private var isPlain: Bool { segments.allSatisfy { $0.utf8.allSatisfy(Self.isPlain) } }

    fileprivate var writtenWord: String {
        let isPlain = segments.allSatisfy { $0.utf8.allSatisfy { Self.isPlain($0) && $0 != 0x3a && $0 != 0x2f } }
        let text = segments.joined(separator: "*")
        guard isPlain, text.utf8.first != UInt8(ascii: "-"), !["and", "or", "not"].contains(text.lowercased()) else {
            return quoted
        }
        return text
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        CaseFolding.ascii(byte) &- 0x61 < 26 || byte &- 0x30 < 10 || "-_.~%/:@+".utf8.contains(byte)
    }

    fileprivate var quoted: String {
        let texts = segments.map { segment in
            var out = ""
            for scalar in segment.unicodeScalars {
                switch scalar {
                case "\"", "\\", "*": out += "\\\(scalar)"
                case "\n": out += "\\n"
                case "\r": out += "\\r"
                case "\t": out += "\\t"
                case _ where scalar.isPrintable: out.unicodeScalars.append(scalar)
                default: out += "\\u{\(String(scalar.value, radix: 16))}"
                }
            }
            return out
        }
        return "\"" + texts.joined(separator: "*") + "\""
    }
}

extension FilterRange {
    fileprivate func written(_ number: FilterNumber) -> String {
        let text = { (value: Int64) in number.written(value) }
        switch (lower, upper) {
        case (let lower?, let upper?): return lower == upper ? text(lower) : "\(text(lower))..\(text(upper))"
        case (let lower?, nil): return Self.rounder(">=" + text(lower), ">" + text(lower - 1))
        case (nil, let upper?): return Self.rounder("<=" + text(upper), "<" + text(upper + 1))
        case (nil, nil): return ">=0"
        }
    }

    /// `>=400` rather than `>399`, and `>500ms` rather than `>=500001us`.
    private static func rounder(_ closed: String, _ open: String) -> String {
        let digits = { (text: String) in
            text.utf8.filter { $0 &- 0x30 < 10 }.reversed().drop { $0 == 0x30 }.count
        }
        return digits(open) < digits(closed) ? open : closed
    }
}

extension FilterNumber {
    fileprivate func written(_ value: Int64) -> String {
        switch self {
        case .requestSize, .responseSize:
            for (unit, shift) in [("G", 30), ("M", 20), ("K", 10)] where value != 0 && value % (1 << shift) == 0 {
                return "\(value >> shift)\(unit)"
            }
            return String(value)
        case .duration:
            for (unit, factor) in [("h", 3_600_000_000), ("m", 60_000_000), ("s", 1_000_000), ("ms", 1000)]
                as [(String, Int64)]
            where value != 0 && value % factor == 0 { return "\(value / factor)\(unit)" }
            return "\(value)us"
        default: return String(value)
        }
    }
}
