import Facts
import Flows

/// A request as something that sends it again.
///
/// What each can keep:
///
/// | | method, URL, body | headers |
/// |---|---|---|
/// | `curl` | all, bytes for bytes; one version of HTTP as it was | order, case and duplicates; Host comes first |
/// | `python` | all, with Python's own library, HTTP/1 only | all, bytes for bytes |
/// | `httpie` | methods of letters alone; HTTP/1 only | duplicates follow their first; no bytes that are not UTF-8 |
/// | `fetch` | no body with GET and HEAD | lower case, sorted, duplicates joined; adds its own; browsers keep some to themselves |
///
/// Where the URL's host is not whom the request went to, `curl` and `python` go there all the same.
/// Where one of these matters for the request at hand, a note says so.
package enum CopyFormat: String, Hashable, Sendable, CaseIterable {
    case curl, fetch, httpie, python

    /// Nil where there is no request: a tunnel, raw bytes, a connection that failed before it.
    package func copy(_ recorded: RecordedFlow) -> CopiedCommand? {
        guard let request = CopiedRequest(recorded) else { return nil }
        return switch self {
        case .curl: CurlCommand(request).copied
        case .fetch: FetchCode(request).copied
        case .httpie: HTTPieCommand(request).copied
        case .python: PythonCode(request).copied
        }
    }
}

/// What was copied, and what of the request it does not send as it was.
package struct CopiedCommand: Hashable, Sendable {
    /// For a POSIX shell, or the language that it is in. Ends with a line's end.
    package let text: String
    /// Each one line, in words.
    package let notes: [String]
    /// What begins a comment: `#`, `//`.
    package let comment: String
    /// What a file of it begins with.
    private let opening: String

    /// - Parameters:
    ///   - notes: may quote what was recorded or imported, line ends and all: behind one of them a comment would be code.
    ///   - opening: a line that has to be the first one of a file.
    init(text: String, notes: [String], comment: String, opening: String = "") {
        self.opening = opening
        self.text = text
        self.notes = notes.map(Printable.escaped)
        self.comment = comment
    }

    /// With its notes as comments above: for files, as a shell into which it is pasted may know no comments.
    package var script: String { opening + notes.map { "\(comment) \($0)\n" }.joined() + text }
}
