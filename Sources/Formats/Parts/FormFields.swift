/// Names and values of a query or a form, with their places.
///
/// `application/x-www-form-urlencoded`.
enum FormFields {
    struct Field: Hashable {
        /// Of the bytes that were looked at, still encoded.
        var name: Range<Int>
        /// Nil where there is no `=`.
        var value: Range<Int>?
    }

    static func places(in bytes: ArraySlice<UInt8>) -> [Field] {
        bytes.split(separator: UInt8(ascii: "&")).map { part in
            guard let equals = part.firstIndex(of: UInt8(ascii: "=")) else {
                return Field(name: part.startIndex..<part.endIndex, value: nil)
            }
            return Field(name: part.startIndex..<equals, value: (equals + 1)..<part.endIndex)
        }
    }

    /// Decoded, as people read them.
    static func pairs(_ text: String) -> [(name: String, value: String)] {
        let bytes = Array(text.utf8)
        return places(in: bytes[...]).map { field in
            (
                String(decoding: decoded(bytes[field.name]), as: UTF8.self),
                field.value.map { String(decoding: decoded(bytes[$0]), as: UTF8.self) } ?? ""
            )
        }
    }

    /// `%41` is a byte, `+` a blank; a percent sign that begins nothing stands for itself.
    static func decoded(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool = true) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        var at = bytes.startIndex
        while at < bytes.endIndex {
            let byte = bytes[at]
            if byte == UInt8(ascii: "%"), at + 2 < bytes.endIndex, let high = bytes[at + 1].hexValue,
                let low = bytes[at + 2].hexValue
            {
                out.append(high << 4 | low)
                at += 3
                continue
            }
            out.append(byte == UInt8(ascii: "+") && plusIsSpace ? 0x20 : byte)
            at += 1
        }
        return out
    }

    /// Everything but letters, digits and `-._~`, and the brackets of `[redacted]`, as `%41`.
    static func encoded(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var out: [UInt8] = []
        for byte in bytes {
            if byte.isNameByte || byte == UInt8(ascii: "~") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]") {
                out.append(byte)
            } else {
                out += [UInt8(ascii: "%")] + [byte >> 4, byte & 15].map { $0 < 10 ? 0x30 + $0 : 0x37 + $0 }
            }
        }
        return out
    }
}
