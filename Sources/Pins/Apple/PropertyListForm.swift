import Facts

/// In which way a property list is written, as its first characters say.
enum PropertyListForm: Hashable, Sendable {
    case binary
    case xml(String)
    /// `{ key = value; }` of NeXTSTEP.
    case oldStyle

    /// nil where it is no property list.
    init?(of content: PinFileContent) {
        if content.bytes.starts(with: BinaryPropertyList.mark) {
            self = .binary
            return
        }
        guard let text = content.text else { return nil }
        let start = Self.start(of: text)
        let isXML = ["<?xml", "<!DOCTYPE plist", "<plist", "<dict", "<key"].contains { start.hasPrefix($0) }
        if isXML, text.contains("<dict") || text.contains("<plist") {
            self = .xml(text)
        } else if start.hasPrefix("{"), Self.isAssignment(start.dropFirst()) {
            self = .oldStyle
        } else {
            return nil
        }
    }

    /// Behind white space and comments of XML.
    private static func start(of text: String) -> Substring {
        var rest = text.drop { $0.isWhitespace }
        // As many comments as before any file that is meant seriously.
        for _ in 0..<16 where rest.hasPrefix("<!--") {
            guard let end = rest.firstRange(of: "-->") else { break }
            rest = rest[end.upperBound...].drop { $0.isWhitespace }
        }
        return rest
    }

    /// `key = ` or `"key" = `, which no JSON begins with.
    private static func isAssignment(_ text: Substring) -> Bool {
        let rest = text.drop { $0.isWhitespace }
        let isQuoted = rest.first == "\""
        let key = (isQuoted ? rest.dropFirst() : rest).prefix {
            $0 == "." || $0 == "-" || $0 == "_" || $0.isLetter || $0.isNumber
        }
        guard !key.isEmpty else { return false }
        let behind = rest[key.endIndex...].drop { $0 == "\"" }.drop { $0.isWhitespace }
        return behind.first == "="
    }

    /// Whether one of the words stands in it at all; keys are plain ASCII in every form.
    static func mentions(_ words: [String], in content: PinFileContent) -> Bool {
        guard PropertyListForm(of: content) != nil else { return false }
        guard let text = content.text else {
            return words.contains { ByteSearch.contains(Array($0.utf8), in: content.bytes) }
        }
        return words.contains { text.utf8.firstRange(of: $0.utf8) != nil }
    }
}
