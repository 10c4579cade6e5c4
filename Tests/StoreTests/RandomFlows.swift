import Flows
import Store
import Support

/// Flows of every kind, the same for the same seed.
struct RandomFlows {
    private var dice: SeededGenerator

    init(seed: UInt64) { dice = SeededGenerator(seed: seed) }

    private mutating func pick<Value>(_ values: [Value]) -> Value {
        values[Int.random(in: 0..<values.count, using: &dice)]
    }

    private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &dice) == 0 }

    mutating func whole(_ id: Int64) -> WholeFlow {
        let host = pick(["api.example.com", "API.example.com", "cdn.example.net", "b\u{fc}cher.example", "x.y"])
        let path = pick(["/", "/v1/login?x=1", "/v1/items", "/a%20b/C", "?q=1", ""])
        var flow = Samples.flow(id, url: "https://\(host)\(path)", status: pick([200, 204, 301, 304, 404, 500, 503]))
        flow.server.host = host
        flow.server.port = pick([443, 8443])
        flow.method = pick(["GET", "POST", "get", "DELETE"])
        flow.durationMS = pick([0.001, 12.5, 499.999, 500, 500.001, 2_000])
        if chance(4) { flow.connection = UInt64(pick([1, 2, 317])) }
        if chance(4) {
            flow.client = Flow.Client(address: pick(["127.0.0.1:50123", "[::1]:7"]), name: pick([nil, "pixel-8"]))
        }
        if chance(3) {
            flow.tls = FlowTLS(
                version: pick(["TLSv1.2", "TLSv1.3"]), alpn: pick(["h2", nil]), ja4: pick([nil, "t13d"]))
        }
        if chance(5) { flow.tags = [pick(["graphql:Login", "grpc:/a.B/C", "sse", "GraphQL"])] }
        if chance(6) { flow.mark = "red" }
        if chance(6) { flow.comment = pick(["why", "Why not"]) }
        if chance(8) { flow.undecodable = .init(at: 1, why: "?") }
        if chance(5) { flow.state = .aborted }
        flow.request?.headers.append(HeaderField("X-Trace", pick(["Alpha", "beta", "\u{c4}rger", "K\u{212a}"])))
        if chance(6) { return failed(flow) }
        var whole = WholeFlow(flow)
        if chance(2) { addBodies(&whole) }
        if chance(5) { addMessages(&whole) }
        return whole
    }

    private mutating func failed(_ flow: Flow) -> WholeFlow {
        var flow = flow
        flow.kind = pick([.failure, .tunnel, .raw])
        flow.url = nil
        flow.method = nil
        flow.status = nil
        flow.request = nil
        flow.response = nil
        flow.durationMS = nil
        if flow.kind == .failure { flow.failure = FlowFailure(pick(FlowFailure.ID.allCases), leg: .origin, text: "x") }
        return WholeFlow(flow)
    }

    private mutating func addBodies(_ whole: inout WholeFlow) {
        let texts = [
            "{\"user\": \"Zo\u{eb}\", \"token\": \"s3cret\"}", "token=S3CRET", "a\u{0}b token", "\u{e4}rger", "needle",
        ]
        let type = pick([nil, "application/json", "text/html", "image/png", "application/problem+json"])
        whole.responseBody = Array(pick(texts).utf8)
        let isReversed = chance(4)
        if isReversed { whole.responseBody.reverse() }
        whole.flow.response?.body = Samples.body(
            whole.responseBody, type: type, encoding: isReversed ? "reversed" : nil)
        if chance(3) {
            whole.requestBody = Array(pick(texts).utf8)
            whole.flow.request?.body = Samples.body(whole.requestBody)
        }
        if chance(6) { whole.flow.response?.body?.size += 70_000 }
    }

    private mutating func addMessages(_ whole: inout WholeFlow) {
        whole.flow.kind = .websocket
        let count = Int.random(in: 1...4, using: &dice)
        for index in 0..<count {
            let text = pick(["typing", "tick", "needle", "\u{c4}rger"])
            whole.messages.append(
                FlowMessage(
                    index: index, atMS: Double(index),
                    ExchangeMessage(
                        from: pick([.up, .down]), pick([.text, .binary, .event]), name: pick([nil, "delta"]),
                        Array(text.utf8))))
        }
        whole.flow.messages = count
    }
}
