/// An error as a person is told it: one line, hints on lines of their own, and the exit status that goes with it.
public struct Complaint: Error, Hashable, Sendable, CustomStringConvertible {
    public var message: String
    public var hints: [String]
    public var status: ExitStatus

    public init(_ message: String, hints: [String] = [], status: ExitStatus) {
        self.message = message
        self.hints = hints
        self.status = status
    }

    /// What goes to stderr. Line breaks inside are folded, so that each item stays one line.
    public var description: String {
        (["error: " + Self.oneLine(message)] + hints.map { "hint: " + Self.oneLine($0) }).joined(separator: "\n")
    }

    private static func oneLine(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}
