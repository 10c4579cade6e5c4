import Facts
import Inspector
import Store

extension Operation {
    static let exports = [
        Operation(
            id: "exportFlows", method: .get, path: "/api/export", words: "Flows as a file for other programs.",
            command: .named("flows export"), tool: .named("export_flows"),
            query: [
                Parameter("filter", "the filter language; empty: every flow"),
                Parameter("format", .choice(FlowsExport.Format.allCases.map(\.rawValue)), "usually har"),
                Parameter("secrets", .flag, "1: with passwords, cookies and tokens, which are left out otherwise"),
            ],
            result: .bytes("application/octet-stream"), errors: [400, 404, 409], work: export)
    ]

    private static let export: Work = { question, situation in
        let format: FlowsExport.Format = try situation.choice("format", question, else: .har)
        let withSecrets = try situation.flag("secrets", question)
        if withSecrets, situation.hidesSecrets {
            throw Problem(403, "secrets: they are hidden here; pinproof mcp --with-secrets shows them")
        }
        if format == .pcapng, situation.hidesSecrets {
            throw Problem(400, "format: packets cannot be searched for secrets: har and jsonl can")
        }
        if format == .pcapng, !withSecrets {
            throw Problem(400, "format: packets cannot be searched for secrets; secrets=1 exports them as they are")
        }
        let filter = try situation.filter(question)
        try situation.requireBlind(filter)
        let pipe = BytePipe()
        let access = FlowsAccess(try situation.store, filter: filter)
        // What was told until now has to be in it.
        try await situation.read(patience: nil) { _ in }
        let outcome = ExportOutcome()
        let exports = situation.exports
        Task {
            do {
                outcome.set(
                    try await exports.run { _ in
                        try FlowsExport(access, format, withSecrets: withSecrets).run { try pipe.write($0) }
                    })
                pipe.end(.success(()))
            } catch {
                pipe.end(.failure(error))
            }
        }
        let (name, type) = file(format)
        guard let bytes = try await pipe.whole() else { return .download(.pipe(pipe), name: name, type: type) }
        // It is small enough to say what has become of it.
        let words = outcome.value.map { $0.words(format, withSecrets: withSecrets, file: nil) } ?? []
        guard let value = outcome.value, value.flows > 0 else { throw Problem.notFound(words.joined(separator: "; ")) }
        return .download(.bytes(bytes), name: name, type: type)
            .with("X-Pinproof-Flows", String(value.flows)).with("X-Pinproof-Redacted", String(value.redacted))
    }

    private static func file(_ format: FlowsExport.Format) -> (name: String, type: String) {
        switch format {
        case .har: ("flows.har", "application/json")
        case .jsonl: ("flows.jsonl", "application/x-ndjson")
        case .curl: ("flows.sh", "text/plain; charset=utf-8")
        case .fetch: ("flows.js", "text/plain; charset=utf-8")
        case .httpie: ("flows-httpie.sh", "text/plain; charset=utf-8")
        case .python: ("flows.py", "text/plain; charset=utf-8")
        case .raw: ("flows.bin", "application/octet-stream")
        case .pcapng: ("flows.pcapng", "application/octet-stream")
        }
    }
}
