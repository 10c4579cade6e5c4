import Facts
import Flows
import Formats
import Testing

@Suite struct BodyTextTests {
    private func pretty(_ text: String, _ type: String?) -> String {
        BodyText.pretty(Sample.bytes(text), contentType: type)
    }

    @Test(
        "JSON is indented by its tokens",
        arguments: [
            (
                #"{"a":1.50,"a":[1,{"b":null}],"c":{},"d":[ ]}"#,
                "{\n  \"a\": 1.50,\n  \"a\": [\n    1,\n    {\n      \"b\": null\n    }\n  ],\n  \"c\": {},\n  \"d\": []\n}\n"
            ),
            ("{\"a\":1}\n{\"a\":2}\n3\n4", "{\n  \"a\": 1\n}\n{\n  \"a\": 2\n}\n3\n4\n"),
            (#"{"a":"x\n","cut"#, "{\n  \"a\": \"x\\n\",\n  \"cut\n"), ("[]", "[]\n"), ("\"x\"", "\"x\"\n"), ("", ""),
        ])
    func json(before: String, after: String) { #expect(pretty(before, "application/json") == after) }

    @Test("forms, XML and multipart bodies are taken apart")
    func forms() {
        #expect(pretty("a=1+2&b=%C3%A9&c", "application/x-www-form-urlencoded") == "a: 1 2\nb: \u{e9}\nc: \n")
        #expect(
            pretty("<?xml v?><a x='>'><b>t</b><c/>u<!-- <d> --></a>", "text/xml")
                == "<?xml v?>\n<a x='>'>\n  <b>t</b>\n  <c/>\n  u\n  <!-- <d> -->\n</a>\n")
        let parts =
            "--b\r\nContent-Disposition: form-data; name=\"j\"\r\nContent-Type: application/json\r\n\r\n[1]\r\n--b--"
        #expect(pretty(parts, "multipart/form-data; boundary=b") == "j, application/json, 3 bytes\n  [\n    1\n  ]\n")
    }

    @Test("text is read in its charset, and binary is shown in hexadecimal digits")
    func charsets() {
        #expect(BodyText.pretty([0x63, 0xe9], contentType: "text/plain; charset=ISO-8859-1") == "c\u{e9}\n")
        #expect(BodyText.pretty([0xff, 0xfe, 0x41, 0], contentType: "text/plain") == "A\n")
        #expect(BodyText.pretty([0x61, 0xc3], contentType: "text/plain") == "a\u{fffd}\n")
        let png: [UInt8] = [
            0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 2, 0, 0, 0, 1, 0,
        ]
        let text = BodyText.pretty(png, contentType: "image/png")
        #expect(
            text.hasPrefix(
                "image/png, 512 × 256, 24 bytes\n00000000  89 50 4e 47 0d 0a 1a 0a  00 00 00 0d 49 48 44 52  .PNG"))
    }

    @Test("protobuf without a schema, and gRPC's messages")
    func protobuf() {
        let message: [UInt8] = [8, 0x96, 1, 0x12, 2, 0x68, 0x69, 0x1a, 3, 8, 1, 0x18, 0x1d, 0x25, 0, 0, 0xc0, 0x3f]
        let broken = BodyText.pretty(message, contentType: "application/x-protobuf")
        #expect(broken.contains("application/x-protobuf, 18 bytes"))
        let whole: [UInt8] = [8, 0x96, 1, 0x12, 2, 0x68, 0x69, 0x1a, 2, 8, 1, 0x25, 0, 0, 0xc0, 0x3f]
        let fields = "1: 150\n2: \"hi\"\n3 {\n  1: 1\n}\n4: 1.5 (fixed32 0x3fc00000)\n"
        #expect(BodyText.pretty(whole, contentType: "application/x-protobuf") == fields)
        let framed = [0, 0, 0, 0, 16] + whole + [0, 0, 0, 0, 0]
        let text = BodyText.pretty(framed, contentType: "application/grpc")
        #expect(text.hasPrefix("message 1, 16 bytes\n  1: 150\n  2: \"hi\"\n  3 {\n    1: 1\n  }\n"))
        #expect(text.hasSuffix("message 2, 0 bytes\n"))
    }

    @Test("nothing of a peer acts on a terminal, whatever it says it is")
    func hostile() {
        let nasty =
            Sample.bytes("\u{1b}]0;x\u{7}\u{202e}{\"\u{1b}[2J\": \"\\\u{9b}\"}<\u{1b}>=\u{1b}&--b\r\n") + [
                0x9b, 0, 0xff,
            ]
        let types = [
            nil, "application/json", "text/xml", "text/plain", "application/x-www-form-urlencoded", "application/grpc",
            "multipart/form-data; boundary=b", "application/x-protobuf", "image/png", "text/\u{1b}[2J",
        ]
        for type in types {
            for count in 0...nasty.count {
                for bytes in [Array(nasty.prefix(count)), Array(nasty.suffix(count))] {
                    let text = BodyText.pretty(bytes, contentType: type)
                    #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.isPrintable })
                }
            }
        }
        var chance = Chance(seed: 3)
        for _ in 0..<2000 {
            let bytes = (0..<40).map { _ in UInt8.random(in: 0...40, using: &chance) }
            _ = BodyText.pretty(bytes, contentType: "application/x-protobuf")
            _ = BodyText.pretty(bytes, contentType: "application/grpc")
        }
    }

    @Test("the text has a limit, and deep nesting none that hurts")
    func bounds() {
        let deep = BodyText.pretty(
            [UInt8](repeating: 0x5b, count: 100_000), contentType: "application/json", limit: 5000)
        #expect(deep.utf8.count < 6000 && deep.hasSuffix("it has 100000 bytes\n"))
        #expect(
            BodyText.pretty([UInt8](repeating: 0x0b, count: 100_000), contentType: "application/x-protobuf").utf8.count
                < 5000)
        #expect(
            BodyText.pretty([UInt8](repeating: 0x61, count: 10_000), contentType: "text/plain", limit: 100).utf8.count
                < 200)
    }

    @Test("messages, and colours where they are wanted")
    func messages() {
        let text = BodyText.pretty(Sample.webSocket().messages)
        #expect(text.hasPrefix("→ text, 5 bytes, at 1.5 ms\n  hello\n← binary, 4 bytes, at 2.25 ms\n"))
        #expect(text.hasSuffix("→ close, 2 bytes, at 4.0 ms\n  1000 \n"))
        let event = ExchangeMessage(from: .down, .event, name: "delta\u{1b}", Sample.bytes("hi"))
        #expect(
            BodyText.pretty([FlowMessage(index: 0, atMS: 1, event)])
                == "← event delta\\u{1b}, 2 bytes, at 1.0 ms\n  hi\n")
        #expect(
            BodyText.pretty(Sample.bytes(#"{"a":1}"#), contentType: nil, isColored: true)
                == "{\n  \u{1b}[34m\"a\"\u{1b}[0m: \u{1b}[36m1\u{1b}[0m\n}\n")
    }
}
