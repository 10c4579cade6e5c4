import Facts

/// A word before a colon.
package enum FilterKey: String, Hashable, Sendable, CaseIterable {
    case host, path, method, scheme, port, type, tag, client, alpn, ja4, mark
    case url, comment
    case header
    case requestHeader = "req.header"
    case responseHeader = "res.header"
    case body
    case requestBody = "req.body"
    case responseBody = "res.body"
    case status, size
    case requestSize = "req.size"
    case responseSize = "res.size"
    case dur, messages, connection, id
    case kind, failure, tls
    case `is`
    case after, before
    case filter

    /// As it is written: `host:`.
    package var word: String { rawValue + ":" }

    /// What it takes, for people.
    package var example: String {
        switch self {
        case .host: "host:api.example.com or host:*.example.com"
        case .path: "path:/v1/*"
        case .method: "method:POST,PUT"
        case .scheme: "scheme:http"
        case .port: "port:8443"
        case .type: "type:json or type:image/png"
        case .tag: "tag:graphql:Login"
        case .client: "client:pixel-8 or client:127.0.0.1"
        case .alpn: "alpn:h2"
        case .ja4: "ja4:t13d*"
        case .mark: "mark:*"
        case .url: "url:\"a b\""
        case .comment: "comment:\"a b\""
        case .header, .requestHeader, .responseHeader: "\(word)x-request-id or \(word)x-a=b"
        case .body, .requestBody, .responseBody: "\(word)\"token\" or \(word)/reg(ex)?/i"
        case .status: "status:404, status:4xx, status:>=400 or status:200..299"
        case .size, .requestSize, .responseSize: "\(word)>1M or \(word)10K..1M"
        case .dur: "dur:>500ms"
        case .messages: "messages:>10"
        case .connection: "connection:317"
        case .id: "id:1042 or id:1000..1100"
        case .kind: "kind:websocket"
        case .failure: "failure:client-refused-certificate"
        case .tls: "tls:1.2"
        case .is: "is:failed"
        case .after, .before: "\(word)2026-01-01T10:00 or \(word)10m"
        case .filter: "filter:NAME"
        }
    }

    init?(named name: String) { self.init(rawValue: name.lowercased()) }

    /// The word that somebody most likely meant who wrote this one, without its colon.
    static func meant(by name: String) -> String? {
        let name = name.lowercased()
        return foreign[name] ?? Nearest.word(to: name, among: allCases.map(\.rawValue)).map { $0 + ":" }
    }

    /// What other programs call it.
    private static let foreign: [String: String] = [
        "domain": "host:", "server": "host:", "hostname": "host:", "sni": "host:", "site": "host:",
        "status-code": "status:", "code": "status:", "response": "status:", "verb": "method:",
        "mime-type": "type:", "mime": "type:", "content-type": "type:", "resource-type": "type:",
        "larger-than": "size:>", "length": "size:", "protocol": "scheme:", "query": "url:", "uri": "url:",
        "has-response-header": "res.header:", "has-request-header": "req.header:", "cookie": "header:cookie=",
        "set-cookie": "header:set-cookie=", "request.body": "req.body:", "response.body": "res.body:",
        "request.header": "req.header:", "response.header": "res.header:", "duration": "dur:", "time": "dur:",
        "ip": "client:", "device": "client:", "app": "client:", "since": "after:", "until": "before:", "has": "is:",
        "error": "failure:", "ws": "kind:websocket", "saved": "filter:", "text": "body:", "content": "body:",
        "conn": "connection:", "note": "comment:",
    ]
}

/// Which of a few known words was meant.
enum FilterWords {
    /// The nearest; else the only one that begins with it, or has it in it.
    static func meant(by text: String, among known: [String]) -> String? {
        if let other = foreign[text.lowercased()], known.contains(other) { return other }
        if let nearest = Nearest.word(to: text, among: known) { return nearest }
        let text = text.lowercased()
        guard text.utf8.count >= 3, text.utf8.count <= Nearest.maxLength else { return nil }
        return known.first { $0.hasPrefix(text) } ?? known.first { $0.contains(text) }
            ?? known.first { text.contains($0) }
    }

    private static let foreign = [
        "ws": "websocket", "wss": "websocket", "failure": "failed", "error": "failed", "running": "open",
        "pending": "open", "done": "complete", "from-cache": "cached", "eventsource": "sse", "event-stream": "sse",
        "https": "http", "connect": "tunnel", "gql": "graphql", "truncated": "cut",
    ]
}
