import Facts
import Flows
import Formats
import Testing

@Suite struct CopyFormatTests {
    private func copy(_ format: CopyFormat, _ flow: RecordedFlow) throws -> CopiedCommand {
        try #require(format.copy(flow))
    }

    /// It went where the URL says.
    private func get(_ url: String) -> RecordedFlow {
        var flow = Sample.get(url)
        flow.flow.server = Flow.Server()
        return flow
    }

    @Test("curl sends nothing of its own")
    func curl() throws {
        let flow = Sample.post(Sample.bytes("it's @me"), type: "text/plain", headers: [HeaderField("X-Empty", "")])
        let copied = try copy(.curl, flow)
        #expect(
            copied.text == #"""
                curl --globoff --path-as-is --http1.1 \
                  --request 'POST' \
                  --url 'https://api.example.com/v1/items?page=2' \
                  --header 'Content-Type: text/plain' \
                  --header 'X-Empty;' \
                  --header 'Accept:' \
                  --header 'User-Agent:' \
                  --header 'Expect:' \
                  --data-raw 'it'\''s @me'

                """#)
        #expect(copied.notes == [])
    }

    @Test(
        "HTTPie has no command for a method that it would take for an option or a field",
        arguments: ["-oX", "a=b", "P0ST", ""])
    func httpieMethods(method: String) throws {
        var flow = Sample.get("http://a.test/")
        flow.flow.method = method
        guard let copied = CopyFormat.httpie.copy(flow) else { return }
        #expect(copied.text == "" && copied.notes.contains { $0.contains("methods of letters alone") })
        flow.flow.method = "PURGE"
        #expect(try copy(.httpie, flow).text.contains("'PURGE' 'http://a.test/'"))
    }

    @Test("curl: versions, HEAD, odd targets, bytes that no word can hold")
    func curlForms() throws {
        var flow = get("http://[::1]:8080/a b\u{e9}?q='")
        flow.flow.method = "HEAD"
        flow.flow.version = "h2"
        flow.flow.request?.headers = [HeaderField("x", "caf\u{e9}", isLatin1: true)]
        #expect(
            try copy(.curl, flow).text == #"""
                curl --globoff --path-as-is --http2-prior-knowledge \
                  --head \
                  --url 'http://[::1]:8080/a%20b%C3%A9?q='\''' \
                  --request-target '/a bé?q='\''' \
                  --header "$(printf '%b' 'x: caf\0351')" \
                  --header 'Accept:' \
                  --header 'User-Agent:'

                """#)
        let binary = try copy(.curl, Sample.post([0, 0xff]))
        #expect(binary.text.hasPrefix("printf %s 'AP8=' | base64 --decode | curl "))
        #expect(binary.text.hasSuffix("--data-binary @-\n"))
    }

    @Test("OPTIONS * asks for no path")
    func asterisk() throws {
        var flow = get("https://api.example.com")
        flow.flow.method = "OPTIONS"
        #expect(try copy(.curl, flow).text.contains("--request-target '*'"))
        #expect(try copy(.python, flow).text.contains(#"b"OPTIONS".decode("latin-1"), b"*".decode("latin-1")"#))
        flow = get("https://api.example.com")
        #expect(try !copy(.curl, flow).text.contains("--request-target"))
    }

    @Test("a target that the address does not tell is sent as it was, or its tool says that it is not")
    func targets() throws {
        var flow = get("https://api.example.com/c%E9?a=1#x")
        flow.flow.request?.target = RequestTarget("/c\u{e9}?a=1#x", isLatin1: true)
        #expect(try copy(.curl, flow).text.contains(#"--request-target "$(printf '%b' '/c\0351\0077a=1\0043x')""#))
        #expect(try copy(.python, flow).text.contains(#"b"/c\xe9?a=1#x".decode("latin-1")"#))
        for format in [CopyFormat.fetch, .httpie] {
            #expect(try copy(format, flow).notes.contains { $0.contains("asks for what the URL says") })
        }
        // It would end the request line.
        flow.flow.request?.target = RequestTarget("/\r\nX: y")
        #expect(try !copy(.curl, flow).text.contains("X: y"))
    }

    @Test("what went through TLS goes through TLS, though its target says http", arguments: CopyFormat.allCases)
    func absoluteWithinTLS(format: CopyFormat) throws {
        var flow = get("http://other.test/abs")
        flow.flow.scheme = "https"
        flow.flow.server.host = "api.example.test"
        flow.flow.server.port = 443
        flow.flow.request?.target = RequestTarget("http://other.test/abs")
        let copied = try copy(format, flow)
        #expect(copied.notes.contains("its URL says http; it went through TLS, and so does this"))
        switch format {
        case .curl:
            #expect(copied.text.contains("--url 'https://other.test/abs'"))
            #expect(copied.text.contains("--connect-to 'other.test:443:api.example.test:443'"))
            #expect(copied.text.contains("--request-target 'http://other.test/abs'"))
        case .python: #expect(copied.text.contains("HTTPSConnection") && copied.text.contains(", 443, "))
        case .fetch, .httpie: #expect(copied.text.contains("https://other.test/abs"))
        }
        // HTTP/2's `:scheme` alone, and the other way round.
        flow.flow.request?.target = nil
        flow.flow.version = "h2"
        flow.flow.server.host = "other.test"
        #expect(try copy(.curl, flow).text.contains("--url 'https://other.test/abs'"))
        flow.flow.url = "https://other.test/abs"
        flow.flow.scheme = "http"
        flow.flow.server.port = 80
        #expect(try copy(.curl, flow).text.contains("--url 'http://other.test/abs'"))
    }

    @Test("chunks that hold nothing are ended")
    func emptyChunks() throws {
        var flow = Sample.post([])
        flow.flow.request?.headers = [HeaderField("Transfer-Encoding", "chunked")]
        #expect(try copy(.curl, flow).text.contains("--data-raw ''"))
        #expect(try copy(.python, flow).text.contains("endheaders([b\"\"], encode_chunked=True)"))
    }

    @Test(
        "what never came to its end is sent as a whole request, and says so", arguments: CopyFormat.allCases,
        [HeaderField("Content-Length", "1000"), HeaderField("Transfer-Encoding", "chunked")])
    func brokenOff(format: CopyFormat, field: HeaderField) throws {
        let note = "the request never came to its end: 11 bytes of its body came, and this ends behind them"
        var flow = Sample.brokenOff(Sample.bytes("{\"to\":\"abc\""), field)
        #expect(try copy(format, flow).notes.contains(note))
        let clean = Redaction.redacted(Sample.brokenOff(Sample.bytes("pin=1234&a="), field)).0
        #expect(clean.redaction?.count == 1)
        #expect(try copy(format, clean).notes.contains { $0.hasPrefix("the request never came to its end") })
        flow.flow.state = .open
        #expect(try copy(format, flow).notes.contains { $0.hasPrefix("the request has not come to its end yet") })
        flow.request = RecordedBody()
        flow.flow.request?.body = nil
        #expect(try copy(format, flow).notes.contains { $0.hasSuffix("yet: nothing of its body came") })
        // Its answer broke off.
        flow = Sample.brokenOff(Sample.bytes("a"), field)
        flow.flow.timing.sentMS = 1
        #expect(try !copy(format, flow).notes.contains { $0.contains("its end") })
    }

    @Test("a compressed body is sent as it was, or decoded without its Content-Encoding")
    func compressed() throws {
        let fields = [HeaderField("Content-Encoding", "gzip"), HeaderField("Content-Length", "2")]
        var flow = Sample.post(Sample.bytes("hello"), headers: fields, wire: [0x1f, 0x8b], encoding: "gzip")
        #expect(try copy(.curl, flow).text.contains("'H4s='"))
        #expect(try copy(.curl, flow).text.contains("Content-Length: 2"))
        flow.request.wire = nil
        let decoded = try copy(.curl, flow)
        #expect(decoded.text.contains("--data-raw 'hello'"))
        #expect(!decoded.text.contains("Content-Encoding") && !decoded.text.contains("Content-Length"))
        #expect(decoded.notes.count == 1)
    }

    @Test("HTTPie, fetch and Python")
    func others() throws {
        let flow = Sample.post(Sample.bytes("a\n\"b\""), headers: [HeaderField("X-A", "@f"), HeaderField("X-A", "2")])
        #expect(
            try copy(.httpie, flow).text == #"""
                http --path-as-is --ignore-stdin \
                  --raw='a
                "b"' \
                  'POST' 'https://api.example.com/v1/items?page=2' \
                  'X-A:\@f' \
                  'X-A:2' \
                  'Accept:' \
                  'Accept-Encoding:' \
                  'Connection:' \
                  'User-Agent:' \
                  'Content-Type:'

                """#)
        #expect(
            try copy(.fetch, flow).text == #"""
                await fetch("https://api.example.com/v1/items?page=2", {
                  method: "POST",
                  headers: [
                    ["X-A", "@f"],
                    ["X-A", "2"],
                  ],
                  body: new TextEncoder().encode("a\n\"b\""),
                  redirect: "manual",
                });

                """#)
        let python = try copy(.python, flow).text
        #expect(python.contains(#"connection.putheader(b"X-A", b"@f")"#))
        #expect(python.contains(#"connection.endheaders(b"a\n\"b\"")"#))
        #expect(
            try copy(.python, flow).script.hasPrefix(
                "# -*- coding: utf-8 -*-\n# Content-Length is added\nimport http.client\n"))
    }

    @Test("nothing that a peer sends leaves its quotes")
    func hostile() throws {
        let nasty = "'; touch /tmp/x; \"$(id)`id`\\'\\\"\u{1b}]0;x\u{7}\u{202e}\u{0}\r\n#{\u{2028}</script>"
        var flow = Sample.post(Sample.bytes(nasty), headers: [HeaderField("X", nasty), HeaderField("Y: \n'", "1")])
        flow.flow.method = "A'$(id)"
        flow.flow.url = "https://a.example/" + nasty
        // As an import may have it.
        flow.flow.server = Flow.Server(host: "x\n" + nasty, port: 443)
        for format in CopyFormat.allCases {
            let copied = try copy(format, flow)
            // Outside of quotes there is nothing of it, and nothing anywhere that a terminal would act on.
            #expect(copied.script.unicodeScalars.allSatisfy { $0 == "\n" || $0.isPrintable })
            if format == .curl || format == .httpie {
                var rest = copied.text.replacing(#"'\''"#, with: "")
                rest = rest.replacing(/'[^']*'/, with: "Q")
                #expect(!rest.contains("touch") && !rest.contains("id") && !rest.contains("`"), "\(rest)")
            }
            #expect(copied.notes.allSatisfy { !$0.contains("\n") })
            #expect(copied.notes.contains { $0.contains("is no host: x\\u{a}'; touch") })
        }
    }

    @Test("a line end that HTTP/2 carried begins no request of its own")
    func split() throws {
        var flow = get("https://a.example/a HTTP/1.1\r\nHost: x\r\n\r\nDELETE /all?b\n=1")
        let python = try copy(.python, flow)
        #expect(python.text.contains("/a HTTP/1.1%0D%0AHost: x%0D%0A%0D%0ADELETE /all?b%0A=1"), "\(python.text)")
        #expect(python.notes.contains { $0.contains("control characters") })
        flow.flow.method = "GET / HTTP/1.1\r\n\r\nDELETE"
        for format in CopyFormat.allCases { #expect(format.copy(flow) == nil) }
    }

    @Test("of a DEL, which a request line can carry, no note says that it cannot", arguments: CopyFormat.allCases)
    func deleted(format: CopyFormat) throws {
        let flow = get("https://a.example/a\u{7f}b")
        #expect(try copy(format, flow).text.contains("/a%7Fb"))
        let notes = try copy(format, flow).notes
        #expect(notes.contains("the URL has a DEL character, which is %7F here"))
        #expect(!notes.contains { $0.contains("no request line") })
    }

    @Test("no note names a script's encoding, and a host that the URL has as well is no matter")
    func encoding() throws {
        var flow = get("https://a.example/")
        flow.flow.server = Flow.Server(host: "coding:utf7", port: 443)
        let lines = try copy(.python, flow).script.split(separator: "\n")
        // PEP 263: the first line that names one is obeyed, of the first two.
        #expect(lines[0] == "# -*- coding: utf-8 -*-" && lines[1].contains("coding:utf7"))
        flow = get("https://b\u{fc}cher.example/")
        flow.flow.server = Flow.Server(host: "b\u{fc}cher.example", port: 443)
        #expect(try copy(.curl, flow).notes == [])
    }

    @Test("there is nothing to copy of what was no request")
    func none() {
        #expect(CopyFormat.curl.copy(Sample.failed()) == nil)
        var tunnel = Sample.get()
        tunnel.flow.kind = .tunnel
        #expect(CopyFormat.python.copy(tunnel) == nil)
    }

    @Test(
        "what is sent again goes where it went, whatever the Host field says",
        arguments: [
            ("http://x.test/a", "api.example.com", 8080, "x.test:80:api.example.com:8080"),
            ("https://api.example.com/a", "api.example.com", 8443, "api.example.com:443:api.example.com:8443"),
            ("http://x.test:81/", "2001:db8::1", 80, "x.test:81:[2001:db8::1]:80"),
            ("http://[::1]:8080/", "::1", 8080, nil), ("https://API.example.com/", "api.example.com", 443, nil),
        ] as [(String, String, Int, String?)])
    func elsewhere(url: String, host: String, port: Int, detour: String?) throws {
        var flow = Sample.get(url)
        flow.flow.server = Flow.Server(host: host, port: port)
        let curl = try copy(.curl, flow)
        #expect(curl.text.contains("--url '\(url)'"))
        #expect(curl.text.contains("--connect-to") == (detour != nil))
        if let detour { #expect(curl.text.contains("--connect-to '\(detour)'")) }
        let plain = url.contains("::1") ? "::1" : "API.example.com"
        let python = try copy(.python, flow)
        #expect(python.text.contains("Connection(b\"\(detour == nil ? plain : host)\".decode(), \(port), timeout"))
        for format in [CopyFormat.fetch, .httpie] {
            #expect(try copy(format, flow).notes.contains { $0.contains("goes where the URL says") } == (detour != nil))
        }
    }

    @Test("a host that TLS named is asked by that name for the other one", arguments: ["HTTP/1.1", "h2"])
    func fronted(version: String) throws {
        var flow = Sample.get("https://hidden.test/a")
        flow.flow.version = version
        flow.flow.tls = FlowTLS(sni: "front.test")
        flow.flow.server = Flow.Server(host: "front.test", port: 443)
        flow.flow.request?.headers = version == "h2" ? [] : [HeaderField("Host", "hidden.test")]
        let curl = try copy(.curl, flow)
        #expect(
            curl.text.contains("--url 'https://front.test/a'") && curl.text.contains("--header 'Host: hidden.test'"))
        #expect(!curl.text.contains("--connect-to"))
        let python = try copy(.python, flow).text
        #expect(python.contains("Connection(b\"front.test\".decode(), 443,"))
        #expect(python.contains(#"connection.putheader(b"Host", b"hidden.test")"#))
    }

    @Test("of two Host fields curl sends the first, and says so; Python sends both")
    func twoHosts() throws {
        var flow = Sample.get()
        flow.flow.request?.headers = [HeaderField("Host", "api.example.com"), HeaderField("host", "b.test")]
        let curl = try copy(.curl, flow)
        #expect(!curl.text.contains("b.test") && curl.notes == ["curl sends one Host field, and it had more"])
        #expect(try copy(.python, flow).text.contains(#"putheader(b"host", b"b.test")"#))
    }
}
