import Facts
import Flows

/// A connection that is laid out anew from the flows that it carried.
///
///     var conversation = FlowConversation(flow, number: 1, sealing: sealing)
///     conversation.add(.request, of: recorded, at: time, into: &blocks)
///     conversation.add(.requestBody, …)
///     …
///     conversation.finish(at: time, into: &blocks)
///
/// What was said is as recorded: heads, bodies as on the wire, messages, and when. How it was said is made up: packets, TLS and
/// its keys, chunks, frames, HPACK. A comment on the first packet of each flow names it.
package struct FlowConversation {
    /// A piece of a flow, which has a time of its own.
    package enum Part: Hashable, Sendable {
        case request, requestBody, response, responseBody
        case message(FlowMessage)
        /// What could not be decoded, and how it ended.
        case rest
    }

    package typealias Sealing = (_ secret: [UInt8]) -> ((_ type: UInt8, _ content: ArraySlice<UInt8>) -> [UInt8])?

    private let client: TCPConversation.End
    private let server: TCPConversation.End
    private let realPort: UInt16
    private let serverName: String?
    private let isTLS: Bool
    private let isHTTP2: Bool
    private let number: UInt64
    private let sealing: Sealing

    private var tcp: TCPConversation
    private var tls: TLSLayout?
    /// How often it was begun: what cannot go on where it is goes on in a new one.
    private var round: UInt64 = 0
    private var isOver = false
    /// TLS, and what HTTP/2 begins with, are there.
    private var hasSpoken = false
    /// A flow of it is still open.
    private var isUnfinished = false
    private var last: UInt64 = 0
    /// Said with the next packet.
    private var comment: String?

    /// - Parameters:
    ///   - flow: the first that it carried.
    ///   - number: tells it from every other connection of the same capture.
    package init(_ flow: Flow, number: UInt64, sealing: @escaping Sealing) {
        self.number = number
        self.sealing = sealing
        isTLS = Self.isTLS(flow)
        isHTTP2 = Self.isHTTP2(flow)
        serverName = flow.tls?.sni ?? flow.server.host
        realPort = flow.server.port.flatMap { UInt16(exactly: $0) } ?? (isTLS ? 443 : 80)
        let isEmpty = flow.method == nil && flow.kind != .raw
        let port = isEmpty ? realPort : ReadablePort.port(realPort, carrying: isTLS ? .tls : .http)
        let named = flow.server.address.flatMap { Endpoint($0) }?.host.address
        let address = named ?? flow.server.host.flatMap { IPAddress($0) } ?? Self.unknownServer
        server = TCPConversation.End(address, port)
        let peer = flow.client.address.flatMap { Endpoint($0) }
        client = TCPConversation.End(
            peer?.host.address ?? Self.unknownClient, peer?.port ?? UInt16(49_152 + number % 16_384))
        tcp = TCPConversation(client: client, server: server, number: number)
    }

    package static func isTLS(_ flow: Flow) -> Bool {
        flow.tls != nil || flow.scheme == "https" || flow.scheme == "wss"
    }

    /// HTTP/3 has no TCP, and is laid out as what is most like it.
    package static func isHTTP2(_ flow: Flow) -> Bool { flow.version == "h2" || flow.version == "h3" }

    // Of the block for documentation (RFC 5737): they are nobody's.
    private static let unknownServer = IPAddress(bytes: [192, 0, 2, 1]) ?? unspecified
    private static let unknownClient = IPAddress(bytes: [192, 0, 2, 2]) ?? unspecified
    private static var unspecified: IPAddress {
        guard let address = IPAddress(bytes: [0, 0, 0, 0]) else { preconditionFailure("four bytes are an address") }
        return address
    }

    /// - Parameter time: nanoseconds since 1970.
    package mutating func add(
        _ part: Part, of recorded: RecordedFlow, at time: UInt64, into blocks: inout PcapngBlocks
    ) {
        let flow = recorded.flow
        last = max(last, time)
        if part == .request { comment = Self.words(flow) }
        // Nothing is begun for saying nothing.
        if part != .rest || !isOver || Self.hasRaw(recorded) { begin(into: &blocks) }
        switch part {
        case .request, .requestBody, .response, .responseBody:
            if isHTTP2 { addHTTP2(part, recorded, into: &blocks) } else { addHTTP1(part, recorded, into: &blocks) }
        case .message(let message):
            guard var frame = WebSocketLayout.frame(message.message) else { return }
            if isHTTP2 { frame = HTTP2Layout.data(frame[...], stream: flow.stream ?? 1, ends: false) }
            if message.message.isCut {
                comment = "\(message.message.data.count) of this message's \(message.message.size) bytes are recorded"
            }
            send(frame, message.message.from, into: &blocks)
        case .rest: addRest(recorded, into: &blocks)
        }
    }

    /// Ends it, where all that it carried has ended.
    package mutating func finish(at time: UInt64, into blocks: inout PcapngBlocks) {
        last = max(last, time)
        guard !isUnfinished else { return }
        tcp.end(.up, at: last, into: &blocks)
        tcp.end(.down, at: last, into: &blocks)
    }

    // MARK: Parts

    private mutating func addHTTP1(_ part: Part, _ recorded: RecordedFlow, into blocks: inout PcapngBlocks) {
        let flow = recorded.flow
        let version = flow.version ?? "HTTP/1.1"
        if part == .request || part == .requestBody {
            guard let method = flow.method, let request = flow.request else { return }
            let url = flow.url.map(URLParts.init)
            let target = method == "CONNECT" ? url?.authority ?? "" : url?.target ?? "/"
            let line = [Array(method.utf8), request.target?.bytes ?? Array(target.utf8), Array(version.utf8)]
            let layout = HTTP1Layout(
                Array(line.joined(separator: [0x20])), request, recorded.request, hasBody: true, endsBody: false,
                isEnded: !flow.isUnfinished(.up))
            send(layout, isHead: part == .request, isComplete: flow.state == .complete, .up, into: &blocks)
        } else {
            guard let response = flow.response, let status = flow.status else { return }
            let isBodiless =
                flow.method == "HEAD" || status < 200 || status == 204 || status == 304
                || flow.method == "CONNECT" && status < 300
            if part == .response {
                for interim in response.informational {
                    let line = Array("\(version) \(interim.status) \(interim.reason ?? "")".utf8)
                    send(HTTP1Layout.head(line, interim.headers), .down, into: &blocks)
                }
            }
            let layout = HTTP1Layout(
                Array("\(response.version ?? version) \(status) \(response.reason ?? "")".utf8), response,
                recorded.response,
                hasBody: !isBodiless, endsBody: true, isEnded: !flow.isUnfinished(.down))
            send(layout, isHead: part == .response, isComplete: flow.state == .complete, .down, into: &blocks)
        }
    }

    private mutating func send(
        _ layout: HTTP1Layout, isHead: Bool, isComplete: Bool, _ direction: ExchangeDirection,
        into blocks: inout PcapngBlocks
    ) {
        if isHead { return send(layout.head, direction, into: &blocks) }
        if let note = layout.note { comment = note }
        send(layout.body, direction, into: &blocks)
        guard layout.endsConnection, isComplete else { return }
        tcp.end(direction, at: last, comment: comment, into: &blocks)
        comment = nil
        if direction == .down {
            tcp.end(.up, at: last, into: &blocks)
            isOver = true
        }
    }

    private mutating func addHTTP2(_ part: Part, _ recorded: RecordedFlow, into blocks: inout PcapngBlocks) {
        let flow = recorded.flow
        let stream = flow.stream ?? 1
        let (direction, body): (ExchangeDirection, RecordedBody) =
            part == .request || part == .requestBody ? (.up, recorded.request) : (.down, recorded.response)
        guard var side = flow.side(direction), direction == .up ? flow.method != nil : flow.hasAnswerHead else {
            return
        }
        if HTTP1Layout.isDecodedAlone(side, body) {
            side.headers.removeAll { ["content-encoding", "content-length"].contains($0.name.lowercased()) }
        }
        let content = body.kept ?? []
        let isWhole = flow.state == .complete && side.body?.isCut != true && flow.kind != .websocket
        switch part {
        case .request: send(headers(of: flow, side, stream, ends: isWhole && content.isEmpty), .up, into: &blocks)
        case .response:
            for interim in side.informational {
                let status = (Array(":status".utf8), Array("\(interim.status)".utf8))
                send(
                    HTTP2Layout.headers([status] + HTTP2Layout.fields(interim.headers), stream: stream, ends: false),
                    .down, into: &blocks)
            }
            // One that was none is not made up.
            let status = flow.status.map { [(Array(":status".utf8), Array("\($0)".utf8))] } ?? []
            let isAll = isWhole && content.isEmpty && side.trailers.isEmpty
            send(
                HTTP2Layout.headers(status + HTTP2Layout.fields(side.headers), stream: stream, ends: isAll), .down,
                into: &blocks)
        default:
            if side.body?.isCut == true {
                comment = "\(content.count) of the body's \(side.body?.size ?? 0) bytes are recorded"
            }
            let hasTrailers = !side.trailers.isEmpty
            let frames = HTTP2Layout.data(
                content[...], stream: stream, ends: isWhole && !hasTrailers && !content.isEmpty)
            send(frames, direction, into: &blocks)
            if hasTrailers {
                let fields = HTTP2Layout.fields(side.trailers)
                send(HTTP2Layout.headers(fields, stream: stream, ends: isWhole), direction, into: &blocks)
            }
        }
    }

    private func headers(of flow: Flow, _ side: FlowSide, _ stream: Int, ends: Bool) -> [UInt8] {
        let url = flow.url.map(URLParts.init)
        func pair(_ name: String, _ value: String) -> ([UInt8], [UInt8]) { (Array(name.utf8), Array(value.utf8)) }
        var fields = [pair(":method", flow.method ?? "GET")]
        let isSocket = flow.kind == .websocket
        if isSocket {
            fields = [pair(":method", "CONNECT"), pair(":protocol", "websocket")]
        }
        fields.append(pair(":authority", url?.authority ?? flow.server.host ?? ""))
        if isSocket || flow.method != "CONNECT" {
            fields.append(pair(":scheme", isTLS ? "https" : "http"))
            fields.append((Array(":path".utf8), side.target?.bytes ?? Array((url?.target ?? "/").utf8)))
        }
        let isAll = ends && side.trailers.isEmpty
        return HTTP2Layout.headers(fields + HTTP2Layout.fields(side.headers), stream: stream, ends: isAll)
    }

    private mutating func addRest(_ recorded: RecordedFlow, into blocks: inout PcapngBlocks) {
        let flow = recorded.flow
        if flow.state == .open { isUnfinished = true }
        let hasRaw = Self.hasRaw(recorded)
        if hasRaw {
            comment = flow.undecodable.map { "flow \(flow.id): not decodable from byte \($0.at): \($0.why)" } ?? comment
            send(recorded.rawUp, .up, into: &blocks)
            send(recorded.rawDown, .down, into: &blocks)
        }
        // A stream of HTTP/2 ends alone.
        guard hasRaw || flow.state == .aborted && !isHTTP2 else { return }
        if flow.state == .aborted {
            tcp.reset(
                by: flow.failure?.leg == .client ? .up : .down, at: last,
                comment: comment ?? "flow \(flow.id) was cut off here", into: &blocks)
            comment = nil
        }
        isOver = true
    }

    private static func hasRaw(_ recorded: RecordedFlow) -> Bool {
        !recorded.rawUp.isEmpty || !recorded.rawDown.isEmpty
    }

    // MARK: Below HTTP

    private mutating func begin(into blocks: inout PcapngBlocks) {
        if isOver {
            tcp.end(.up, at: last, into: &blocks)
            tcp.end(.down, at: last, into: &blocks)
            round += 1
            isOver = false
            tcp = TCPConversation(client: client, server: server, number: number &+ round << 32)
            tls = nil
            hasSpoken = false
        }
        guard !tcp.isOpen else { return }
        var words = "laid out from pinproof's records, not captured"
        if server.port != realPort {
            words +=
                "; the server's port is \(realPort), written as \(server.port), as Wireshark reads something else there"
        }
        if let comment { words += "; \(comment)" }
        tcp.open(at: last, comment: words, into: &blocks)
    }

    private mutating func send(_ bytes: [UInt8], _ direction: ExchangeDirection, into blocks: inout PcapngBlocks) {
        guard !bytes.isEmpty else { return }
        // Only here: what failed before anything was said has nothing to show.
        if !hasSpoken {
            hasSpoken = true
            if isTLS { shakeHands(into: &blocks) }
            if isHTTP2 {
                for side in ExchangeDirection.allCases { send(HTTP2Layout.preface(side), side, into: &blocks) }
            }
        }
        let wire = tls?.seal(bytes[...], direction) ?? bytes
        tcp.send(wire[...], direction, at: last, comment: comment, into: &blocks)
        comment = nil
    }

    private mutating func shakeHands(into blocks: inout PcapngBlocks) {
        let alpn = isHTTP2 ? "h2" : "http/1.1"
        tls = TLSLayout(number: number &+ round << 32, serverName: serverName, alpn: alpn, sealing)
        guard let tls else { return }
        blocks.secrets(tls.keyLog)
        for (direction, bytes) in tls.flights { tcp.send(bytes[...], direction, at: last, into: &blocks) }
    }

    /// What is said of a flow on its first packet.
    private static func words(_ flow: Flow) -> String {
        var words = "flow \(flow.id)"
        if flow.kind == .tunnel {
            words +=
                ": a tunnel; its \(flow.request?.body?.size ?? 0) bytes up and \(flow.response?.body?.size ?? 0) bytes "
                + "down are not recorded"
        }
        if let failure = flow.failure { words += ": \(failure.text)" }
        if let hint = flow.failure?.hint { words += " (\(hint))" }
        if flow.version == "h3" { words += ": it was HTTP/3" }
        return words
    }
}

extension Flow {
    /// In HTTP/2 one can come without a status, which nobody may send.
    fileprivate var hasAnswerHead: Bool { status != nil || response?.headers.isEmpty == false }
}
