import Facts

/// What the first application bytes look like, in words that give nothing of them away.
package enum FirstBytesShape {
    /// `"http/1 GET"`, `"h2 preface"` or `"18 bytes"`.
    package static func describe(_ bytes: [UInt8]) -> String {
        let preface = PrefaceTest.preface
        // "PRI " is enough: the method is reserved for the preface (RFC 9113 §11.6).
        if bytes.count >= 4, bytes.prefix(preface.count).elementsEqual(preface.prefix(bytes.count)) {
            return "h2 preface"
        }
        if let space = bytes.prefix(longestMethod + 1).firstIndex(of: UInt8(ascii: " ")), space > 0,
            bytes[..<space].allSatisfy({
                (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) || $0 == UInt8(ascii: "-")
            }),
            bytes.count > space + 1, isTargetStart(bytes[space + 1])
        {
            return "http/1 " + String(decoding: bytes[..<space], as: UTF8.self)
        }
        return English.count(bytes.count, "byte")
    }

    /// `VERSION-CONTROL`, `UPDATEREDIRECTREF`: no registered method is longer.
    private static let longestMethod = 17

    /// A path, `*`, or the scheme of an absolute URL.
    private static func isTargetStart(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "*") || byte == UInt8(ascii: "h")
    }
}
