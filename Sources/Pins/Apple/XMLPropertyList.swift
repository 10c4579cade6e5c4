import Facts

/// Reads a property list out of XML (Apple's PropertyList-1.0.dtd).
///
/// A piece of one, as people paste it, is read as well: what begins with a `<key>` is taken for the inside of a
/// dictionary.
enum XMLPropertyList {
    static func read(_ text: String) throws(PinFileFault) -> PropertyList {
        // What is no Info.plist may be read by whatever the app likes.
        let isInfo = text.utf8.firstRange(of: AppleConfigReader.security.utf8) != nil
        let platform: XMLPlatform? = isInfo ? .apple : nil
        let root = try XMLReader.read(isFragment(text) ? "<dict>\(text)</dict>" : text, of: platform)
        do throws(PinFileFault) { return try list(root) } catch {
            // XML, and no property list: to Apple's parser that is the same.
            throw platform == nil ? error : .syntax(line: error.line, error.message, platform)
        }
    }

    private static func list(_ root: XMLElement) throws(PinFileFault) -> PropertyList {
        guard root.name == "plist" else { return try value(root) }
        guard let first = root.children.first, root.children.count == 1 else {
            throw PinFileFault(line: root.line, "<plist> has \(root.children.count) values, and not one")
        }
        return try value(first)
    }

    /// It begins with the first key of a dictionary that is not there.
    static func isFragment(_ text: String) -> Bool {
        text.utf8.drop { $0 <= 32 }.starts(with: "<key".utf8)
    }

    // Recursion is bounded: XMLReader refuses what lies deeper than 64.
    private static func value(_ element: XMLElement) throws(PinFileFault) -> PropertyList {
        func made(_ value: PropertyList.Value) -> PropertyList { PropertyList(value, line: element.line) }
        func fault(_ message: String) -> PinFileFault { PinFileFault(line: element.line, message) }
        let text = element.text
        switch element.name {
        case "dict": return made(.dictionary(try entries(element)))
        case "array":
            var values: [PropertyList] = []
            for child in element.children { values.append(try value(child)) }
            return made(.array(values))
        case "string": return made(.string(text))
        case "true": return made(.boolean(true))
        case "false": return made(.boolean(false))
        case "integer":
            guard let number = integer(text) else {
                throw fault("<integer> has no whole number in it: \(quoted(text))")
            }
            return made(.integer(number))
        case "real":
            guard let number = Double(trimmed(text)) else { throw fault("<real> has no number in it: \(quoted(text))") }
            return made(.real(number))
        case "date":
            guard let seconds = UTCTime.unix(rfc3339: trimmed(text)) else {
                throw fault("<date> has no date like 2027-01-31T00:00:00Z in it: \(quoted(text))")
            }
            return made(.date(seconds))
        case "data":
            let bytes = text.utf8.filter { $0 > 0x20 }
            guard let decoded = Base64.decoded(bytes[...]) else { throw fault("<data> has no base64 in it") }
            return made(.data(decoded))
        default: throw fault("<\(element.name)> is nothing that a property list has")
        }
    }

    private static func entries(_ element: XMLElement) throws(PinFileFault) -> [PropertyList.Entry] {
        var entries: [PropertyList.Entry] = []
        var key: XMLElement?
        for child in element.children {
            if let name = key {
                guard child.name != "key" else {
                    throw PinFileFault(line: name.line, "the key \(quoted(name.text)) has no value")
                }
                entries.append(.init(name.text, line: name.line, try value(child)))
                key = nil
            } else if child.name == "key" {
                key = child
            } else {
                throw PinFileFault(line: child.line, "<\(child.name)> stands in a <dict> without a key")
            }
        }
        if let key { throw PinFileFault(line: key.line, "the key \(quoted(key.text)) has no value") }
        return entries
    }

    /// Decimal, or hexadecimal behind `0x`.
    private static func integer(_ text: String) -> Int64? {
        let text = trimmed(text)
        let isNegative = text.hasPrefix("-")
        let digits = isNegative || text.hasPrefix("+") ? text.dropFirst() : Substring(text)
        if digits.hasPrefix("0x") || digits.hasPrefix("0X") {
            guard let bits = UInt64(digits.dropFirst(2), radix: 16) else { return nil }
            return isNegative ? Int64(exactly: bits).map { -$0 } : Int64(bitPattern: bits)
        }
        return Int64(text) ?? UInt64(text).map { Int64(bitPattern: $0) }
    }

    private static func trimmed(_ text: String) -> String {
        let start = text.drop { $0.isWhitespace }
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...last])
    }

    private static func quoted(_ text: String) -> String { "\"\(Printable.excerpt(text, limit: 60))\"" }
}
