import Evidence
import Facts
import Formats

/// The Model Context Protocol over lines: JSON-RPC 2.0 in, JSON-RPC 2.0 out.
///
///     let session = AgentSession(asker, options)
///     if let answer = await session.answer(to: line) { … }
///
/// Source: modelcontextprotocol.io, specification 2025-06-18, and those before it. Requests are answered one after the other.
struct AgentSession: Sendable {
    let asker: any Asker
    let options: AgentOptions
    /// A mark around data of others, which they cannot know.
    let mark: @Sendable () -> String

    init(_ asker: any Asker, _ options: AgentOptions, mark: @escaping @Sendable () -> String = Self.chance) {
        self.asker = asker
        self.options = options
        self.mark = mark
    }

    private static let chance: @Sendable () -> String = {
        var generator = SystemRandomNumberGenerator()
        return Hex.encode((0..<8).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }

    /// Versions that are spoken, the newest first.
    static let versions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]

    /// Bytes of a line: a tool's arguments have some hundred.
    static let lineLimit = 1 << 20
    /// Messages of one line: each may have an answer a hundred times as long as it.
    static let batchLimit = 100

    /// - Returns: nil where nothing is to be said: to a notification, or an answer.
    func answer(to line: [UInt8]) async -> [UInt8]? {
        guard line.contains(where: { $0 > 0x20 }) else { return nil }
        guard line.count <= Self.lineLimit else {
            return Self.error(.null, -32600, "a line here has at most \(Self.lineLimit) bytes")
        }
        let value: JSONValue
        do { value = try JSONValue.parse(line) } catch {
            return Self.error(.null, -32700, "this is no JSON: \(error.reason) at byte \(error.offset)")
        }
        guard let batch = value.array else { return await answer(to: value) }
        guard !batch.isEmpty else { return Self.error(.null, -32600, "an empty batch") }
        guard batch.count <= Self.batchLimit else {
            return Self.error(.null, -32600, "at most \(Self.batchLimit) messages come at once")
        }
        // Up to 2025-03-26 several may come at once.
        var answers: [[UInt8]] = []
        for one in batch { if let answer = await answer(to: one) { answers.append(answer) } }
        return answers.isEmpty
            ? nil : [UInt8(ascii: "[")] + answers.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")]
    }

    private func answer(to message: JSONValue) async -> [UInt8]? {
        guard message.members != nil else { return Self.error(.null, -32600, "a message is a JSON object") }
        guard let method = message["method"]?.string else {
            // An answer to what was never asked.
            if message["result"] != nil || message["error"] != nil { return nil }
            return Self.error(message["id"] ?? .null, -32600, "a request names its method")
        }
        guard let id = message["id"] else { return nil }
        let parameters = message["params"] ?? .object([])
        switch method {
        case "initialize": return Self.result(id) { initialize(parameters, to: &$0) }
        case "ping":
            return Self.result(id) { json in
                json.beginObject()
                json.endObject()
            }
        case "tools/list":
            return Self.result(id) { json in
                json.beginObject()
                json.key("tools")
                json.beginArray()
                for tool in AgentTool.usable(options) { tool.write(options, to: &json) }
                json.endArray()
                json.endObject()
            }
        case "tools/call": return await call(id, parameters)
        default: return Self.error(id, -32601, "there is no method \(Printable.excerpt(method))")
        }
    }

    private func initialize(_ parameters: JSONValue, to json: inout JSONWriter) {
        let asked = parameters["protocolVersion"]?.string ?? ""
        json.beginObject()
        json.field("protocolVersion", Self.versions.contains(asked) ? asked : Self.versions[0])
        json.key("capabilities")
        json.beginObject()
        json.key("tools")
        json.beginObject()
        json.endObject()
        json.endObject()
        json.key("serverInfo")
        json.beginObject()
        json.field("name", "pinproof")
        json.field("version", Version.pinproof)
        json.endObject()
        json.field("instructions", AgentWords.instructions(options))
        json.endObject()
    }

    // MARK: Tools

    private func call(_ id: JSONValue, _ parameters: JSONValue) async -> [UInt8] {
        guard let name = parameters["name"]?.string else { return Self.error(id, -32602, "params.name: a tool's name") }
        guard let tool = AgentTool.all.first(where: { $0.name == name }) else {
            let meant = Nearest.word(to: name, among: AgentTool.usable(options).map(\.name))
            return Self.error(
                id, -32602,
                "there is no tool \(Printable.excerpt(name))" + (meant.map { "; did you mean \($0)?" } ?? ""))
        }
        guard options.mayChange || !tool.operation.isChange else {
            return Self.error(id, -32602, "\(name) changes something: pinproof mcp --write allows it")
        }
        guard let arguments = (parameters["arguments"] ?? .object([])).members else {
            return Self.error(id, -32602, "params.arguments: an object")
        }
        do {
            let outcome = try await AgentCall(self, tool, arguments).outcome()
            return Self.result(id) { outcome.write(to: &$0) }
        } catch let problem as Problem {
            return Self.result(id) { AgentOutcome(problem).write(to: &$0) }
        } catch let error as any ExplainedError {
            return Self.result(id) { AgentOutcome(Problem(503, error.description)).write(to: &$0) }
        } catch {
            return Self.result(id) { AgentOutcome(Problem(500, "this did not work: \(error)")).write(to: &$0) }
        }
    }

    // MARK: JSON-RPC

    private static func result(_ id: JSONValue, _ write: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = begin(id)
        json.key("result")
        write(&json)
        json.endObject()
        return json.bytes
    }

    private static func error(_ id: JSONValue, _ code: Int, _ words: String) -> [UInt8] {
        var json = begin(id)
        json.key("error")
        json.beginObject()
        json.field("code", code)
        json.field("message", words)
        json.endObject()
        json.endObject()
        return json.bytes
    }

    private static func begin(_ id: JSONValue) -> JSONWriter {
        var json = JSONWriter()
        json.beginObject()
        json.field("jsonrpc", "2.0")
        json.key("id")
        id.write(to: &json)
        return json
    }
}

/// What a tool has to say.
struct AgentOutcome: Sendable {
    enum Content: Sendable {
        case text(String)
        case image([UInt8], type: String)
    }

    var contents: [Content]
    var isError = false

    init(_ contents: [Content]) { self.contents = contents }

    init(_ problem: Problem) {
        var words = problem.detail
        if let place = problem.place {
            words += " (column \(place.column)" + (place.suggestion.map { ", did you mean \($0)" } ?? "") + ")"
        }
        contents = [.text(words)]
        isError = true
    }

    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.key("content")
        json.beginArray()
        for content in contents {
            json.beginObject()
            switch content {
            case .text(let text):
                json.field("type", "text")
                json.field("text", text)
            case .image(let bytes, let type):
                json.field("type", "image")
                json.field("data", Base64.encode(bytes))
                json.field("mimeType", type)
            }
            json.endObject()
        }
        json.endArray()
        json.field("isError", isError)
        json.endObject()
    }
}
