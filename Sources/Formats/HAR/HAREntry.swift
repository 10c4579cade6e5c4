import Facts
import Flows

/// One flow as an entry of a HAR file.
struct HAREntry {
    let recorded: RecordedFlow
    private var flow: Flow { recorded.flow }

    init(_ recorded: RecordedFlow) { self.recorded = recorded }

    func write(to json: inout JSONWriter, messages: MessageFeed) rethrows {
        let timings = HARTimings(flow)
        json.beginObject()
        json.field("startedDateTime", UTCTime.microseconds(unix: flow.started - timings.before / 1000))
        json.field("time", timings.time)
        writeRequest(to: &json)
        writeResponse(to: &json)
        json.key("cache")
        json.beginObject()
        json.endObject()
        timings.write(to: &json)
        if let address = flow.server.address { json.field("serverIPAddress", HARAddress.withoutPort(address)) }
        if let connection = flow.connection { json.field("connection", String(connection)) }
        if let comment = flow.comment { json.field("comment", comment) }
        if let error { json.field("_error", error) }
        json.field("_resourceType", resourceType)
        var recorded = recorded
        if flow.kind == .websocket {
            let count = try HARMessages.write(messages, started: flow.started, to: &json)
            recorded.redaction?.count += count
        }
        try HARExtras(recorded).write(to: &json, messages: messages)
        json.endObject()
    }

    /// Of what failed, or was cut off.
    private var error: String? {
        if let failure = flow.failure { return "\(failure.id.rawValue): \(failure.text)" }
        return flow.state == .aborted ? "aborted: the exchange was cut off" : nil
    }

    // MARK: Request

    private func writeRequest(to json: inout JSONWriter) {
        let fields = flow.request?.headers ?? []
        let url = HARExtras.url(of: flow)
        json.key("request")
        json.beginObject()
        json.field("method", flow.method ?? (flow.kind == .tunnel ? "CONNECT" : "GET"))
        json.field("url", url)
        json.field("httpVersion", HARVersion.written(flow.version))
        write(Cookie.sent(fields), "cookies", to: &json)
        write(fields, "headers", to: &json)
        json.key("queryString")
        json.beginArray()
        for (name, value) in FormFields.pairs(URLParts(url).query ?? "") { pair(name, value, to: &json) }
        json.endArray()
        writePostData(fields, to: &json)
        let target = flow.request?.target?.bytes.count ?? URLParts(flow.url ?? url).target.utf8.count
        let line = "\(flow.method ?? "")  \(flow.version ?? "")".utf8.count + target
        json.field("headersSize", flow.request == nil ? -1 : headSize(line, fields))
        json.field("bodySize", bodySize(flow.request))
        json.endObject()
    }

    private func writePostData(_ fields: [HeaderField], to json: inout JSONWriter) {
        guard let body = recorded.request.shown, !body.isEmpty || recorded.request.decoded != nil else { return }
        let type = fields.values(of: "content-type").last
        json.key("postData")
        json.beginObject()
        json.field("mimeType", type ?? "")
        let text = BodyString.text(body)
        if MediaType.essence(type) == "application/x-www-form-urlencoded", let text {
            json.key("params")
            json.beginArray()
            for (name, value) in FormFields.pairs(text) { pair(name, value, to: &json) }
            json.endArray()
        } else if MediaType.essence(type)?.hasPrefix("multipart/") == true {
            let boundary = type.flatMap { MediaType.parameter("boundary", of: $0) }
            json.key("params")
            json.beginArray()
            for part in Multipart.parts(of: body[...], boundary: boundary) { write(part, of: body, to: &json) }
            json.endArray()
        }
        json.field("text", text ?? Base64.encode(body))
        if text == nil { json.field("encoding", "base64") }
        comment(on: .up, to: &json)
        json.endObject()
    }

    private func write(_ part: Multipart.Part, of body: [UInt8], to json: inout JSONWriter) {
        json.beginObject()
        json.field("name", part.name ?? "")
        if part.fileName == nil, let text = String(validating: body[part.content], as: UTF8.self) {
            json.field("value", text)
        }
        if let fileName = part.fileName { json.field("fileName", fileName) }
        if let type = part.type { json.field("contentType", type) }
        json.endObject()
    }

    // MARK: Response

    private func writeResponse(to json: inout JSONWriter) {
        let fields = flow.response?.headers ?? []
        json.key("response")
        json.beginObject()
        json.field("status", flow.status ?? 0)
        json.field("statusText", flow.response?.reason ?? "")
        let version = flow.response?.version ?? flow.version
        json.field("httpVersion", HARVersion.written(version))
        write(Cookie.set(fields), "cookies", to: &json)
        write(fields, "headers", to: &json)
        writeContent(fields, to: &json)
        json.field("redirectURL", fields.values(of: "location").first ?? "")
        let line = "\(version ?? "") \(flow.status ?? 0) \(flow.response?.reason ?? "")".utf8.count
        json.field("headersSize", flow.status == nil ? -1 : headSize(line, fields))
        json.field("bodySize", bodySize(flow.response))
        if let error { json.field("_error", error) }
        json.endObject()
    }

    private func writeContent(_ fields: [HeaderField], to json: inout JSONWriter) {
        let body = flow.response?.body
        let size = body?.decodedSize ?? recorded.response.decoded?.count ?? body?.size ?? 0
        json.key("content")
        json.beginObject()
        json.field("size", size)
        if let body, body.encoding != nil, body.decodedSize != nil { json.field("compression", size - body.size) }
        json.field("mimeType", fields.values(of: "content-type").last ?? "")
        if let bytes = recorded.response.shown {
            let text = BodyString.text(bytes)
            json.field("text", text ?? Base64.encode(bytes))
            if text == nil { json.field("encoding", "base64") }
        }
        comment(on: .down, to: &json)
        json.endObject()
    }

    // MARK: Both

    private func comment(on direction: ExchangeDirection, to json: inout JSONWriter) {
        var words: [String] = []
        if let body = flow.side(direction)?.body, body.isCut {
            words.append("\(body.kept) of \(body.size) bytes were kept")
        }
        if flow.isUnfinished(direction) {
            words.append(flow.state == .open ? "it has not come to its end yet" : "it never came to its end")
        }
        if !words.isEmpty { json.field("comment", words.joined(separator: "; ")) }
    }

    /// Zero without a body, as far as anybody knows.
    private func bodySize(_ side: FlowSide?) -> Int { side == nil ? -1 : side?.body?.size ?? 0 }

    /// HTTP/2's are compressed together with others: nobody can say what one took.
    /// - Parameter line: bytes of the request or status line.
    private func headSize(_ line: Int, _ fields: [HeaderField]) -> Int {
        guard flow.version?.hasPrefix("HTTP/1") == true else { return -1 }
        return fields.reduce(line + 4) { $0 + $1.name.utf8.count + $1.valueBytes.count + 4 }
    }

    private func pair(_ name: String, _ value: String, to json: inout JSONWriter) {
        json.beginObject()
        json.field("name", name)
        json.field("value", value)
        json.endObject()
    }

    private func write(_ fields: [HeaderField], _ name: String, to json: inout JSONWriter) {
        json.key(name)
        json.beginArray()
        for field in fields {
            json.beginObject()
            json.field("name", field.name)
            json.field("value", field.value)
            if field.isLatin1 { json.field("_pinproofLatin1", true) }
            json.endObject()
        }
        json.endArray()
    }

    private func write(_ cookies: [Cookie], _ name: String, to json: inout JSONWriter) {
        json.key(name)
        json.beginArray()
        for cookie in cookies {
            json.beginObject()
            json.field("name", cookie.name)
            json.field("value", cookie.value)
            if let path = cookie.path { json.field("path", path) }
            if let domain = cookie.domain { json.field("domain", domain) }
            if let expires = cookie.expires.flatMap(HTTPDate.unix) {
                json.field("expires", UTCTime(unix: expires).rfc3339)
            }
            if cookie.isHTTPOnly { json.field("httpOnly", true) }
            if cookie.isSecure { json.field("secure", true) }
            if let sameSite = cookie.sameSite { json.field("sameSite", sameSite) }
            json.endObject()
        }
        json.endArray()
    }

    /// Chrome's word for what this was asked for, guessed by what came.
    private var resourceType: String {
        if flow.kind == .websocket { return "websocket" }
        if flow.tags.contains("sse") { return "eventsource" }
        let type =
            flow.response?.body?.type ?? MediaType.essence(flow.response?.headers.values(of: "content-type").last)
        return switch type {
        case "text/html", "application/xhtml+xml": "document"
        case "text/css": "stylesheet"
        case .some(let type) where type.hasSuffix("javascript"): "script"
        case .some(let type) where type.hasPrefix("image/"): "image"
        case .some(let type) where type.hasPrefix("font/"): "font"
        case .some(let type) where type.hasPrefix("audio/") || type.hasPrefix("video/"): "media"
        case .some(let type) where MediaType.isJSON(type) || MediaType.isXML(type): "xhr"
        default: "other"
        }
    }
}
