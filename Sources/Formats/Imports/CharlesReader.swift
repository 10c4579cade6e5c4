import Facts
import Flows

/// Reads flows out of a session of Charles (`.chlsj`), as its bytes come.
///
/// A list of transactions in JSON. One that is none is told with its number, and the rest is read all the same. Messages
/// of WebSockets are not read.
package struct CharlesReader {
    private var scanner: ElementScanner
    private var count = 0
    private let limit: Int
    private let encode: ImportedText.Encoder

    package init(limit: Int = HARReader.entryLimit, encode: @escaping ImportedText.Encoder = { _, _ in nil }) {
        self.limit = limit
        self.encode = encode
        scanner = ElementScanner(.top, limit: limit)
    }

    package mutating func read(_ bytes: ArraySlice<UInt8>) -> [ImportStep] {
        scanner.read(bytes).map { found in
            count += 1
            let place = "transaction \(count)"
            switch found {
            case .tooLong:
                return .fault(ImportFault(place: place, reason: "it is longer than \(limit) bytes"))
            case .element(let bytes):
                return LenientJSON.step(bytes, place) { json throws(FlowFault) in try Self.flow(json, encode) }
            }
        }
    }

    /// The file has ended.
    package mutating func finish() -> [ImportStep] {
        if scanner.isCut {
            return [.fault(ImportFault(place: "after transaction \(count)", reason: "the file ends in the middle"))]
        }
        guard scanner.isFound else {
            return [.fault(ImportFault(place: "the file", reason: "this is no session of Charles: it is no list"))]
        }
        return []
    }

    private static func flow(_ json: JSONValue, _ encode: ImportedText.Encoder) throws(FlowFault) -> RecordedFlow {
        guard let host = json["host"]?.string, !host.isEmpty else { throw FlowFault(reason: "\"host\" is missing") }
        let times = json["times"]
        guard let started = (times?["start"] ?? times?["requestBegin"])?.string.flatMap(UTCTime.unix(rfc3339:)) else {
            throw FlowFault(reason: "\"times\" has no \"start\" like 2026-01-01T00:00:00.000+01:00")
        }
        let isTunnel = json["tunnel"]?.bool == true
        let status = json["response"]?["status"]?.int
        var flow = Flow(id: 0, kind: isTunnel ? .tunnel : .http, state: .complete, started: started)
        if json["status"]?.string != "COMPLETE" { flow.state = .aborted }
        flow.scheme = json["scheme"]?.string?.lowercased()
        flow.method = json["method"]?.string
        flow.version = HARVersion.read(json["protocolVersion"]?.string)
        flow.status = status
        let named = json["port"]?.int
        let port = json["actualPort"]?.int ?? named ?? (flow.scheme == "http" ? 80 : 443)
        flow.server = Flow.Server(host: host, port: port)
        // `api.example.com/203.0.113.7:443`
        flow.server.address = json["remoteAddress"]?.string.flatMap(address)
            .map { $0.contains(":") && $0.split(separator: ":").count == 2 ? $0 : HARAddress.withPort($0, port) }
        flow.client.address = json["clientAddress"]?.string.flatMap(address)
        let bracketed = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        let isUsual = port == (flow.scheme == "http" || flow.scheme == "ws" ? 80 : 443)
        let query = json["query"]?.string.map { "?" + $0 } ?? ""
        flow.url =
            "\(flow.scheme ?? "https")://\(bracketed)\(isUsual ? "" : ":\(port)")\(json["path"]?.string ?? "/")\(query)"
        if json["webSocket"]?.bool == true || flow.scheme?.hasPrefix("ws") == true { flow.kind = .websocket }
        if let notes = json["notes"]?.string, !notes.isEmpty { flow.comment = notes }
        setTimes(of: &flow, json["durations"])
        let (request, up) = side(json["request"], encode)
        let (response, down) = side(json["response"], encode)
        flow.request = request
        flow.response = response
        if let line = json["response"]?["header"]?["firstLine"]?.string {
            let words = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
            flow.response?.reason = words.count > 2 ? String(words[2]) : ""
        }
        if flow.state == .aborted, status == nil, let error = json["errorMessage"]?.string ?? json["exception"]?.string
        {
            flow.kind = .failure
            flow.failure = FlowFailure(.originUnreachable, leg: .origin, text: error)
        }
        return RecordedFlow(flow, request: up, response: down)
    }

    private static func address(_ text: String) -> String? {
        let address = text.split(separator: "/").last.map(String.init)
        return address?.isEmpty == false ? address : nil
    }

    private static func side(_ json: JSONValue?, _ encode: ImportedText.Encoder) -> (FlowSide?, RecordedBody) {
        guard let json, json.members != nil else { return (nil, RecordedBody()) }
        var side = FlowSide(headers: HARHeaders.read(json["header"]?["headers"]))
        let said = json["sizes"]?["body"]?.count.flatMap { $0 > 0 ? $0 : nil }
        let type = side.headers.values(of: "content-type").last ?? json["mimeType"]?.string
        let bytes = body(json["body"], type, encode)
        guard said != nil || bytes?.isEmpty == false else { return (side, RecordedBody()) }
        side.body = FlowBody(
            size: said ?? bytes?.count ?? 0, decodedSize: bytes?.count, kept: bytes?.count ?? 0,
            type: MediaType.essence(type))
        let isCoded = !side.headers.contentCodings.isEmpty
        return (side, RecordedBody(wire: isCoded || bytes?.count != said ? nil : bytes, decoded: bytes))
    }

    private static func body(_ json: JSONValue?, _ type: String?, _ encode: ImportedText.Encoder) -> [UInt8]? {
        if let text = json?["text"]?.string { return ImportedText.bytes(text, type, encode) }
        return json?["encoded"]?.string.flatMap { Base64Text.decoded($0.utf8) }
    }

    private static func setTimes(of flow: inout Flow, _ json: JSONValue?) {
        func part(_ name: String) -> Double? { json?[name]?.milliseconds }
        flow.durationMS = part("total")
        flow.timing.connectMS = part("connect")
        flow.timing.tlsMS = part("ssl")
        guard let request = part("request") else { return }
        let before = max(0, part("dns") ?? 0)
        let setUp = max(0, part("connect") ?? 0) + max(0, part("ssl") ?? 0)
        if before + setUp > 0 { flow.timing.blockedMS = before }
        let sent = before + setUp + max(0, request)
        flow.timing.sentMS = sent
        flow.timing.firstByteMS = part("latency").map { sent + $0 }
        if let first = flow.timing.firstByteMS { flow.timing.lastByteMS = part("response").map { first + $0 } }
    }
}
