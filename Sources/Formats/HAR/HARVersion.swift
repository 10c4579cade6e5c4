/// Versions of HTTP in the words of those who write HAR files.
enum HARVersion {
    static func written(_ version: String?) -> String {
        switch version {
        case "h2": "HTTP/2"
        case "h3": "HTTP/3"
        case .some(let version): version
        case nil: ""
        }
    }

    /// `http/2.0`, `HTTP/2`, `h2` and `HTTP/2.0` are one.
    static func read(_ text: String?) -> String? {
        switch text?.lowercased() {
        case nil, "", "unknown": nil
        case "h2", "h2c", "http/2", "http/2.0": "h2"
        case "h3", "http/3", "http/3.0", "quic": "h3"
        case .some(let text) where text.hasPrefix("h3-"): "h3"
        case .some(let text) where text.hasPrefix("http/"): text.uppercased()
        case .some: text
        }
    }
}
