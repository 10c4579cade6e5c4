import Facts
import Flows
import Formats
import Testing

@Suite struct RedactionTests {
    private func clean(_ text: String, type: String? = nil) -> (text: String, count: Int) {
        let (out, count) = Redaction.redacted(Sample.post(Sample.bytes(text), type: type))
        return (String(decoding: out.request.decoded ?? [], as: UTF8.self), count)
    }

    @Test("a name is one by its end, however long it is, and what is redacted has nothing left")
    func longNames() {
        let text = String(repeating: "x", count: 200) + "api_key=AKIAsecretvalue&x=1"
        let once = Redaction.redacted(text: text)
        #expect(once.hasSuffix("api_key=[redacted]&x=1"))
        // Found by fuzzing.
        let odd =
            "AuthoriziOiIxIn0.abearJ9.eyJzdWIiOiIxIn0riziOiIxIn0.abearJ9.eyJzdWIiOiIxIn0.abzd]IiOiIxIn0a.teKIAIapi_keyiOiIxIn0a."
            + "teKIAIapi_key=AKI_keyiOiIxIn0a.teKa.NN7EXAM1PLE&x=1"
        for text in [text, odd] {
            let once = Redaction.redacted(text: text)
            #expect(Redaction.redacted(text: once) == once)
        }
    }

    @Test("a body that still has a coding is left out: nobody can say what is in it")
    func stillCoded() {
        let secret = Sample.bytes(#"{"password":"hunter2"}"#)
        let wide: [UInt8] = secret.flatMap { [$0, UInt8(0)] }
        let cases: [(body: [UInt8], type: String?, headers: [HeaderField], isLeftOut: Bool)] = [
            (secret, "application/json", [HeaderField("Transfer-Encoding", "gzip, chunked")], true),
            (secret, "application/json", [HeaderField("Transfer-Encoding", "chunked")], false),
            ([0x1f, 0x8b, 8, 0] + secret, "application/json", [], true),
            ([0x28, 0xb5, 0x2f, 0xfd] + secret, nil, [], true),
            (wide, "application/json; charset=utf-16le", [], true),
            ([0xff, 0xfe] + wide, "application/json; charset=\"UTF-16\"", [], false),
            (wide.flatMap { [$0, UInt8(0)] }, "text/plain; charset=utf-32", [], true),
        ]
        for (body, type, headers, isLeftOut) in cases {
            let (out, _) = Redaction.redacted(Sample.post(body, type: type, headers: headers))
            #expect((out.request.kept == nil) == isLeftOut, "\(type ?? "none") \(headers)")
            #expect(out.redaction?.leftOut.contains("request.body") == isLeftOut)
        }
    }

    @Test(
        "JSON keeps its order, duplicates, digits and white space",
        arguments: [
            (#"{"a": 1.50, "password": "x1", "a": 2}"#, #"{"a": 1.50, "password": "[redacted]", "a": 2}"#, 1),
            (#"{"pin":1234,"n":12345678901234567890}"#, #"{"pin":"[redacted]","n":12345678901234567890}"#, 1),
            (
                #"[{"user":{"accessToken":"s3"}},{"tokens":["a1","b2"]}]"#,
                #"[{"user":{"accessToken":"[redacted]"}},{"tokens":["[redacted]","[redacted]"]}]"#, 3
            ),
            (#"{"pass\u0077ord":"hunter2"}"#, #"{"pass\u0077ord":"[redacted]"}"#, 1),
            (#"{"inner":"{\"secret\":\"x\\\"y\"}"}"#, #"{"inner":"{\"secret\":\"[redacted]\"}"}"#, 1),
            (
                #"{"session":{"id":"abc","ok":true,"n":null}}"#, #"{"session":{"id":"[redacted]","ok":true,"n":null}}"#,
                1
            ),
            (#"{"name":"password","value":"hunter2"}"#, #"{"name":"password","value":"[redacted]"}"#, 1),
            (#"{"value":"hunter2","name":"Authorization"}"#, #"{"value":"[redacted]","name":"Authorization"}"#, 1),
            (
                #"{"u":"https://a.example/?x=1&access_token=zz"}"#,
                #"{"u":"https://a.example/?x=1&access_token=[redacted]"}"#, 1
            ),
            (
                #"{"nextPageToken":"abc","passwordRequired":"yes","code":"DE"}"#,
                #"{"nextPageToken":"abc","passwordRequired":"yes","code":"DE"}"#, 0
            ),
            (#")]}',{"token":"abc"}"#, #")]}',{"token":"[redacted]"}"#, 1),
            ("{\"token\":\"a\"}\n{\"token\":\"b\"}\n", "{\"token\":\"[redacted]\"}\n{\"token\":\"[redacted]\"}\n", 2),
            (
                #"{"query":"mutation { login(user: \"bob\", password: \"hunter2\") }"}"#,
                #"{"query":"mutation { login(user: \"bob\", password: \"[redacted]\") }"}"#, 1
            ),
            (#"{"password":"hunt"#, #"{"password":"[redacted]"#, 1),
            (#"{"token2":"a1","sha256":"a1"}"#, #"{"token2":"[redacted]","sha256":"a1"}"#, 1),
            // password=hunter2 and user=bob&x=12345 in base64.
            (#"{"blob":"cGFzc3dvcmQ9aHVudGVyMg=="}"#, #"{"blob":"cGFzc3dvcmQ9W3JlZGFjdGVkXQ=="}"#, 1),
            (#"{"blob":"dXNlcj1ib2ImeD0xMjM0NQ=="}"#, #"{"blob":"dXNlcj1ib2ImeD0xMjM0NQ=="}"#, 0),
            (#"{"token":"abc", oops, "secret":"def"}"#, #"{"token":"[redacted]", oops, "secret":"[redacted]"}"#, 2),
            // Strings that JSON does not allow: over several lines, with an escape that is none. What stays, stays as it is.
            (
                "{\"a\":\"say \\\"hi\\\",\npassword=hunter2\"}", "{\"a\":\"say \\\"hi\\\",\npassword=[redacted]\"}", 1
            ),
            ("{\"a\":\"first\npassword=hunter2\"}", "{\"a\":\"first\npassword=[redacted]\"}", 1),
            (#"{"a":"C:\queue password=hunter2"}"#, #"{"a":"C:\queue password=[redacted]"}"#, 1),
        ])
    func json(before: String, after: String, count: Int) {
        let result = clean(before, type: "application/json")
        #expect(result.text == after)
        #expect(result.count == count)
        #expect(clean(result.text, type: "application/json").text == after)
    }

    @Test(
        "forms, text, markup and events",
        arguments: [
            ("user=bob&password=hunter2&x=", "user=bob&password=[redacted]&x=", "application/x-www-form-urlencoded"),
            ("code=abcdefghij&code=DE", "code=[redacted]&code=DE", "application/x-www-form-urlencoded"),
            (
                "d=%7B%22secret%22%3A%22x%22%7D", "d=%7B%22secret%22%3A%22[redacted]%22%7D",
                "application/x-www-form-urlencoded"
            ),
            (
                "<a><Password>p&amp;q</Password><x token='t'/></a>",
                "<a><Password>[redacted]</Password><x token='[redacted]'/></a>",
                "application/xml"
            ),
            ("<s:secret><![CDATA[abc]]></s:secret>", "<s:secret><![CDATA[[redacted]]]></s:secret>", "text/xml"),
            ("<key>password</key> <string>abc</string>", "<key>password</key> <string>[redacted]</string>", "text/xml"),
            (
                #"<input name="csrf_token" type=hidden value="abc">"#,
                #"<input name="csrf_token" type=hidden value="[redacted]">"#,
                "text/html"
            ),
            (
                "event: x\ndata: {\"token\": \"abc\"}\n\n", "event: x\ndata: {\"token\": \"[redacted]\"}\n\n",
                "text/event-stream"
            ),
            ("see https://bob:pw@a.example/x", "see https://[redacted]@a.example/x", "text/plain"),
            ("password = hunter2 # yes", "password = [redacted] # yes", "text/plain"),
            (
                "Authorization: Bearer 0123456789abcdef0123\nnext", "Authorization: [redacted]\nnext", "text/plain"
            ),
            ("Proxy-Authorization: Token abc, x", "Proxy-Authorization: [redacted], x", "text/plain"),
            ("the authorization: none", "the authorization: [redacted]", "text/plain"),
            (
                #"{"log":"GET /x Authorization: Bearer 0123456789abcdef0123"}"#,
                #"{"log":"GET /x Authorization: [redacted]"}"#,
                "application/json"
            ),
            (
                #"{"user":"bob","password":"hunter2"}"#, #"{"user":"bob","password":"[redacted]"}"#,
                "application/x-www-form-urlencoded"
            ),
            (
                #" [{"refresh_token":"abc"}]"#, #" [{"refresh_token":"[redacted]"}]"#,
                "application/x-www-form-urlencoded"
            ),
            (
                "\u{feff}{\"password\":\"hunter2\"}", "\u{feff}{\"password\":\"[redacted]\"}",
                "application/x-www-form-urlencoded"
            ),
            ("f[password]=hunter2", "f[password]=[redacted]", "application/x-www-form-urlencoded"),
            ("if (token == other) token = next()", "if (token == other) token = next()", "text/javascript"),
            (#"const apiKey = "abc""#, #"const apiKey = "[redacted]""#, "text/javascript"),
        ])
    func text(before: String, after: String, type: String) {
        #expect(clean(before, type: type).text == after)
    }

    @Test(
        "keys are known by their looks",
        arguments: [
            "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl", "AKIAIOSFODNN7EXAMPLE",
            "ghp_abcdefghijklmnopqrstuvwxyz",
            "github_pat_11ABCDEFG0123456789_abc", "xoxb-123456789012-abcdef", "sk_live_abcdefghijklmnop",
            "AIzaSyA1234567890abcdefghijklmnopqrstuv", "glpat-abcdefghijklmnopqrst",
        ])
    func shapes(key: String) {
        for text in ["\(key)", "see \(key), please", "{\"a\":\"\\n\(key)\"}", "a=1&b=\(key)", "x\u{0}\u{1}\(key)\u{2}"]
        {
            let result = clean(text)
            #expect(!result.text.contains(key), "\(text)")
            #expect(result.count == 1, "\(text)")
        }
        #expect(clean("Bearer abcdef123456").text == "Bearer [redacted]")
        #expect(clean("Bearer\tabcdef123456").text == "Bearer\t[redacted]")
        #expect(clean("chat, bearer.abcdef0123456789").text == "chat, bearer.[redacted]")
        #expect(clean("base64url.bearer.authorization.k8s.io.abcdef0123456789").count == 1)
        #expect(clean("bearer.example").count == 0)
        #expect(clean("Basic dXNlcjpwdw==").text == "Basic [redacted]")
        #expect(clean("Basic authentication, Bearer authentication").count == 0)
    }

    @Test("a private key is left out between its lines")
    func privateKey() {
        let text = "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\n"
        #expect(clean(text).text == "-----BEGIN RSA PRIVATE KEY-----[redacted]-----END RSA PRIVATE KEY-----\n")
        #expect(clean("-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----\n").count == 0)
        #expect(clean("-----BEGIN PRIVATE KEY-----\nMIIE").text == "-----BEGIN PRIVATE KEY-----[redacted]")
    }

    @Test("binary keeps its length")
    func binary() {
        let key = "AKIAIOSFODNN7EXAMPLE"
        let before = [0, 1, 0x0a, 20] + Sample.bytes(key) + [0x18, 1, 2]
        let (out, count) = Redaction.redacted(Sample.post(before, type: "application/x-protobuf"))
        #expect(count == 1)
        #expect(out.request.decoded?.count == before.count)
        #expect(out.request.decoded == [0, 1, 0x0a, 20] + Sample.bytes("[redacted]**********") + [0x18, 1, 2])
    }

    @Test("text in UTF-16 stays in UTF-16")
    func wide() {
        let wide = "\u{feff}{\"password\":\"h\u{e4}nter2\"}".utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
        let (out, count) = Redaction.redacted(Sample.post(wide, type: "application/json"))
        #expect(count == 1)
        let expected = "\u{feff}{\"password\":\"[redacted]\"}".utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
        #expect(out.request.decoded == expected)
    }

    @Test("a compressed body is decoded from then on, what was not decoded is left out, and both are noted")
    func compressed() {
        let body = Sample.bytes(#"{"password":"hunter2"}"#)
        let fields = [HeaderField("Content-Encoding", "gzip"), HeaderField("Content-Length", "3")]
        let (out, count) = Redaction.redacted(
            Sample.post(body, type: "application/json", headers: fields, wire: [1, 2, 3], encoding: "gzip"))
        #expect(count == 1)
        #expect(out.request == RecordedBody(plain: Sample.bytes(#"{"password":"[redacted]"}"#)))
        #expect(out.flow.request?.headers.map(\.name) == ["Host", "Content-Type", "Content-Length"])
        #expect(out.flow.request?.headers.last?.value == "25")
        #expect(out.flow.request?.body?.encoding == nil)
        #expect(out.redaction == RedactionNote(count: 1, leftOut: ["request.wire"]))
        #expect(out.redaction?.missing == [])
        var unknown = Sample.post(body)
        unknown.request = RecordedBody(wire: [1, 2, 3])
        unknown.rawDown = [4]
        let (left, none) = Redaction.redacted(unknown)
        #expect(none == 0)
        #expect(left.request == RecordedBody())
        #expect(left.rawDown.isEmpty)
        #expect(left.redaction == RedactionNote(count: 0, leftOut: ["request.body", "raw"]))
        #expect(left.redaction?.missing == ["request.body", "raw"])
    }

    @Test("advice of our own has no word before a colon that would make the rest a secret")
    func advice() {
        var flow = Flow(id: 1, kind: .failure, state: .aborted, started: 0)
        flow.failure = FlowFailure(
            .clientRefusedCertificate, leg: .client, text: "the app does not trust the proxy's certificate for a.test",
            hint: "if it pins a.test, disable that or let the host through: `expect: tunnel` in the profile")
        let (out, count) = Redaction.redacted(RecordedFlow(flow))
        #expect(count == 0 && out.flow == flow)
    }

    @Test("heads: fields by name, cookies keep theirs, URLs lose userinfo and parameters")
    func heads() {
        var recorded = Sample.get(
            "https://u:p@a.example/x;jsessionid=AA?token=t&q=1&r=https%3A%2F%2Fb%2F%3Fsig%3Dzz#access_token=f&x=1")
        recorded.flow.request?.headers = [
            HeaderField("authorization", "Digest x"), HeaderField("Cookie", "a=1; b=2;c"),
            HeaderField("X-API-Key", "k"),
            HeaderField("Referer", "https://a.example/?password=pw"), HeaderField("X-Request-ID", "1"),
            HeaderField("Sec-WebSocket-Key", "abc=="), HeaderField("X-Latin", "caf\u{e9}", isLatin1: true),
        ]
        recorded.flow.response?.headers = [
            HeaderField("Set-Cookie", "sid=abc; Path=/; HttpOnly"), HeaderField("Location", "/next?code=0123456789"),
            HeaderField("WWW-Authenticate", "Bearer realm=\"x\""), HeaderField("Content-Length", "13"),
        ]
        let (out, count) = Redaction.redacted(recorded)
        #expect(
            out.flow.url == "https://[redacted]@a.example/x;jsessionid=[redacted]?token=[redacted]&q=1"
                + "&r=https%3A%2F%2Fb%2F%3Fsig%3D[redacted]#access_token=[redacted]&x=1")
        #expect(
            out.flow.request?.headers.map(\.value) == [
                "[redacted]", "a=[redacted]; b=[redacted];[redacted]", "[redacted]",
                "https://a.example/?password=[redacted]", "1", "abc==", "caf\u{e9}",
            ])
        #expect(
            out.flow.response?.headers.map(\.value) == [
                "sid=[redacted]; Path=/; HttpOnly", "/next?code=[redacted]", "Bearer realm=\"x\"", "13",
            ])
        #expect(count == 13)
        #expect(Redaction.redacted(out).count == 0)
    }

    @Test("multipart fields by name, and their contents")
    func multipart() {
        let body =
            "--b1\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nhunter2\r\n--b1\r\n"
            + "Content-Disposition: form-data; name=\"doc\"; filename=\"a.json\"\r\nContent-Type: application/json\r\n\r\n"
            + "{\"secret\":1}\r\n--b1--\r\n"
        let after = body.replacing("hunter2", with: "[redacted]").replacing(":1}", with: ":\"[redacted]\"}")
        for type in ["multipart/form-data; boundary=b1", "multipart/form-data", "text/plain"] {
            let result = clean(body, type: type)
            #expect(result.text == after, "\(type)")
            #expect(result.count == 2)
        }
    }

    @Test("text cut anywhere, and nonsense, are no trouble")
    func hostile() {
        let texts = [
            #"{"a":[{"password":"x\"y","b":{"token":123}}],"c":"<secret>x</secret>"}"#,
            "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nx\r\n--b--",
            "password=\"x\\\"y\" token='a' https://a:b@",
            "<key>password</key><string><![CDATA[", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.", "Bearer ", "basic ",
            "-----BEGIN PRIVATE KEY-----",
        ]
        for text in texts {
            let bytes = Sample.bytes(text)
            for count in 0...bytes.count {
                for type in [
                    nil, "application/json", "multipart/form-data; boundary=b", "text/event-stream", "text/html",
                ] {
                    _ = Redaction.redacted(Sample.post(Array(bytes.prefix(count)), type: type))
                    _ = Redaction.redacted(Sample.post(Array(bytes.suffix(count)), type: type))
                }
            }
        }
        let deep = String(repeating: "[", count: 5000) + #"{"password":"hunter2"}"#
        #expect(!clean(deep, type: "application/json").text.contains("hunter2"))
        var chance = Chance(seed: 1)
        for _ in 0..<300 {
            let bytes = (0..<60).map { _ in Array(#"{}[]",:=\<>&-a0 "#.utf8).randomElement(using: &chance) ?? 0 }
            _ = Redaction.redacted(Sample.post(bytes, type: "application/json"))
        }
    }

    @Test("a text that keeps beginning a token takes no more than the time of its bytes")
    func tokensWithoutEnd() {
        for piece in ["eyJhbGciOiJ.eyJ.", "eyJhbGciOiJh.", "-eyJ", "eyJhbGciOiJhb.abc-"] {
            let text = String(repeating: piece, count: 400_000 / piece.utf8.count)
            let took = ContinuousClock().measure { _ = Redaction.redacted(text: text) }
            // A minute and more, by the square.
            #expect(took < .seconds(10), "\(piece): \(took)")
        }
    }

    @Test(
        "a token is known by its parts",
        arguments: [
            ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln", true), ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0", true),
            ("eyJhbGciOiJIUzI1NiJ9.abcdef", false), ("eyJhbGciOiJkaXIifQ..aXY.Y2lwaGVy.dGFn", true),
            ("eyJhbGc.eyJzdWIiOiIxIn0.c2ln", false),
            ("eyJhbGciOiJIUzI1NiJ9.ab.c2ln", false), ("eyJhbGciOiJIUzI1NiJ9", false),
        ])
    func tokens(token: String, isOne: Bool) {
        #expect(Redaction.redacted(text: "a \(token) b") == (isOne ? "a [redacted] b" : "a \(token) b"))
    }

    @Test("a message of an impossible size is what its bytes are, and no trap", arguments: [Int.min, -1, 0, Int.max])
    func impossibleSizes(size: Int) throws {
        let json = try JSONValue.parse(
            Array(#"{"at_ms":1,"from":"client","type":"text","data":"password=abcdefgh","size":\#(size)}"#.utf8))
        let message = try #require(FlowMessage(json: json, index: 0))
        var flow = Sample.post([], type: nil)
        flow.messages = [message]
        let (out, _) = Redaction.redacted(flow)
        #expect(out.messages.first?.message.data == Array("password=[redacted]".utf8))
        #expect((out.messages.first?.message.size ?? 0) >= 19)
    }

    @Test("what was said in a protocol that nobody has read is left out, and is no body of a copied request")
    func anotherProtocol() throws {
        var flow = Sample.post(Sample.bytes("my secret words"), type: nil)
        flow.flow.method = "GET"
        flow.flow.status = 101
        flow.flow.request?.headers = [HeaderField("Host", "api.example.com"), HeaderField("Upgrade", "tcp")]
        let (out, _) = Redaction.redacted(flow)
        #expect(out.request.kept == nil && out.redaction?.leftOut.contains("request.body") == true)
        let copy = try #require(CopyFormat.curl.copy(flow)?.script)
        #expect(!copy.contains("secret words") && copy.contains("another protocol"), "\(copy)")
        // One that the request had before is its own.
        flow.flow.request?.headers.append(HeaderField("Content-Length", "15"))
        #expect(Redaction.redacted(flow).0.request.kept != nil)
        #expect(CopyFormat.curl.copy(flow)?.script.contains("secret words") == true)
    }

    @Test("what a peer makes long takes no longer than in proportion to it")
    func linearTime() {
        let values = #"{"name":"password""# + String(repeating: #","value":1"#, count: 100_000) + "}"
        let quotes = (1...1400).map { "id=" + String(repeating: "\\", count: $0) + "\"" }.joined()
        let keys = String(repeating: "pin=x AKIAIOSFODNN7EXAMPLE ", count: 40_000) + "\u{1}"
        let texts: [(String, String?)] = [(values, "application/json"), (quotes, "text/plain"), (keys, nil)]
        for (text, type) in texts {
            var out: RecordedFlow?
            let took = ContinuousClock().measure {
                out = Redaction.redacted(Sample.post(Sample.bytes(text), type: type)).0
            }
            #expect(took < .seconds(60), "\(text.prefix(20)): \(took)")
            #expect(out != nil)
        }
    }
}
