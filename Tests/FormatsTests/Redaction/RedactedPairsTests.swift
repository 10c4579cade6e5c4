import Facts
import Flows
import Formats
import Testing

@Suite("Redaction of names and values that stand apart")
struct RedactedPairsTests {
    private func clean(_ text: String, type: String? = nil) -> (text: String, count: Int) {
        let (out, count) = Redaction.redacted(Sample.post(Sample.bytes(text), type: type))
        return (String(decoding: out.request.decoded ?? [], as: UTF8.self), count)
    }

    @Test("names and values in lists and in elements are such, and a list of names is none")
    func pairs() {
        for (text, clean, type) in [
            (
                #"[["cookie","a=b"],["accept","*/*"]]"#, #"[["cookie","[redacted]"],["accept","*/*"]]"#,
                "application/json"
            ),
            (
                #"{"h":[["X-Api-Key",["k1","k2"]]]}"#, #"{"h":[["X-Api-Key",["[redacted]","[redacted]"]]]}"#,
                "application/json"
            ),
            (#"{"required":["password","email"]}"#, #"{"required":["password","email"]}"#, "application/json"),
            (#"[["password","a","b"],["password"]]"#, #"[["password","a","b"],["password"]]"#, "application/json"),
            (
                "<member> <name>password</name> <value> <string>abc</string></value></member>",
                "<member> <name>password</name> <value> <string>[redacted]</string></value></member>", "text/xml"
            ),
            (
                "<name>password</name><value>abc</value>", "<name>password</name><value>[redacted]</value>", "text/xml"
            ),
            ("<name>password</name><type>text</type>", "<name>password</name><type>text</type>", "text/xml"),
        ] {
            #expect(self.clean(text, type: type).text == clean)
            // And whole once more.
            #expect(self.clean(clean, type: type).count == 0)
        }
    }

    @Test(
        "passwords, keys and cards by the names that they have in the field",
        arguments: [
            "newPwd", "oldPwd", "user_pwd", "loginPwd", "userPass", "user_pass", "dbpass", "creditCardNumber",
            "privateKeyPem",
            "secretAnswer", "hmac_sha256", "appKey", "application_key", "AccountKey", "SharedAccessKey",
        ])
    func names(name: String) {
        #expect(
            clean("{\"\(name)\":\"hunter2hunter2\"}", type: "application/json").text == "{\"\(name)\":\"[redacted]\"}")
        #expect(clean("a=1&\(name)=hunter2hunter2", type: "application/x-www-form-urlencoded").count == 1)
    }

    @Test(
        "what only ends like one is none",
        arguments: ["compass", "bypass", "boardingpass", "keyboard", "monkey", "map"])
    func others(name: String) {
        #expect(clean("{\"\(name)\":\"north\"}", type: "application/json").count == 0)
    }

    @Test(
        "header fields of keys",
        arguments: ["DD-APPLICATION-KEY", "X-Application-Key", "X-App-Key", "X-Client-Key", "X-Server-Key"])
    func fields(name: String) {
        var flow = Sample.get()
        flow.flow.request?.headers = [HeaderField(name, "hunter2hunter2")]
        #expect(Redaction.redacted(flow).0.flow.request?.headers.map(\.value) == ["[redacted]"])
    }

    @Test("a Cookie field in a text is left out to its end, and not what stands behind it")
    func cookies() {
        for (text, clean, type) in [
            (
                "GET / HTTP/1.1\r\nCookie: lang=de; other=VALUE\r\nAccept: */*\r\n",
                "GET / HTTP/1.1\r\nCookie: [redacted]\r\nAccept: */*\r\n", "text/plain"
            ),
            (
                #"{"log":"> Cookie: a=b; c=VALUE\n> Accept: x"}"#, #"{"log":"> Cookie: [redacted]\n> Accept: x"}"#,
                "application/json"
            ),
            ("Set-Cookie: a=VALUE; Path=/", "Set-Cookie: [redacted]", "text/plain"),
            (
                "> Cookie: bcookie=\"v=2&x\"; li_at=VALUE; a={\"x\":1}; b=VALUE\n> Accept: x",
                "> Cookie: [redacted]\n> Accept: x", "text/plain"
            ),
            (
                "curl -H 'Cookie: a=\"b\"; c=VALUE' -H 'Accept: x'", "curl -H 'Cookie: [redacted]' -H 'Accept: x'",
                "text/plain"
            ),
            ("log a\\nCookie: a=b; c=VALUE\\nAccept: x", "log a\\nCookie: [redacted]\\nAccept: x", "text/plain"),
            ("data: {\"cookie\":null,\"n\":1}\n\n", "data: {\"cookie\":null,\"n\":1}\n\n", "text/event-stream"),
            ("[Cookie: a=1; b=VALUE, Host: x]", "[Cookie: [redacted], Host: x]", "text/plain"),
            ("headers.cookie: a=1; b=VALUE\n", "headers.cookie: [redacted]\n", "text/plain"),
            ("{ cookie: 'a=VALUE', accept: '*/*' }", "{ cookie: '[redacted]', accept: '*/*' }", "text/plain"),
            ("{ cookie: null, n: 1 }", "{ cookie: null, n: 1 }", "text/plain"),
            ("curl -H \"Cookie: a=\\\"1\\\"; b=VALUE\" x", "curl -H \"Cookie: [redacted]\" x", "text/plain"),
            ("?cookie=VALUE&page=2", "?cookie=[redacted]&page=2", "text/plain"),
        ] {
            #expect(self.clean(text, type: type).text == clean)
        }
    }

    @Test("what another one had hidden is found as well, and nothing is left for the next time")
    func hidden() {
        let text = "AuthDic<887token\":\"eyJ1iJJthDic<887token\":\"eyJ1iJJ9ord\"x\">\09ord\"x\">"
        let once = clean(text, type: "text/plain")
        #expect(once.count > 0 && clean(once.text, type: "text/plain").count == 0, "\(once.text)")
    }

    @Test("a challenge of Kerberos or NTLM has a token, and others have what is asked for")
    func challenges() {
        var flow = Sample.get()
        flow.flow.response?.headers = [
            HeaderField("WWW-Authenticate", "Negotiate YIIabc=="), HeaderField("Proxy-Authenticate", "NTLM"),
            HeaderField("WWW-Authenticate", "Basic realm=\"shop, main\", ntlm TlRMTVNT"),
        ]
        #expect(
            Redaction.redacted(flow).0.flow.response?.headers.map(\.value) == [
                "Negotiate [redacted]", "NTLM", "Basic realm=\"shop, main\", ntlm [redacted]",
            ])
    }

    @Test("what follows a name for tokens among a WebSocket's protocols is one")
    func protocols() {
        var flow = Sample.get()
        flow.flow.request?.headers = [
            HeaderField("Sec-WebSocket-Protocol", "graphql-ws, bearer, abc.def"),
            HeaderField("Sec-WebSocket-Protocol", "chat"),
            HeaderField("sec-websocket-protocol", "access_token,xyz"),
        ]
        let (out, count) = Redaction.redacted(flow)
        #expect(
            out.flow.request?.headers.map(\.value) == [
                "graphql-ws, bearer, [redacted]", "chat", "access_token, [redacted]",
            ])
        #expect(count == 2)
    }
}
