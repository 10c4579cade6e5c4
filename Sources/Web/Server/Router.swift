import Facts
import Formats
import Loop

/// From a question to its answer: the door, the page's files, the operations.
struct Router: Sendable {
    let admission: Admission

    func answer(_ question: Question, _ situation: Situation) async -> Answer {
        switch admission.judge(question) {
        case .refused(let status, let words):
            let isPage = question.method == "GET" && question.path.isEmpty
            // Without the link, or with that of another store.
            let hasNoLink = status == 401 || question.query["token"] != nil
            if hasNoLink, isPage, question.headers["accept"]?.contains("text/html") ?? false {
                return Self.closed(status)
            }
            let problem = Problem(status, words).answer
            return status == 401 ? problem.with("WWW-Authenticate", "Bearer") : problem
        case .opens: return open(question)
        case .admitted: break
        }
        return await Self.answer(toAdmitted: question, situation)
    }

    /// To somebody who need not show a token: nobody else could have come this way.
    static func answer(toAdmitted question: Question, _ situation: Situation) async -> Answer {
        do {
            return try await admitted(question, situation)
        } catch let problem as Problem {
            return problem.answer
        } catch let error as any ExplainedError {
            return Problem(503, error.description).answer
        } catch {
            return Problem(500, "this did not work: \(error)").answer
        }
    }

    /// What somebody sees who comes without the link.
    private static func closed(_ status: Int) -> Answer {
        Answer(
            status: status, type: "text/html; charset=utf-8",
            bytes: Array(
                """
                <!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>pinproof</title>
                <h1>pinproof</h1>
                <p>This page needs its token: open the link that pinproof printed when it started.</p></html>

                """.utf8))
    }

    /// The token goes into a cookie, and out of the address bar; what else stood there stays.
    private func open(_ question: Question) -> Answer {
        var rest = question.rawQuery.split(separator: "&").filter { !$0.hasPrefix("token=") && $0 != "token" }
            .joined(separator: "&")
        // A line's end would be a header of its own.
        rest.removeAll { !$0.isASCII || $0.isWhitespace || $0.isNewline }
        return Answer(status: 303, type: "text/plain; charset=utf-8", bytes: [])
            .with(
                "Set-Cookie", "\(admission.cookieName)=\(admission.token); Path=/; HttpOnly; SameSite=Strict"
            )
            .with("Location", rest.isEmpty ? "/" : "/?\(rest)")
    }

    /// A misspelt filter would be none, and mean every flow.
    private static func requireKnown(_ question: Question, _ operation: Operation) throws {
        let known = operation.query.map(\.name)
        // Which one is meant, nobody knows.
        if let name = question.doubled { throw Problem(400, "\(Printable.excerpt(name)) stands there twice") }
        for name in question.query.keys.sorted() where !known.contains(name) {
            let meant = Nearest.word(to: name, among: known).map { "; did you mean \"\($0)\"?" } ?? ""
            throw Problem(400, "unknown parameter \"\(Printable.excerpt(name))\"\(meant)")
        }
    }

    /// By which a phone finds the page that sets it up.
    private static func deviceCode(_ situation: Situation) throws -> Answer {
        guard let device = situation.context.devices().first, let code = QRCode("http://\(device)/") else {
            throw Problem.notFound("other devices do not reach the proxy: it listens on loopback")
        }
        return Answer(type: "image/svg+xml", bytes: Array(code.svg(label: "QR code of http://\(device)/").utf8))
    }

    private static func admitted(_ question: Question, _ situation: Situation) async throws -> Answer {
        guard question.path.first == "api" else {
            guard ["GET", "HEAD"].contains(question.method) else {
                throw Problem(405, "the page is asked for with GET")
            }
            if question.path == ["assets", "device.svg"] { return try deviceCode(situation) }
            guard let file = PageFiles.file(at: question.path) else { throw Problem.notFound("there is no such page") }
            return Answer(type: file.type, bytes: file.bytes)
        }
        var others: [String] = []
        for operation in Operation.all {
            guard let values = operation.matches(question.path) else { continue }
            let isHead = question.method == "HEAD" && operation.method == .get && operation.result != .webSocket
            guard operation.method.rawValue == question.method || isHead else {
                others.append(operation.method.rawValue)
                continue
            }
            try requireKnown(question, operation)
            var situation = situation
            situation.path = values
            situation.asker = question.asker
            situation.hidesSecrets = question.hidesSecrets
            return try await operation.work(question, situation)
        }
        if others.isEmpty { throw Problem.notFound("the API has no such path; /api/openapi.json lists all") }
        return Problem(405, "this path takes \(others.joined(separator: ", "))").answer
            .with("Allow", others.joined(separator: ", "))
    }
}
