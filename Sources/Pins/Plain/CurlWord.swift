/// The word `curl` where it begins a command.
struct CurlWord {
    let start: Int
    let end: Int
    /// It stands right behind a quotation mark, which ends the command: `"curl -k …"`.
    let quote: UInt8?

    static func first(in bytes: [UInt8], from start: Int, to limit: Int) -> CurlWord? {
        let word = Array("curl".utf8)
        var at = start
        while let found = ByteSearch.first(word, in: bytes, from: at), found + word.count <= limit {
            at = found + word.count
            var end = at
            if bytes[end...].starts(with: ".exe".utf8) { end += 4 }
            let before = found > 0 ? bytes[found - 1] : 10
            let behind = end < bytes.count ? bytes[end] : 10
            let isQuote = "\"'`".utf8.contains(before)
            let begins = isQuote || " \t\n\r/@(;|&=:\\".utf8.contains(before)
            guard begins, " \t\n\r\\^\"'".utf8.contains(behind) else { continue }
            // A name with quotation marks of its own is a word like any other.
            let isNameAlone = behind == UInt8(ascii: "\"") || behind == UInt8(ascii: "'")
            if isNameAlone { end += 1 }
            return CurlWord(start: found, end: min(end, limit), quote: isQuote && !isNameAlone ? before : nil)
        }
        return nil
    }

    /// The same within quotation marks that other words of theirs stand before it in.
    func within(_ quote: UInt8?) -> CurlWord { CurlWord(start: start, end: end, quote: self.quote ?? quote) }

    /// What follows it within its quotation marks, without the backslashes that they needed; and where they end.
    func quoted(in bytes: [UInt8], to limit: Int) -> (inner: [UInt8], end: Int) {
        var inner: [UInt8] = []
        var at = end
        while at < limit, bytes[at] != quote, at - end < ShellWords.quoteLimit {
            if bytes[at] == UInt8(ascii: "\\"), at + 1 < limit, bytes[at + 1] != 10 { at += 1 }
            inner.append(bytes[at])
            at += 1
        }
        return (inner, at)
    }

    /// Its arguments where they are strings with commas between them: `"curl", "-k", "https://…"`, `'curl', ['-k']`.
    static func list(
        in bytes: [UInt8], from name: CurlWord, to limit: Int, line: Int
    ) -> (words: [ShellWords.Word], end: Int)? {
        var at = name.end
        var line = line
        func skip(_ kinds: String) {
            while at < limit, kinds.utf8.contains(bytes[at]) {
                if bytes[at] == 10 { line += 1 }
                at += 1
            }
        }
        skip(" \t\r\n")
        guard at < limit, bytes[at] == UInt8(ascii: ","), name.end > name.start + 4 else { return nil }
        var words: [ShellWords.Word] = []
        while true {
            // An array of its own may hold them, and a string may have a letter before it: `f"…"`.
            skip(" \t\r\n,[")
            guard at < limit else { break }
            let first = line
            guard bytes[at] == UInt8(ascii: "\"") || bytes[at] == UInt8(ascii: "'") else {
                let start = at
                while at < limit, ShellWords.isName(bytes[at]) || bytes[at] == UInt8(ascii: ".") { at += 1 }
                guard at > start else { break }
                if at < limit, bytes[at] == UInt8(ascii: "\"") || bytes[at] == UInt8(ascii: "'") { continue }
                words.append(.init(text: String(ShellWords.unknown), line: first))
                continue
            }
            let quote = bytes[at]
            at += 1
            var text: [UInt8] = []
            while at < limit, bytes[at] != quote, bytes[at] != 10 {
                if bytes[at] == UInt8(ascii: "\\"), at + 1 < limit { at += 1 }
                text.append(bytes[at])
                at += 1
            }
            guard at < limit, bytes[at] == quote else { break }
            at += 1
            words.append(.init(text: String(decoding: text, as: UTF8.self), line: first))
        }
        return (words, at)
    }
}
