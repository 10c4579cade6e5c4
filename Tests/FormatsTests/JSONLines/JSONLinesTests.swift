import Facts
import Flows
import Formats
import Testing

@Suite struct JSONLinesTests {
    private func read(_ bytes: [UInt8], by size: Int = .max, limit: Int = JSONLinesReader.lineLimit) -> [ImportStep] {
        var reader = JSONLinesReader(limit: limit)
        var steps: [ImportStep] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            steps += reader.read(rest.prefix(size))
            rest = rest.dropFirst(size)
        }
        return steps + reader.finish()
    }

    @Test("what is written is read as the same flow, whatever it is")
    func loseNothing() {
        for seed in 0..<400 {
            var chance = Chance(seed: UInt64(seed))
            let flow = Sample.any(&chance)
            let line = JSONLines.line(flow)
            #expect(line.last == 0x0a && line.dropLast().allSatisfy { $0 != 0x0a })
            #expect(read(line) == [.flow(flow)], "seed \(seed): \(String(decoding: line, as: UTF8.self))")
        }
    }

    @Test("a message that its standard does not allow says so, and is read as it was")
    func faults() throws {
        let message = FlowMessage(index: 0, atMS: 1, ExchangeMessage(from: .down, .close, [0x03, 0xee]))
        var json = JSONWriter()
        message.write(to: &json, place: 0)
        let value = try JSONValue.parse(json.bytes)
        #expect(value["fault"]?.string == "code 1006 stands for an end without a close, and may not be sent")
        #expect(FlowMessage(json: value, index: 0) == message)
        var flow = Sample.webSocket()
        flow.messages = [message]
        #expect(read(JSONLines.line(flow)) == [.flow(flow)])
    }

    @Test("lines may come in pieces of any size")
    func pieces() {
        let flows = [Sample.get(), Sample.webSocket(), Sample.failed(), Sample.post([0xc3])]
        let text = flows.flatMap(JSONLines.line)
        for size in [1, 2, 7, 100, 1000] { #expect(read(text, by: size).flows == flows) }
    }

    @Test("a line that is none is told with its number and column, and the rest is read")
    func badLines() {
        let good = JSONLines.line(Sample.get())
        let cut = Array(JSONLines.line(Sample.webSocket()).prefix(400))
        let text = Sample.bytes("\u{feff}{\"a\" 1}\n\n[]\n{\"kind\": \"http\"}\n") + good + [0xff, 0x0a] + good + cut
        let steps = read(text)
        #expect(steps.flows == [Sample.get(), Sample.get()])
        #expect(steps.faults.map(\.place).prefix(4) == ["line 1, column 6", "line 3", "line 4", "line 6, column 1"])
        #expect(steps.faults.count == 5)
        #expect(steps.faults[2].reason.contains("\"state\""))
    }

    @Test("times and sizes that cannot be are passed over, as what is of another type is")
    func impossible() throws {
        var known = Sample.get()
        (known.flow.durationMS, known.flow.timing.firstByteMS) = (12, 12)
        let line = String(decoding: JSONLines.line(known), as: UTF8.self)
        let value = try JSONValue.parse(Sample.bytes(line)[...])
        #expect(value["duration_ms"]?.double != nil && value["response"]?["body"]?["size"]?.int != nil)
        for (number, isKept) in [("41.5", true), ("-9223372036854775807", false), ("-1", false), ("1e300", false)] {
            var odd = line.replacing(#/"duration_ms":[0-9.]+/#) { _ in "\"duration_ms\":\(number)" }
            odd.replace(#/"first_byte_ms":[0-9.]+/#) { _ in "\"first_byte_ms\":\(number)" }
            let flow = read(Sample.bytes(odd)).flows.first?.flow
            #expect(flow?.durationMS == (isKept ? 41.5 : nil) && flow?.timing.firstByteMS == (isKept ? 41.5 : nil))
        }
        let huge = line.replacing(#/"size":[0-9]+/#) { _ in "\"size\":-5" }
        #expect(read(Sample.bytes(huge)).flows.first?.flow.response?.body?.size == 0)
    }

    @Test("a line cut at any place is a fault, and no flow")
    func cut() {
        let line = JSONLines.line(Sample.webSocket()).dropLast()
        for count in 1..<line.count {
            let steps = read(Array(line.prefix(count)))
            #expect(steps.flows.isEmpty && steps.faults.count == 1)
        }
    }

    @Test("a line that is too long is passed over")
    func tooLong() {
        let long = [UInt8](repeating: 0x20, count: 5000) + JSONLines.line(Sample.get())
        let steps = read(long + JSONLines.line(Sample.failed()), by: 100, limit: 2000)
        #expect(steps.flows == [Sample.failed()])
        #expect(steps.faults == [ImportFault(place: "line 1", reason: "it is longer than 2000 bytes")])
    }

    @Test("bytes that are no base64 are a fault")
    func badBase64() {
        let text = String(decoding: JSONLines.line(Sample.post([0xff, 0xfe])), as: UTF8.self)
        #expect(text.contains("\"base64\":\"//4=\""))
        let wrong = text.replacing("//4=", with: "//4=!")
        #expect(read(Sample.bytes(wrong)).faults.first?.reason == "bytes are no base64")
    }

    @Test("bodies are text where they can be, and the wire's bytes are there where they differ")
    func form() {
        let recorded = Sample.post(Sample.bytes("hi"), wire: [0x1f, 0x8b, 0], encoding: "gzip")
        let text = String(decoding: recorded.json, as: UTF8.self)
        #expect(text.contains(#""encoding":"gzip","text":"hi","raw":"H4sA"}"#))
        #expect(!String(decoding: Sample.get().json, as: UTF8.self).contains("\"raw\""))
    }
}
