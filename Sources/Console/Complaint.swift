import Facts

/// Errors as a person is told them: a line each, hints on lines of their own, a status.
package struct Complaint: Error, Hashable, Sendable, CustomStringConvertible {
    package var items: [Explanation]
    package var status: ExitStatus
    /// Whoever read the result has seen enough, and closed the pipe.
    package var isClosedPipe = false

    package init(_ message: String, hints: [String] = [], status: ExitStatus) {
        self.init([Explanation(message, hints: hints)], status: status)
    }

    package init(_ items: [Explanation], status: ExitStatus) {
        self.items = items
        self.status = status
    }

    /// Any error in words, with its exit status. One that explains nothing is the environment's.
    package init(_ error: any Error) {
        switch error {
        case let complaint as Complaint: self = complaint
        case let error as any ExplainedError: self.init(error.explanations, status: ExitStatus(error.cause))
        default: self.init("\(error)", status: .invalid)
        }
    }

    /// The messages alone, for a line of evidence.
    package var message: String { items.map(\.message).joined(separator: "; ") }

    /// What goes to stderr. Control characters and line breaks from elsewhere cannot begin a line of their own.
    package var description: String {
        items.flatMap { item in
            ["error: " + Printable.escaped(item.message)] + item.hints.map { "hint: " + Printable.escaped($0) }
        }.joined(separator: "\n")
    }
}
