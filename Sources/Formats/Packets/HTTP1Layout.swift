import Flows

/// A recorded message as HTTP/1 writes it, head and body apart.
struct HTTP1Layout {
    let head: [UInt8]
    let body: [UInt8]
    /// Nothing can follow: the body is not whole, or lasts until the connection's end.
    var endsConnection = false
    /// What a reader should know of it.
    var note: String?

    /// Of chunks: few enough for a large body, small enough for a reader's patience.
    private static let chunkSize = 256 * 1024

    /// - Parameters:
    ///   - line: the first one.
    ///   - hasBody: HTTP lets it have one; false for answers to HEAD and their like.
    ///   - endsBody: a body without a length is ended by the connection.
    ///   - isEnded: all of it came, whether it was kept or not.
    init(
        _ line: [UInt8], _ side: FlowSide, _ recorded: RecordedBody, hasBody: Bool, endsBody: Bool, isEnded: Bool = true
    ) {
        var fields = side.headers
        let content = hasBody ? recorded.kept ?? [] : []
        let isCut = side.body?.isCut == true
        if hasBody, Self.isDecodedAlone(side, recorded) {
            let names = ["content-encoding", "content-length", "transfer-encoding"]
            fields.removeAll { names.contains($0.name.lowercased()) }
            fields.append(HeaderField("Content-Length", String(content.count)))
            note = "the body's bytes are known decoded alone; fields that say otherwise are left out"
        }
        let isChunked = fields.elements(of: "transfer-encoding").last == "chunked"
        if isCut {
            note = "\(content.count) of the body's \(side.body?.size ?? 0) bytes are recorded"
            endsConnection = true
        }
        if isChunked, hasBody {
            body = Self.chunks(content, side.trailers, isWhole: !isCut && isEnded)
        } else {
            body = content
            let length = fields.values(of: "content-length").first.flatMap { Int($0) }
            if hasBody, length.map({ $0 != content.count }) ?? (endsBody || !content.isEmpty) { endsConnection = true }
        }
        head = Self.head(line, fields)
    }

    /// Its head tells of a coding, and its bytes are known without it alone, as of most that was imported.
    static func isDecodedAlone(_ side: FlowSide, _ recorded: RecordedBody) -> Bool {
        if recorded.wire == nil { return recorded.decoded != nil }
        let codings = side.headers.contentCodings
        return !codings.isEmpty && side.body?.encoding == nil && side.body?.isCut != true
    }

    static func head(_ line: [UInt8], _ fields: [HeaderField]) -> [UInt8] {
        var out = line + [0x0d, 0x0a]
        append(fields, to: &out)
        return out + [0x0d, 0x0a]
    }

    private static func append(_ fields: [HeaderField], to out: inout [UInt8]) {
        for field in fields { out += Array(field.name.utf8) + [0x3a, 0x20] + field.valueBytes + [0x0d, 0x0a] }
    }

    private static func chunks(_ content: [UInt8], _ trailers: [HeaderField], isWhole: Bool) -> [UInt8] {
        var (rest, out) = (content[...], [UInt8]())
        while !rest.isEmpty {
            let part = rest.prefix(chunkSize)
            rest = rest.dropFirst(part.count)
            out += Array(String(part.count, radix: 16).utf8) + [0x0d, 0x0a] + part + [0x0d, 0x0a]
        }
        guard isWhole else { return out }
        out += [0x30, 0x0d, 0x0a]
        append(trailers, to: &out)
        return out + [0x0d, 0x0a]
    }
}
