import Facts
import Flows

@testable import Filters

/// A flow with its bytes.
struct Sample: FilterContent {
    var name: String
    var flow: Flow
    var requestText: String?
    var responseText: String?
    var messages: [(ExchangeDirection, String)] = []

    func text(_ direction: ExchangeDirection) -> [UInt8]? {
        (direction == .up ? requestText : responseText).map { Array($0.utf8) }
    }

    func hasMessage(_ direction: ExchangeDirection, where fits: ([UInt8]) -> Bool) -> Bool {
        messages.contains { $0.0 == direction && fits(Array($0.1.utf8)) }
    }
}

/// Swift's own expressions, in place of the fence's.
struct SampleRegex: FilterRegex {
    var source: String
    var ignoresCase: Bool

    func matches(_ bytes: [UInt8]) -> Bool {
        guard let regex = try? Regex(source).ignoresCase(ignoresCase) else { return false }
        return String(decoding: bytes, as: UTF8.self).contains(regex)
    }

    static func compile(_ source: String, _ ignoresCase: Bool) throws(FilterRegexFault) -> any FilterRegex {
        if source == "[" { throw FilterRegexFault("missing ]", offset: 0) }
        if source == "a/(b" { throw FilterRegexFault("missing )", offset: 2) }
        if (try? Regex(source)) == nil { throw FilterRegexFault("not understood") }
        return SampleRegex(source: source, ignoresCase: ignoresCase)
    }
}

extension FilterContext {
    /// Noon UTC of the first day of 2026, in a zone one hour ahead.
    static let sample = FilterContext(now: 1_767_268_800, localOffset: { _ in 3600 }, regex: SampleRegex.compile)

    static func with(_ book: FilterBook) -> FilterContext {
        var context = sample
        context.book = book
        return context
    }
}

extension Filter {
    static func sample(_ text: String) throws(FilterFault) -> Filter { try parse(text, in: .sample) }
}

extension FlowBody {
    static func whole(_ size: Int, _ type: String? = nil) -> FlowBody { FlowBody(size: size, kept: size, type: type) }
}

/// What an app says on a morning: one flow a minute, from 10:01 UTC.
enum Morning {
    static let flows: [Sample] = [
        login, problem, redirect, image, script, chat, events, graphql, grpc, pinned, tunnel, download, broken, raw,
    ]

    private static func begun(
        _ id: Int64, _ method: String? = nil, _ url: String? = nil, _ status: Int? = nil, kind: Flow.Kind = .http,
        state: Flow.State = .complete, host: String, port: Int = 443
    ) -> Flow {
        var flow = Flow(id: id, kind: kind, state: state, started: 1_767_261_600 + Double(id - 1000) * 60)
        flow.method = method
        flow.url = url
        flow.scheme = url.map { String($0.prefix { $0 != ":" }) }
        flow.status = status
        flow.server = .init(host: host, port: port)
        flow.client = .init(address: "192.168.1.20:40000")
        flow.connection = UInt64(id) - 700
        return flow
    }

    static let login: Sample = {
        var flow = begun(1001, "POST", "https://api.example.com/v1/login?x=1", 200, host: "api.example.com")
        flow.connection = 317
        flow.client = .init(address: "127.0.0.1:50123", name: "pixel-8")
        flow.durationMS = 12.3
        flow.request = FlowSide(
            headers: [
                HeaderField("Content-Type", "application/json"), HeaderField("X-Request-ID", "7f-A"),
                HeaderField("x-a", "aBc"), HeaderField("Cookie", "sid=1; theme=dark"),
            ], body: .whole(45, "application/json"))
        flow.response = FlowSide(
            reason: "OK", headers: [HeaderField("content-type", "application/json; charset=utf-8")],
            body: .whole(1500, "application/json"))
        flow.tls = FlowTLS(
            version: "TLSv1.3", alpn: "h2", sni: "api.example.com", ja4: "t13d1516h2_8daaf6152771_b186095e22b6")
        return Sample(
            name: "login", flow: flow, requestText: #"{"user":"Zoë ÄRGER","password":"s3cret"}"#,
            responseText: #"{"Token":"eyJhb.GciOi"}"#)
    }()

    static let problem: Sample = {
        var flow = begun(1002, "GET", "https://api.example.com/v1/users/7", 404, host: "api.example.com")
        flow.durationMS = 40
        flow.request = FlowSide(headers: [HeaderField("accept", "*/*")])
        flow.response = FlowSide(
            headers: [HeaderField("content-type", "application/problem+json")],
            body: .whole(90, "application/problem+json"))
        flow.tls = FlowTLS(version: "TLSv1.3", alpn: "http/1.1", ja4: "t13d1715h1_5b57614c22b0_3d5424432f57")
        flow.comment = "Asked Bob"
        return Sample(name: "problem", flow: flow, responseText: #"{"title":"no such user"}"#)
    }()

    static let redirect: Sample = {
        var flow = begun(1003, "GET", "http://example.com:8080/old", 302, host: "example.com", port: 8080)
        flow.durationMS = 5
        flow.request = FlowSide(headers: [HeaderField("Host", "example.com:8080")])
        flow.response = FlowSide(
            headers: [HeaderField("Location", "/new"), HeaderField("Content-Type", "text/html")], body: .whole(0))
        return Sample(name: "redirect", flow: flow)
    }()

    static let image: Sample = {
        var flow = begun(1004, "GET", "https://cdn.example.com/img/logo.png?v=2,3", 200, host: "cdn.example.com")
        flow.durationMS = 800
        flow.request = FlowSide(headers: [])
        flow.response = FlowSide(
            headers: [HeaderField("Content-Type", "image/png"), HeaderField("Age", "120")],
            body: .whole(2 << 20, "image/png"))
        flow.tls = FlowTLS(version: "TLSv1.3", alpn: "h2")
        flow.mark = "later"
        return Sample(name: "image", flow: flow)
    }()

    static let script: Sample = {
        var flow = begun(1005, "GET", "https://cdn.example.com/app.js", 304, host: "cdn.example.com")
        flow.durationMS = 9
        flow.request = FlowSide(headers: [HeaderField("If-None-Match", "\"v1\"")])
        flow.response = FlowSide(headers: [HeaderField("content-type", "Text/JavaScript ; charset=utf-8")])
        flow.tls = FlowTLS(version: "TLSv1.3", alpn: "h2")
        return Sample(name: "script", flow: flow)
    }()

    static let chat: Sample = {
        var flow = begun(
            1006, "GET", "wss://chat.example.com/socket", 101, kind: .websocket, state: .open, host: "chat.example.com")
        flow.messages = 12
        flow.request = FlowSide(headers: [HeaderField("Upgrade", "websocket")])
        flow.response = FlowSide(
            headers: [HeaderField("Upgrade", "websocket")],
            informational: [.init(status: 103, headers: [HeaderField("Link", "</a.css>")])])
        return Sample(
            name: "chat", flow: flow, messages: [(.up, "hello Straße"), (.down, #"{"typing":true}"#)])
    }()

    static let events: Sample = {
        var flow = begun(1007, "GET", "https://api.example.com/v1/events", 200, state: .open, host: "api.example.com")
        flow.messages = 3
        flow.tags = ["sse"]
        flow.request = FlowSide(headers: [])
        flow.response = FlowSide(
            headers: [HeaderField("content-type", "text/event-stream")],
            body: .whole(300, "text/event-stream"))
        return Sample(name: "events", flow: flow, responseText: "data: tick\n\n", messages: [(.down, "tick")])
    }()

    static let graphql: Sample = {
        var flow = begun(1008, "POST", "https://api.example.com/graphql", 200, host: "api.example.com")
        flow.durationMS = 33
        flow.tags = ["graphql:Login"]
        flow.request = FlowSide(headers: [], body: .whole(2048, "application/json"))
        flow.response = FlowSide(headers: [], body: .whole(1024, "application/json"))
        return Sample(
            name: "graphql", flow: flow, requestText: "mutation Login { a(b: 1) }", responseText: #"{"data":null}"#)
    }()

    static let grpc: Sample = {
        var flow = begun(1009, "POST", "https://grpc.example.com/pkg.Svc/Method", 200, host: "grpc.example.com")
        flow.durationMS = 60_000
        flow.tags = ["grpc:/pkg.Svc/Method"]
        flow.messages = 2
        flow.request = FlowSide(headers: [HeaderField("te", "trailers")], body: .whole(12))
        flow.response = FlowSide(
            headers: [HeaderField("content-type", "application/grpc+proto")],
            trailers: [HeaderField("grpc-status", "5")],
            body: .whole(20, "application/grpc+proto"))
        flow.client.name = "Pixel-9"
        return Sample(name: "grpc", flow: flow)
    }()

    static let pinned: Sample = {
        var flow = begun(1010, kind: .failure, state: .aborted, host: "pinned.bank.example", port: 8443)
        flow.failure = FlowFailure(
            .clientRefusedCertificate, leg: .client, alert: "unknown_ca", text: "the app refused the certificate")
        flow.client = .init(address: "[fe80::1]:50000")
        return Sample(name: "pinned", flow: flow)
    }()

    static let tunnel: Sample = {
        var flow = begun(1011, kind: .tunnel, host: "time.apple.com")
        flow.durationMS = 90_500
        return Sample(name: "tunnel", flow: flow)
    }()

    static let download: Sample = {
        var flow = begun(
            1012, "GET", "https://Slow.example.com/file?a=b", 200, state: .aborted, host: "slow.example.com")
        flow.durationMS = 500
        flow.request = FlowSide(headers: [])
        flow.response = FlowSide(
            headers: [HeaderField("X-Cache", "HIT from edge")], body: FlowBody(size: 5 << 30, kept: 16 << 20))
        flow.failure = FlowFailure(.originReset, leg: .origin, text: "the origin reset the connection")
        return Sample(name: "download", flow: flow)
    }()

    static let broken: Sample = {
        var flow = begun(1013, "PUT", "https://api.example.com/v1/items/3", 503, host: "api.example.com")
        flow.durationMS = 2500
        flow.request = FlowSide(
            headers: [HeaderField("x-a", "second")], body: .whole(4096, "application/json"))
        flow.response = FlowSide(
            headers: [HeaderField("content-type", "application/xml")], body: .whole(1 << 20, "application/xml"))
        flow.tls = FlowTLS(version: "TLSv1.2", alpn: "http/1.1")
        return Sample(name: "broken", flow: flow, requestText: #"{"n":2*3,"path":"C:\dir"}"#, responseText: "<oops/>")
    }()

    static let raw: Sample = {
        var flow = begun(1014, kind: .raw, host: "2001:db8::7", port: 9000)
        flow.undecodable = .init(at: 12, why: "no request")
        return Sample(name: "raw", flow: flow)
    }()
}
