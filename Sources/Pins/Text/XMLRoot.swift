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
            } else if rest.starts(with: "<?".utf8) || rest.starts(with: "<!".utf8) {
                guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return nil }
                rest = rest[rest.index(after: end)...]
            } else {
                let name = rest.dropFirst().prefix { !stops.contains($0) }
                return name.isEmpty ? nil : XMLElement.local(String(decoding: name, as: UTF8.self))
            }
        }
    }

    private static let stops = Array(" \t\r\n/><".utf8)
}
