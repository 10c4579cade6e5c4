import Console
import Facts
import Flows
import Formats
import Loop

/// `--proto`: a descriptor set, and perhaps the message that is meant.
package struct ProtoFile: Sendable {
    package let path: String
    private let schema: ProtobufSchema
    /// `--type`: instead of what the flow says.
    private let message: String?

    /// - Throws: `Complaint` where the file is no descriptor set, or has no such message.
    package init(_ path: String, message: String? = nil) throws {
        self.path = path
        self.message = message
        let bytes = try Files.read(path, limit: ProtobufSchema.sizeLimit)
        do throws(ProtobufSchemaFault) { schema = try ProtobufSchema(descriptorSet: bytes) } catch {
            throw Complaint(
                "\(path): \(error.reason)",
                hints: ["make one: protoc --include_imports --descriptor_set_out=FILE.desc FILE.proto"], status: .usage)
        }
        guard let message, !schema.hasMessage(message) else { return }
        throw Complaint(
            "\(path): it has no message \"\(Printable.excerpt(message))\"",
            hints: schema.nearestMessage(to: message).map { ["did you mean \"\($0)\"?"] } ?? [
                "its full name is wanted, with the package: shop.v1.Order"
            ], status: .usage)
    }

    /// How to show what was said in this direction; nil where it is no protobuf.
    ///
    /// - Throws: `Complaint` where it is, and nothing says which message.
    func view(of flow: Flow, _ direction: ExchangeDirection) throws(Complaint) -> (view: ProtobufView, isFramed: Bool)?
    {
        let type = flow.side(direction)?.headers.values(of: "content-type").last?.lowercased() ?? ""
        let isFramed = type.hasPrefix("application/grpc") || type.hasPrefix("application/connect")
        let isBinary = !type.contains("json") && !type.hasPrefix("text/")
        let isNamed = message != nil || type.contains("proto") || isFramed
        guard isBinary, isNamed else { return nil }
        if let message { return (ProtobufView(schema, message: message), isFramed) }
        if let name = schema.type(of: flow, direction) { return (ProtobufView(schema, message: name), isFramed) }
        let methods = ProtobufSchema.methods(of: flow)
        throw Complaint(
            "\(path): it does not say what \(methods.first.map { Printable.excerpt($0) } ?? "this flow") takes and answers",
            hints: ["name the message: --type shop.v1.Order"], status: .fail)
    }

    /// A type by which a body's text is written: framed messages as gRPC's, others as protobuf.
    static func contentType(_ type: String?, isFramed: Bool) -> String {
        isFramed ? "application/grpc" : "application/x-protobuf"
    }
}
