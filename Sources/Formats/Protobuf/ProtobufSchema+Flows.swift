import Facts
import Flows

/// Which message a body is.
extension ProtobufSchema {
    /// The full name of the type of what was said in this direction; nil where nothing says it.
    ///
    /// A parameter of the content type comes first, as Prometheus and Spring write it, then the method that was called: by
    /// the flow's tag, or by its path, whose last two parts name it in gRPC, Connect and Twirp.
    package func type(of flow: Flow, _ direction: ExchangeDirection) -> String? {
        if let type = flow.side(direction)?.headers.values(of: "content-type").last {
            for name in ["proto", "messagetype", "message-type", "message"] {
                if let value = MediaType.parameter(name, of: type), messages[value] != nil { return value }
            }
        }
        guard let method = Self.methods(of: flow).lazy.compactMap({ methods[$0] }).first else { return nil }
        return direction == .up ? method.input : method.output
    }

    /// What it may have been that was called: `/pkg.Service/Method`.
    package static func methods(of flow: Flow) -> [String] {
        var paths = flow.tags.filter { $0.hasPrefix("grpc:") }.map { String($0.dropFirst(5)) }
        if let url = flow.url { paths.append(URLParts(url).target.prefix { $0 != "?" && $0 != "#" }.description) }
        return paths.compactMap { path in
            let parts = path.split(separator: "/")
            return parts.count >= 2 ? "/" + parts.suffix(2).joined(separator: "/") : nil
        }
    }

    package func hasMessage(_ name: String) -> Bool { messages[name] != nil }

    /// What was probably meant.
    package func nearestMessage(to name: String) -> String? { Nearest.word(to: name, among: messages.keys.sorted()) }
}

/// What a protobuf message is shown by.
package struct ProtobufView: Hashable, Sendable {
    package var schema: ProtobufSchema
    /// The full name of its type.
    package var message: String

    package init(_ schema: ProtobufSchema, message: String) {
        self.schema = schema
        self.message = message
    }
}
