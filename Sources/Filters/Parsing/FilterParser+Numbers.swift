import Facts

extension FilterParser {
    /// What a number counts, which says how it is written.
    enum Quantity {
        case count
        /// `4xx` is 400 to 499.
        case status
        /// In bytes: `10K`, `1.5M`, `2GiB`.
        case size
        /// In microseconds: `500ms`, `1m30s`; without a unit, milliseconds.
        case duration

        /// The numbers that the text stands for.
        func numbers(_ text: Substring) -> ClosedRange<Int64>? {
            switch self {
            case .count: FilterNumberText.whole(text).map { $0...$0 }
            case .status: FilterNumberText.status(text)
            case .size: FilterNumberText.size(text).map { $0...$0 }
            case .duration: FilterNumberText.duration(text, plainIsMilliseconds: true).map { $0...$0 }
            }
        }
    }

    mutating func ranges(of key: FilterKey, _ quantity: Quantity) throws(FilterFault) -> [FilterRange] {
        var ranges: [FilterRange] = []
        for element in try elements(of: key) { ranges.append(try range(element.piece, key, quantity)) }
        return ranges
    }

    /// `404`, `>=400`, `200..299`, `200..`, `..299`.
    func range(_ piece: FilterScanner.Piece, _ key: FilterKey, _ quantity: Quantity) throws(FilterFault) -> FilterRange
    {
        let text = piece.text
        let sign = text.prefix { "<>=".contains($0) }
        if sign.isEmpty, let dots = Self.dots(in: text) { return try range(piece, dots, key, quantity) }
        let rest = text.dropFirst(sign.count)
        guard let numbers = quantity.numbers(rest) else { throw noNumber(piece, sign, rest, key, quantity) }
        let range =
            switch sign {
            case "", "=": FilterRange(numbers.lowerBound, numbers.upperBound)
            case ">=": FilterRange(numbers.lowerBound, nil)
            case "<=": FilterRange(nil, numbers.upperBound)
            case ">": FilterRange(numbers.upperBound + 1, nil)
            case "<": FilterRange(nil, numbers.lowerBound - 1)
            default: FilterRange?.none
            }
        guard let range else { throw noNumber(piece, sign, rest, key, quantity) }
        return range
    }

    private static func dots(in text: String) -> (Substring, Substring)? {
        let bytes = text.utf8
        guard
            let first = bytes.indices.dropLast().first(where: {
                bytes[$0] == 0x2e && bytes[bytes.index(after: $0)] == 0x2e
            })
        else { return nil }
        return (text[..<first], text[bytes.index(first, offsetBy: 2)...])
    }

    private func range(
        _ piece: FilterScanner.Piece, _ ends: (Substring, Substring), _ key: FilterKey, _ quantity: Quantity
    ) throws(FilterFault) -> FilterRange {
        let lower = quantity.numbers(ends.0)
        let upper = quantity.numbers(ends.1)
        guard lower != nil || ends.0.isEmpty, upper != nil || ends.1.isEmpty, lower != nil || upper != nil else {
            throw noNumber(piece, "", piece.text[...], key, quantity)
        }
        if let lower, let upper, lower.lowerBound > upper.upperBound {
            throw fault(
                piece.range, "the range ends before it begins", replacement: "\(ends.1)..\(ends.0)")
        }
        return FilterRange(lower?.lowerBound, upper?.upperBound)
    }

    private func noNumber(
        _ piece: FilterScanner.Piece, _ sign: Substring, _ rest: Substring, _ key: FilterKey, _ quantity: Quantity
    ) -> FilterFault {
        var meant: String?
        if let other = ["=>": ">=", "=<": "<=", "==": "", "<>": "", "><": ""][String(sign)],
            quantity.numbers(rest) != nil
        {
            meant = other + rest
        } else if sign.isEmpty {
            let ends = rest.split(separator: "-", omittingEmptySubsequences: false)
            if ends.count == 2, quantity.numbers(ends[0]) != nil, quantity.numbers(ends[1]) != nil {
                meant = "\(ends[0])..\(ends[1])"
            }
        }
        let noun =
            switch quantity {
            case .count: "number"
            case .status: "status"
            case .size: "size"
            case .duration: "duration"
            }
        return fault(
            piece.range, "\"\(Printable.excerpt(piece.text))\" is no \(noun)", replacement: meant,
            hint: "for instance \(key.example)")
    }
}

/// Numbers as people write them, with units.
enum FilterNumberText {
    static func whole(_ text: Substring) -> Int64? {
        // So many digits that no arithmetic with them overflows.
        text.utf8.count <= 18 && text.utf8.allSatisfy { $0 &- 0x30 < 10 } ? Int64(text) : nil
    }

    static func status(_ text: Substring) -> ClosedRange<Int64>? {
        let digits = text.utf8.prefix { $0 &- 0x30 < 10 }
        let rest = text.utf8[digits.endIndex...]
        guard let number = whole(text[..<digits.endIndex]) else { return nil }
        if rest.isEmpty { return number...number }
        guard digits.count + rest.count == 3, rest.allSatisfy({ $0 | 0x20 == UInt8(ascii: "x") }) else { return nil }
        let width: Int64 = rest.count == 1 ? 10 : 100
        return number * width...number * width + width - 1
    }

    /// Bytes.
    static func size(_ text: Substring) -> Int64? {
        let digits = number(text)
        let powers: [String: Double] = ["": 0, "k": 1, "m": 2, "g": 3, "t": 4]
        var unit = text[digits.endIndex...].lowercased()
        if unit.hasSuffix("b") { unit.removeLast() }
        if unit.count == 2, unit.hasSuffix("i") { unit.removeLast() }
        guard let value = Double(digits), let power = powers[unit] else { return nil }
        return bounded(value * (0..<Int(power)).reduce(1.0) { product, _ in product * 1024 })
    }

    /// Microseconds.
    ///
    /// - Parameter plainIsMilliseconds: a number may be without a unit.
    static func duration(_ text: Substring, plainIsMilliseconds: Bool) -> Int64? {
        var rest = text
        var sum = 0.0
        guard !rest.isEmpty else { return nil }
        while !rest.isEmpty {
            let digits = number(rest)
            guard let value = Double(digits) else { return nil }
            rest = rest[digits.endIndex...]
            if rest.isEmpty, plainIsMilliseconds, digits.startIndex == text.startIndex { return bounded(value * 1000) }
            let unit = rest.utf8.prefix { $0 &- 0x30 >= 10 && $0 != UInt8(ascii: ".") }
            guard let factor = units[rest[..<unit.endIndex].lowercased()] else { return nil }
            rest = rest[unit.endIndex...]
            sum += value * factor
        }
        return bounded(sum)
    }

    private static let units: [String: Double] = [
        "us": 1, "µs": 1, "μs": 1, "ms": 1000, "s": 1e6, "sec": 1e6, "m": 60e6, "min": 60e6, "h": 3600e6, "d": 86_400e6,
        "w": 604_800e6,
    ]

    /// Digits with at most one point between them.
    private static func number(_ text: Substring) -> Substring {
        var hasPoint = false
        let prefix = text.utf8.prefix { byte in
            if byte == UInt8(ascii: "."), !hasPoint {
                hasPoint = true
                return true
            }
            return byte &- 0x30 < 10
        }
        guard prefix.first.map({ $0 &- 0x30 < 10 }) == true, prefix.last != UInt8(ascii: ".") else {
            return text.prefix(0)
        }
        return text[prefix.startIndex..<prefix.endIndex]
    }

    /// Beyond it a Double does not tell whole numbers apart, and nothing is as large.
    private static func bounded(_ value: Double) -> Int64? { value < 9e15 ? Int64(value.rounded()) : nil }
}
