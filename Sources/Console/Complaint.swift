import Facts

/// Errors as a person is told them: a line each, hints on lines of their own, a status.
package struct Complaint: Error, Hashable, Sendable, CustomStringConvertible {
    package struct Item: Hashable, Sendable {
        package var message: String
        package var hints: [String]

        package init(_ message: String, hints: [String] = []) {
            self.message = message
            self.hints = hints
        }
    }

    package var items: [Item]
    package var status: ExitStatus

    package init(_ message: String, hints: [String] = [], status: ExitStatus) {
        self.init([Item(message, hints: hints)], status: status)
    }

    package init(_ items: [Item], status: ExitStatus) {
        self.items = items
        self.status = status
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
