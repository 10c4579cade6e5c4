import Facts
import Filters
import Flows
@testable import Inspector
import Loop
import Store
import Support

@testable import Web

/// A store with flows of every kind, and a router before it.
struct APISamples {
    static let token = "0123456789abcdef0123456789abcdef"
    let folder: TemporaryFolder
    let store: FlowStore
    let router: Router
    let situation: Situation
    let decisions = Locked<[HostName: HostAction]>([:])

    /// - Parameter flush: of the context; by default all is written.
    init(
        isRecorded: Bool = true, devices: [Endpoint] = [], book: FilterBook = FilterBook(),
        flush: @escaping @Sendable (Double?) -> Bool = { _ in true }
    ) throws {
        folder = try TemporaryFolder()
        store = try FlowStore.open(path: folder.path + "/flows.db", tools: .linked)
        _ = try store.insert(Self.flows)
        let listen = Endpoint(try HostName.parsed("127.0.0.1"), 8081)
        router = Router(admission: Admission(listen: listen, isWildcard: false, token: Self.token))
        let decisions = decisions
        situation = Situation(
            context: PageContext(
                store: isRecorded ? store : nil, flush: flush, dropped: { 3 }, fault: { nil }, book: book,
                proxies: ["127.0.0.1:8080"], devices: { devices }, hosts: { decisions.withLock { $0 } },
                setHost: { host, action in decisions.withLock { $0[host] = action } }, runs: folder.path + "/runs"),
            hub: EventHub(), began: MonotonicClock.now, listen: listen.description,
            flushed: Locked(-1))
    }

    /// 1: JSON under gzip's name that is none. 2: WebSocket. 3: refused certificate. 4: tunnel. 5: everything a flow can have.
    static var flows: [WholeFlow] {
        var first = Flow(id: 1, kind: .http, state: .complete, started: 1_767_225_600)
        (first.method, first.url, first.status) = ("GET", "https://api.test/v1/users?limit=2", 200)
        first.server = Flow.Server(host: "api.test", port: 443)
        first.response = FlowSide(
            headers: [HeaderField("content-type", "application/json")],
            body: FlowBody(size: 3, kept: 3, encoding: "gzip", type: "application/json"))
        var second = Flow(id: 2, kind: .websocket, state: .complete, started: 1_767_225_601)
        (second.url, second.messages) = ("wss://ws.test/live", 3)
        var third = Flow(id: 3, kind: .failure, state: .complete, started: 1_767_225_602)
        third.server = Flow.Server(host: "pay.test", port: 443)
        third.failure = FlowFailure(
            .clientRefusedCertificate, leg: .client, alert: "unknown_ca", text: "refused our certificate",
            hint: "trust it")
        var fourth = Flow(id: 4, kind: .tunnel, state: .open, started: 1_767_225_603)
        fourth.server = Flow.Server(host: "tunnel.test", port: 443)
        return [
            WholeFlow(first, responseBody: Array("{ }".utf8)),
            WholeFlow(
                second,
                messages: (0..<3).map {
                    FlowMessage(index: $0, atMS: Double($0), ExchangeMessage(from: .up, .text, Array("m\($0)".utf8)))
                }),
            WholeFlow(third), WholeFlow(fourth), WholeFlow(everything, requestBody: Array("a=1&password=hunter2".utf8)),
        ]
    }

    private static var everything: Flow {
        var flow = Flow(id: 5, kind: .http, state: .aborted, started: 1_767_225_604)
        (flow.method, flow.url, flow.status, flow.version) = ("POST", "https://api.test/v1/login", 401, "h2")
        (flow.connection, flow.stream, flow.scheme, flow.durationMS) = (317, 5, "https", 12.3)
        flow.client = Flow.Client(address: "127.0.0.1:50123", name: "pixel-8")
        flow.server = Flow.Server(host: "api.test", port: 443, address: "203.0.113.7:443", proxy: "proxy.test:3128")
        flow.request = FlowSide(
            headers: [
                HeaderField("authorization", "Bearer s3cr3t"),
                HeaderField("content-type", "application/x-www-form-urlencoded"),
            ],
            trailers: [HeaderField("x-end", "1")],
            body: FlowBody(
                size: 20, decodedSize: 20, sha256: "00", kept: 20, type: "application/x-www-form-urlencoded", shed: 1))
        flow.response = FlowSide(
            reason: "Unauthorized", headers: [],
            informational: [.init(status: 103, headers: [HeaderField("link", "x")])])
        (flow.messages, flow.tags, flow.mark, flow.comment) = (0, ["graphql:Login"], "red", "look here")
        flow.timing = FlowTiming(
            connectMS: 1, tlsMS: 2, clientTLSMS: 3, sentMS: 4, firstByteMS: 5, lastByteMS: 6)
        flow.tls = FlowTLS(
            version: "TLSv1.3", cipher: "TLS_AES_128_GCM_SHA256", alpn: "h2", sni: "api.test", ja4: "t13d",
            upstream: .init(version: "TLSv1.3", cipher: "x", alpn: "h2", ja4: "y"))
        flow.failure = FlowFailure(.clientGone, leg: .client, text: "the client left")
        flow.undecodable = Flow.Undecodable(at: 7, why: "no frame")
        return flow
    }

    /// As somebody who has the token.
    func ask(_ method: String, _ target: String, json: String? = nil) async -> Answer {
        var headers = ["host": "127.0.0.1:8081", "authorization": "Bearer " + Self.token]
        if json != nil { headers["content-type"] = "application/json" }
        return await router.answer(
            Question(method: method, target: target, headers: headers, body: Array((json ?? "").utf8)), situation)
    }

    func json(_ method: String, _ target: String, json: String? = nil) async throws -> JSONValue {
        try JSONValue.parse(await ask(method, target, json: json).bytes)
    }
}

extension Answer {
    /// Of one whose body is not made on the way.
    var bytes: [UInt8] { if case .bytes(let bytes) = body { bytes } else { [] } }

    func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}

extension HostName {
    struct NoHost: Error {}

    static func parsed(_ text: String) throws -> HostName {
        guard let host = HostName(text) else { throw NoHost() }
        return host
    }
}
