import Facts
import Flows

/// `_pinproof` of an entry: what HAR has no place for.
///
/// So that it can be read back as the same flow.
///
///     {"flow": {…}, "absent": ["url"], "request": {"raw": "…"}, "response": {"undecoded": true}, "message_list": […]}
///
/// `flow` is `pinproof.flow/1` without what the entry itself says. `absent` names what the flow has not, though HAR has to
/// have something there.
struct HARExtras {
    private let recorded: RecordedFlow

    init(_ recorded: RecordedFlow) { self.recorded = recorded }

    /// HAR asks for an absolute URL, and Chrome shows messages for `ws:` and `wss:` alone.
    ///
    /// One odd URL makes the whole file unreadable for some: a CONNECT's gets a scheme, what is not ASCII is escaped.
    static func url(of flow: Flow) -> String {
        if let url = flow.url {
            let isWeb = url.hasPrefix("https://") || url.hasPrefix("http://")
            if flow.kind == .websocket, isWeb { return escaped("ws" + url.dropFirst(4)) }
            return escaped(url.contains("://") ? url : "\(flow.scheme == "http" ? "http" : "https")://\(url)")
        }
        let isTLS = flow.scheme != "http"
        let host = flow.server.host ?? flow.server.address.map(HARAddress.withoutPort) ?? "unknown"
        let bracketed = host.contains(":") ? "[\(host)]" : host
        let port = flow.server.port.flatMap { $0 == (isTLS ? 443 : 80) ? nil : ":\($0)" } ?? ""
        return "\(isTLS ? "https" : "http")://\(bracketed)\(port)/"
    }

    private static func escaped(_ url: String) -> String {
        guard url.utf8.contains(where: { !(0x21...0x7e).contains($0) }) else { return url }
        var bytes: [UInt8] = []
        for byte in url.utf8 {
            if (0x21...0x7e).contains(byte) {
                bytes.append(byte)
            } else {
                bytes += "%\(Hex.encode([byte]).uppercased())".utf8
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// - Parameter messages: those of a WebSocket stand elsewhere.
    func write(to json: inout JSONWriter, messages: MessageFeed) rethrows {
        json.key("_pinproof")
        json.beginObject()
        json.key("flow")
        bare.write(to: &json)
        let absent = self.absent
        if !absent.isEmpty { json.field("absent", absent) }
        if recorded.flow.kind == .websocket, recorded.flow.url?.hasPrefix("http") == true {
            json.field("url_scheme", "http")
        }
        if let url = recorded.flow.url, writtenURL != url { json.field("url", url) }
        write("request", recorded.request, to: &json)
        write("response", recorded.response, to: &json)
        let count = recorded.flow.kind == .websocket ? 0 : try json.list("message_list", of: messages)
        if !recorded.rawUp.isEmpty { json.field("raw_request", Base64.encode(recorded.rawUp)) }
        if !recorded.rawDown.isEmpty { json.field("raw_response", Base64.encode(recorded.rawDown)) }
        if var redaction = recorded.redaction {
            redaction.count += count
            json.key("redacted")
            redaction.write(to: &json)
        }
        json.endObject()
    }

    private func write(_ name: String, _ body: RecordedBody, to json: inout JSONWriter) {
        guard body.kept != nil, body.wire != body.decoded else { return }
        json.key(name)
        json.beginObject()
        if body.decoded == nil {
            json.field("undecoded", true)
        } else {
            json.field("raw", orNull: body.wire.map(Base64.encode))
        }
        json.endObject()
    }

    /// What is read back of the entry's URL alone.
    private var writtenURL: String {
        let written = Self.url(of: recorded.flow)
        return recorded.flow.kind == .websocket && written.hasPrefix("ws") ? "http" + written.dropFirst(2) : written
    }

    /// Without what the entry says.
    private var bare: Flow {
        var flow = recorded.flow
        (flow.method, flow.url, flow.status, flow.comment) = (nil, nil, nil, nil)
        flow.request?.headers = []
        flow.response?.headers = []
        flow.response?.reason = nil
        return flow
    }

    private var absent: [String] {
        let flow = recorded.flow
        var absent: [String] = []
        if flow.method == nil { absent.append("method") }
        if flow.url == nil { absent.append("url") }
        if flow.status == nil { absent.append("status") }
        if flow.response != nil, flow.response?.reason == nil { absent.append("reason") }
        if recorded.request.shown == [], recorded.request.decoded == nil { absent.append("request_text") }
        return absent
    }

    // MARK: Reading

    /// The flow that was written; nil where the entry has no such extras, or they are broken.
    static func read(_ entry: JSONValue) -> RecordedFlow? {
        guard let extras = entry["_pinproof"], let json = extras["flow"], var flow = try? Flow(json: json) else {
            return nil
        }
        let absent = Set(extras["absent"]?.array?.compactMap(\.string) ?? [])
        let (request, response) = (entry["request"], entry["response"])
        if !absent.contains("method") { flow.method = request?["method"]?.string }
        if !absent.contains("status") { flow.status = response?["status"]?.int }
        if !absent.contains("url"), let url = request?["url"]?.string {
            let written = extras["url_scheme"] != nil && url.hasPrefix("ws") ? "http" + url.dropFirst(2) : url
            flow.url = extras["url"]?.string ?? written
        }
        flow.comment = entry["comment"]?.string
        flow.request?.headers = HARHeaders.read(request?["headers"], isOwn: true)
        flow.response?.headers = HARHeaders.read(response?["headers"], isOwn: true)
        if flow.response != nil, !absent.contains("reason") { flow.response?.reason = response?["statusText"]?.string }
        var messages = HARMessages.read(entry["_webSocketMessages"] ?? .null, started: flow.started)
        if flow.kind != .websocket {
            messages = (extras["message_list"]?.array ?? []).enumerated().compactMap {
                FlowMessage(json: $0.element, index: $0.offset)
            }
        }
        func bytes(_ name: String) -> [UInt8] {
            extras[name]?.string.flatMap { Base64.decoded(Array($0.utf8)[...]) } ?? []
        }
        let up =
            absent.contains("request_text")
            ? RecordedBody(wire: [], decoded: nil) : body(HARContent.bytes(request?["postData"]), extras["request"])
        return RecordedFlow(
            flow, request: up, response: body(HARContent.bytes(response?["content"]), extras["response"]),
            messages: messages, rawUp: bytes("raw_request"), rawDown: bytes("raw_response"),
            redaction: extras["redacted"].flatMap(RedactionNote.init(json:)))
    }

    private static func body(_ shown: [UInt8]?, _ extras: JSONValue?) -> RecordedBody {
        guard let shown else { return RecordedBody() }
        if extras?["undecoded"]?.bool == true { return RecordedBody(wire: shown) }
        guard let raw = extras?["raw"] else { return RecordedBody(plain: shown) }
        let wire = raw.string.flatMap { Base64.decoded(Array($0.utf8)[...]) }
        return RecordedBody(wire: wire, decoded: shown)
    }
}
