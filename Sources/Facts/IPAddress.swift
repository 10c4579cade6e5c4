/// An IPv4 or IPv6 address, parsed and printed without the C library.
package struct IPAddress: Hashable, Sendable, CustomStringConvertible {
    /// 4 bytes (IPv4) or 16 (IPv6), in network order.
    package let bytes: [UInt8]

    package var isIPv4: Bool { bytes.count == 4 }

    package init?(bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Parses dotted-quad IPv4 or RFC 4291 §2.2 IPv6 (no zone, no brackets).
    package init?(_ text: some StringProtocol) {
        if text.utf8.contains(UInt8(ascii: ":")) {
            guard let parsed = Self.parseIPv6(Array(text.utf8)) else { return nil }
            bytes = parsed
        } else {
            guard let parsed = Self.parseIPv4(Array(text.utf8)) else { return nil }
            bytes = parsed
        }
    }

    /// Dotted quad, or the canonical IPv6 form of RFC 5952.
    package var description: String {
        if isIPv4 { return bytes.map(String.init).joined(separator: ".") }
        let groups = stride(from: 0, to: 16, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
        var best = 0..<0
        var start = 0
        while start < 8 {
            guard groups[start] == 0 else {
                start += 1
                continue
            }
            var end = start
            while end < 8, groups[end] == 0 { end += 1 }
            if end - start > best.count, end - start > 1 { best = start..<end }
            start = end
        }
        let hex = { (part: ArraySlice<UInt16>) in part.map { String($0, radix: 16) }.joined(separator: ":") }
        guard !best.isEmpty else { return hex(groups[...]) }
        return hex(groups[..<best.lowerBound]) + "::" + hex(groups[best.upperBound...])
    }

    private static func parseIPv4(_ text: [UInt8]) -> [UInt8]? {
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var out: [UInt8] = []
        for part in parts {
            // A leading zero would be octal to some resolvers: refuse what is ambiguous.
            guard (1...3).contains(part.count), part.count == 1 || part.first != UInt8(ascii: "0"),
                let value = UInt8(String(decoding: part, as: UTF8.self)), part.allSatisfy(Self.isDigit)
            else { return nil }
            out.append(value)
        }
        return out
    }

    private static func parseIPv6(_ text: [UInt8]) -> [UInt8]? {
        guard text.count <= 45 else { return nil }
        let colon = UInt8(ascii: ":")
        var halves: [ArraySlice<UInt8>] = [text[...]]
        if let at = text.indices.dropLast().first(where: { text[$0] == colon && text[$0 + 1] == colon }) {
            halves = [text[..<at], text[(at + 2)...]]
        }
        var parsed: [[UInt8]] = []
        for (index, half) in halves.enumerated() {
            var bytes: [UInt8] = []
            let groups = half.isEmpty ? [] : half.split(separator: colon, omittingEmptySubsequences: false)
            for (position, group) in groups.enumerated() {
                if group.contains(UInt8(ascii: ".")) {
                    guard index == halves.count - 1, position == groups.count - 1, let tail = parseIPv4(Array(group))
                    else { return nil }
                    bytes += tail
                } else {
                    guard (1...4).contains(group.count), group.allSatisfy(Self.isHexDigit),
                        let value = UInt16(String(decoding: group, as: UTF8.self), radix: 16)
                    else { return nil }
                    bytes += [UInt8(value >> 8), UInt8(value & 0xff)]
                }
            }
            parsed.append(bytes)
        }
        if parsed.count == 1 { return parsed[0].count == 16 ? parsed[0] : nil }
        let missing = 16 - parsed[0].count - parsed[1].count
        guard missing >= 2 else { return nil }
        return parsed[0] + [UInt8](repeating: 0, count: missing) + parsed[1]
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    private static func isHexDigit(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }
}
