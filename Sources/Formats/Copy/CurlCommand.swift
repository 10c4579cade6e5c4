import Facts
import Flows

/// A request as a `curl` command.
///
/// Headers that curl would add are taken away, so that what is sent is what was recorded.
struct CurlCommand {
    private var request: CopiedRequest
    /// curl's `--connect-to`: connections for the URL's host and port go to another.
    private var detour: String?

    init(_ request: CopiedRequest) {
        self.request = request
        guard let place = request.place else { return }
        guard place.isNamedInTLS else {
            let url = request.url
            detour = "\(url.host):\(url.port ?? url.defaultPort ?? 80):\(place.host):\(place.port)"
            return
        }
        // What TLS names is the URL's host to curl, and the request is for another all the same (domain fronting).
        if !request.has("host") { self.request.fields.insert(HeaderField("Host", request.url.authority), at: 0) }
        self.request.url.host = place.host
        self.request.url.port = place.port == request.url.defaultPort ? nil : place.port
    }

    var copied: CopiedCommand {
        var notes = request.notes
        var lines = ["curl --globoff --path-as-is" + version(&notes)]
        let hasBody = request.body != nil
        if request.method == "HEAD", !hasBody {
            lines.append("--head")
        } else if request.method != "GET" || hasBody {
            lines.append("--request \(ShellQuoting.word(request.method))")
            if request.method == "HEAD" {
                lines.append("--max-time 10")
                notes.append("curl waits for a body that does not come, since HEAD has one here")
            }
        }
        lines.append("--url \(ShellQuoting.word(request.safeURL))")
        if let detour { lines.append("--connect-to \(ShellQuoting.word(detour))") }
        if request.hasOddTarget { lines.append("--request-target \(ShellQuoting.word(request.target))") }
        lines += headers(&notes)
        var pipe = ""
        if let body = request.body {
            if ShellQuoting.fits(body) {
                lines.append("--data-raw \(ShellQuoting.word(body))")
            } else {
                pipe = ShellQuoting.printing(body) + " | "
                lines.append("--data-binary @-")
            }
        }
        return CopiedCommand(text: pipe + lines.joined(separator: " \\\n  ") + "\n", notes: notes, comment: "#")
    }

    private func version(_ notes: inout [String]) -> String {
        switch request.version {
        case "HTTP/1.0": return " --http1.0"
        case "HTTP/1.1", nil: return " --http1.1"
        case "h2": return request.url.isSecure ? " --http2" : " --http2-prior-knowledge"
        case "h3":
            notes.append("it was HTTP/3; curl is left to choose")
            return ""
        default: return ""
        }
    }

    private func headers(_ notes: inout [String]) -> [String] {
        var lines: [String] = []
        if request.values("host").count > 1 { notes.append("curl sends one Host field, and it had more") }
        let host = request.fields.firstIndex { $0.isNamed("host") }
        for (place, field) in request.fields.enumerated() {
            if field.isNamed("host"), place != host { continue }
            if request.isPlainHost(field), field.name == "Host" || request.version == "h2" {
                if place > 0, request.version != "h2" { notes.append("curl sends Host as the first header") }
                continue
            }
            let name = Array(field.name.utf8)
            let word = field.value.isEmpty ? name + Array(";".utf8) : name + Array(": ".utf8) + field.valueBytes
            lines.append("--header \(ShellQuoting.word(word))")
        }
        for name in ["Accept", "User-Agent"] where !request.has(name.lowercased()) {
            lines.append("--header '\(name):'")
        }
        if request.body != nil {
            for name in ["Content-Type", "Expect"] where !request.has(name.lowercased()) {
                lines.append("--header '\(name):'")
            }
        }
        if request.version != "h2", !request.has("host") { lines.append("--header 'Host:'") }
        return lines
    }
}
