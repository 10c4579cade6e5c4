import Facts
import Flows

/// One flow for a person.
///
/// What happened, with whom, when, and what was said around the bodies.
enum FlowOverview {
    static func text(_ flow: Flow) -> String {
        var lines = head(flow)
        if let failure = flow.failure {
            lines += ["", "failed: " + failure.text]
            if let hint = failure.hint { lines.append("what to do: " + hint) }
        }
        if let undecodable = flow.undecodable {
            lines += ["", "not decodable from byte \(undecodable.at): \(undecodable.why)"]
        }
        lines += side("request", flow.request, flow)
        for interim in flow.response?.informational ?? [] {
            lines += ["", "interim answer \(interim.status)"] + fields(interim.headers)
        }
        lines += side("response", flow.response, flow)
        return lines.map { Printable.escaped($0) }.joined(separator: "\n") + "\n"
    }

    private static func head(_ flow: Flow) -> [String] {
        let what = [flow.method, flow.url ?? flow.server.host].compactMap(\.self).joined(separator: " ")
        var lines = [what.isEmpty ? flow.kind.rawValue : what]
        var result = flow.status.map { "\($0)" + (flow.response?.reason.map { " " + $0 } ?? "") } ?? flow.kind.rawValue
        if flow.state != .complete { result += ", " + flow.state.rawValue }
        if let duration = flow.durationMS { result += ", " + Milliseconds.text(duration) }
        if let version = flow.version { result += ", " + version }
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
        if let server { lines.append("server   \(server)" + (flow.server.address.map { " at \($0)" } ?? "")) }
        if !flow.tags.isEmpty { lines.append("tags     " + flow.tags.joined(separator: ", ")) }
        if flow.messages > 0 { lines.append("messages \(flow.messages)") }
        lines += times(flow.timing) + tls(flow.tls)
        if let mark = flow.mark { lines.append("mark     " + mark) }
        if let comment = flow.comment { lines.append("comment  " + comment) }
        return lines
    }

    private static func times(_ timing: FlowTiming) -> [String] {
        let parts = [
            ("connect", timing.connectMS), ("TLS with the server", timing.tlsMS),
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
            if let own = tls.ja4, let shown = upstream.ja4, let note = JA4Note.text(app: own, proxy: shown) {
                lines.append("  note   " + note)
            }
            for one in upstream.chain { lines.append("         \(one.subject), valid until \(one.notAfter)") }
        }
        return lines
    }

    private static func side(_ name: String, _ side: FlowSide?, _ flow: Flow) -> [String] {
        guard let side, !side.headers.isEmpty || side.body != nil else { return [] }
        if flow.kind == .tunnel || flow.kind == .raw, side.headers.isEmpty, let body = side.body {
            return ["", "\(name == "request" ? "from the app" : "from the server"): \(ByteCount.text(body.size))"]
        }
        var lines = ["", name] + fields(side.headers)
        if !side.trailers.isEmpty { lines += ["trailers"] + fields(side.trailers) }
        guard let body = side.body else { return lines }
        var words = "body: \(ByteCount.text(body.size))"
        if let encoding = body.encoding {
            words += " \(encoding)" + (body.decodedSize.map { ", \(ByteCount.text($0)) decoded" } ?? "")
        }
        if let type = body.type { words += ", \(type)" }
        if body.shed > 0 { words += ", \(ByteCount.text(body.shed)) left out: the recorder could not keep up" }
        if body.kept + body.shed < body.size { words += ", cut after \(ByteCount.text(body.kept)) (--max-body)" }
        return lines + [words]
    }

    private static func fields(_ fields: [HeaderField]) -> [String] { fields.map { "  \($0.name): \($0.value)" } }
}
