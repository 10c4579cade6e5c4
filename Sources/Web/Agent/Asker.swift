import FlyingFox
import FlyingSocks
import Foundation
import Loop

/// What was answered, as far as it was wanted.
struct Reply: Sendable {
    var status: Int
    var bytes: [UInt8]
    /// There was more.
    var isCut = false
    /// By lower-case name.
    var headers: [String: String] = [:]
}

/// Whoever answers questions: the proxy that runs, or what was saved.
protocol Asker: Sendable {
    /// - Parameter limit: bytes of the answer.
    func ask(_ question: Question, limit: Int) async throws -> Reply
}

/// Answers from a store, as the API would.
struct LocalAsker: Asker {
    let situation: Situation

    func ask(_ question: Question, limit: Int) async throws -> Reply {
        let answer = await Router.answer(toAdmitted: question, situation)
        var reply = Reply(status: answer.status, bytes: [])
        for (name, value) in answer.headers { reply.headers[name.lowercased()] = value }
        switch answer.body {
        case .bytes(let bytes):
            reply.bytes = Array(bytes.prefix(limit))
            reply.isCut = bytes.count > limit
        case .file(let path, let size):
            reply.bytes = try await situation.disk.run { _ in
                var bytes: [UInt8] = []
                try Files.readPieces(of: path, limit: .max) { piece in
                    bytes += piece
                    return bytes.count < min(size, limit)
                }
                return Array(bytes.prefix(min(size, limit)))
            }
            reply.isCut = size > limit
        case .pipe(let pipe):
            let iterator = pipe.makeAsyncIterator()
            while let piece = try await iterator.nextBuffer(suggested: 65_536) {
                reply.bytes += piece
                guard reply.bytes.count <= limit else { break }
            }
            reply.isCut = reply.bytes.count > limit
            reply.bytes = Array(reply.bytes.prefix(limit))
        case .events(let reader): reader.close()
        }
        return reply
    }
}

/// Asks a proxy that runs, through its socket.
struct SocketAsker: Asker {
    let path: String

    /// Bytes that are wanted of the answer's body, and whether there were more.
    static let (limitField, cutField) = ("pinproof-limit", "pinproof-cut")
    /// The target as it is meant: FlyingFox's client decodes a path before it sends it, and a slash within a name would be
    /// one between names.
    static let targetField = "pinproof-target"

    /// Nobody is there: no proxy runs.
    struct Nobody: Error {}

    func ask(_ question: Question, limit: Int) async throws -> Reply {
        guard Files.exists(path) else { throw Nobody() }
        var client = HTTPClient()
        var headers: HTTPHeaders = [HTTPHeader("Host"): "localhost"]
        for (name, value) in question.headers { headers.addValue(value, for: HTTPHeader(name)) }
        headers[HTTPHeader(Self.limitField)] = String(limit)
        headers[HTTPHeader(Self.targetField)] =
            question.rawPath + (question.rawQuery.isEmpty ? "" : "?" + question.rawQuery)
        headers[.connection] = "close"
        if !question.body.isEmpty { headers[.contentLength] = String(question.body.count) }
        let request = HTTPRequest(
            method: HTTPMethod(question.method), version: .http11,
            target: HTTPRequest.Target(path: question.rawPath, query: question.rawQuery), headers: headers,
            body: HTTPBodySequence(data: Data(question.body)))
        let response: HTTPResponse
        do {
            response = try await client.sendHTTPRequest(request, to: .unix(path: path))
        } catch is SocketError {
            throw Nobody()
        }
        var reply = Reply(status: response.statusCode.code, bytes: Array(try await response.bodyData))
        for (name, value) in response.headers { reply.headers[name.rawValue.lowercased()] = value }
        reply.isCut = reply.headers[Self.cutField] != nil
        return reply
    }
}

/// The proxy while it runs, and what was saved while it does not.
actor AnyAsker: Asker {
    private let live: SocketAsker?
    private let open: @Sendable () throws -> LocalAsker
    private var saved: LocalAsker?

    /// - Parameter open: opens what was saved, when it is asked for the first time: there may be nothing yet.
    init(live: SocketAsker?, open: @escaping @Sendable () throws -> LocalAsker) {
        self.live = live
        self.open = open
    }

    func ask(_ question: Question, limit: Int) async throws -> Reply {
        if let live {
            do { return try await live.ask(question, limit: limit) } catch is SocketAsker.Nobody {}
        }
        let asker = try saved ?? open()
        saved = asker
        return try await asker.ask(question, limit: limit)
    }
}
