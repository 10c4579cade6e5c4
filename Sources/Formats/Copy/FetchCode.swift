import Facts
import Flows

/// A request as a call of `fetch`, for Node and for browsers.
struct FetchCode {
    private var request: CopiedRequest

    init(_ request: CopiedRequest) { self.request = request }

    /// Those that a request of `fetch` makes itself, or refuses (Fetch §2.2.2; Node throws at some).
    private static let own = [
        "connection", "content-length", "expect", "host", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade",
        "proxy-connection",
    ]

    var copied: CopiedCommand {
        var notes = request.notes
        notes.append(
            "fetch writes header names in lower case and in its own order, joins duplicates, and adds headers of its own"
        )
        var code = "await fetch(\(Self.literal(request.safeURL)), {\n"
        code += "  method: \(Self.literal(request.method)),\n"
        let fields = sendable(&notes)
        if !fields.isEmpty {
            code += "  headers: [\n"
            for field in fields {
                // Each character is a byte.
                let value = String(String.UnicodeScalarView(field.valueBytes.map { Unicode.Scalar($0) }))
                code += "    [\(Self.literal(field.name)), \(Self.literal(value))],\n"
            }
            code += "  ],\n"
        }
        if let body = request.body {
            if request.method == "GET" || request.method == "HEAD" {
                notes.append("fetch sends no body with \(request.method): it is left out")
            } else {
                code += "  body: \(Self.bytes(body)),\n"
            }
        }
        if request.isRewritten(beyond: "'()*!$&+,;=:@/?%-._~[]", dots: true) {
            notes.append("fetch writes the URL in its own way: some characters as %41, and paths without dots")
        }
        if let note = request.noteOfPlace("fetch") { notes.append(note) }
        if let note = request.noteOfTarget("fetch") { notes.append(note) }
        if request.version == "HTTP/1.0" { notes.append("it was HTTP/1.0; fetch sends a later version") }
        code += "  redirect: \"manual\",\n});\n"
        return CopiedCommand(text: code, notes: notes, comment: "//")
    }

    private func sendable(_ notes: inout [String]) -> [HeaderField] {
        request.fields.filter { field in
            let isOwn = Self.own.contains(field.name.lowercased())
            // What it makes of itself needs no note.
            let isAsUsual =
                request.isPlainHost(field) || field.isNamed("content-length")
                || field.isNamed("connection") && field.value.lowercased() == "keep-alive"
            guard !field.valueBytes.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7f }) else {
                notes.append("fetch refuses what is in the header \(field.name), and it is left out")
                return false
            }
            if isOwn, !isAsUsual { notes.append("fetch refuses the header \(field.name), and it is left out") }
            return !isOwn
        }
    }

    /// Bytes, and never a string: fetch would give that a Content-Type.
    private static func bytes(_ bytes: [UInt8]) -> String {
        if let text = String(validating: bytes, as: UTF8.self), !text.unicodeScalars.contains("\0") {
            return "new TextEncoder().encode(\(literal(text)))"
        }
        return "Uint8Array.from(atob(\"\(Base64.encode(bytes))\"), (c) => c.charCodeAt(0))"
    }

    /// In quotes, with everything escaped that is not plain ASCII.
    static func literal(_ text: String) -> String {
        var out = "\""
        for unit in text.utf16 {
            switch unit {
            case 0x22: out += "\\\""
            case 0x5c: out += "\\\\"
            case 0x0a: out += "\\n"
            // `</script>` would end a page's script.
            case 0x3c: out += "\\u003c"
            case 0x20..<0x7f: out.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
            default:
                let digits = String(unit, radix: 16)
                out += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        return out + "\""
    }
}
