/// What a head says of its content's kind.
enum MediaType {
    /// Kinds of content that are made of messages.
    enum Messages: Hashable {
        case events, lines, grpc
        case grpcWeb(isText: Bool)
        case connect

        /// - Parameter type: without parameters, in lower case.
        init?(_ type: String) {
            // The commonest are none, and told from all others by their length or their first letters.
            guard type.utf8.count > 8, type != "application/json", type.hasPrefix("text/") || type.hasPrefix("app")
            else {
                return nil
            }
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
        fields.first(of: "content-type").map(essence) ?? ""
    }

    /// A media type as it is written in a field, without parameters and blanks, in lower case.
    static func essence(_ value: String) -> String {
        let type = value.utf8.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",") }
        let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        guard type.contains(where: isBlank) else { return Substring(type).lowercased() }
        return String(decoding: type.filter { !isBlank($0) }, as: UTF8.self).lowercased()
    }
}
