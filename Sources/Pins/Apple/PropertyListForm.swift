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
        let head = Self.start(of: Array(text.utf8.prefix(Self.headLimit)))
        func begins(_ word: String) -> Bool { head.starts(with: word.utf8) }
        if ["<?xml", "<!DOCTYPE plist", "<plist", "<dict", "<key"].contains(where: begins) {
            let isOne = ["<plist", "<dict"].contains { ByteSearch.contains(Array($0.utf8), in: Array(text.utf8)) }
            guard isOne else { return nil }
            self = .xml(text)
        } else if begins("{"), Self.isAssignment(head.dropFirst()) {
            self = .oldStyle
        } else {
            return nil
        }
    }

    /// Bytes in which a file has to say what it is.
    private static let headLimit = 65_536

    /// Behind white space, a mark of UTF-8 and comments of XML.
    private static func start(of head: [UInt8]) -> ArraySlice<UInt8> {
        var rest = head.starts(with: [0xef, 0xbb, 0xbf]) ? head[3...] : head[...]
        while true {
            rest = rest.drop { isSpace($0) }
            guard rest.starts(with: "<!--".utf8), let end = ByteSearch.first(Array("-->".utf8), in: Array(rest)) else {
                return rest
            }
            rest = rest.dropFirst(end + 3)
        }
    }

    /// `key = ` or `"key" = `, which no JSON begins with.
    private static func isAssignment(_ text: ArraySlice<UInt8>) -> Bool {
        let rest = text.drop { isSpace($0) }.drop { $0 == UInt8(ascii: "\"") }
        let key = rest.prefix { ShellWords.isName($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
        guard !key.isEmpty else { return false }
        let behind = rest[key.endIndex...].drop { $0 == UInt8(ascii: "\"") }.drop { isSpace($0) }
        return behind.first == UInt8(ascii: "=")
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 || byte == 10 || byte == 13 }

    /// Whether one of the words stands in it at all; keys are plain ASCII in every form.
    static func mentions(_ words: [String], in content: PinFileContent) -> Bool {
        guard let form = PropertyListForm(of: content) else { return false }
        // UTF-16 has other bytes.
        var bytes = content.bytes
        if case .xml(let text) = form, bytes.first.map({ $0 >= 0xfe }) == true { bytes = Array(text.utf8) }
        return words.contains { ByteSearch.contains(Array($0.utf8), in: bytes) }
    }
}
