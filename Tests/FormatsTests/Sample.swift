import Facts
import Flows
import Formats

/// Flows for tests: one with everything, and any number by chance, the same for the same seed.
enum Sample {
    static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    static func get(_ url: String = "https://api.example.com/v1/items?page=2", status: Int = 200) -> RecordedFlow {
        var flow = Flow(id: 7, kind: .http, state: .complete, started: 1_767_225_600.123456)
        flow.method = "GET"
        flow.url = url
        flow.scheme = url.hasPrefix("http:") || url.hasPrefix("ws:") ? "http" : "https"
        flow.status = status
        flow.version = "HTTP/1.1"
        flow.server = Flow.Server(host: "api.example.com", port: 443, address: "203.0.113.7:443")
        flow.request = FlowSide(headers: [HeaderField("Host", "api.example.com")])
        flow.response = FlowSide(
            reason: "OK", headers: [HeaderField("Content-Type", "application/json")],
            body: FlowBody(size: 13, decodedSize: 13, kept: 13, type: "application/json"))
        return RecordedFlow(flow, response: RecordedBody(plain: bytes(#"{"items": []}"#)))
    }

    static func post(
        _ body: [UInt8], type: String? = nil, headers: [HeaderField] = [], wire: [UInt8]? = nil,
        encoding: String? = nil
    ) -> RecordedFlow {
        var recorded = get()
        recorded.flow.method = "POST"
        var fields = recorded.flow.request?.headers ?? []
        if let type { fields.append(HeaderField("Content-Type", type)) }
        fields += headers
        let sent = wire ?? body
        recorded.flow.request = FlowSide(
            headers: fields,
            body: FlowBody(
                size: sent.count, decodedSize: body.count, kept: sent.count, encoding: encoding,
                type: type.map { String($0.prefix { $0 != ";" }) }))
        recorded.request = RecordedBody(wire: sent, decoded: body)
        return recorded
    }

    /// Its client left in the middle of its body.
    static func brokenOff(_ body: [UInt8], _ field: HeaderField) -> RecordedFlow {
        var recorded = post(body, headers: [field])
        recorded.flow.state = .aborted
        recorded.flow.request?.body?.decodedSize = nil
        (recorded.flow.status, recorded.flow.response, recorded.response) = (nil, nil, RecordedBody())
        return recorded
    }

    static func webSocket() -> RecordedFlow {
        var recorded = get("https://chat.example.com/socket", status: 101)
        recorded.flow.kind = .websocket
        recorded.flow.response = FlowSide(reason: "Switching Protocols", headers: [HeaderField("Upgrade", "websocket")])
        recorded.response = RecordedBody()
        recorded.messages = [
            FlowMessage(index: 0, atMS: 1.5, ExchangeMessage(from: .up, .text, bytes("hello"))),
            FlowMessage(index: 1, atMS: 2.25, ExchangeMessage(from: .down, .binary, [0, 1, 2, 0xff])),
            FlowMessage(index: 2, atMS: 2.5, ExchangeMessage(from: .down, .text, [0xc3], size: 9, isCut: true)),
            FlowMessage(index: 3, atMS: 3, ExchangeMessage(from: .up, .ping, bytes("p"))),
            FlowMessage(index: 4, atMS: 4, ExchangeMessage(from: .up, .close, [3, 0xe8])),
        ]
        recorded.flow.messages = 5
        return recorded
    }

    static func failed() -> RecordedFlow {
        var flow = Flow(id: 9, kind: .failure, state: .aborted, started: 1_767_225_601)
        flow.server = Flow.Server(host: "pinned.example.com", port: 443)
        flow.failure = FlowFailure(
            .clientRefusedCertificate, leg: .client, alert: "unknown_ca", text: "the app refused the certificate",
            hint: "tunnel it")
        return RecordedFlow(flow)
    }

    /// A flow of whatever is possible.
    static func any(_ chance: inout some RandomNumberGenerator) -> RecordedFlow {
        var flow = Flow(
            id: .random(in: 1...100_000, using: &chance), kind: .allCases.randomElement(using: &chance) ?? .http,
            state: .allCases.randomElement(using: &chance) ?? .open,
            started: 1_767_225_600 + Double(Int.random(in: 0...999_999, using: &chance)) / 1_000_000)
        func maybe<Value>(_ value: Value, _ chance: inout some RandomNumberGenerator) -> Value? {
            .random(using: &chance) ? value : nil
        }
        flow.connection = maybe(317, &chance)
        flow.stream = maybe(5, &chance)
        flow.durationMS = maybe(12.345, &chance)
        flow.client = Flow.Client(address: maybe("127.0.0.1:50123", &chance), name: maybe("pixel-8", &chance))
        flow.server = Flow.Server(
            host: maybe("a.example", &chance), port: maybe(8443, &chance), address: maybe("[2001:db8::1]:8443", &chance)
        )
        flow.scheme = maybe("https", &chance)
        flow.method = maybe("POST", &chance)
        flow.url = maybe("https://a.example/p?q=1&q=%20", &chance)
        flow.status = maybe(404, &chance)
        flow.version = maybe(.random(using: &chance) ? "h2" : "HTTP/1.0", &chance)
        flow.tags = maybe(["sse", "graphql:Login"], &chance) ?? []
        flow.timing = FlowTiming(
            connectMS: maybe(1.5, &chance), tlsMS: maybe(2.5, &chance), clientTLSMS: maybe(3, &chance),
            sentMS: maybe(0.125, &chance), firstByteMS: maybe(7, &chance), lastByteMS: maybe(9.001, &chance))
        flow.failure = maybe(FlowFailure(.originReset, leg: .origin, text: "it \u{1b}[31m went\n"), &chance)
        flow.undecodable = maybe(Flow.Undecodable(at: 12, why: "no HTTP"), &chance)
        flow.mark = maybe("red", &chance)
        flow.comment = maybe("look \"here\"", &chance)
        let (up, request) = side(&chance)
        let (down, response) = side(&chance)
        flow.request = up
        flow.response = down
        if down != nil { flow.response?.reason = maybe("", &chance) }
        if down != nil { flow.response?.version = maybe("HTTP/1.0", &chance) }
        if up != nil { flow.request?.target = maybe(RequestTarget("/p\u{e9}#f", isLatin1: true), &chance) }
        let messages = (0..<Int.random(in: 0...4, using: &chance)).map { index in
            let kinds: [ExchangeMessage.Kind] = [.text, .binary, .close, .ping, .pong, .event, .grpc]
            let data = body(&chance)
            let isCut = Bool.random(using: &chance)
            return FlowMessage(
                index: index, atMS: Double(index * 1001) / 1000,
                ExchangeMessage(
                    from: .random(using: &chance) ? .up : .down, kinds.randomElement(using: &chance) ?? .text,
                    name: maybe("delta \u{1b}", &chance), data, size: data.count + (isCut ? 5 : 0), isCut: isCut))
        }
        flow.messages = messages.count
        return RecordedFlow(
            flow, request: request, response: response, messages: messages,
            rawUp: .random(using: &chance) ? [] : body(&chance), rawDown: .random(using: &chance) ? [] : body(&chance))
    }

    private static func side(_ chance: inout some RandomNumberGenerator) -> (FlowSide?, RecordedBody) {
        guard Int.random(in: 0..<5, using: &chance) > 0 else { return (nil, RecordedBody()) }
        let fields = [
            HeaderField("X-Twice", "1"), HeaderField("x-twice", "2"), HeaderField("X-Empty", ""),
            HeaderField("", "nameless"),
            HeaderField("X-Latin", "caf\u{e9}", isLatin1: true), HeaderField("X-UTF8", "caf\u{e9} \u{1f512}"),
            HeaderField("X-Odd", "\u{0}\u{7f}\"\\"), HeaderField("Cookie", "a=b; c"),
            HeaderField("Content-Type", "text/plain; charset=x"),
        ].filter { _ in Bool.random(using: &chance) }.shuffled(using: &chance)
        var side = FlowSide(
            headers: fields, trailers: Bool.random(using: &chance) ? [] : fields.reversed(),
            informational: Bool.random(using: &chance)
                ? [] : [FlowSide.Interim(status: 103, reason: "Early", headers: fields)])
        guard Bool.random(using: &chance) else { return (side, RecordedBody()) }
        let bytes = body(&chance)
        let bodies = [
            RecordedBody(), RecordedBody(plain: bytes), RecordedBody(wire: [0x1f, 0x8b] + bytes, decoded: bytes),
            RecordedBody(wire: bytes, decoded: nil), RecordedBody(wire: nil, decoded: bytes),
            RecordedBody(wire: [], decoded: []), RecordedBody(wire: [], decoded: nil),
        ]
        let recorded = bodies.randomElement(using: &chance) ?? RecordedBody()
        let size = recorded.kept?.count ?? 0
        side.body = FlowBody(
            size: size + Int.random(in: 0...1, using: &chance) * 100, decodedSize: recorded.decoded?.count,
            sha256: "00ff", kept: size, encoding: recorded.wire == recorded.decoded ? nil : "gzip", type: "text/plain",
            shed: Int.random(in: 0...1, using: &chance))
        return (side, recorded)
    }

    private static func body(_ chance: inout some RandomNumberGenerator) -> [UInt8] {
        switch Int.random(in: 0..<5, using: &chance) {
        case 0: []
        case 1: bytes("a text \"with\" \u{0} \r\n \u{1f512} \u{2028} and \u{e9}")
        // Cut in the middle of a character.
        case 2: bytes("caf\u{e9}").dropLast()
        case 3: (0...255).map { UInt8($0) }
        default: (0..<Int.random(in: 1...50, using: &chance)).map { _ in UInt8.random(in: 0...255, using: &chance) }
        }
    }
}
