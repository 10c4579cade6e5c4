import Facts
import Flows

/// Reads flows out of an archive of Fiddler (`.saz`).
///
/// A ZIP with three files a session: `raw/1_c.txt` (the request), `raw/1_s.txt` (the answer), `raw/1_m.xml` (when, and
/// whence). Messages are read as on the wire. Those of WebSockets (`raw/1_w.txt`) are not read.
package enum FiddlerArchive {
    /// One file unpacked; a body has the limit of a line of JSON lines.
    private static let fileLimit = JSONLinesReader.lineLimit

    /// - Parameters:
    ///   - inflate: raw deflate data (RFC 1951), in pieces.
    ///   - decode: a body by its content codings, outermost last; nil where that cannot be done.
    ///   - step: called for each session in order, and for each that could not be read.
    package static func read(
        _ bytes: [UInt8], inflate: ZipArchive.Inflate,
        decode: (_ body: [UInt8], _ codings: [String]) -> [UInt8]?, step: (ImportStep) -> Void
    ) throws(ImportFault) {
        let archive: ZipArchive
        do {
            archive = try ZipArchive(bytes)
        } catch {
            throw ImportFault(place: error.member ?? "the file", reason: error.reason)
        }
        var sessions: [Int: [Character: ZipArchive.Member]] = [:]
        for member in archive.members {
            let name = member.name.replacing("\\", with: "/").lowercased()
            guard name.hasPrefix("raw/"), let match = name.wholeMatch(of: #/raw/0*([0-9]{1,9})_([csm])\.(txt|xml)/#),
                let number = Int(match.1), let kind = match.2.first
            else { continue }
            sessions[number, default: [:]][kind] = member
        }
        guard !sessions.isEmpty else {
            throw ImportFault(place: "the file", reason: "this is no archive of Fiddler: it has no raw/1_c.txt")
        }
        for (number, files) in sessions.sorted(by: { $0.key < $1.key }) {
            do throws(ImportFault) {
                func content(_ kind: Character) throws(ImportFault) -> [UInt8] {
                    guard let member = files[kind] else { return [] }
                    do {
                        return try archive.content(of: member, limit: fileLimit, inflate: inflate)
                    } catch {
                        throw ImportFault(place: error.member ?? "the file", reason: error.reason)
                    }
                }
                let session = Session(
                    number: number, request: try content("c"), answer: try content("s"), about: try content("m"))
                step(.flow(try session.flow(decode: decode)))
            } catch {
                step(.fault(error))
            }
        }
    }

    private struct Session {
        var number: Int
        var request: [UInt8]
        var answer: [UInt8]
        /// XML.
        var about: [UInt8]

        func flow(decode: ([UInt8], [String]) -> [UInt8]?) throws(ImportFault) -> RecordedFlow {
            let text = String(decoding: about, as: UTF8.self)
            let asked = Self.time("ClientBeginRequest", text) ?? Self.time("ClientConnected", text)
            let messages = Messages(request: request, answer: answer)
            guard let head = messages.asked else {
                throw ImportFault(place: "raw/\(number)_c.txt", reason: "this is no HTTP request")
            }
            var flow = Flow(id: 0, kind: .http, state: messages.isWhole ? .complete : .aborted, started: asked ?? 0)
            flow.method = head.method
            flow.version = HARVersion.read(head.version) ?? head.version
            let host = head.fields.values(of: "host").first ?? ""
            let isTunnel = head.method == "CONNECT"
            flow.url =
                head.target.contains("://")
                ? head.target : isTunnel ? "https://\(head.target)" : "http://\(host)\(head.target)"
            if isTunnel { flow.kind = .tunnel }
            let parts = URLParts(flow.url ?? "")
            flow.scheme = parts.scheme?.lowercased()
            let bare = parts.host.filter { $0 != "[" && $0 != "]" }
            flow.server = Flow.Server(host: bare.isEmpty ? nil : bare, port: parts.port ?? parts.defaultPort)
            flow.server.address = Self.flag("x-hostip", text).map { HARAddress.withPort($0, flow.server.port) }
            flow.comment = Self.flag("ui-comments", text)
            setTimes(of: &flow, text)
            let (up, requestBody) = Self.side(head.fields, messages.trailers[.up], messages.content[.up], decode)
            flow.request = up
            var responseBody = RecordedBody()
            if let answered = messages.answered {
                let (down, body) = Self.side(answered.fields, messages.trailers[.down], messages.content[.down], decode)
                flow.response = down
                flow.response?.reason = answered.reason
                let isOwnVersion = answered.version != head.version
                flow.response?.version = isOwnVersion ? answered.version : nil
                flow.response?.informational = messages.informed.map {
                    FlowSide.Interim(status: $0.status, reason: $0.reason, headers: $0.fields)
                }
                flow.status = answered.status
                responseBody = body
                if answered.status == 101, !isTunnel { flow.kind = .websocket }
            }
            return RecordedFlow(
                flow, request: requestBody, response: responseBody, rawUp: messages.raw[.up] ?? [],
                rawDown: messages.raw[.down] ?? [])
        }

        private static func side(
            _ fields: [HeaderField], _ trailers: [HeaderField]?, _ content: [UInt8]?,
            _ decode: ([UInt8], [String]) -> [UInt8]?
        ) -> (FlowSide, RecordedBody) {
            var side = FlowSide(headers: fields, trailers: trailers ?? [])
            guard let content else { return (side, RecordedBody()) }
            let codings = fields.contentCodings
            let decoded = codings.isEmpty ? content : decode(content, codings)
            side.body = FlowBody(
                size: content.count, decodedSize: decoded?.count, kept: content.count,
                encoding: codings.isEmpty ? nil : codings.joined(separator: ", "),
                type: MediaType.essence(fields.values(of: "content-type").last))
            return (side, RecordedBody(wire: content, decoded: decoded))
        }

        private func setTimes(of flow: inout Flow, _ text: String) {
            func since(_ name: String) -> Double? {
                Self.time(name, text).map { max(0, (($0 - flow.started) * 1_000_000).rounded() / 1000) }
            }
            func took(_ name: String) -> Double? {
                Self.attribute(name, text).flatMap(Double.init).flatMap { $0 > 0 && $0 < 1e12 ? $0 : nil }
            }
            flow.timing.connectMS = took("TCPConnectTime")
            flow.timing.tlsMS = took("HTTPSHandshakeTime")
            flow.timing.sentMS = since("ClientDoneRequest")
            // The server is called once the request is there.
            if let setUp = Self.sum(flow.timing.connectMS, flow.timing.tlsMS) {
                flow.timing.blockedMS = flow.timing.sentMS ?? 0
                flow.timing.sentMS = flow.timing.sentMS.map { $0 + setUp }
            }
            flow.timing.firstByteMS = since("ServerBeginResponse")
            flow.timing.lastByteMS = since("ServerDoneResponse")
            flow.durationMS = since("ClientDoneResponse") ?? flow.timing.lastByteMS
        }

        private static func sum(_ a: Double?, _ b: Double?) -> Double? {
            a == nil && b == nil ? nil : (a ?? 0) + (b ?? 0)
        }

        /// The year 1 stands for a time that is not known.
        private static func time(_ name: String, _ text: String) -> Double? {
            attribute(name, text).flatMap(UTCTime.unix(rfc3339:)).flatMap { $0 > 0 ? $0 : nil }
        }

        private static func attribute(_ name: String, _ text: String) -> String? {
            guard let start = text.firstRange(of: " \(name)=\"") else { return nil }
            return plain(text[start.upperBound...].prefix { $0 != "\"" })
        }

        /// `<SessionFlag N="x-hostip" V="203.0.113.7" />`
        private static func flag(_ name: String, _ text: String) -> String? {
            guard let start = text.firstRange(of: "N=\"\(name)\""),
                let value = text[start.upperBound...].prefix(while: { $0 != ">" }).firstRange(of: "V=\"")
            else { return nil }
            let found = plain(text[value.upperBound...].prefix { $0 != "\"" })
            return found.isEmpty ? nil : found
        }

        private static func plain(_ text: Substring) -> String {
            String(text).replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
                .replacing("&apos;", with: "'").replacing("&amp;", with: "&")
        }
    }

    /// What the reader of connections makes of the two files.
    private struct Messages {
        var asked: RequestHead?
        var answered: AnswerHead?
        var informed: [AnswerHead] = []
        var content: [ExchangeDirection: [UInt8]] = [:]
        var trailers: [ExchangeDirection: [HeaderField]] = [:]
        var raw: [ExchangeDirection: [UInt8]] = [:]
        private var ended: Set<ExchangeDirection> = []

        var isWhole: Bool { ended.count == 2 }

        init(request: [UInt8], answer: [UInt8]) {
            var reader = ConnectionReader(alpn: nil)
            var steps = ExchangeSteps()
            reader.read(request[...], .up, &steps)
            reader.read(answer[...], .down, &steps)
            reader.end("the file ends", &steps)
            for step in steps.take() {
                switch step.kind {
                case .asked(let head): if step.exchange == 0 { asked = head }
                case .answered(let head): if step.exchange == 0 { answered = head }
                case .informed(let head): if step.exchange == 0 { informed.append(head) }
                case .content(let direction, let bytes): content[direction, default: []] += bytes
                case .trailers(let direction, let fields): trailers[direction] = fields
                case .raw(let direction, let bytes): raw[direction, default: []] += bytes
                case .ended(let direction): ended.insert(direction)
                default: break
                }
            }
        }
    }
}
