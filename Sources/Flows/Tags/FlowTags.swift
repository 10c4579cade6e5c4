import Facts

/// What a flow is about, in words to filter by.
///
/// `graphql:Login`, `grpc:/pkg.Svc/Method`, `sse`, `ndjson`.
/// A GraphQL operation is named by `operationName`, else by its name in the document, else by what it is: `query`,
/// `mutation`, `subscription`; a persisted one without a name is `graphql:persisted`. A batch has a tag for each
/// different operation. Connect's calls are `grpc:` as well: they name a service and a method in the same way.
package enum FlowTags {
    /// Bytes of a request's decoded body that are wanted: the document comes first or behind short variables. Of a
    /// longer body the beginning does.
    package static let bodyLimit = 256 * 1024
    /// Of one flow: batches of more operations exist only in attacks.
    static let countLimit = 50
    /// Characters of a name.
    static let nameLimit = 100

    /// - Parameters:
    ///   - answer: its head, once it is there.
    ///   - body: the request's, decoded, from its beginning, at most `bodyLimit`.
    package static func tags(
        request: RequestHead, answer: AnswerHead? = nil, body: ArraySlice<UInt8> = []
    ) -> [String] {
        var tags: [String] = []
        let asked = MediaType.of(request.fields)
        let types = [asked, answer.map { MediaType.of($0.fields) } ?? ""]
        let kinds = types.map { MediaType.Messages($0) }
        let isConnect = request.fields.first(of: "connect-protocol-version") != nil
        if isConnect || kinds.contains(where: isCall) {
            let path = request.target.prefix { $0 != "?" && $0 != "#" }
            tags.append("grpc:" + Printable.excerpt(String(path), limit: 2 * nameLimit))
        } else {
            for operation in operations(request, asked, body) {
                let tag = "graphql:" + Printable.excerpt(operation, limit: nameLimit)
                if !tags.contains(tag), tags.count < countLimit { tags.append(tag) }
            }
        }
        if kinds.contains(.events) { tags.append("sse") }
        if kinds.contains(.lines) { tags.append("ndjson") }
        return tags
    }

    /// Of a message that begins a GraphQL subscription, of `graphql-transport-ws` or the older `graphql-ws`.
    package static func tags(of message: ExchangeMessage) -> [String] {
        guard message.from == .up, message.kind == .text else { return [] }
        let members = JSONOutline.objects(in: message.data.prefix(bodyLimit)).first
        guard let type = members?["type"].map({ String(decoding: $0.text, as: UTF8.self) }),
            type == "subscribe" || type == "start", let payload = members?["payload"]?.bytes
        else { return [] }
        return GraphQLOperation.names(json: payload, isGraphQLPath: false).prefix(1).map {
            "graphql:" + Printable.excerpt($0, limit: nameLimit)
        }
    }

    private static func isCall(_ messages: MediaType.Messages?) -> Bool {
        switch messages {
        case .grpc, .grpcWeb, .connect: true
        case .events, .lines, nil: false
        }
    }

    private static func operations(_ request: RequestHead, _ type: String, _ body: ArraySlice<UInt8>) -> [String] {
        let parts = request.target.utf8.split(separator: UInt8(ascii: "?"), maxSplits: 1)
        if let query = parts.dropFirst().first, let name = GraphQLOperation.name(query: Array(query)[...]) {
            return [name]
        }
        guard request.method == "POST", !body.isEmpty else { return [] }
        let body = body.prefix(bodyLimit)
        if type == "application/graphql" {
            return GraphQLOperation(document: body).map { [$0.name ?? $0.kind] } ?? []
        }
        let path = parts.first.map { String(Substring($0)).lowercased() } ?? ""
        let isGraphQLPath = path.contains("graphql") || path.contains("gql")
        if type == "multipart/form-data" {
            return GraphQLOperation.upload(body).map { GraphQLOperation.names(json: $0, isGraphQLPath: isGraphQLPath) }
                ?? []
        }
        guard type.contains("json") || type == "text/plain" || type.isEmpty else { return [] }
        return GraphQLOperation.names(json: body, isGraphQLPath: isGraphQLPath)
    }
}
