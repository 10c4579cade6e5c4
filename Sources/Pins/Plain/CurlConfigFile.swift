/// One of curl's config files, `.curlrc` or what `-K` names (curl(1), `--config`).
///
/// An option a line, with or without its dashes, and its value behind white space, `=` or `:`; in quotation marks
/// `\"`, `\\`, `\t`, `\n`, `\r` and `\v` are escapes.
enum CurlConfigFile {
    static func declaresPins(_ bytes: [UInt8]) -> Bool { lines(bytes).contains { $0.name == "pinnedpubkey" } }

    static func read(_ bytes: [UInt8]) -> CurlOptions {
        var words: [ShellWords.Word] = []
        let lines = lines(bytes)
        for option in lines {
            let isLetter = option.name.count == 1 || option.hasOneDash
            words.append(.init(text: (isLetter ? "-" : "--") + option.name, line: option.line))
            let takesValue = !isLetter && CurlOptions.takesValue(option.name)
            if let value = option.value, takesValue || isLetter { words.append(.init(text: value, line: option.line)) }
        }
        var options = CurlOptions(line: lines.first { $0.name == "pinnedpubkey" }?.line ?? 1)
        options.read(words)
        return options
    }

    private struct Line {
        var name: String
        var value: String?
        var hasOneDash: Bool
        var line: Int
    }

    private static func lines(_ bytes: [UInt8]) -> [Line] {
        bytes.split(separator: 10, omittingEmptySubsequences: false).enumerated().compactMap { place, raw in
            var rest = raw.drop { isSpace($0) }
            guard let first = rest.first, first != UInt8(ascii: "#") else { return nil }
            let dashes = rest.prefix { $0 == UInt8(ascii: "-") }.count
            rest = rest.dropFirst(dashes)
            let name = rest.prefix { ShellWords.isName($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }
            guard !name.isEmpty, dashes <= 2 else { return nil }
            let behind = rest[name.endIndex...]
            // Something else in the place of a separator: a line of a program.
            guard behind.isEmpty || isSpace(behind[behind.startIndex]) || isSign(behind[behind.startIndex]) else {
                return nil
            }
            let value = behind.drop { isSpace($0) || isSign($0) }
            return Line(
                name: String(decoding: name, as: UTF8.self), value: value.isEmpty ? nil : unquoted(value),
                hasOneDash: dashes == 1, line: place + 1)
        }
    }

    private static func unquoted(_ raw: ArraySlice<UInt8>) -> String {
        guard raw.first == UInt8(ascii: "\"") else {
            return String(decoding: raw.prefix { !isSpace($0) }, as: UTF8.self)
        }
        var text: [UInt8] = []
        var at = raw.startIndex + 1
        while at < raw.endIndex, raw[at] != UInt8(ascii: "\"") {
            if raw[at] == UInt8(ascii: "\\"), at + 1 < raw.endIndex {
                at += 1
                switch raw[at] {
                case UInt8(ascii: "t"): text.append(9)
                case UInt8(ascii: "n"): text.append(10)
                case UInt8(ascii: "r"): text.append(13)
                case UInt8(ascii: "v"): text.append(11)
                default: text.append(raw[at])
                }
            } else {
                text.append(raw[at])
            }
            at += 1
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 || byte == 13 }
    private static func isSign(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "=") || byte == UInt8(ascii: ":") }
}
