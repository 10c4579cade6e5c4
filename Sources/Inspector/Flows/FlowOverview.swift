import Facts
import Flows
import Foundation

/// One flow for a person.
///
/// What happened, with whom, when, and what was said around the bodies.
enum FlowOverview {
    /// - Parameters:
    ///   - width: columns that there are; nil: any number.
    ///   - isColored: titles and names of fields are in colour.
    static func text(_ flow: Flow, width: Int? = nil, isColored: Bool = false) -> String {
        var shown: [String] = []
        for line in lines(flow) {
            let parts = wrapped(Printable.escaped(line), width)
            // What is wrong is red to its end.
            let isWrong = line.hasPrefix(failed) || line.hasPrefix("not decodable ")
            for part in parts {
                shown.append(
                    !isColored ? part : isWrong ? "\u{1b}[31m\(part)\u{1b}[0m" : colored(part, isFirst: shown.isEmpty))
            }
        }
        return shown.joined(separator: "\n") + "\n"
    }

    private static func lines(_ flow: Flow) -> [String] {
        var lines = head(flow)
        if let failure = flow.failure {
            lines += ["", failed + failure.text]
            if let hint = failure.hint { lines.append(advice + hint) }
        }
        if let undecodable = flow.undecodable {
            lines += ["", "not decodable from byte \(undecodable.at): \(undecodable.why)"]
        }
        lines += side("request", flow.request, flow)
        for interim in flow.response?.informational ?? [] {
            let reason = interim.reason.flatMap { $0.isEmpty ? nil : " " + $0 } ?? ""
            lines += ["", "interim answer \(interim.status)" + reason] + fields(interim.headers)
        }
        return lines + side("response", flow.response, flow)
    }

    /// What is a list, of times or of names, goes on below its beginning. What a peer said stays as long as it is: it is
    /// copied from here.
    private static func wrapped(_ line: String, _ width: Int?) -> [String] {
        guard let width, line.count > width else { return [line] }
        // A sentence breaks between words, what is listed between its parts.
        if let sentence = [note, failed, advice].first(where: line.hasPrefix) {
            return wrapped(line, behind: sentence.count, width, at: " ", end: "")
        }
        guard let list = lists.first(where: line.hasPrefix) else { return [line] }
        return wrapped(line, behind: list.count, width, at: ", ", end: ",")
    }

    /// - Parameter column: where the text begins, and goes on.
    private static func wrapped(
        _ line: String, behind column: Int, _ width: Int, at separator: String, end: String
    ) -> [String] {
        let (name, text) = (line.prefix(column), line.dropFirst(column))
        var lines: [String] = []
        var current = String(name)
        var isEmpty = true
        for part in text.components(separatedBy: separator) {
            let joined = isEmpty ? current + part : current + separator + part
            if isEmpty || joined.count + end.count <= width {
                current = joined
            } else {
                lines.append(current + end)
                current = String(repeating: " ", count: column) + part
            }
            isEmpty = false
        }
        return lines + [current]
    }

    private static let note = "  note   "
    /// Beginnings of what stands under the TLS of both legs.
    private static let ofTLS = ["  server ", "  chain  ", note]
    private static let failed = "failed: "
    private static let advice = "what to do: "
    private static let lists = ["times    ", "TLS      ", "  server ", "  chain  ", "tags     ", "         "]

    private static func colored(_ line: String, isFirst: Bool) -> String {
        if isFirst || ["request", "response", "trailers"].contains(line) || line.hasPrefix("interim answer ") {
            return "\u{1b}[1m\(line)\u{1b}[0m"
        }
        // A field of a head: its name.
        guard line.hasPrefix("  "), !line.hasPrefix("   "), !ofTLS.contains(where: line.hasPrefix),
            let colon = line.dropFirst(2).dropFirst().firstIndex(of: ":")
        else { return line }
        return "  \u{1b}[34m\(line[..<colon].dropFirst(2))\u{1b}[0m\(line[colon...])"
    }

    private static func head(_ flow: Flow) -> [String] {
        let what = [flow.method, flow.url ?? flow.server.host].compactMap(\.self).joined(separator: " ")
        var lines = [what.isEmpty ? flow.kind.rawValue : what]
        // HTTP/2 has none, which some write as an empty one.
        let reason = flow.response?.reason.flatMap { $0.isEmpty ? nil : " " + $0 } ?? ""
        var result = flow.status.map { "\($0)" + reason } ?? flow.kind.rawValue
        if flow.state != .complete { result += ", " + flow.state.rawValue }
        if let duration = flow.durationMS { result += ", " + Milliseconds.text(duration) }
        if let version = flow.version { result += ", " + version }
        if let version = flow.response?.version { result += ", answered in " + version }
        lines.append(result)
        lines.append("")
        lines.append(
            "flow     \(flow.id)" + (flow.connection.map { ", connection \($0)" } ?? "")
                + (flow.stream.map { ", stream \($0)" } ?? ""))
        lines.append("started  " + UTCTime.microseconds(unix: flow.started))
        if let address = flow.client.address {
            lines.append("client   \(address)" + (flow.client.name.map { " (\($0))" } ?? ""))
        }
        let server = flow.server.host.map { host in flow.server.port.map { "\(host):\($0)" } ?? host }
        let proxy = flow.server.proxy.map { " through the upstream proxy \($0)" }
        if let server { lines.append("server   \(server)" + (proxy ?? flow.server.address.map { " at \($0)" } ?? "")) }
        if !flow.tags.isEmpty { lines.append("tags     " + flow.tags.joined(separator: ", ")) }
        if flow.messages > 0 { lines.append("messages \(flow.messages); shown by --messages") }
        lines += times(flow.timing) + tls(flow.tls)
        if let mark = flow.mark { lines.append("mark     " + mark) }
        if let comment = flow.comment { lines.append("comment  " + comment) }
        return lines
    }

    private static func times(_ timing: FlowTiming) -> [String] {
        let parts = [
            ("waited", timing.blockedMS), ("connect", timing.connectMS), ("TLS with the server", timing.tlsMS),
            ("TLS with the app", timing.clientTLSMS),
            ("sent", timing.sentMS), ("first byte", timing.firstByteMS), ("last byte", timing.lastByteMS),
        ].compactMap { name, value in value.map { "\(name) \(Milliseconds.text($0))" } }
        return parts.isEmpty ? [] : ["times    " + parts.joined(separator: ", ")]
    }

    private static func tls(_ tls: FlowTLS?) -> [String] {
        guard let tls else { return [] }
        let own = [tls.version, tls.cipher, tls.alpn, tls.ja4.map { "JA4 \($0)" }].compactMap(\.self)
        var lines = own.isEmpty ? [] : ["TLS      " + own.joined(separator: ", ")]
        if let upstream = tls.upstream {
            let server = [upstream.version, upstream.cipher, upstream.alpn, upstream.ja4.map { "JA4 \($0)" }]
            lines.append("  server " + server.compactMap(\.self).joined(separator: ", "))
            for (index, one) in upstream.chain.enumerated() {
                lines.append((index == 0 ? "  chain  " : "         ") + "\(one.subject), valid until \(one.notAfter)")
            }
            if let own = tls.ja4, let shown = upstream.ja4, let note = JA4Note.text(app: own, proxy: shown) {
                lines.append(Self.note + note)
            }
        }
        return lines
    }

    private static func side(_ name: String, _ side: FlowSide?, _ flow: Flow) -> [String] {
        guard let side, !side.headers.isEmpty || side.body != nil || side.target != nil else { return [] }
        if flow.kind == .tunnel || flow.kind == .raw, side.headers.isEmpty, let body = side.body {
            return ["", "\(name == "request" ? "from the app" : "from the server"): \(ByteCount.text(body.size))"]
        }
        var lines = ["", name]
        if let target = side.target { lines.append("target   " + target.text) }
        lines += fields(side.headers)
        if !side.trailers.isEmpty { lines += ["trailers"] + fields(side.trailers) }
        guard let body = side.body else { return lines }
        var words = "body: \(ByteCount.text(body.size))"
        if let encoding = body.encoding {
            words += " \(encoding)" + (body.decodedSize.map { ", \(ByteCount.text($0)) decoded" } ?? "")
        }
        if let type = body.type { words += ", \(type)" }
        if body.shed > 0 { words += ", \(ByteCount.text(body.shed)) left out: the recorder could not keep up" }
        if body.kept + body.shed < body.size {
            // What others have recorded was not cut here, and nobody knows why they did.
            words +=
                flow.client.address == nil
                ? ", \(ByteCount.text(body.kept)) of it were in the imported file"
                : ", cut after \(ByteCount.text(body.kept)) (--max-body)"
        }
        if body.kept > 0 { words += "; shown by --body \(name)" }
        return lines + [words]
    }

    private static func fields(_ fields: [HeaderField]) -> [String] { fields.map { "  \($0.name): \($0.value)" } }
}
