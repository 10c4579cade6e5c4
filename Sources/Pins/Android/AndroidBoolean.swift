/// A boolean attribute as Android's compiler and platform read it together.
enum AndroidBoolean {
    /// nil where the platform takes its default.
    ///
    /// The compiler makes a boolean of three spellings and a number of what looks like one (AOSP, aapt2:
    /// ResourceUtils.cpp); the platform takes every number but 0 for true, and of a string the default
    /// (XmlBlock.java).
    static func read(_ attribute: XMLElement.Attribute?) -> Bool? {
        guard let attribute else { return nil }
        if let compiled = attribute.compiled { return compiled.boolean }
        switch AndroidConfigParser.trimmed(attribute.value) {
        case "true", "TRUE", "True": return true
        case "false", "FALSE", "False": return false
        case let text: return integer(text).map { $0 != 0 }
        }
    }

    private static func integer(_ text: String) -> Int64? {
        let isNegative = text.hasPrefix("-")
        let digits = isNegative ? text.dropFirst() : text[...]
        // `Int64(_:)` would take a second sign as well.
        guard let first = digits.utf8.first, first >= 48, first <= 57 else { return nil }
        let isHex = digits.hasPrefix("0x") || digits.hasPrefix("0X")
        guard let number = isHex ? hexadecimal(digits.dropFirst(2)) : Int64(digits) else { return nil }
        return number <= (isHex ? Int64(UInt32.max) : Int64(Int32.max) + 1) ? number : nil
    }

    private static func hexadecimal(_ digits: Substring) -> Int64? {
        guard let first = digits.utf8.first, first != UInt8(ascii: "+"), first != UInt8(ascii: "-") else { return nil }
        return Int64(digits, radix: 16)
    }
}
