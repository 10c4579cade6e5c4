import Facts
import Flows

/// HTTP messages one after the other, as HTTP/1 would write them: `--format raw`.
///
/// Of each flow the request, then interim answers, then the answer. Heads are as they came, HTTP/2's too, with `HTTP/2` as
/// their version and with a Host field where they had none. Bodies are as on the wire; one whose head says `chunked` is
/// written as one chunk, with its trailers behind it, so that any HTTP parser reads it; one that broke off has no end. Of
/// what is no HTTP, or could not be decoded, the raw bytes follow: what the client sent, then what the origin sent. Messages
/// of WebSockets are no HTTP, and are left out. A flow without any of this gives nothing.
package enum RawMessages {
    package static func bytes(_ recorded: RecordedFlow) -> [UInt8] {
        let flow = recorded.flow
        var out: [UInt8] = []
        let version = HARVersion.written(flow.version ?? "HTTP/1.1")
        if let method = flow.method, let request = flow.request {
            let url = flow.url.map(URLParts.init)
            let target = method == "CONNECT" ? url?.authority ?? "" : url?.target ?? "/"
            let line = [Array(method.utf8), request.target?.bytes ?? Array(target.utf8), Array(version.utf8)]
            var fields = request.headers
            if !version.hasPrefix("HTTP/1"), !fields.contains(where: { $0.isNamed("host") }), let url {
                fields.insert(HeaderField("Host", url.authority), at: 0)
            }
            append(Array(line.joined(separator: [0x20])), fields, to: &out)
            append(recorded.request.kept ?? [], of: request, isEnded: !flow.isUnfinished(.up), to: &out)
        }
        if let response = flow.response, let status = flow.status {
            for interim in response.informational {
                append(Array("\(version) \(interim.status) \(interim.reason ?? "")".utf8), interim.headers, to: &out)
            }
            // Interim answers are HTTP/1.1's, whatever the last one is.
            let version = HARVersion.written(response.version ?? flow.version ?? "HTTP/1.1")
            append(Array("\(version) \(status) \(response.reason ?? "")".utf8), response.headers, to: &out)
            append(recorded.response.kept ?? [], of: response, isEnded: !flow.isUnfinished(.down), to: &out)
        }
        return out + recorded.rawUp + recorded.rawDown
    }

    private static func append(_ line: [UInt8], _ fields: [HeaderField], to out: inout [UInt8]) {
        out += line
        out += [0x0d, 0x0a]
        append(fields, to: &out)
        out += [0x0d, 0x0a]
    }

    private static func append(_ fields: [HeaderField], to out: inout [UInt8]) {
        for field in fields { out += Array(field.name.utf8) + [0x3a, 0x20] + field.valueBytes + [0x0d, 0x0a] }
    }

    private static func append(_ body: [UInt8], of side: FlowSide, isEnded: Bool, to out: inout [UInt8]) {
        guard side.headers.elements(of: "transfer-encoding").last == "chunked" else {
            out += body
            return
        }
        if !body.isEmpty { out += Array(String(body.count, radix: 16).utf8) + [0x0d, 0x0a] + body + [0x0d, 0x0a] }
        guard isEnded else { return }
        out += [0x30, 0x0d, 0x0a]
        append(side.trailers, to: &out)
        out += [0x0d, 0x0a]
    }
}
