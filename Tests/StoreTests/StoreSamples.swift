import Facts
import Filters
import Flows
import Store
import Support

/// A store of its own for one test, with its writer, and flows to put into it.
final class StoreUnderTest {
    let folder: TemporaryFolder
    let store: FlowStore
    let writer: FlowWriter

    var path: String { store.path }

    init(
        _ folder: TemporaryFolder? = nil, limits: StoreLimits = StoreLimits(),
        onFault: @escaping @Sendable (StoreError) -> Void = { _ in },
        now: @escaping @Sendable () -> Double = { Samples.start + 100 }, gate: @escaping @Sendable () -> Void = {}
    ) throws {
        self.folder = try folder ?? TemporaryFolder()
        store = try FlowStore.open(path: self.folder.path + "/data/flows.db", limits: limits, tools: Samples.tools)
        writer = try FlowWriter(store, limits: limits, onFault: onFault, now: now, gate: gate)
    }

    func record(_ changes: FlowChange...) {
        writer.record(changes)
        writer.flush()
    }

    func close() {
        writer.close()
        store.close()
    }
}

/// Flows of a made-up morning.
enum Samples {
    static let start = 1_767_225_600.25

    /// Twenty bytes that differ wherever the bytes do is all that a test asks of a hash.
    static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var sum: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in bytes { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01b3 }
        let eight = (0..<8).map { UInt8(truncatingIfNeeded: sum >> (8 * UInt64($0))) }
        return eight + eight.reversed() + eight + eight.reversed()
    }

    static let tools = StoreTools(
        content: { coding, limit in coding == "reversed" ? Reversed(limit) : nil }, sha256: hash)

    /// A coding that shows whether it was removed.
    final class Reversed: ContentDecoder {
        private let limit: Int
        private(set) var isCut = false
        let isWhole = true

        init(_ limit: Int) { self.limit = limit }

        func decode(_ bytes: ArraySlice<UInt8>, most: Int) throws(DecodingFault) -> [UInt8] {
            isCut = bytes.count > limit
            return Array(bytes.reversed().prefix(limit))
        }
    }

    static func body(_ bytes: [UInt8], type: String? = nil, encoding: String? = nil) -> FlowBody {
        FlowBody(
            size: bytes.count, sha256: Hex.encode(hash(bytes)), kept: bytes.count, encoding: encoding, type: type)
    }

    static func flow(_ id: Int64, url: String = "https://api.example.com/v1/items", status: Int = 200) -> Flow {
        var flow = Flow(id: id, kind: .http, state: .complete, started: start + Double(id) / 100)
        flow.server.host = "api.example.com"
        flow.server.port = 443
        flow.scheme = "https"
        flow.method = "GET"
        flow.url = url
        flow.status = status
        flow.version = "HTTP/1.1"
        flow.request = FlowSide(headers: [HeaderField("Host", "api.example.com")])
        flow.response = FlowSide(headers: [HeaderField("Content-Type", "application/json")])
        flow.durationMS = 12.5
        return flow
    }

    /// One that has everything that a flow can have.
    static func everything(_ id: Int64) -> Flow {
        var flow = flow(id, status: 404)
        flow.connection = 317
        flow.stream = 5
        flow.state = .aborted
        flow.kind = .websocket
        flow.client = Flow.Client(address: "127.0.0.1:50123", name: "pixel-8")
        flow.server.address = "203.0.113.7:443"
        flow.version = "h2"
        flow.request?.trailers = [HeaderField("x-a", "1"), HeaderField("X-A", "2")]
        flow.response?.reason = "Not Found"
        flow.response?.headers.append(HeaderField("x-latin", "caf\u{e9}", isLatin1: true))
        flow.response?.informational = [.init(status: 103, headers: [HeaderField("link", "</a.css>")])]
        flow.messages = 2
        flow.tags = ["graphql:Login", "sse"]
        flow.timing = FlowTiming(connectMS: 1, tlsMS: 2.5, clientTLSMS: 3, sentMS: 4, firstByteMS: 5, lastByteMS: 6)
        flow.tls = FlowTLS(
            version: "TLSv1.3", cipher: "TLS_AES_128_GCM_SHA256", alpn: "h2", sni: "api.example.com", ja4: "t13d1516h2",
            upstream: .init(
                version: "TLSv1.2", cipher: "X", alpn: "h2", ja4: "t12",
                chain: [
                    .init(
                        subject: "CN=a", issuer: "CN=b", notAfter: "2027-01-01T00:00:00Z", sha256: "00",
                        spkiSHA256: "11")
                ]))
        flow.failure = FlowFailure(.originReset, leg: .origin, alert: "unknown_ca", text: "it broke", hint: "mend it")
        flow.undecodable = .init(at: 123, why: "no frame")
        flow.mark = "red"
        flow.comment = "what is this?"
        return flow
    }
}

/// The bytes of a flow in memory.
struct SampleContent: FilterContent {
    var whole: WholeFlow

    func text(_ direction: ExchangeDirection) -> [UInt8]? {
        let bytes = direction == .up ? whole.requestBody : whole.responseBody
        guard let body = whole.flow.side(direction)?.body, !bytes.isEmpty, body.type?.hasPrefix("image/") != true else {
            return nil
        }
        let text = body.encoding == "reversed" ? bytes.reversed() : bytes
        return text.contains(0) ? nil : text
    }

    func hasMessage(_ direction: ExchangeDirection, where fits: ([UInt8]) -> Bool) -> Bool {
        whole.messages.contains { $0.message.from == direction && $0.message.kind != .binary && fits($0.message.data) }
    }
}

extension WholeFlow {
    /// As a recorder would tell it: it begins, its bytes come, it ends.
    var changes: [FlowChange] {
        var open = flow
        open.state = .open
        open.durationMS = nil
        var changes: [FlowChange] = [.flow(open)]
        if !requestBody.isEmpty { changes.append(.body(flow: flow.id, .up, requestBody)) }
        if !responseBody.isEmpty { changes.append(.body(flow: flow.id, .down, responseBody)) }
        changes += messages.map { .message(flow: flow.id, $0) }
        return changes + [.flow(flow)]
    }
}
