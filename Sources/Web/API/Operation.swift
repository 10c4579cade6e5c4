/// One thing that can be asked of the API.
///
/// How it is asked, what it takes, what it gives, and what does it.
/// The router and the OpenAPI document are made of these, so that neither can know of one that the other does not.
struct Operation: Sendable {
    enum Method: String, Sendable, CaseIterable { case get = "GET", post = "POST", delete = "DELETE" }

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
    let id: String
    let method: Method
    /// With parameters in braces.
    let path: String
    let words: String
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

    /// All there are, as the document lists them.
    static let all: [Operation] = status + flows + bodies + exports + changes + runs + documents
}
