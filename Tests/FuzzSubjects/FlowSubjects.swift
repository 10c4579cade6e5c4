import Coding
import Facts
import Flows
import TLS

/// What is read of a connection's plaintext.
extension FuzzSubject {
    static let http1 = connection("http1", alpn: [nil, "http/1.1"])
    static let http2 = connection("http2", alpn: ["h2"])
    /// Behind an upgrade that it brings itself.
    static let webSocket = FuzzSubject("websocket") { input in
        let options = (input.dropFirst().first ?? 0) % 4
        let agreed = ["", "permessage-deflate", "permessage-deflate; client_no_context_takeover", "x"][Int(options)]
        let up = "GET /ws HTTP/1.1\r\nHost: a.test\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"
        let down =
            "HTTP/1.1 101 S\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Extensions: \(agreed)\r\n\r\n"
        let mark: [UInt8] = [0xf5, 0xf7]
        let upgraded: [UInt8] =
            Array(input.prefix(2)) + Array(up.utf8) + mark + Array(down.utf8) + mark + Array(input.dropFirst(2))
        try check(upgraded, alpn: "http/1.1")
    }

    private static func connection(_ name: String, alpn: [String?]) -> FuzzSubject {
        FuzzSubject(name, limit: 8192) { input in
            try check(input, alpn: alpn[Int(input.dropFirst().first ?? 0) % alpn.count])
        }
    }

    /// The same in pieces as at once; every byte of what is raw is there; what is recorded can be written and read.
    private static func check(_ input: [UInt8], alpn: String?) throws {
        let talk = TalkInput(input)
        let whole = steps(talk.turns, alpn)
        try expectEqual(steps(talk.pieces, alpn), whole, "a conversation in pieces and at once")
        var changes: [FlowChange] = []
        var (ids, facts) = (Int64(0), ConnectionRecorder.Facts(connection: 1, scheme: "https"))
        facts.server = Flow.Server(host: "api.example.com", port: 443)
        var tools = DecodingTools.linked
        tools.digest = { Digest() }
        var recorder = ConnectionRecorder(
            facts, reader: ConnectionReader(alpn: alpn, tools: tools), limits: .init(), tools: tools,
            clock: FlowClock(unix: 0, monotonic: 0)
        ) {
            ids += 1
            return ids
        }
        for (place, turn) in talk.pieces.enumerated() {
            recorder.read(Array(turn.bytes), turn.direction, at: Double(place) / 1e3)
        }
        recorder.take(into: &changes)
        for case .flow(let flow) in changes {
            let json = flow.json
            try expectEqual(try Flow(json: JSONValue.parse(json)).json, json, "a flow that was written and read")
        }
    }

    /// Neighbouring content of one direction joined, so that how it came makes no difference.
    private static func steps(_ turns: [TalkInput.Turn], _ alpn: String?) -> [ExchangeStep.Kind] {
        var reader = ConnectionReader(alpn: alpn, tools: .linked)
        var steps = ExchangeSteps()
        var joined: [ExchangeStep.Kind] = []
        var last = -1
        func take() {
            for step in steps.take() {
                switch (joined.last, step.kind) {
                case (.content(let one, let before), .content(let other, let more))
                where one == other && last == step.exchange:
                    joined[joined.count - 1] = .content(one, before + more)
                case (.raw(let one, let before), .raw(let other, let more)) where one == other && last == step.exchange:
                    joined[joined.count - 1] = .raw(one, before + more)
                default: joined.append(step.kind)
                }
                last = step.exchange
            }
        }
        for turn in turns {
            reader.read(turn.bytes, turn.direction, &steps)
            take()
        }
        reader.end("it ended", &steps)
        take()
        return joined
    }

    /// Blocks that the same decoder reads one after the other: F5 F7 stands between them.
    static let headerBlocks = FuzzSubject("header-blocks") { input in
        let decoder = HPACKDecoder()
        for turn in TalkInput(input).turns {
            guard let fields = try? decoder.decode(Array(turn.bytes)) else { continue }
            let size = fields.reduce(0) { $0 + $1.name.count + $1.value.count + 32 }
            try expect(size <= HPACKDecoder.blockLimit, "a header block of \(size) bytes")
        }
    }

    static let contentCodings = FuzzSubject("content-codings") { input in
        let cut = CutInput(Array(input.dropFirst()))
        let names = ["gzip", "deflate", "br", "zstd", "gzip, br", "x-gzip, deflate, zstd"]
        let name = names[Int(input.first ?? 0) % names.count]
        let limit = 100_000
        func decoded(_ pieces: [ArraySlice<UInt8>]) throws -> (content: [UInt8], isCut: Bool, isWhole: Bool) {
            guard let decoder = ContentCoding.decoder(for: name, limit: limit) else { throw FuzzFinding("no \(name)") }
            var content: [UInt8] = []
            for piece in pieces + [[]] {
                guard let more = try? decoder.decode(piece) else { break }
                content += more
            }
            return (content, decoder.isCut, decoder.isWhole)
        }
        let whole = try decoded([cut.bytes[...]])
        let inPieces = try decoded(cut.pieces)
        try expect(whole.content.count <= limit, "\(whole.content.count) bytes of content, over the limit")
        // Of what is broken more comes out where the decoder had more before it at a time.
        guard whole.isWhole || inPieces.isWhole else {
            let (less, more) = whole.content.count < inPieces.content.count ? (whole, inPieces) : (inPieces, whole)
            return try expect(more.content.starts(with: less.content), "broken content in pieces and at once")
        }
        try expectEqual(inPieces.content, whole.content, "content in pieces and at once")
        try expectEqual(inPieces.isCut, whole.isCut, "what is cut in pieces and at once")
    }

    static let contentMessages = FuzzSubject("content-messages") { input in
        let cut = CutInput(Array(input.dropFirst()))
        let types = [
            "text/event-stream", "application/grpc", "application/grpc-web", "application/grpc-web-text",
            "application/connect+json", "application/x-ndjson",
        ]
        let choice = Int(input.first ?? 0)
        let fields = [
            HeaderField("content-type", types[choice % types.count]),
            HeaderField("grpc-encoding", choice > 127 ? "gzip" : "identity"),
        ]
        func messages(_ pieces: [ArraySlice<UInt8>]) -> [ExchangeMessage] {
            guard var reader = ContentMessages(of: fields, from: .down, .linked) else { return [] }
            return pieces.flatMap { reader.read($0) } + reader.end(isWhole: true)
        }
        try expectEqual(messages(cut.pieces), messages([cut.bytes[...]]), "messages in pieces and at once")
    }
}

private final class Digest: BodyDigest {
    private var bytes: [UInt8] = []

    func add(_ bytes: ArraySlice<UInt8>) { self.bytes += bytes }
    func finish() -> String { SHA256.hex(bytes) }
}
