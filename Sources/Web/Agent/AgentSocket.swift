import FlyingFox
import FlyingSocks
import Foundation
import Inspector
import Loop

/// The API for programs of the same user: a Unix socket instead of a token.
final class AgentSocket: Sendable {
    private let path: String
    private let server: HTTPServer
    private let running: Task<Void, Never>

    /// Seconds: it takes none, unless the machine is busy with everything else.
    private static let patience = 300.0

    /// Bytes of one answer: both sides have it in memory.
    static let answerLimit = 64 << 20

    /// - Returns: nil where no socket could be made; the proxy does without.
    static func open(_ path: String, _ asker: LocalAsker) async -> AgentSocket? {
        guard LiveSocket.prepare(path) == nil else { return nil }
        let server = HTTPServer(
            config: HTTPServer.Configuration(address: .unix(path: path), timeout: 300, logger: .disabled),
            handler: ClosureHTTPHandler { await response(to: $0, asker) })
        let (outcomes, outcome) = AsyncStream<Bool>.makeStream()
        let running = Task<Void, Never> {
            try? await server.run()
            outcome.yield(false)
        }
        let waiting = Task {
            if (try? await server.waitUntilListening(timeout: patience)) != nil { outcome.yield(true) }
        }
        defer { waiting.cancel() }
        guard await outcomes.first(where: { _ in true }) ?? false else {
            running.cancel()
            return nil
        }
        return AgentSocket(path, server, running)
    }

    private init(_ path: String, _ server: HTTPServer, _ running: Task<Void, Never>) {
        self.path = path
        self.server = server
        self.running = running
    }

    func close() async {
        await server.stop(timeout: 0.5)
        running.cancel()
        _ = FileTree.removeFile(path)
    }

    private static func response(to request: HTTPRequest, _ asker: LocalAsker) async -> HTTPResponse {
        do {
            var question = try await Question(request)
            if let target = question.headers[SocketAsker.targetField] {
                question = Question(
                    method: question.method, target: target, headers: question.headers, body: question.body)
            }
            let limit = question.headers[SocketAsker.limitField].flatMap { Int($0) } ?? answerLimit
            let reply = try await asker.ask(question, limit: max(0, min(limit, answerLimit)))
            var headers = HTTPHeaders()
            for (name, value) in reply.headers { headers.addValue(value, for: HTTPHeader(name)) }
            if reply.isCut { headers[HTTPHeader(SocketAsker.cutField)] = "1" }
            return HTTPResponse(
                statusCode: HTTPStatusCode(reply.status, phrase: Problem.title(reply.status)), headers: headers,
                body: Data(reply.bytes))
        } catch {
            let problem = error as? Problem ?? Problem(500, "this did not work: \(error)")
            guard case .bytes(let bytes) = problem.answer.body else { return HTTPResponse(statusCode: .badRequest) }
            return HTTPResponse(
                statusCode: HTTPStatusCode(problem.status, phrase: Problem.title(problem.status)), body: Data(bytes))
        }
    }
}
