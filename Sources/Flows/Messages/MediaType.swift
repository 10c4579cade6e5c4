/// What a head says of its content's kind.
enum MediaType {
    /// Kinds of content that are made of messages.
    enum Messages: Hashable {
        case events, lines, grpc
        case grpcWeb(isText: Bool)
        case connect

        /// - Parameter type: without parameters, in lower case.
        init?(_ type: String) {
            switch type {
            case "text/event-stream": self = .events
            case "application/grpc": self = .grpc
            case "application/grpc-web": self = .grpcWeb(isText: false)
            case "application/grpc-web-text": self = .grpcWeb(isText: true)
            case _ where MediaType.lines.contains(type): self = .lines
            case _ where type.hasPrefix("application/grpc+"): self = .grpc
            case _ where type.hasPrefix("application/grpc-web+"): self = .grpcWeb(isText: false)
            case _ where type.hasPrefix("application/grpc-web-text+"): self = .grpcWeb(isText: true)
            case _ where type.hasPrefix("application/connect+"): self = .connect
            default: return nil
            }
        }
    }

    /// Newline-delimited JSON has no registered type; these are in use.
    private static let lines: Set<String> = [
        "application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonl",
        "application/jsonlines", "application/x-jsonlines", "application/json-lines", "application/stream+json",
        "application/x-json-stream", "application/json-seq", "text/x-ndjson", "text/jsonl",
    ]

    /// Of the first `Content-Type`, without parameters, in lower case; empty where there is none.
    static func of(_ fields: [HeaderField]) -> String {
        guard let value = fields.values(of: "content-type").first else { return "" }
        return value.prefix { $0 != ";" && $0 != "," }.filter { $0 != " " && $0 != "\t" }.lowercased()
    }
}
