import Console
import Facts
import Flows
import Inspector
import Store

extension Operation {
    static let bodies = [ExchangeDirection.up, .down].map { direction in
        let name = direction == .up ? "request" : "response"
        return Operation(
            id: direction == .up ? "getRequestBody" : "getResponseBody", method: .get,
            path: "/api/flows/{id}/\(name)/body",
            words: "The bytes of the \(name)'s body, without their content coding.",
            command: .named("flows show --body"), tool: .named("get_\(name)_body"),
            query: [
                Parameter("raw", .flag, "1: as on the wire, after the removal of framing"),
                Parameter("part", .flag, "1: of one that cannot be decoded to its end, as much as can be"),
            ],
            result: .bytes("application/octet-stream"), errors: [400, 404, 409, 422]
        ) { question, situation in
            try await body(
                direction, name, isRaw: situation.flag("raw", question), isPart: situation.flag("part", question),
                situation)
        }
    }

    private static func body(
        _ direction: ExchangeDirection, _ name: String, isRaw: Bool, isPart: Bool, _ situation: Situation
    ) async throws -> Answer {
        let id = try situation.id
        let hidesSecrets = situation.hidesSecrets
        if hidesSecrets, isRaw { throw Problem(400, "raw: bytes as on the wire cannot be searched for secrets") }
        _ = try await situation.find { try $0.flow(id) }
        let found = try await situation.read { store -> Answer.Body in
            guard let flow = try store.flow(id) else {
                throw Problem.notFound("there is no flow \(id), or it has gone")
            }
            if hidesSecrets {
                return .bytes(try clean(flow, direction, name, FlowSight(store, hidesSecrets: true)))
            }
            let isWire = isRaw || flow.side(direction)?.body?.encoding == nil
            // It may be larger than memory.
            if isWire, let file = try store.bodyFile(of: id, direction) { return .file(file.path, file.size) }
            let access = FlowsAccess(store)
            let show = FlowsShow(access, .body(direction), isRaw: isRaw, isForTerminal: false, isColored: false)
            do {
                guard let bytes = try show.bytes(of: id, note: isPart ? { _ in } : nil) else {
                    throw Problem.notFound("there is no flow \(id), or it has gone")
                }
                return .bytes(bytes)
            } catch let complaint as Complaint {
                let isUndecodable = flow.side(direction)?.body?.encoding != nil && !isRaw && flow.kind != .tunnel
                let hint = "raw=1 gives its bytes as they were on the wire, part=1 as much as can be decoded"
                let words = complaint.items.map {
                    ([$0.message] + (isUndecodable ? [hint] : $0.hints)).joined(separator: "; ")
                }
                throw Problem(isUndecodable ? 422 : 404, words.joined(separator: "; "))
            }
        }
        return .download(found, name: "flow-\(id)-\(name)")
    }

    private static func clean(
        _ flow: Flow, _ direction: ExchangeDirection, _ name: String, _ sight: FlowSight
    ) throws -> [UInt8] {
        guard let recorded = try sight.recorded(flow.id) else {
            throw Problem.notFound("there is no flow \(flow.id), or it has gone")
        }
        if let bytes = recorded.body(direction).decoded { return bytes }
        if recorded.redaction?.leftOut.contains("\(name).body") ?? false {
            throw Problem(
                422,
                "the \(name)'s body of flow \(flow.id) cannot be searched for secrets, and is left out while secrets are hidden (shown by key s on the page, to an agent by pinproof mcp --with-secrets)"
            )
        }
        throw Problem.notFound("flow \(flow.id): its \(name) has no body")
    }
}
