/// The name of a document's outermost element, without reading the document.
package enum XMLRoot {
    /// Its local name; nil where the text does not begin as XML does.
    package static func name(of text: String) -> String? {
        var rest = text.utf8[...]
        while true {
            rest = rest.drop { $0 == 32 || $0 == 9 || $0 == 10 || $0 == 13 }
            guard rest.first == UInt8(ascii: "<") else { return nil }
            if rest.starts(with: "<!--".utf8) {
                guard let end = rest.firstRange(of: "-->".utf8) else { return nil }
                rest = rest[end.upperBound...]
            } else if rest.starts(with: "<!".utf8) {
                guard let end = documentTypeEnd(rest) else { return nil }
                rest = rest[rest.index(after: end)...]
            } else if rest.starts(with: "<?".utf8) {
                guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return nil }
                rest = rest[rest.index(after: end)...]
            } else {
                let name = rest.dropFirst().prefix { !stops.contains($0) }
                return name.isEmpty ? nil : XMLElement.local(String(decoding: name, as: UTF8.self))
            }
        }
    }

    /// What an XML declaration says, in lower case; nil where there is none that does.
    static func encoding(of bytes: [UInt8]) -> String? {
        guard bytes.starts(with: "<?xml".utf8), let end = bytes.prefix(256).firstIndex(of: UInt8(ascii: ">")),
            let key = bytes[..<end].firstRange(of: Array("encoding".utf8))
        else { return nil }
        let rest = bytes[key.upperBound..<end].drop { $0 <= 32 || $0 == UInt8(ascii: "=") }
        guard let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
        return String(decoding: rest.dropFirst().prefix { $0 != quote }, as: UTF8.self).lowercased()
    }

    /// The `>` of a DOCTYPE: none within quotation marks, and none within `[ … ]`.
    private static func documentTypeEnd(_ text: Substring.UTF8View) -> Substring.UTF8View.Index? {
        var quote: UInt8?
        var isInside = false
        for at in text.indices {
            let byte = text[at]
            if let inner = quote {
                if byte == inner { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]") {
                isInside = byte == UInt8(ascii: "[")
            } else if byte == UInt8(ascii: ">"), !isInside {
                return at
            }
        }
        return nil
    }

    private static let stops = Array(" \t\r\n/><".utf8)
}
