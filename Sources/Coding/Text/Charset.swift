/// Text out of bytes in whatever charset they were said to be in.
package enum Charset {
    /// Never fails: what cannot be read becomes U+FFFD.
    ///
    /// A byte order mark says more than the label does (Encoding §6, "decode"), and is no part of the text. Without a label,
    /// and with one that is not known, it is UTF-8 where it is that, else windows-1252, in which every byte is a character.
    ///
    /// - Parameters:
    ///   - bytes: a whole text.
    ///   - charset: a label of the Encoding Standard, as in `Content-Type`; `iso-8859-1` means windows-1252.
    /// - Returns: the text, and the name of the charset that it was read in: in lower case, as the Encoding Standard has it.
    package static func text(_ bytes: some Collection<UInt8>, charset label: String?) -> (text: String, charset: String)
    {
        let bytes = Array(bytes)
        if let (name, mark) = byteOrderMark(of: bytes) { return (decoded(bytes[mark...], name) ?? "", name) }
        if let name = label.flatMap({ CharsetNames.name(of: $0) }), let text = decoded(bytes[...], name) {
            return (text, name)
        }
        if let text = String(validating: bytes, as: UTF8.self) { return (text, "utf-8") }
        return (windows1252(bytes[...]), "windows-1252")
    }

    /// The bytes of a text in a charset; nil where that is not known, or it has not all of the text's characters, so that
    /// the same text would not be read of them.
    ///
    /// - Parameter label: as for `text`.
    package static func bytes(of text: String, charset label: String) -> [UInt8]? {
        guard let name = CharsetNames.name(of: label), let bytes = encoded(text, name),
            decoded(bytes[...], name).map({ $0.unicodeScalars.elementsEqual(text.unicodeScalars) }) == true
        else { return nil }
        return bytes
    }

    private static func encoded(_ text: String, _ name: String) -> [UInt8]? {
        switch name {
        case "utf-8": return Array(text.utf8)
        case "utf-16be": return text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }
        case "utf-16le": return text.utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }
        case "windows-1252":
            var bytes: [UInt8] = []
            for scalar in text.unicodeScalars {
                guard let byte = UInt8(exactly: scalar.value), !(0x80..<0xa0).contains(byte) else {
                    guard let place = windowsOnly.firstIndex(of: scalar) else { return nil }
                    bytes.append(0x80 + UInt8(place))
                    continue
                }
                bytes.append(byte)
            }
            return bytes
        default:
            for iconvName in CharsetNames.iconvNames(of: name) {
                if let bytes = IconvText.encode(text, to: iconvName) { return bytes }
            }
            return nil
        }
    }

    /// Whether a label is known, and what it stands for.
    package static func name(of label: String) -> String? { CharsetNames.name(of: label) }

    private static func byteOrderMark(of bytes: [UInt8]) -> (name: String, size: Int)? {
        if bytes.starts(with: [0xef, 0xbb, 0xbf]) { return ("utf-8", 3) }
        if bytes.starts(with: [0xfe, 0xff]) { return ("utf-16be", 2) }
        if bytes.starts(with: [0xff, 0xfe]) { return ("utf-16le", 2) }
        return nil
    }

    /// - Returns: nil where this system's iconv lacks the charset.
    private static func decoded(_ bytes: ArraySlice<UInt8>, _ name: String) -> String? {
        switch name {
        case "utf-8": return String(decoding: bytes, as: UTF8.self)
        case "utf-16be": return utf16(bytes) { UInt16($0) << 8 | UInt16($1) }
        case "utf-16le": return utf16(bytes) { UInt16($1) << 8 | UInt16($0) }
        case "windows-1252": return windows1252(bytes)
        default:
            for iconvName in CharsetNames.iconvNames(of: name) {
                if let text = IconvText.decode(bytes, from: iconvName) { return text }
            }
            return nil
        }
    }

    private static func utf16(_ bytes: ArraySlice<UInt8>, _ unit: (UInt8, UInt8) -> UInt16) -> String {
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        var at = bytes.startIndex
        while at + 1 < bytes.endIndex {
            units.append(unit(bytes[at], bytes[at + 1]))
            at += 2
        }
        return String(decoding: units, as: UTF16.self) + (at < bytes.endIndex ? "\u{fffd}" : "")
    }

    private static func windows1252(_ bytes: ArraySlice<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        for byte in bytes {
            if byte < 0x80 { text.append(byte) } else { text += upperHalf[Int(byte) - 0x80] }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Bytes 80 to ff in UTF-8.
    private static let upperHalf: [[UInt8]] =
        windowsOnly.map { Array(String($0).utf8) } + (0xa0...0xff).map { Array(String(Unicode.Scalar($0)).utf8) }

    /// 80 to 9f; the five that Windows leaves open are control characters (Encoding, index windows-1252).
    private static let windowsOnly = Array(
        ("\u{20ac}\u{81}\u{201a}\u{192}\u{201e}\u{2026}\u{2020}\u{2021}\u{2c6}\u{2030}\u{160}\u{2039}\u{152}\u{8d}\u{17d}"
            + "\u{8f}\u{90}\u{2018}\u{2019}\u{201c}\u{201d}\u{2022}\u{2013}\u{2014}\u{2dc}\u{2122}\u{161}\u{203a}\u{153}"
            + "\u{9d}\u{17e}\u{178}").unicodeScalars)
}
