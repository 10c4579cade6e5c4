/// The profile's file, so that a report can point to the line of a host.
package struct ProfileSource: Hashable, Sendable {
    /// From the top of the repository where it is in one.
    package var path: String
    /// From 1, by rule as `HostVerdict.rule` has it.
    package var lines: [String: Int]
    /// Where its hosts begin: for what no rule is about.
    package var first: Int

    package init(path: String, lines: [String: Int], first: Int = 1) {
        self.path = path
        self.lines = lines
        self.first = first
    }

    /// - Parameter rule: nil for what no rule is about.
    func line(of rule: String?) -> Int { max(1, rule.flatMap { lines[$0] } ?? first) }

    /// The path as a relative URI reference (RFC 3986 §4.2), or an absolute one.
    var uri: String {
        var uri = path.hasPrefix("/") ? "file://" : ""
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                uri.unicodeScalars.append(Unicode.Scalar(byte))
            case _ where "-._~/+@,".utf8.contains(byte): uri.unicodeScalars.append(Unicode.Scalar(byte))
            default: uri += "%" + Self.hex(byte)
            }
        }
        return uri
    }

    private static func hex(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return digits.count == 1 ? "0" + digits : digits
    }
}
