/// Plaintext of connections as apps have them, made up, and the same in every run.
enum SampleTraffic {
    private static let requestFields = [
        ("host", "api.example.com"), ("user-agent", "Example/4.2.1 (Linux; Android 15; Pixel 8)"),
        ("accept", "application/json"), ("accept-language", "en-GB,en;q=0.8"), ("accept-encoding", "gzip"),
        ("authorization", "Bearer eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiI0MiIsImV4cCI6MTc2NzIyNTYwMH0.c2lnbmF0dXJl"),
        ("x-request-id", "6f0a5b52-58c7-4a0c-9c55-6a4f1f6f3d0a"),
    ]
    private static let answerFields = [
        ("date", "Thu, 01 Jan 2026 00:00:00 GMT"), ("content-type", "application/json; charset=utf-8"),
        ("cache-control", "no-store"), ("etag", "\"5e1-6103a5b2c1d00\""), ("vary", "accept-encoding"),
        ("strict-transport-security", "max-age=31536000; includeSubDomains"), ("server", "nginx"),
    ]

    static let requestHead = head("GET /v1/orders/4711?fields=id,total HTTP/1.1", requestFields)

    /// One request's answer, with a body of so many bytes.
    static func answer(_ size: Int) -> [UInt8] {
        head("HTTP/1.1 200 OK", answerFields + [("content-length", "\(size)")]) + body(size)
    }

    /// The same in chunks of 1000 bytes.
    static func chunkedAnswer(_ size: Int) -> [UInt8] {
        var bytes = head("HTTP/1.1 200 OK", answerFields + [("transfer-encoding", "chunked")])
        for start in stride(from: 0, to: size, by: 1000) {
            let count = min(1000, size - start)
            bytes += "\(String(count, radix: 16))\r\n".utf8 + body(count) + "\r\n".utf8
        }
        return bytes + "0\r\n\r\n".utf8
    }

    private static func head(_ start: String, _ fields: [(String, String)]) -> [UInt8] {
        Array((start + "\r\n" + fields.map { "\($0.0): \($0.1)\r\n" }.joined() + "\r\n").utf8)
    }

    private static func body(_ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(ascii: "a") + UInt8($0 % 23) }
    }

    // MARK: HTTP/2 (RFC 9113)

    static let http2Preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + frame(4, flags: 0, stream: 0, [])
    static let http2Settings = frame(4, flags: 0, stream: 0, [])

    /// HEADERS that end the stream; the fields are in the dynamic table from the second block on.
    static func http2Request(stream: Int) -> [UInt8] {
        let pseudo: [UInt8] = [0x82, 0x87]
        let fields = [(":authority", "api.example.com"), (":path", "/v1/orders/4711")] + requestFields.dropFirst()
        return frame(1, flags: 5, stream: stream, pseudo + block(fields, isFirst: stream == 1))
    }

    static func http2Answer(stream: Int, _ size: Int) -> [UInt8] {
        var bytes = frame(1, flags: 4, stream: stream, [0x88] + block(answerFields, isFirst: stream == 1))
        for start in stride(from: 0, to: size, by: 16_384) {
            let count = min(16_384, size - start)
            bytes += frame(0, flags: start + count == size ? 1 : 0, stream: stream, body(count))
        }
        return bytes
    }

    private static func frame(_ type: UInt8, flags: UInt8, stream: Int, _ payload: [UInt8]) -> [UInt8] {
        let (length, id) = (payload.count, UInt32(stream))
        return [
            UInt8(length >> 16 & 0xff), UInt8(length >> 8 & 0xff), UInt8(length & 0xff), type, flags,
            UInt8(id >> 24 & 0xff), UInt8(id >> 16 & 0xff), UInt8(id >> 8 & 0xff), UInt8(id & 0xff),
        ] + payload
    }

    /// HPACK (RFC 7541): literals with incremental indexing at first, then references to them.
    private static func block(_ fields: [(String, String)], isFirst: Bool) -> [UInt8] {
        guard isFirst else { return fields.indices.map { 0x80 | UInt8(62 + fields.count - 1 - $0) } }
        return fields.flatMap { name, value in [0x40] + text(name) + text(value) }
    }

    private static func text(_ text: String) -> [UInt8] {
        let count = text.utf8.count
        return (count < 127 ? [UInt8(count)] : [127, UInt8(count - 127)]) + text.utf8
    }

    // MARK: WebSocket (RFC 6455)

    static let webSocketRequest = head(
        "GET /live HTTP/1.1",
        requestFields + [
            ("connection", "Upgrade"), ("upgrade", "websocket"), ("sec-websocket-version", "13"),
            ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="),
        ])
    static let webSocketAnswer = head(
        "HTTP/1.1 101 Switching Protocols",
        [
            ("connection", "Upgrade"), ("upgrade", "websocket"),
            ("sec-websocket-accept", "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="),
        ])

    /// One text message; masked as clients do it, or not.
    static func webSocketMessage(_ size: Int, isMasked: Bool) -> [UInt8] {
        var bytes: [UInt8] = [0x81]
        let mask: UInt8 = isMasked ? 0x80 : 0
        bytes += size < 126 ? [mask | UInt8(size)] : [mask | 126, UInt8(size >> 8 & 0xff), UInt8(size & 0xff)]
        guard isMasked else { return bytes + body(size) }
        let key: [UInt8] = [0x37, 0xfa, 0x21, 0x3d]
        return bytes + key + body(size).enumerated().map { $0.element ^ key[$0.offset & 3] }
    }
}
