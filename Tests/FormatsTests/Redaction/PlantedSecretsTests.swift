import Facts
import Flows
import Formats
import Testing

/// Secrets everywhere that a flow has room for, looked for in everything that can be exported.
@Suite struct PlantedSecretsTests {
    private static let jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJTRUNSRVQifQ.c2lnbmF0dXJlLVNFQ1JFVA"

    private struct Planted {
        var secrets: [String] = [PlantedSecretsTests.jwt]

        mutating func new(_ place: String = "") -> String {
            secrets.append("SECRET\(secrets.count)x\(place)planted")
            return secrets[secrets.count - 1]
        }
    }

    private func flows(_ planted: inout Planted) -> [RecordedFlow] {
        func field(_ name: String, _ value: String) -> HeaderField { HeaderField(name, value) }
        var all: [RecordedFlow] = []
        // Heads.
        var heads = Sample.get(
            "https://u:\(planted.new())@a.example/p;jsessionid=\(planted.new())?access_token=\(planted.new())"
                + "&api_key=\(planted.new())&X-Amz-Signature=\(planted.new())&client_secret=\(planted.new())"
                + "&next=https%3A%2F%2Fb%2F%3Ftoken%3D\(planted.new())&code=\(planted.new())&jwt=\(Self.jwt)"
                + "#id_token=\(planted.new())&session=\(planted.new())")
        let names = [
            "Authorization", "Proxy-Authorization", "X-Api-Key", "X-Auth-Token", "X-Amz-Security-Token", "X-Csrf-Token",
            "X-XSRF-TOKEN", "Api-Key", "X-Access-Token", "X-Goog-Api-Key", "Private-Token", "X-Vault-Token",
            "X-Session-Id",
            "X-Client-Secret", "Ocp-Apim-Subscription-Key", "DPoP", "X-Signature", "X-Shopify-Access-Token",
        ]
        heads.flow.request?.headers += names.map { field($0, planted.new()) }
        heads.flow.request?.headers += [
            field("Cookie", "a=\(planted.new()); b=\(planted.new())"), field("cookie", planted.new()),
            field("Referer", "https://a/?password=\(planted.new())"), field("X-Other", "Bearer \(planted.new())"),
            field("X-Jwt-Inside", "v=\(Self.jwt)"), field("X-Json", #"{"token":"\#(planted.new())"}"#),
        ]
        heads.flow.request?.trailers = [field("X-Auth-Token", planted.new())]
        heads.flow.response?.headers += [
            field("Set-Cookie", "s=\(planted.new()); Path=/"), field("Location", "/x?token=\(planted.new())"),
        ]
        heads.flow.response?.informational = [
            FlowSide.Interim(status: 103, headers: [field("Set-Cookie", "i=\(planted.new())")])
        ]
        heads.flow.comment = "his password=\(planted.new())"
        all.append(heads)
        // Bodies.
        let json =
            #"{"user":"bob","password":"\#(planted.new())","deep":[{"refresh_token":"\#(planted.new())"}],"#
            + #""cookies":["\#(planted.new())"],"text":"{\"apiKey\":\"\#(planted.new())\"}","url":"https://x:\#(planted.new())@h/"}"#
        all.append(Sample.post(Sample.bytes(json), type: "application/json"))
        all.append(
            Sample.post(Sample.bytes(json), type: "application/json", wire: Sample.bytes("~" + json), encoding: "x"))
        all.append(Sample.post(Sample.bytes(String(json.dropLast(3))), type: "text/plain"))
        all.append(
            Sample.post(
                Sample.bytes("pwd=\(planted.new())&secret%5B%5D=\(planted.new())&x=1"),
                type: "application/x-www-form-urlencoded"))
        let multipart =
            "--b\r\nContent-Disposition: form-data; name=\"passwd\"\r\n\r\n\(planted.new())\r\n--b\r\n"
            + "Content-Disposition: form-data; name=\"f\"; filename=\"f\"\r\n\r\nclient_secret: \(planted.new())\r\n--b--\r\n"
        all.append(Sample.post(Sample.bytes(multipart), type: "multipart/form-data; boundary=b"))
        all.append(
            Sample.post(
                Sample.bytes("<l><password>\(planted.new())</password><a token=\"\(planted.new())\"/></l>"),
                type: "text/xml"))
        all.append(
            Sample.post(Sample.bytes("data: {\"sessionToken\":\"\(planted.new())\"}\n\n"), type: "text/event-stream"))
        all.append(Sample.post([0, 1, 2] + Sample.bytes(Self.jwt) + [0, 8], type: "application/octet-stream"))
        var raw = Sample.failed()
        raw.rawUp = Sample.bytes(planted.new())
        raw.rawDown = Sample.bytes(planted.new())
        raw.flow.failure?.text = "https://a/?token=\(planted.new())"
        all.append(raw)
        let secret = planted.new()
        var odd = Sample.get("https://user:\(secret)@a.test/%E9?token=\(secret)#access_token=\(secret)")
        odd.flow.request?.target = RequestTarget(
            "https://user:\(secret)@a.test/\u{e9}?token=\(secret)#access_token=\(secret)", isLatin1: true)
        odd.flow.response?.informational = [
            FlowSide.Interim(status: 103, reason: "token=\(planted.new())", headers: [])
        ]
        all.append(odd)
        var unknown = Sample.get()
        unknown.response = RecordedBody(wire: Sample.bytes("\u{0}" + planted.new()))
        all.append(unknown)
        // Messages.
        var socket = Sample.webSocket()
        let texts = [
            #"{"token":"\#(planted.new())"}"#, #"42["auth",{"password":"\#(planted.new())"}]"#,
            "a=1&sig=\(planted.new())", Self.jwt,
        ]
        socket.messages = texts.enumerated().map {
            FlowMessage(index: $0.offset, atMS: 1, ExchangeMessage(from: .up, .text, Sample.bytes($0.element)))
        }
        socket.messages.append(
            FlowMessage(
                index: 4, atMS: 2, ExchangeMessage(from: .down, .binary, [0, 1] + Sample.bytes(Self.jwt) + [2])))
        all.append(socket)
        return all
    }

    @Test("no secret is in any export")
    func everywhere() {
        var planted = Planted()
        let flows = flows(&planted)
        #expect(planted.secrets.count > 55)
        let cleaned = flows.map { Redaction.redacted($0) }
        #expect(cleaned.map(\.count).reduce(0, +) >= planted.secrets.count - 4)
        var har = HARWriter(version: "1")
        var outputs: [String: [UInt8]] = ["har": har.begin(), "jsonl": [], "raw": []]
        for (flow, _) in cleaned {
            outputs["har", default: []] += har.entry(flow)
            outputs["jsonl", default: []] += JSONLines.line(flow)
            outputs["raw", default: []] += RawMessages.bytes(flow)
            for format in CopyFormat.allCases {
                outputs[format.rawValue, default: []] += Array((format.copy(flow)?.script ?? "").utf8)
            }
            let shown = BodyText.pretty(flow.request.shown ?? [], contentType: nil) + BodyText.pretty(flow.messages)
            outputs["shown", default: []] += Array(shown.utf8)
        }
        for (name, bytes) in outputs {
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(text.contains("[redacted]"), "\(name)")
            for secret in planted.secrets {
                #expect(!text.contains(secret), "\(name): \(secret)")
                let hidden = Base64.encode(Sample.bytes(secret)).prefix(12)
                #expect(!text.contains(hidden), "\(name): \(secret) in base64")
            }
        }
    }

    @Test("what was cleaned keeps its form, and cleaning it again finds nothing")
    func stable() throws {
        var planted = Planted()
        for flow in flows(&planted) {
            let (clean, _) = Redaction.redacted(flow)
            #expect(Redaction.redacted(clean).count == 0)
            if flow.flow.request?.body?.type == "application/json" {
                _ = try JSONValue.parse(try #require(clean.request.decoded))
            }
        }
    }

    @Test("a flow without secrets stays as it is")
    func untouched() {
        for flow in [Sample.get(), Sample.webSocket(), Sample.failed(), Sample.post([0, 1, 2, 0xff])] {
            var (clean, count) = Redaction.redacted(flow)
            #expect(count == 0)
            clean.redaction = nil
            #expect(clean == flow)
        }
    }

    @Test(
        "several secrets, lists of them and places in those are as secret as one",
        arguments: [
            "access_tokens", "api_keys", "client_secrets", "refreshTokens", "Access-Tokens", "tokens", "tokens[0]",
            "token[value]", "token[]", "tokens.1", "secret_list", "apiKeyList", "token_value", "user[passwords][2]",
            "private_keys", "session_keys", "recovery_codes", "passphrases", "credentials[0][secret]", "sessionIds",
        ])
    func several(name: String) {
        let form = Redaction.redacted(
            Sample.post(Sample.bytes("a=1&\(name)=abc"), type: "application/x-www-form-urlencoded"))
        #expect(String(decoding: form.0.request.decoded ?? [], as: UTF8.self) == "a=1&\(name)=[redacted]")
        let json = Redaction.redacted(
            Sample.post(Sample.bytes("{\"\(name)\":[\"abc\",{\"x\":\"def\"}]}"), type: "application/json"))
        #expect(
            String(decoding: json.0.request.decoded ?? [], as: UTF8.self)
                == "{\"\(name)\":[\"[redacted]\",{\"x\":\"[redacted]\"}]}")
    }

    @Test(
        "what is counted, or only sounds like a secret, stays",
        arguments: [
            "tokenizer", "max_tokens", "maxTokens", "max_new_tokens", "prompt_tokens", "completion_tokens",
            "total_tokens", "input_tokens", "cache_read_input_tokens", "n_tokens", "token_count", "keyboard", "keys",
            "sessions", "monkeys", "nextPageTokens", "x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens",
            "list", "value", "items[0]", "secretary", "assetlist", "a[value]",
        ])
    func counted(name: String) {
        let body = Sample.bytes("a=1&\(name)=4096")
        #expect(Redaction.redacted(Sample.post(body, type: "application/x-www-form-urlencoded")).1 == 0)
        let json = Sample.bytes("{\"\(name)\":\"4096\"}")
        #expect(Redaction.redacted(Sample.post(json, type: "application/json")).1 == 0)
    }

    @Test("numbers of tokens are no secrets, and texts under the same name are")
    func numbers() {
        let body = #"{"usage":{"tokens":12,"response_tokens":-1},"tokens":["ab"],"token":5}"#
        let (out, count) = Redaction.redacted(Sample.post(Sample.bytes(body), type: "application/json"))
        #expect(count == 2)
        #expect(
            String(decoding: out.request.decoded ?? [], as: UTF8.self)
                == #"{"usage":{"tokens":12,"response_tokens":-1},"tokens":["[redacted]"],"token":"[redacted]"}"#)
    }
}
