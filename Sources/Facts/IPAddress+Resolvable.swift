extension IPAddress {
    /// An IPv4 address in another spelling that resolvers take for one, as `inet_aton` (POSIX.1) and the URL standard's
    /// IPv4 parser (WHATWG URL, section 3.5) read it.
    ///
    /// One to four parts, each decimal, octal (`017`) or hexadecimal (`0x7f`); the last one fills what is left: `127.1`,
    /// `2130706433`, `0x7f000001`. nil for all else.
    package init?(resolvable text: some StringProtocol) {
        let bytes = text.utf8
        guard let first = bytes.first, Self.isDecimal(first), bytes.count <= Self.longest else { return nil }
        let parts = Substring(text).split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 4, let last = parts.last.flatMap({ Self.number($0) }) else { return nil }
        var value: UInt64 = 0
        for part in parts.dropLast() {
            guard let number = Self.number(part), number <= 255 else { return nil }
            value = value << 8 | number
        }
        let rest = UInt64(8 * (5 - parts.count))
        guard last < 1 << rest else { return nil }
        value = value << rest | last
        self.init(bytes: (0..<4).map { UInt8(truncatingIfNeeded: value >> UInt64(24 - 8 * $0)) })
    }

    /// Four octal parts with some zeros ahead.
    private static let longest = 64

    private static func number(_ part: Substring) -> UInt64? {
        let digits = part.utf8
        // `UInt64(_:radix:)` would take a sign as well.
        guard let first = digits.first, isDecimal(first) else { return nil }
        guard first == UInt8(ascii: "0"), digits.count > 1 else { return UInt64(part, radix: 10) }
        let isHex = digits[digits.index(after: digits.startIndex)] | 0x20 == UInt8(ascii: "x")
        guard isHex else { return UInt64(part, radix: 8) }
        let rest = part.dropFirst(2)
        guard rest.utf8.first != UInt8(ascii: "-"), rest.utf8.first != UInt8(ascii: "+") else { return nil }
        return rest.isEmpty ? 0 : UInt64(rest, radix: 16)
    }

    private static func isDecimal(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
