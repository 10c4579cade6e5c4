/// What pinproof itself answers under a name of its own; the connection ends after it.
package struct SiteAnswer: Hashable, Sendable {
    package enum Status: Int, Sendable {
        case ok = 200
        case notFound = 404
        case methodNotAllowed = 405

        var reason: String {
            switch self {
            case .ok: "OK"
            case .notFound: "Not Found"
            case .methodNotAllowed: "Method Not Allowed"
            }
        }
    }

    package struct Field: Hashable, Sendable {
        package var name: String
        /// One line: ours, or made of what has no line ends.
        package var value: String
    }

    package var status: Status
    package var type: String
    package var fields: [Field] = []
    package var body: [UInt8]

    package init(_ status: Status = .ok, type: String, _ body: [UInt8]) {
        self.status = status
        self.type = type
        self.body = body
    }

    package func with(_ name: String, _ value: String) -> SiteAnswer {
        var answer = self
        answer.fields.append(Field(name: name, value: value))
        return answer
    }

    /// - Parameter isHead: the body is left out, and its length said all the same (RFC 9110 §9.3.2).
    package func bytes(isHead: Bool) -> [UInt8] {
        var head = """
            HTTP/1.1 \(status.rawValue) \(status.reason)\r
            Content-Type: \(type)\r
            Content-Length: \(body.count)\r
            Connection: close\r

            """
        for field in fields { head += "\(field.name): \(field.value)\r\n" }
        return Array((head + "\r\n").utf8) + (isHead ? [] : body)
    }
}
