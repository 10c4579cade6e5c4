/// A file's bytes as text.
///
/// That is UTF-8; UTF-16 with its mark; what an XML declaration says; and Latin-1 in source code, which has no
/// declaration: names of hosts and pins are ASCII there as well.
enum TextDecoding {
    /// nil where it is no text.
    static func text(of bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0xff, 0xfe]) || bytes.starts(with: [0xfe, 0xff]) { return utf16(bytes) }
        let mark: [UInt8] = [0xef, 0xbb, 0xbf]
        guard !bytes.starts(with: mark) else { return String(validating: bytes[3...], as: UTF8.self) }
        if let encoding = XMLRoot.encoding(of: bytes), singleByte.contains(encoding) { return latin1(bytes) }
        return String(validating: bytes, as: UTF8.self) ?? (isLikeCode(bytes) ? latin1(bytes) : nil)
    }

    /// As XML declarations name them. Windows' has letters where Latin-1 has controls: no name or pin has any of them.
    private static let singleByte = ["iso-8859-1", "latin1", "windows-1252", "cp1252"]

    private static func utf16(_ bytes: [UInt8]) -> String? {
        let isLittle = bytes[0] == 0xff
        let units = stride(from: 2, to: bytes.count - 1, by: 2).map {
            isLittle ? UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8 : UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
        }
        return String(validating: units, as: UTF16.self)
    }

    /// Each byte is a character, so that lines and columns stay what they are.
    private static func latin1(_ bytes: [UInt8]) -> String {
        var text = String.UnicodeScalarView()
        for byte in bytes { text.append(Unicode.Scalar(byte)) }
        return String(text)
    }

    /// Without a control character, which every binary format has; XML and JSON say their encoding, or are UTF-8.
    private static func isLikeCode(_ bytes: [UInt8]) -> Bool {
        guard let first = bytes.first(where: { $0 > 32 }), !"<{[".utf8.contains(first) else { return false }
        return bytes.allSatisfy { $0 >= 32 && $0 != 127 || (9...13).contains($0) }
    }
}
