/// One thing that can be asked of what was recorded.
///
/// How it is asked, what it takes, what it gives, and what does it.
/// The router, the OpenAPI document and the tools of `pinproof mcp` are made of these, so that none can know of one that the
/// others do not; tests hold the command line against them.
package struct Operation: Sendable {
    package enum Method: String, Sendable, CaseIterable { case get = "GET", post = "POST", delete = "DELETE" }

    /// Where the same is to be had elsewhere, or why it is not.
    package enum Face: Hashable, Sendable {
        /// `flows list`; `list_flows`.
        case named(String)
        case none(String)

        package var name: String? { if case .named(let name) = self { name } else { nil } }
    }

    struct Parameter: Sendable {
        enum Kind: Hashable, Sendable {
            case text
            case integer
            case flag
            case choice([String])
        }

        var name: String
        var kind: Kind
        var words: String

        init(_ name: String, _ kind: Kind, _ words: String) {
            self.name = name
            self.kind = kind
            self.words = words
        }

        init(_ name: String, _ words: String) { self.init(name, .text, words) }
    }

    /// What a good answer holds.
    enum Content: Hashable, Sendable {
        /// The name of a schema.
        case json(String)
        case bytes(String)
        case webSocket
    }

    typealias Work = @Sendable (Question, Situation) async throws -> Answer

    /// In camel case, as generated clients call it.
    package let id: String
    package let method: Method
    /// With parameters in braces.
    let path: String
    let words: String
    /// The subcommand of `pinproof` that does the same.
    package let command: Face
    /// The tool of `pinproof mcp`.
    package let tool: Face
    var query: [Parameter] = []
    /// The name of a schema.
    var body: String?
    let result: Content
    /// Of answers that are errors, beside those that every operation has.
    var errors: [Int] = []
    let work: Work

    var parts: [Substring] { path.split(separator: "/") }

    /// The values of its path's parameters; nil where the path is another one.
    func matches(_ path: [String]) -> [String: String]? {
        let parts = parts
        guard parts.count == path.count else { return nil }
        var values: [String: String] = [:]
        for (part, given) in zip(parts, path) {
            if part.hasPrefix("{") {
                values[String(part.dropFirst().dropLast())] = given
            } else if part != given {
                return nil
            }
        }
        return values
    }

    /// It changes what is recorded, or what the proxy does.
    package var isChange: Bool { method != .get }

    /// All there are, as the document lists them.
    package static let all: [Operation] =
        status + flows + findings + bodies + exports + changes + runs + documents
}
