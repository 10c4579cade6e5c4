import Facts
import Flows

/// A request as a Python 3 script with nothing but Python's own library.
///
/// `http.client` is the one that adds no header, and keeps order, case and duplicates.
struct PythonCode {
    private var request: CopiedRequest

    init(_ request: CopiedRequest) { self.request = request }

    var copied: CopiedCommand {
        var notes = request.notes
        if request.version == "h2" || request.version == "h3" {
            notes.append("it was \(request.version == "h2" ? "HTTP/2" : "HTTP/3"); Python sends HTTP/1.1")
        }
        var fields = request.fields
        if !request.has("host") {
            fields.insert(HeaderField("Host", request.url.authority), at: 0)
            if request.version?.hasPrefix("HTTP/1") == true { notes.append("Host is added: it had none") }
        }
        if let body = request.body, !request.has("content-length"), !request.isChunked {
            fields.append(HeaderField("Content-Length", String(body.count)))
            if request.version?.hasPrefix("HTTP/1") == true { notes.append("Content-Length is added") }
        }
        let url = request.url
        let kind = url.isSecure ? "HTTPSConnection" : "HTTPConnection"
        let (place, port) = request.place.map { ($0.host, $0.port) } ?? (url.host, url.port ?? url.defaultPort ?? 80)
        if let place = request.place, url.isSecure, place.host != url.host, !place.isNamedInTLS {
            notes.append("Python asks TLS for \(place.host), where it went, and checks the certificate for that name")
        }
        let host = Self.literal(Array(place.utf8.filter { $0 != UInt8(ascii: "[") && $0 != UInt8(ascii: "]") }))
        var code = "import http.client\nimport sys\n\n\n"
        code += "class Connection(http.client.\(kind)):\n"
        if request.version == "HTTP/1.0" { code += "    _http_vsn, _http_vsn_str = 10, \"HTTP/1.0\"\n\n" }
        code += "    # Targets and methods are sent as they are.\n"
        code += "    def _validate_path(self, url):\n        pass\n\n"
        code += "    def _validate_method(self, method):\n        pass\n\n"
        code += "    def _encode_request(self, request):\n        return request.encode(\"latin-1\")\n\n\n"
        code += "connection = Connection(\(host).decode(), \(port), timeout=60)\n"
        code += "method, target = \(text(Array(request.method.utf8))), \(text(request.target))\n"
        code += "connection.putrequest(method, target, skip_host=True, skip_accept_encoding=True)\n"
        for field in fields {
            code += "connection.putheader(\(Self.literal(Array(field.name.utf8))), \(Self.literal(field.valueBytes)))\n"
        }
        let body = request.body.map(Self.literal)
        switch (body, request.isChunked) {
        case (let body?, true): code += "connection.endheaders([\(body)], encode_chunked=True)\n"
        case (let body?, false): code += "connection.endheaders(\(body))\n"
        case (nil, _): code += "connection.endheaders()\n"
        }
        code += "response = connection.getresponse()\n"
        code += "print(response.status, response.reason, file=sys.stderr)\n"
        code += "for name, value in response.getheaders():\n    print(f\"{name}: {value}\", file=sys.stderr)\n"
        code += "sys.stdout.buffer.write(response.read())\n"
        // A comment in the second line that names an encoding is not obeyed then (PEP 263): a note may quote one.
        return CopiedCommand(text: code, notes: notes, comment: "#", opening: "# -*- coding: utf-8 -*-\n")
    }

    /// Python sends each character as a byte.
    private func text(_ bytes: [UInt8]) -> String { Self.literal(bytes) + ".decode(\"latin-1\")" }

    /// `b"…"`, plain ASCII whatever is in it.
    private static func literal(_ bytes: [UInt8]) -> String {
        var out = "b\""
        for byte in bytes {
            switch byte {
            case 0x22: out += "\\\""
            case 0x5c: out += "\\\\"
            case 0x0a: out += "\\n"
            case 0x0d: out += "\\r"
            case 0x20..<0x7f: out.unicodeScalars.append(Unicode.Scalar(byte))
            default: out += "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
        }
        return out + "\""
    }
}
