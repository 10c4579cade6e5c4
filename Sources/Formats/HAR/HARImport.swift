import Facts
import Flows

/// A flow out of an entry that another program wrote.
///
/// Chrome, Firefox, Safari, Charles, Proxyman, mitmproxy. Only the start and the URL have to be there. Bodies in HAR are decoded, and those of the wire are unknown.
enum HARImport {
    static func read(_ entry: JSONValue, _ encode: ImportedText.Encoder) throws(FlowFault) -> RecordedFlow {
        if let own = HARExtras.read(entry) { return own }
        guard let request = entry["request"], let url = request["url"]?.string else {
            throw FlowFault(reason: "\"request\" with a \"url\" is missing")
        }
        guard let started = entry["startedDateTime"].flatMap(time) else {
            throw FlowFault(reason: "\"startedDateTime\" is missing or no time like 2026-01-01T00:00:00.000Z")
        }
        let response = entry["response"]
        // Some writers put it in quotes.
        let status = response?["status"].flatMap { $0.int ?? $0.string.flatMap { Int($0) } } ?? 0
        let error = failure(entry)
        var flow = Flow(id: 0, kind: .http, state: status > 0 ? .complete : .aborted, started: started)
        let parts = URLParts(url)
        flow.url = url
        flow.method = request["method"]?.string
        flow.scheme = parts.scheme?.lowercased()
        flow.version =
            HARVersion.read(request["httpVersion"]?.string) ?? HARVersion.read(response?["httpVersion"]?.string)
        let host = parts.host.filter { $0 != "[" && $0 != "]" }
        flow.server = Flow.Server(host: host.isEmpty ? nil : host, port: parts.port ?? parts.defaultPort)
        if let address = entry["serverIPAddress"]?.string, !address.isEmpty {
            flow.server.address = HARAddress.withPort(address, flow.server.port)
        }
        flow.connection = entry["connection"]?.string.flatMap { UInt64($0) }
        flow.comment = entry["comment"]?.string.flatMap { $0.isEmpty ? nil : $0 }
        if status > 0 { flow.status = status }
        setTimes(of: &flow, entry)

        let (up, requestBody) = side(request["headers"], request["postData"], request["bodySize"], encode)
        let (down, responseBody) = side(response?["headers"], response?["content"], response?["bodySize"], encode)
        flow.request = up
        if status > 0 || !down.headers.isEmpty { flow.response = down }
        if status > 0 { flow.response?.reason = response?["statusText"]?.string }
        var messages: [FlowMessage] = []
        if let list = entry["_webSocketMessages"], list.array != nil {
            messages = HARMessages.read(list, started: started)
            flow.kind = .websocket
        } else if entry["_resourceType"]?.string == "websocket" {
            flow.kind = .websocket
        } else if flow.method == "CONNECT" {
            flow.kind = .tunnel
        } else if status == 0, let error {
            flow.kind = .failure
            flow.failure = error
        }
        flow.messages = messages.count
        if MediaType.essence(flow.response?.headers.values(of: "content-type").last) == "text/event-stream" {
            flow.tags = ["sse"]
        }
        return RecordedFlow(
            flow, request: requestBody, response: flow.response == nil ? RecordedBody() : responseBody,
            messages: messages)
    }

    /// A time with its zone; Charles and some scripts leave the zone out, which is UTC then.
    private static func time(_ json: JSONValue) -> Double? {
        guard let text = json.string else { return nil }
        return UTCTime.unix(rfc3339: text) ?? UTCTime.unix(rfc3339: text + "Z")
    }

    private static func side(
        _ headers: JSONValue?, _ content: JSONValue?, _ bodySize: JSONValue?, _ encode: ImportedText.Encoder
    ) -> (FlowSide, RecordedBody) {
        var side = FlowSide(headers: HARHeaders.read(headers))
        let type = side.headers.values(of: "content-type").last ?? content?["mimeType"]?.string
        let bytes = HARContent.bytes(content) { ImportedText.bytes($0, type, encode) }
        let said = bodySize?.count.flatMap { $0 > 0 ? $0 : nil }
        let full = content?["size"]?.count.flatMap { $0 > 0 ? $0 : nil }
        guard bytes != nil || said != nil || full != nil else { return (side, RecordedBody()) }
        // Empty where nothing was said to be.
        if bytes == [], said == nil, full == nil { return (side, RecordedBody()) }
        let isCoded = !side.headers.contentCodings.isEmpty
        // Firefox counts an answer's head in its `bodySize`.
        // That there is nothing is known as well.
        let isEmpty = content?["size"]?.count == 0 && bytes?.isEmpty != false
        if isEmpty, !isCoded { return (side, RecordedBody()) }
        let counted = isCoded ? said : said.map { min($0, full ?? $0) }
        let size = counted ?? full ?? bytes?.count ?? 0
        side.body = FlowBody(
            size: size, decodedSize: full ?? bytes?.count, kept: bytes?.count ?? 0, type: MediaType.essence(type))
        let isSame = !isCoded && bytes?.count == size
        return (side, RecordedBody(wire: isSame ? bytes : nil, decoded: bytes))
    }

    private static func setTimes(of flow: inout Flow, _ entry: JSONValue) {
        func part(_ name: String) -> Double? { entry["timings"]?[name]?.milliseconds }
        let total = entry["time"]?.milliseconds
        flow.durationMS = total
        let ssl = part("ssl")
        flow.timing.tlsMS = ssl
        // In HAR 1.2 `ssl` is a part of `connect`; Firefox counts it apart.
        let parts = ["blocked", "dns", "connect", "send", "wait", "receive"].reduce(0) { $0 + max(0, part($1) ?? 0) }
        let isApart =
            ssl.map { ssl in ssl > 0 && abs(parts + ssl - (total ?? parts)) < abs(parts - (total ?? parts)) } ?? false
        flow.timing.connectMS = part("connect").map { isApart ? $0 : max(0, $0 - (ssl ?? 0)) }
        guard let wait = part("wait") else { return }
        let before = max(0, part("blocked") ?? 0) + max(0, part("dns") ?? 0)
        let connect = max(0, part("connect") ?? ssl ?? 0) + (isApart ? ssl ?? 0 : 0)
        if before + connect > 0 { flow.timing.blockedMS = before }
        let sent = before + connect + max(0, part("send") ?? 0)
        flow.timing.sentMS = sent
        flow.timing.firstByteMS = sent + wait
        flow.timing.lastByteMS = sent + wait + (part("receive") ?? 0)
    }

    // MARK: Failures

    private static func failure(_ entry: JSONValue) -> FlowFailure? {
        let error = entry["response"]?["_error"]?.string ?? entry["_error"]?.string
        guard let error, !error.isEmpty else { return nil }
        let known: [(String, FlowFailure.ID)] = [
            ("NAME_NOT_RESOLVED", .originNameNotFound), ("CONNECTION_REFUSED", .originRefused),
            ("CONNECTION_RESET", .originReset), ("TIMED_OUT", .originTimeout), ("CERT_", .originCertificate),
            ("SSL", .originCertificate), ("EMPTY_RESPONSE", .originClosed), ("CONNECTION_CLOSED", .originClosed),
        ]
        let id = known.first { error.uppercased().contains($0.0) }?.1 ?? .originUnreachable
        return FlowFailure(id, leg: .origin, text: error)
    }
}
