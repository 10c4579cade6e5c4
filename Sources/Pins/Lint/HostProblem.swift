import Facts

/// A server that was to say what it shows: nobody knows what holds for its host.
package struct HostProblem: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable {
        /// It could not be, or there were too many.
        case notAsked = "not-asked"
        /// Its chain does not verify: somebody else may have answered.
        case notVerified = "not-verified"
    }

    package var kind: Kind
    /// nil: more hosts than one.
    package var host: String?
    package var text: String

    package init(_ kind: Kind, host: String?, _ text: String) {
        self.kind = kind
        self.host = host
        self.text = text
    }

    /// `api.example.com: its server could not be asked: connection refused`.
    package var line: String { host.map { "\($0): \(text)" } ?? text }

    static func write(_ problems: [HostProblem], to json: inout JSONWriter) {
        json.key("problems")
        json.beginArray()
        for problem in problems {
            json.beginObject()
            json.field("host", orNull: problem.host)
            json.field("kind", problem.kind.rawValue)
            json.field("text", problem.text)
            json.endObject()
        }
        json.endArray()
    }

    /// Each is a case that neither passed nor failed.
    static func cases(_ problems: [HostProblem]) -> [JUnitXML.Case] {
        problems.map { problem in
            var test = JUnitXML.Case(name: "what \(problem.host ?? "every host") shows", classname: "pins")
            test.error = JUnitXML.Failure(type: problem.kind.rawValue, message: problem.line, lines: [problem.line])
            return test
        }
    }
}
