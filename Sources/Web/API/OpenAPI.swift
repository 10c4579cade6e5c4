import Evidence
import Facts

/// The API as an OpenAPI 3.1 document, made of the operations that the router has.
enum OpenAPI {
    static let document: [UInt8] = {
        var json = JSONWriter(reserving: 32_768)
        json.beginObject()
        json.field("openapi", "3.1.0")
        json.key("info")
        json.beginObject()
        json.field("title", "pinproof")
        json.field("version", Version.pinproof)
        json.field(
            "description",
            "What pinproof proxy records. The token is in the link that the proxy prints, and in its --ready-file.")
        json.endObject()
        json.key("security")
        json.beginArray()
        for scheme in ["token", "cookie"] {
            json.beginObject()
            json.field(scheme, [String]())
            json.endObject()
        }
        json.endArray()
        json.key("paths")
        json.beginObject()
        for path in paths { write(path, to: &json) }
        json.endObject()
        json.key("components")
        json.verbatim(Array(Schemas.components.utf8))
        json.endObject()
        return json.bytes
    }()

    private static var paths: [String] {
        var seen: [String] = []
        for operation in Operation.all where !seen.contains(operation.path) { seen.append(operation.path) }
        return seen
    }

    private static func write(_ path: String, to json: inout JSONWriter) {
        json.key(path)
        json.beginObject()
        for operation in Operation.all where operation.path == path {
            json.key(operation.method.rawValue.lowercased())
            write(operation, to: &json)
        }
        json.endObject()
    }

    private static func write(_ operation: Operation, to json: inout JSONWriter) {
        json.beginObject()
        json.field("operationId", operation.id)
        json.field("summary", operation.words)
        json.key("parameters")
        json.beginArray()
        for part in operation.parts where part.hasPrefix("{") {
            let name = String(part.dropFirst().dropLast())
            write(.init(name, name == "id" ? .integer : .text, ""), in: "path", to: &json)
        }
        for parameter in operation.query { write(parameter, in: "query", to: &json) }
        json.endArray()
        if let body = operation.body {
            json.key("requestBody")
            json.beginObject()
            json.field("required", true)
            content("application/json", schema: body, to: &json)
            json.endObject()
        }
        json.key("responses")
        json.beginObject()
        switch operation.result {
        case .json(let schema):
            answer(200, "OK", to: &json) { content("application/json", schema: schema, to: &$0) }
        case .bytes(let type): answer(200, "the bytes", to: &json) { content(type, schema: nil, to: &$0) }
        case .webSocket: answer(101, "a WebSocket; each message is an Event", to: &json) { _ in }
        }
        for status in (Set([401, 403, 421, 500, 503] + operation.errors)).sorted() {
            answer(status, Problem.title(status), to: &json) {
                content("application/problem+json", schema: "Problem", to: &$0)
            }
        }
        json.endObject()
        json.endObject()
    }

    private static func write(_ parameter: Operation.Parameter, in place: String, to json: inout JSONWriter) {
        json.beginObject()
        json.field("name", parameter.name)
        json.field("in", place)
        if place == "path" { json.field("required", true) }
        if !parameter.words.isEmpty { json.field("description", parameter.words) }
        json.key("schema")
        json.beginObject()
        switch parameter.kind {
        case .text: json.field("type", "string")
        case .integer: json.field("type", "integer")
        case .flag:
            json.field("type", "string")
            json.field("enum", ["0", "1"])
        case .choice(let words):
            json.field("type", "string")
            json.field("enum", words)
        }
        json.endObject()
        json.endObject()
    }

    private static func answer(
        _ status: Int, _ words: String, to json: inout JSONWriter, _ content: (inout JSONWriter) -> Void
    ) {
        json.key(String(status))
        json.beginObject()
        json.field("description", words)
        content(&json)
        json.endObject()
    }

    private static func content(_ type: String, schema: String?, to json: inout JSONWriter) {
        json.key("content")
        json.beginObject()
        json.key(type)
        json.beginObject()
        if let schema {
            json.key("schema")
            json.beginObject()
            json.field("$ref", "#/components/schemas/\(schema)")
            json.endObject()
        }
        json.endObject()
        json.endObject()
    }
}

extension Operation {
    static let documents = [
        Operation(
            id: "openapi", method: .get, path: "/api/openapi.json", words: "This document.",
            command: .none("it is about the API"), tool: .none("it is about the API"), result: .json("Document")
        ) { _, _ in .json(OpenAPI.document) }
    ]
}
