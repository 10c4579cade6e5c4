import Facts
import Testing

@testable import Web

/// What the document says, held against what the API does.
@Suite("OpenAPI")
struct OpenAPITests {
    private static func document() throws -> JSONValue { try JSONValue.parse(OpenAPI.document) }

    @Test("every path of the API is in it with its methods, and no other")
    func paths() throws {
        let paths = try #require(try Self.document()["paths"]?.members)
        var found: Set<String> = []
        for path in paths {
            for method in path.value.members ?? [] { found.insert(method.name.uppercased() + " " + path.name) }
        }
        #expect(found == Set(Operation.all.map { $0.method.rawValue + " " + $0.path }))
        #expect(Set(Operation.all.map(\.id)).count == Operation.all.count)
        #expect(
            found.isSuperset(of: [
                "GET /api/status", "GET /api/flows", "GET /api/index", "GET /api/flows/{id}",
                "GET /api/flows/{id}/request/body", "GET /api/flows/{id}/response/body", "GET /api/flows/{id}/messages",
                "GET /api/export", "DELETE /api/flows", "GET /api/events", "POST /api/flows/{id}", "POST /api/hosts",
                "GET /api/runs", "GET /api/runs/{name}", "GET /api/openapi.json", "GET /api/search", "GET /api/compare",
                "GET /api/flows/{id}/explanation", "GET /api/stats",
            ]))
    }

    @Test("every schema that it refers to is there")
    func references() throws {
        let document = try Self.document()
        var references: [String] = []
        func collect(_ value: JSONValue) {
            for member in value.members ?? [] {
                if member.name == "$ref", let text = member.value.string { references.append(text) }
                collect(member.value)
            }
            for item in value.array ?? [] { collect(item) }
        }
        collect(document)
        #expect(references.count > 20)
        for reference in Set(references) {
            let name = try #require(reference.split(separator: "/").last)
            #expect(document["components"]?["schemas"]?[String(name)] != nil, "\(reference)")
        }
    }

    @Test(
        "every answer is as its schema says: all members are named, of the right kind, and none that must be there is missing"
    )
    func answers() async throws {
        let samples = try APISamples()
        try RouterTests.makeRun("runs/20260101T000000Z-release", in: samples.folder)
        let schemas = try #require(try Self.document()["components"]?["schemas"])
        let check = SchemaCheck(schemas: schemas)
        let questions: [(id: String, target: String, body: String?)] = [
            ("status", "/api/status", nil), ("listFlows", "/api/flows", nil),
            ("listFlows", "/api/flows?view=row&limit=2", nil),
            ("index", "/api/index", nil), ("getFlow", "/api/flows/1", nil), ("getFlow", "/api/flows/3", nil),
            ("getFlow", "/api/flows/5", nil), ("listMessages", "/api/flows/2/messages?limit=1", nil),
            ("annotateFlow", "/api/flows/5", #"{"mark":"x"}"#),
            ("setHost", "/api/hosts", #"{"host":"a.test","action":"intercept"}"#),
            ("listRuns", "/api/runs", nil), ("openapi", "/api/openapi.json", nil),
            ("getRun", "/api/runs/20260101T000000Z-release", nil),
            ("getRun", "/api/runs/20260101T000000Z-release?part=report", nil),
            ("searchFlows", "/api/search?text=password", nil), ("searchFlows", "/api/search?text=api&limit=1", nil),
            ("compareFlows", "/api/compare?first=1&second=5", nil), ("explainFlow", "/api/flows/3/explanation", nil),
            ("explainFlow", "/api/flows/1/explanation", nil), ("statistics", "/api/stats", nil),
            ("deleteFlows", "/api/flows?filter=id:4", nil),
        ]
        var tried: Set<String> = []
        for (id, target, body) in questions {
            let operation = try #require(Operation.all.first { $0.id == id })
            tried.insert(id)
            let answer = await samples.ask(operation.method.rawValue, target, json: body)
            #expect(answer.status == 200, "\(id) \(String(decoding: answer.bytes, as: UTF8.self))")
            guard case .json(let schema) = operation.result else { continue }
            #expect(check.faults(try JSONValue.parse(answer.bytes), schema) == [], "\(id)")
        }
        let problem = try await samples.json("GET", "/api/flows?filter=mehtod:GET")
        #expect(check.faults(problem, "Problem") == [])
        let json = Operation.all.filter { if case .json = $0.result { true } else { false } }.map(\.id)
        #expect(tried == Set(json))
    }

    @Test("the check itself finds what is wrong")
    func check() throws {
        let check = SchemaCheck(schemas: try #require(try Self.document()["components"]?["schemas"]))
        func faults(_ text: String, _ schema: String) throws -> Int {
            check.faults(try JSONValue.parse(Array(text.utf8)), schema).count
        }
        #expect(try faults(#"{"count":1,"ids":[1]}"#, "Index") == 0)
        #expect(try faults(#"{"count":1}"#, "Index") == 1)
        #expect(try faults(#"{"count":"1","ids":[1]}"#, "Index") == 1)
        #expect(try faults(#"{"count":1,"ids":["1"]}"#, "Index") == 1)
        #expect(try faults(#"{"count":1,"ids":[],"more":1}"#, "Index") == 1)
        #expect(try faults(#"{"hosts":{"a":"drop"}}"#, "Hosts") == 1)
    }
}

/// As much of JSON Schema as the document uses.
struct SchemaCheck {
    let schemas: JSONValue

    func faults(_ value: JSONValue, _ name: String) -> [String] {
        guard let schema = schemas[name] else { return ["no schema \(name)"] }
        return faults(value, schema, at: name)
    }

    private func faults(_ value: JSONValue, _ schema: JSONValue, at place: String) -> [String] {
        if let reference = schema["$ref"]?.string?.split(separator: "/").last {
            return faults(value, String(reference))
        }
        if let choices = schema["anyOf"]?.array {
            let all = choices.map { faults(value, $0, at: place) }
            return all.contains([]) ? [] : all.min { $0.count < $1.count } ?? []
        }
        if let constant = schema["const"] { return value == constant ? [] : ["\(place): not \(constant)"] }
        if let words = schema["enum"]?.array { return words.contains(value) ? [] : ["\(place): none of \(words)"] }
        let types = schema["type"]?.array?.compactMap(\.string) ?? [schema["type"]?.string].compactMap { $0 }
        guard types.isEmpty || types.contains(where: { isA($0, value) }) else { return ["\(place): no \(types)"] }
        var found: [String] = []
        for item in value.array ?? [] {
            if let schema = schema["items"] { found += faults(item, schema, at: place + "[]") }
        }
        guard let members = value.members else { return found }
        for name in schema["required"]?.array?.compactMap(\.string) ?? [] where value[name] == nil {
            found.append("\(place): \(name) is missing")
        }
        for member in members {
            let inner = "\(place).\(member.name)"
            if let schema = schema["properties"]?[member.name] {
                found += faults(member.value, schema, at: inner)
            } else if schema["additionalProperties"]?.bool == false {
                found.append("\(inner) is not named")
            } else if let more = schema["additionalProperties"], more.members != nil {
                found += faults(member.value, more, at: inner)
            }
        }
        return found
    }

    private func isA(_ type: String, _ value: JSONValue) -> Bool {
        switch type {
        case "object": value.members != nil
        case "array": value.array != nil
        case "string": value.string != nil
        case "integer": value.int != nil
        case "number": value.double != nil
        case "boolean": value.bool != nil
        case "null": value == .null
        default: false
        }
    }
}
