import Facts
import Flows

/// A request as an `http` command (HTTPie 3).
struct HTTPieCommand {
    private var request: CopiedRequest

    init(_ request: CopiedRequest) { self.request = request }

    var copied: CopiedCommand {
        var notes = request.notes
        // `-oFILE` would be an option, and `a=b` a field.
        guard request.method.utf8.allSatisfy({ $0.isAlphanumeric && !$0.isDigit }), !request.method.isEmpty else {
            notes.append("HTTPie takes methods of letters alone, and not this one: there is no command for it")
            return CopiedCommand(text: "", notes: notes, comment: "#")
        }
        var options = ["http --path-as-is"]
        var pipe = ""
        var raw: String?
        if let body = request.body, !ShellQuoting.fits(body) {
            pipe = ShellQuoting.printing(body) + " | "
        } else {
            options[0] += " --ignore-stdin"
            raw = request.body.map { "--raw=\(ShellQuoting.word($0))" }
        }
        if request.isChunked { options[0] += " --chunked" }
        if let raw { options.append(raw) }
        if request.method != request.method.uppercased() {
            notes.append("HTTPie writes the method in capitals")
        }
        options.append("\(ShellQuoting.word(request.method)) \(ShellQuoting.word(request.safeURL))")
        if request.isRewritten(beyond: "'()*!$&+,;=:@/?%-._~", dots: false) {
            notes.append("HTTPie writes some characters of the URL as %41")
        }
        if request.body == nil, !["GET", "HEAD"].contains(request.method), request.values("content-length") != ["0"] {
            notes.append("HTTPie adds Content-Length: 0")
        }
        if request.version == "h2" { notes.append("it was HTTP/2; HTTPie sends HTTP/1.1") }
        if request.version == "HTTP/1.0" { notes.append("it was HTTP/1.0; HTTPie sends HTTP/1.1") }
        if let note = request.noteOfPlace("HTTPie") { notes.append(note) }
        if let note = request.noteOfTarget("HTTPie") { notes.append(note) }
        options += headers(&notes)
        return CopiedCommand(text: pipe + options.joined(separator: " \\\n  ") + "\n", notes: notes, comment: "#")
    }

    private func headers(_ notes: inout [String]) -> [String] {
        var lines: [String] = []
        var names: [String] = []
        for field in request.fields {
            // Written by HTTPie itself.
            if request.isPlainHost(field) || field.isNamed("content-length") { continue }
            if field.isNamed("transfer-encoding"), request.isChunked { continue }
            let name = Printable.excerpt(field.name)
            guard !field.name.hasPrefix("-"), let value = Self.item(field) else {
                notes.append("HTTPie cannot send the header \(name) as it is, and it is left out")
                continue
            }
            if field.isLatin1 { notes.append("the header \(name) is sent as UTF-8, and was ISO 8859-1") }
            let lower = field.name.lowercased()
            if names.contains(lower), names.last != lower {
                notes.append("HTTPie sends the headers named \(name) one after the other")
            }
            names.append(lower)
            lines.append(ShellQuoting.word(value))
        }
        for name in ["Accept", "Accept-Encoding", "Connection", "User-Agent"] where !request.has(name.lowercased()) {
            lines.append("'\(name):'")
        }
        if request.body != nil, !request.has("content-type") { lines.append("'Content-Type:'") }
        return lines
    }

    /// `Name:value`; nil where its rules of escaping cannot say the value.
    private static func item(_ field: HeaderField) -> String? {
        guard !field.name.contains("`"), field.name.utf8.allSatisfy({ $0.isNameByte }) else { return nil }
        guard !field.value.isEmpty else { return field.name + ";" }
        var value = field.value
        let special: [Character] = [":", "=", "@", ";"]
        // A backslash before one of these would be taken for an escape.
        for mark in special where value.contains("\\\(mark)") { return nil }
        // `:=` and `:@` mean something else than `:`.
        if let first = value.first, special.contains(first) { value = "\\" + value }
        return field.name + ":" + value
    }
}
