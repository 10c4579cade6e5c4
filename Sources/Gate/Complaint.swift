import Facts

/// Errors as a person is told them: a line each, hints on lines of their own, and the exit status that goes with them.
public struct Complaint: Error, Hashable, Sendable, CustomStringConvertible {
    public struct Item: Hashable, Sendable {
        public var message: String
        public var hints: [String]

        public init(_ message: String, hints: [String] = []) {
            self.message = message
            self.hints = hints
        }
    }

    public var items: [Item]
    public var status: ExitStatus

    public init(_ message: String, hints: [String] = [], status: ExitStatus) {
        self.init([Item(message, hints: hints)], status: status)
    }

    public init(_ items: [Item], status: ExitStatus) {
        self.items = items
        self.status = status
    }

    /// The messages alone, for a line of evidence.
    public var message: String { items.map(\.message).joined(separator: "; ") }

    /// What goes to stderr. Control characters and line breaks from elsewhere cannot begin a line of their own.
    public var description: String {
        items.flatMap { item in
            ["error: " + Printable.escaped(item.message)] + item.hints.map { "hint: " + Printable.escaped($0) }
        }.joined(separator: "\n")
    }
}
