import Facts
import Testing

@testable import Flows

@Suite("ContentMessages")
struct ContentMessagesTests {
    /// A coding that adds one to every byte; `0xff` is none of it, and `z` was its end.
    private final class Adder: ContentDecoder {
        private var limit: Int
        private(set) var isCut = false
        private(set) var isWhole = false

        init(_ limit: Int) { self.limit = limit }

        func decode(_ bytes: ArraySlice<UInt8>, most: Int) throws(DecodingFault) -> [UInt8] {
            if bytes.contains(0xff) { throw DecodingFault(offset: 0, reason: "not in tests") }
            isWhole = isWhole || bytes.last == UInt8(ascii: "z")
            isCut = bytes.count > limit
            let part = bytes.prefix(limit)
            limit -= part.count
            return part.map { $0 &- 1 }
        }
    }

    /// A coding that makes much of little: each byte stands for a megabyte of empty lines.
    private final class Bomb: ContentDecoder {
        private var limit: Int
        private var out = 0
        private let asked: (() -> Void)?
        private(set) var isCut = false
        let isWhole = true

        init(_ limit: Int, asked: (() -> Void)? = nil) { (self.limit, self.asked) = (limit, asked) }

        func decode(_ bytes: ArraySlice<UInt8>, most: Int) throws(DecodingFault) -> [UInt8] {
            asked?()
            let count = min(bytes.count << 20, limit, most - out)
            isCut = count < bytes.count << 20
            limit -= count
            out += count
            return (0..<count).map { $0 % 2 == 0 ? UInt8(ascii: "1") : UInt8(ascii: "\n") }
        }
    }

    private let tools = DecodingTools(content: { name, limit in
        name == "adder" ? Adder(limit) : name == "bomb" ? Bomb(limit) : nil
    })

    @Test("a few bytes that decode to much are handed on part by part, and no longer than there is room")
    func bombs() {
        let frames = (0..<500).flatMap { _ in [1, 0, 0, 0, 4] + [UInt8](repeating: 0, count: 4) }
        for (type, coding, bytes) in [
            ("application/grpc", "grpc-encoding", frames),
            ("application/x-ndjson", "content-encoding", [UInt8](repeating: 0, count: 8)),
        ] {
            var messages = messages(type, [(coding, "bomb")])
            var (most, all, calls) = (0, 0, 0)
            messages?.read(bytes[...]) { found in
                most = max(most, found.reduce(0) { $0 + $1.data.count + 100 })
                all += found.reduce(0) { $0 + $1.data.count + 100 }
                calls += 1
                return all < 40 << 20
            }
            #expect(calls > (type == "application/grpc" ? 1 : 0) && most <= 6 << 20, "\(type): \(most) at once")
            #expect(all < 48 << 20 && messages?.isLost == true, "\(type): \(all)")
        }
    }

    @Test("a few bytes have no more messages than any could carry, and as many as they do")
    func countless() {
        for (bytes, most) in [(1, 10_100 + 33_000), (20, 12_000 + 33_000)] {
            var messages = messages("application/x-ndjson", [("content-encoding", "bomb")])
            var count = 0
            messages?.read([UInt8](repeating: 0, count: bytes)[...]) { found in
                count += found.count
                return true
            }
            #expect(count > 10_000 && count < most && messages?.isLost == true, "\(count)")
        }
        var plain = messages("application/x-ndjson")
        var count = 0
        plain?.read([UInt8](repeating: 0, count: 40_000).flatMap { [$0 + 49, 10] }[...]) { found in
            count += found.count
            return true
        }
        #expect(count == 40_000 && plain?.isLost == false)
    }

    @Test("content that decodes to little more than came has all of its messages, however long it is")
    func earned() {
        let fields = [HeaderField("Content-Type", "text/event-stream"), HeaderField("Content-Encoding", "adder")]
        var messages = ContentMessages(of: fields, from: .down, tools, decodedLimit: 1000)
        let events = Array(String(repeating: "data: one\n\n", count: 5000).utf8).map { $0 &+ 1 }
        #expect(messages?.read(events[...]).count == 5000 && messages?.loss == nil)
    }

    @Test(
        "why no more messages are found is told", arguments: [("bomb", ContentMessages.Loss.grown), ("adder", .broken)])
    func losses(coding: String, loss: ContentMessages.Loss) {
        let fields = [HeaderField("Content-Type", "text/event-stream"), HeaderField("Content-Encoding", coding)]
        var messages = ContentMessages(of: fields, from: .down, tools, decodedLimit: 1000)
        messages?.read([UInt8](repeating: coding == "bomb" ? 0 : 0xff, count: 200)[...]) { _ in true }
        #expect(messages?.isLost == true && messages?.loss == loss)
    }

    @Test("messages that are compressed far beyond what carries something are not decoded without end")
    func unearned() {
        let frames = (0..<100).flatMap { _ in [1, 0, 0, 0, 1, 0] as [UInt8] }
        var messages = messages("application/grpc", [("grpc-encoding", "bomb")])
        var (decoded, cut) = (0, 0)
        messages?.read(frames[...]) { found in
            decoded += found.reduce(0) { $0 + $1.data.count }
            cut += found.count(where: \.isCut)
            return true
        }
        #expect(decoded <= ContentMessages.decodedLimit + (1 << 20) && cut > 30)
    }

    @Test("a message that was cut has cost as much as one can: what the others earn begins no more of them")
    func costly() {
        var decodings = 0
        let tools = DecodingTools(content: { _, limit in Bomb(limit, asked: { decodings += 1 }) })
        let fields = [HeaderField("Content-Type", "application/grpc"), HeaderField("grpc-encoding", "bomb")]
        var messages = ContentMessages(of: fields, from: .up, tools)
        let frames = (0..<2000).flatMap { _ in [1, 0, 0, 0, 20] + [UInt8](repeating: 0, count: 20) }
        messages?.read(frames[...]) { _ in true }
        #expect(1...5 ~= decodings, "\(decodings)")
    }

    private func messages(_ type: String, _ fields: [(String, String)] = []) -> ContentMessages? {
        ContentMessages(
            of: [HeaderField("Content-Type", type)] + fields.map { HeaderField($0.0, $0.1) }, from: .down, tools)
    }

    private func text(_ message: ExchangeMessage) -> String {
        "\(message.kind)\(message.name.map { " " + $0 } ?? "") \(message.size)\(message.isCut ? " cut" : ""): "
            + String(decoding: message.data, as: UTF8.self)
    }

    /// The same messages, wherever the content is cut.
    private func read(
        _ type: String, _ fields: [(String, String)] = [], _ bytes: [UInt8], isWhole: Bool = true
    ) -> [String] {
        let found = { (pieces: [ArraySlice<UInt8>]) -> [String] in
            guard var messages = messages(type, fields) else { return ["none"] }
            return (pieces.flatMap { messages.read($0) } + messages.end(isWhole: isWhole)).map(text)
        }
        let whole = found([bytes[...]])
        #expect(found(bytes.indices.map { bytes[$0...$0] }) == whole, "in single bytes")
        for cut in bytes.indices { #expect(found([bytes[..<cut], bytes[cut...]]) == whole, "cut at \(cut)") }
        return whole
    }

    @Test("server-sent events: every line end, names, data of several lines, comments, a byte order mark")
    func events() {
        let stream =
            "\u{feff}data: one\n\n: comment\nid: 7\nretry: 10\n\nevent: ping\rdata:two\r\ndata:  three\r\n\r\ndata\n\n"
            + "event: nothing\n\ndata: é\nevent:\nother: x\n\ndata: unfinished\ndata: li"
        #expect(
            read("text/event-stream; charset=utf-8", [], Array(stream.utf8)) == [
                "event 3: one", "event ping 10: two\n three", "event 0: ", "event 2: é",
            ])
        #expect(
            read("Text/Event-Stream", [], Array("data: a\r\rdata: b\r\n\r\n\r\n".utf8)) == ["event 1: a", "event 1: b"])
        #expect(read("text/event-stream", [], Array("\u{feff}: hello\n\n".utf8)) == [])
    }

    @Test("an event comes with the end of its empty line, not with the next byte")
    func atOnce() {
        var events = messages("text/event-stream")
        #expect(events?.read(Array("data: a\n".utf8)[...]).count == 0)
        #expect(events?.read(Array("\n".utf8)[...]).count == 1)
        #expect(events?.read(Array("data: b\r\n\r".utf8)[...]).count == 1)
        #expect(events?.read(Array("\n".utf8)[...]).count == 0)
        var lines = messages("application/x-ndjson")
        #expect(lines?.read(Array("{}\n{".utf8)[...]).count == 1)
    }

    @Test("newline-delimited JSON: a line is a message, the last one needs no end")
    func lines() {
        let content = Array("{\"a\":1}\r\n\n  {\"b\":2} \n[]\n\u{1e}{\"seq\":1}\nlast".utf8)
        let lines = ["text 7: {\"a\":1}", "text 7: {\"b\":2}", "text 2: []", "text 9: {\"seq\":1}"]
        #expect(read("application/x-ndjson", [], content) == lines + ["text 4: last"])
        #expect(read("application/jsonl", [], content, isWhole: false) == lines + ["text 4 cut: last"])
        for type in ["application/stream+json", "application/json-seq", "application/x-jsonlines"] {
            #expect(messages(type) != nil)
        }
        for type in ["application/json", "text/plain", "", "application/proto"] { #expect(messages(type) == nil) }
    }

    @Test("gRPC: five bytes before each message are taken off, and what is compressed is inflated")
    func grpc() {
        let content: [UInt8] =
            [0, 0, 0, 0, 2, 65, 66, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 66, 122] + [1, 0, 0, 0, 1, 0xff, 0, 0, 0, 0, 9, 65]
        #expect(
            read("application/grpc+proto", [("grpc-encoding", "adder")], content) == [
                "grpc 2: AB", "grpc 0: ", "grpc 2: Ay", "grpc 1 cut: \u{fffd}", "grpc 9 cut: A",
            ])
        #expect(read("application/grpc", [], [1, 0, 0, 0, 1, 65]) == ["grpc 1 cut: A"])
        var wrong = messages("application/grpc")
        #expect(wrong?.read([0, 0, 0, 0, 1, 65, 2, 0, 0, 0, 0, 0]).count == 1 && wrong?.isLost == true)
    }

    @Test("gRPC-Web: trailers come in the content, in base64 with padding anywhere too")
    func grpcWeb() {
        let trailers = Array("grpc-status: 0\r\ngrpc-message:\r\n".utf8)
        let content = [0, 0, 0, 0, 1, 65, 0x80, 0, 0, 0, UInt8(trailers.count)] + trailers
        #expect(read("application/grpc-web+proto", [], content) == ["grpc 1: A"])
        let text = [content[..<4], content[4..<6], content[6...]].map { Base64.encode(Array($0)) }.joined()
        #expect(read("application/grpc-web-text", [], Array(text.utf8)) == ["grpc 1: A"])
        for (type, content) in [
            ("application/grpc-web", content), ("application/grpc-web-text+proto", Array(text.utf8)),
        ] {
            var web = messages(type)
            _ = web?.read(content[...])
            #expect(web?.trailers == [HeaderField("grpc-status", "0"), HeaderField("grpc-message", "")])
        }
        var wrong = messages("application/grpc-web-text")
        #expect(wrong?.read([UInt8(ascii: "!")]).isEmpty == true && wrong?.isLost == true)
    }

    @Test("Connect's streams end with JSON")
    func connect() {
        let end = Array("{\"error\":{}}".utf8)
        let content = [0, 0, 0, 0, 1, 65, 1, 0, 0, 0, 1, 122, 2, 0, 0, 0, UInt8(end.count)] + end
        #expect(
            read("application/connect+json", [("Connect-Content-Encoding", "adder")], content) == [
                "grpc 1: A", "grpc 1: y", "text end-stream 12: {\"error\":{}}",
            ])
    }

    @Test("content codings are removed on the way; one that is unknown or broken leaves no messages")
    func codings() {
        let events = Array("data: a\n\ndata: b\n\nda".utf8)
        let coded = events.map { $0 + 1 }
        #expect(
            read("text/event-stream", [("content-encoding", "identity, adder")], coded) == ["event 1: a", "event 1: b"])
        #expect(
            read("text/event-stream", [("content-encoding", "adder, adder")], coded.map { $0 + 1 }) == [
                "event 1: a", "event 1: b",
            ])
        #expect(messages("text/event-stream", [("content-encoding", "other")]) == nil)
        #expect(messages("text/event-stream", [("content-encoding", "adder,adder,adder,adder,adder")]) == nil)
        var broken = messages("text/event-stream", [("content-encoding", "adder")])
        #expect(broken?.read(coded.prefix(5) + [0xff]).isEmpty == true && broken?.isLost == true)
        #expect(broken?.read(coded[...]).isEmpty == true && broken?.end(isWhole: true).isEmpty == true)
    }

    @Test("behind bytes that were left out, reading goes on where the format allows it")
    func shed() {
        var events = messages("text/event-stream")
        var found = events?.read(Array("data: a\n\ndata: hal".utf8)[...]) ?? []
        found += events?.shed(100) ?? []
        found += events?.read(Array("rest\ndata: b\n\ndata: c\n\n".utf8)[...]) ?? []
        #expect(found.map(text) == ["event 1: a", "event 103 cut: hal", "event 1 cut: b", "event 1: c"])
        var lines = messages("application/x-ndjson")
        found = lines?.read(Array("{}\n{\"a".utf8)[...]) ?? []
        found += lines?.shed(10) ?? []
        found += lines?.read(Array("}\n[]\n".utf8)[...]) ?? []
        #expect(found.map(text) == ["text 2: {}", "text 13 cut: {\"a", "text 2: []"])
        var calls = messages("application/grpc")
        found = calls?.read([0, 0, 0, 0, 5, 65]) ?? []
        found += calls?.shed(3) ?? []
        found += calls?.read([66, 0, 0, 0, 0, 1, 67, 0, 0]) ?? []
        found += calls?.shed(2) ?? []
        #expect(found.map(text) == ["grpc 5 cut: A", "grpc 1: C"] && calls?.isLost == true)
        var coded = messages("text/event-stream", [("content-encoding", "adder")])
        #expect(coded?.shed(1).isEmpty == true && coded?.isLost == true)
    }

    @Test("of a message that is too long the beginning is kept, and all is counted")
    func limit() {
        let many = [UInt8](repeating: 97, count: 1 << 20)
        for (type, start, end) in [
            ("text/event-stream", "data: ", "\n\n"), ("application/x-ndjson", "", "\n"),
            ("application/grpc", "\0\u{1}\u{10}\0\0", ""),
        ] {
            var messages = messages(type)
            var found = messages?.read(Array(start.utf8)[...]) ?? []
            for _ in 0..<17 { found += messages?.read(many[...]) ?? [] }
            found += messages?.read(Array(end.utf8)[...]) ?? []
            #expect(found.map(\.size) == [17 << 20] && found.map(\.isCut) == [true], "\(type)")
            #expect((found.first?.data.count ?? 0) > 15 << 20 && (found.first?.data.count ?? 0) <= 16 << 20)
        }
    }

    @Test("nothing traps, whatever comes")
    func mutations() {
        var numbers = FixedNumbers(seed: 3)
        let contents: [(String, [UInt8])] = [
            ("text/event-stream", Array("event: a\r\ndata: b\rdata\n\n: c\nid:\n\n".utf8)),
            ("application/x-ndjson", Array("{}\r\n \n[1]\n".utf8)),
            ("application/grpc-web", [0, 0, 0, 0, 1, 65, 0x80, 0, 0, 0, 4, 97, 58, 13, 10, 1, 0, 0, 0, 1, 1]),
            ("application/grpc-web-text", Array("AAAAAAFBgAAAAAQ=YTo=DQo=".utf8)),
        ]
        for _ in 0..<3000 {
            let (type, content) = contents[numbers.next(contents.count)]
            var bytes = content
            for _ in 0..<(1 + numbers.next(3)) { bytes[numbers.next(bytes.count)] = UInt8(numbers.next(256)) }
            var messages = messages(type, [("grpc-encoding", "adder")])
            let cut = numbers.next(bytes.count)
            _ = messages?.read(bytes[..<cut])
            if numbers.next(5) == 0 { _ = messages?.shed(numbers.next(9)) }
            _ = messages?.read(bytes[cut...])
            _ = messages?.end(isWhole: numbers.next(2) == 0)
        }
    }
}
