import Facts
import Flows
import Formats
import Testing

@Suite struct HARTests {
    private func file(_ flows: [RecordedFlow]) -> [UInt8] {
        var writer = HARWriter(version: "1.0")
        return flows.reduce(into: writer.begin()) { $0 += writer.entry($1) } + writer.end()
    }

    private func read(_ bytes: [UInt8], by size: Int = .max) -> [ImportStep] {
        var reader = HARReader()
        var steps: [ImportStep] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            steps += reader.read(rest.prefix(size))
            rest = rest.dropFirst(size)
        }
        return steps + reader.finish()
    }

    private func entry(_ flow: RecordedFlow) throws -> JSONValue {
        let json = try JSONValue.parse(file([flow]))
        return try #require(json["log"]?["entries"]?.array?.first)
    }

    @Test("our own HAR gives the same flow, whatever it is")
    func loseNothing() throws {
        for seed in 0..<400 {
            var chance = Chance(seed: UInt64(seed))
            let flow = Sample.any(&chance)
            let bytes = file([flow])
            let steps = read(bytes)
            #expect(steps == [.flow(flow)], "seed \(seed)")
            let timings = try #require(try entry(flow)["timings"]?.members)
            let parts = timings.filter { $0.name != "ssl" }.compactMap(\.value.double)
            #expect(parts.allSatisfy { $0 >= 0 || $0 == -1 })
            let time = try #require(try entry(flow)["time"]?.double)
            #expect(abs(parts.filter { $0 > 0 }.reduce(0, +) - time) < 0.002)
        }
    }

    @Test("a URL that is none is written as one, and read back as it was")
    func oddURLs() throws {
        for (url, written) in [
            ("db.example.com:5432", "https://db.example.com:5432"),
            ("https://a.test/caf\u{e9}?q= x", "https://a.test/caf%C3%A9?q=%20x"),
            ("https://a.test/%41", "https://a.test/%41"),
        ] {
            let flow = Sample.get(url)
            #expect(try entry(flow)["request"]?["url"]?.string == written)
            #expect(read(file([flow])) == [.flow(flow)])
        }
        var socket = Sample.webSocket()
        socket.flow.url = "https://a.test/\u{e9}"
        #expect(try entry(socket)["request"]?["url"]?.string == "wss://a.test/%C3%A9")
        #expect(read(file([socket])) == [.flow(socket)])
    }

    @Test("what is mostly zeros is base64: as text each would take six bytes")
    func zeros() throws {
        let flow = Sample.post([UInt8](repeating: 0, count: 5000))
        #expect(try entry(flow)["request"]?["postData"]?["encoding"]?.string == "base64")
        #expect(read(file([flow])) == [.flow(flow)])
        #expect(String(decoding: flow.json, as: UTF8.self).utf8.count < 10_000)
    }

    @Test("the file may come in pieces of any size")
    func pieces() {
        let flows = [Sample.get(), Sample.webSocket(), Sample.failed(), Sample.post([0xc3])]
        let text = file(flows)
        for size in [1, 3, 64, 1000] { #expect(read(text, by: size).flows == flows) }
        #expect(read(file([])) == [])
    }

    @Test("a file cut anywhere gives the entries before the cut, and says that it is cut")
    func cut() {
        let text = file([Sample.get(), Sample.failed()])
        for count in 0..<(text.count - 5) {
            let steps = read(Array(text.prefix(count)))
            #expect(steps.faults.count == 1 || steps.flows.count == 2, "\(count)")
        }
        #expect(read(Sample.bytes("not json")).faults.first?.place == "the file")
        #expect(read(Sample.bytes("{\"log\":{\"entries\":[{\"a\":1},3,{]}]}}")).faults.count >= 1)
    }

    @Test("an entry says what the specification asks for")
    func form() throws {
        var flow = Sample.post(
            Sample.bytes("a=1&b=%C3%A9"), type: "application/x-www-form-urlencoded",
            headers: [HeaderField("Cookie", "s=1; t=2")])
        flow.flow.response?.headers.append(
            HeaderField(
                "Set-Cookie", "id=1; Path=/; Expires=Wed, 21 Oct 2026 07:28:00 GMT; HttpOnly; Secure; SameSite=Lax"))
        flow.flow.timing = FlowTiming(connectMS: 10, tlsMS: 20, sentMS: 1, firstByteMS: 5, lastByteMS: 6)
        let json = try entry(flow)
        // In HAR an entry starts before its connection is set up.
        #expect(json["startedDateTime"]?.string == "2026-01-01T00:00:00.093456Z")
        #expect(json["time"]?.double == 36)
        #expect(json["timings"]?["connect"]?.double == 30 && json["timings"]?["ssl"]?.double == 20)
        #expect(json["serverIPAddress"]?.string == "203.0.113.7")
        let request = try #require(json["request"])
        #expect(request["bodySize"]?.int == 12)
        #expect(
            request["headersSize"]?.int == "POST /v1/items?page=2 HTTP/1.1\r\nHost: api.example.com\r\n".utf8.count
                + "Content-Type: application/x-www-form-urlencoded\r\nCookie: s=1; t=2\r\n\r\n".utf8.count)
        #expect(request["queryString"]?.array?.first?["name"]?.string == "page")
        #expect(request["cookies"]?.array?.map { $0["name"]?.string } == ["s", "t"])
        #expect(request["postData"]?["params"]?.array?.last?["value"]?.string == "\u{e9}")
        let cookie = try #require(json["response"]?["cookies"]?.array?.first)
        #expect(cookie["expires"]?.string == "2026-10-21T07:28:00Z")
        #expect(cookie["httpOnly"]?.bool == true && cookie["sameSite"]?.string == "Lax")
        #expect(json["response"]?["content"]?["text"]?.string == #"{"items": []}"#)
    }

    @Test("messages of a WebSocket are Chrome's, and a failure has status 0 and an error")
    func chromeMembers() throws {
        let socket = try entry(Sample.webSocket())
        #expect(socket["request"]?["url"]?.string == "wss://chat.example.com/socket")
        #expect(socket["_resourceType"]?.string == "websocket")
        let messages = try #require(socket["_webSocketMessages"]?.array)
        #expect(messages[0]["type"]?.string == "send" && messages[0]["data"]?.string == "hello")
        #expect(messages[0]["time"]?.double == 1_767_225_600.124956)
        #expect(messages[1]["opcode"]?.int == 2 && messages[1]["data"]?.string == "AAEC/w==")
        let failed = try entry(Sample.failed())
        #expect(failed["response"]?["status"]?.int == 0)
        #expect(failed["response"]?["_error"]?.string == "client-refused-certificate: the app refused the certificate")
        #expect(failed["request"]?["url"]?.string == "https://pinned.example.com/")
    }

    @Test("a body that never came to its end, or not yet, has a comment that says so")
    func brokenOff() throws {
        var flow = Sample.brokenOff(Sample.bytes("abc"), HeaderField("Content-Length", "1000"))
        let comment = { (flow: RecordedFlow) in try entry(flow)["request"]?["postData"]?["comment"]?.string }
        #expect(try comment(flow) == "it never came to its end")
        #expect(read(file([flow])) == [.flow(flow)])
        flow.flow.state = .open
        flow.flow.request?.body?.size = 9
        #expect(try comment(flow) == "3 of 9 bytes were kept; it has not come to its end yet")
        flow = Sample.get()
        #expect(try entry(flow)["response"]?["content"]?["comment"] == nil)
    }

    @Test("a body that is no UTF-8, or cut in the middle of a character, is base64")
    func binary() throws {
        var flow = Sample.post(Sample.bytes("caf\u{e9}").dropLast())
        flow.response = RecordedBody(plain: [0xff, 0])
        let json = try entry(flow)
        #expect(json["request"]?["postData"]?["encoding"]?.string == "base64")
        #expect(json["response"]?["content"]?["text"]?.string == "/wA=")
    }

    @Test("what somebody took out of the file is not in its extras")
    func extras() throws {
        var flow = Sample.get("https://a.example/?token=SECRET1")
        flow.flow.request?.headers.append(HeaderField("Authorization", "SECRET2"))
        flow.flow.comment = "SECRET3"
        let extras = try #require(try entry(flow)["_pinproof"])
        var json = JSONWriter()
        json.value(extras)
        #expect(!String(decoding: json.bytes, as: UTF8.self).contains("SECRET"))
    }
}
