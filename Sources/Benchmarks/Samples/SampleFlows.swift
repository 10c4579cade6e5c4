import Facts
import Flows

/// Flows as a day of an app has them, made up, and the same in every run.
enum SampleFlows {
    private static let hosts = [
        "api.example.com", "auth.example.com", "cdn.example.net", "img.example.net", "events.example.org",
        "config.example.org", "maps.example.com", "pay.example.com", "push.example.net", "logs.example.org",
    ]
    private static let paths = ["orders", "users", "items", "carts", "prices", "reviews", "search", "images"]
    private static let words = [
        "alder", "birch", "cedar", "elm", "fir", "hazel", "larch", "maple", "oak", "pine", "rowan", "spruce", "willow",
        "yew", "aspen", "beech",
    ]

    /// What a recorder tells of an exchange that is over: its body, and itself.
    static func changes(_ id: Int64) -> [FlowChange] {
        let body = body(id)
        return [.body(flow: id, .down, body), .flow(flow(id, body.count))]
    }

    /// A JSON object of some 700 bytes that no other flow has.
    static func body(_ id: Int64) -> [UInt8] {
        var random = UInt64(bitPattern: id) &* 0x9e37_79b9_7f4a_7c15
        func next() -> Int {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(random >> 40)
        }
        var text = "{\"id\":\(id),\"items\":["
        for number in 0..<8 {
            if number > 0 { text += "," }
            text +=
                "{\"name\":\"\(words[next() % 16]) \(words[next() % 16])\",\"sku\":\"\(next())\",\"price\":\(next() % 9000)}"
        }
        return Array((text + "],\"total\":\(next() % 90_000)}").utf8)
    }

    static func flow(_ id: Int64, _ size: Int) -> Flow {
        let number = Int(id)
        let host = hosts[number % hosts.count]
        var flow = Flow(id: id, kind: .http, state: .complete, started: 1_767_225_600 + Double(id) * 0.0002)
        flow.connection = UInt64(number / 50)
        flow.client = Flow.Client(address: "127.0.0.1:\(40_000 + number / 50 % 20_000)")
        flow.server = Flow.Server(host: host, port: 443, address: "203.0.113.\(number % hosts.count):443")
        flow.scheme = "https"
        flow.method = number % 7 == 0 ? "POST" : "GET"
        flow.url = "https://\(host)/v1/\(paths[number / 3 % paths.count])/\(number)?fields=id,total"
        flow.status = number % 97 == 0 ? 500 : number % 31 == 0 ? 404 : 200
        flow.version = "HTTP/1.1"
        flow.durationMS = Double(number % 400) + 0.25
        flow.request = FlowSide(headers: requestFields(host))
        flow.response = FlowSide(reason: "OK", headers: answerFields(number, size))
        flow.response?.body = FlowBody(
            size: size, decodedSize: size, sha256: hash(id), kept: size, type: "application/json")
        flow.timing = FlowTiming(sentMS: 0.1, firstByteMS: 8, lastByteMS: 12.25)
        flow.tls = FlowTLS(
            version: "TLSv1.3", cipher: "TLS_AES_128_GCM_SHA256", alpn: "http/1.1", sni: host, ja4: "t13d")
        return flow
    }

    private static func requestFields(_ host: String) -> [HeaderField] {
        [
            HeaderField("Host", host), HeaderField("User-Agent", "Example/4.2.1 (Linux; Android 15; Pixel 8)"),
            HeaderField("Accept", "application/json"), HeaderField("Accept-Language", "en-GB,en;q=0.8"),
            HeaderField("Accept-Encoding", "identity"), HeaderField("Connection", "keep-alive"),
        ]
    }

    private static func answerFields(_ number: Int, _ size: Int) -> [HeaderField] {
        [
            HeaderField("Date", "Thu, 01 Jan 2026 00:00:00 GMT"), HeaderField("Content-Type", "application/json"),
            HeaderField("Content-Length", "\(size)"), HeaderField("Server", "nginx"),
            HeaderField("X-Request-Id", "req-\(number &* 2_654_435_761 & 0xffff_ffff)"),
            HeaderField("Cache-Control", "no-store"),
        ]
    }

    /// Stands for the body's: it need not be true to be stored, but each body has its own.
    private static func hash(_ id: Int64) -> String {
        Hex.encode(
            (0..<32).map {
                UInt8(truncatingIfNeeded: UInt64(bitPattern: id &* 0x1234_5679_9abc_def1) >> (8 * ($0 % 8)))
            })
    }
}
