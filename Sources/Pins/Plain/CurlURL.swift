import Facts

/// The host of an address that curl is given.
struct CurlURL {
    /// nil where it is not known: put together while the script runs, or a row of several in braces.
    private(set) var name: String?
    private(set) var scheme: String
    private(set) var notes: [PinNote] = []
    let line: Int

    init(_ word: ShellWords.Word, defaultScheme: String) {
        line = word.line
        var rest = Substring(word.text)
        let mark = rest.firstRange(of: "://")
        scheme = mark.map { rest[..<$0.lowerBound].lowercased() } ?? defaultScheme
        if let mark { rest = rest[mark.upperBound...] }
        rest = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        if let at = rest.lastIndex(of: "@") { rest = rest[rest.index(after: at)...] }
        if rest.hasPrefix("[") {
            rest = rest[...(rest.firstIndex(of: "]") ?? rest.index(before: rest.endIndex))]
        } else if let colon = rest.firstIndex(of: ":") {
            rest = rest[..<colon]
        }
        name = HostName(rest)?.text
        let shown = Printable.excerpt(word.text.replacing(String(ShellWords.unknown), with: "…"))
        if name == nil {
            notes.append(PinNote(.unresolved, line: line, "the host of \(shown) is not known from the file alone"))
        }
        if scheme.contains(ShellWords.unknown) || rest.contains(ShellWords.unknown) && mark == nil {
            scheme = ""
        } else if scheme == "http" {
            let why = mark == nil ? "curl takes http:// where no scheme is given" : "there is no TLS in it"
            notes.append(PinNote(.neverMatches, line: line, "no pin is compared at \(shown): \(why)"))
        }
    }
}
