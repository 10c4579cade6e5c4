import Facts
import Foundation

/// An operation as a tool of the Model Context Protocol.
struct AgentTool: Sendable {
    let operation: Operation
    let name: String

    init?(_ operation: Operation) {
        guard let name = operation.tool.name else { return nil }
        self.operation = operation
        self.name = name
    }

    static let all = Operation.all.compactMap(AgentTool.init)

    /// Those that somebody may use.
    static func usable(_ options: AgentOptions) -> [AgentTool] {
        all.filter { options.mayChange || !$0.operation.isChange }
    }

    /// What is given unless it is asked for otherwise: a list's short form, and no more of it than is read.
    private static let usual: [String: [String: String]] = [
        "listFlows": ["view": "row", "limit": "50"], "getRun": ["part": "report"],
    ]

    /// Parameters that are of no use where secrets are hidden.
    private static let revealing: Set = ["secrets", "raw"]

    // MARK: What it takes

    /// Of its own, beside the operation's.
    enum Own: String, CaseIterable {
        case maxBytes = "max_bytes"
        case offset
        case view
    }

    /// How a body is shown.
    enum View: String, CaseIterable { case auto, text, hex, image }

    var isBody: Bool { if case .bytes = operation.result { operation.path.hasSuffix("/body") } else { false } }

    private var pathNames: [String] {
        operation.parts.filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
    }

    private func parameters(_ options: AgentOptions) -> [Operation.Parameter] {
        operation.query.filter { options.showsSecrets || !Self.revealing.contains($0.name) }
    }

    /// It goes on by `next`, not by bytes.
    var isList: Bool { operation.query.contains { $0.name == "limit" } }

    private var own: [Own] {
        operation.isChange ? [] : isBody ? Own.allCases : isList ? [.maxBytes] : [.maxBytes, .offset]
    }

    /// Members of the body that it sends, as the schema has them.
    private var bodyMembers: [JSONValue.Member] {
        guard let body = operation.body,
            let schemas = try? JSONValue.parse(Array(Schemas.components.utf8))["schemas"]
        else { return [] }
        return schemas[body]?["properties"]?.members ?? []
    }

    func names(_ options: AgentOptions) -> [String] {
        pathNames + parameters(options).map(\.name) + bodyMembers.map(\.name) + own.map(\.rawValue)
    }

    // MARK: As it is listed

    func write(_ options: AgentOptions, to json: inout JSONWriter) {
        json.beginObject()
        json.field("name", name)
        json.field("description", operation.words + (AgentWords.more[operation.id].map { " " + $0 } ?? ""))
        json.key("inputSchema")
        json.beginObject()
        json.field("type", "object")
        json.key("properties")
        json.beginObject()
        for name in pathNames {
            property(
                name, name == "id" ? "integer" : "string", name == "id" ? "the flow's number" : "as list_runs has it",
                to: &json)
        }
        for parameter in parameters(options) { write(parameter, options, to: &json) }
        for member in bodyMembers {
            json.key(member.name)
            member.value.write(to: &json)
        }
        for parameter in own { write(parameter, to: &json) }
        json.endObject()
        json.field("required", pathNames + AgentWords.required(operation.id))
        json.field("additionalProperties", false)
        json.endObject()
        json.key("annotations")
        json.beginObject()
        json.field("readOnlyHint", !operation.isChange)
        if operation.isChange { json.field("destructiveHint", operation.method == .delete) }
        json.field("openWorldHint", false)
        json.endObject()
        json.endObject()
    }

    private func property(_ name: String, _ type: String, _ words: String, to json: inout JSONWriter) {
        json.key(name)
        json.beginObject()
        json.field("type", type)
        json.field("description", words)
        json.endObject()
    }

    private func write(_ parameter: Operation.Parameter, _ options: AgentOptions, to json: inout JSONWriter) {
        var words = parameter.words
        if let usual = Self.usual[operation.id]?[parameter.name] { words += "; here usually \(usual)" }
        switch parameter.kind {
        case .text: property(parameter.name, "string", words, to: &json)
        case .integer: property(parameter.name, "integer", words, to: &json)
        case .flag: property(parameter.name, "boolean", words, to: &json)
        case .choice(let all):
            // Packets cannot be searched for secrets.
            let choices = all.filter { options.showsSecrets || $0 != "pcapng" }
            json.key(parameter.name)
            json.beginObject()
            json.field("type", "string")
            json.field("enum", choices)
            json.field("description", words)
            json.endObject()
        }
    }

    private func write(_ parameter: Own, to json: inout JSONWriter) {
        switch parameter {
        case .maxBytes:
            property(
                parameter.rawValue, "integer",
                "of the answer's data, \(AgentOptions.budgets.lowerBound) to \(AgentOptions.budgets.upperBound); usually \(AgentOptions.usualBudget)",
                to: &json)
        case .offset:
            property(parameter.rawValue, "integer", "where a cut answer goes on", to: &json)
        case .view:
            json.key(parameter.rawValue)
            json.beginObject()
            json.field("type", "string")
            json.field("enum", View.allCases.map(\.rawValue))
            json.field(
                "description",
                "auto, which is usual: text as it is, protobuf and gRPC by their fields, other bytes as hex; image: a picture"
            )
            json.endObject()
        }
    }

    // MARK: What is asked

    /// - Throws: `Problem` for arguments that it does not take.
    func question(_ arguments: [JSONValue.Member], _ options: AgentOptions) throws -> Question {
        let known = names(options)
        var path = operation.path
        var query: [(String, String)] = []
        var body: [JSONValue.Member] = []
        var given: Set<String> = []
        let ofQuery = Set(parameters(options).map(\.name))
        let ofBody = Set(bodyMembers.map(\.name))
        for argument in arguments where argument.value != .null {
            // What is needed and empty is missing: the filter of nothing would mean everything.
            if argument.value.string?.allSatisfy(\.isWhitespace) != true { given.insert(argument.name) }
            if pathNames.contains(argument.name) {
                path = path.replacing("{\(argument.name)}", with: Self.encoded(try Self.addressed(argument)))
            } else if ofQuery.contains(argument.name) {
                query.append((argument.name, try Self.addressed(argument)))
            } else if ofBody.contains(argument.name) {
                body.append(argument)
            } else if Own(rawValue: argument.name).map(own.contains) != true {
                let meant = Nearest.word(to: argument.name, among: known).map { "; did you mean \"\($0)\"?" } ?? ""
                throw Problem(
                    400,
                    "\(name) takes no \"\(Printable.excerpt(argument.name))\"\(meant); it takes \(English.list(known))")
            }
        }
        for needed in pathNames + AgentWords.required(operation.id) where !given.contains(needed) {
            throw Problem(400, "\(name) needs \"\(needed)\"")
        }
        for (name, value) in Self.usual[operation.id] ?? [:] where !given.contains(name) {
            query.append((name, value))
        }
        if !options.showsSecrets, operation.id == "exportFlows" { query.append(("secrets", "0")) }
        return Self.question(operation, path, query, body, options)
    }

    static func question(
        _ operation: Operation, _ path: String, _ query: [(String, String)], _ body: [JSONValue.Member],
        _ options: AgentOptions
    ) -> Question {
        let target =
            path + (query.isEmpty ? "" : "?")
            + query.map { "\(encoded($0.0))=\(encoded($0.1))" }.joined(separator: "&")
        var headers = options.showsSecrets ? [:] : [Question.redactionField: "1"]
        if operation.body != nil { headers["content-type"] = "application/json" }
        return Question(
            method: operation.method.rawValue, target: target, headers: headers,
            body: operation.body == nil ? [] : Array(JSONValue.object(body).text.utf8))
    }

    /// As long as the page may say it in a request's line: what is longer is no filter and no list of numbers that anybody needs,
    /// and reading it would hold others up.
    private static let addressLimit = 16 * 1024

    private static func addressed(_ argument: JSONValue.Member) throws -> String {
        let text = try text(argument)
        guard text.utf8.count <= addressLimit else {
            throw Problem(400, "\(argument.name): longer than \(addressLimit) bytes")
        }
        return text
    }

    private static func text(_ argument: JSONValue.Member) throws -> String {
        switch argument.value {
        case .string(let text): return text
        case .number(let text): return text
        case .bool(let flag): return flag ? "1" : "0"
        case .array(let values): return try values.map { try text(.init(argument.name, $0)) }.joined(separator: ",")
        case .null, .object: throw Problem(400, "\(argument.name): a text or a number")
        }
    }

    /// RFC 3986 §2.3: all but the unreserved characters.
    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}

/// What somebody who started `pinproof mcp` has allowed.
package struct AgentOptions: Hashable, Sendable {
    package var showsSecrets = false
    package var mayChange = false

    package init() {}

    /// Bytes of one answer: a page of a model's context, and what the largest ones take.
    static let budgets = 1024...262_144
    static let usualBudget = 16_384
}
