import Facts
import Flows

/// The cookies of header fields, as HAR lists them.
struct Cookie: Hashable {
    var name: String
    var value: String
    var path: String?
    var domain: String?
    /// As the field says it.
    var expires: String?
    var isHTTPOnly = false
    var isSecure = false
    var sameSite: String?

    /// Of a request's Cookie fields.
    static func sent(_ fields: [HeaderField]) -> [Cookie] {
        fields.values(of: "cookie").flatMap { value in
            value.split(separator: ";").compactMap { pair($0) }.map { Cookie(name: $0.name, value: $0.value) }
        }
    }

    /// Of an answer's Set-Cookie fields.
    static func set(_ fields: [HeaderField]) -> [Cookie] {
        fields.values(of: "set-cookie").compactMap { value in
            var parts = value.split(separator: ";", omittingEmptySubsequences: false)[...]
            guard let first = parts.popFirst(), let (name, value) = pair(first) else { return nil }
            var cookie = Cookie(name: name, value: value)
            for part in parts {
                guard let (name, value) = pair(part) else { continue }
                switch name.lowercased() {
                case "path": cookie.path = value
                case "domain": cookie.domain = value
                case "expires": cookie.expires = value
                case "samesite": cookie.sameSite = value
                case "httponly": cookie.isHTTPOnly = true
                case "secure": cookie.isSecure = true
                default: break
                }
            }
            return cookie
        }
    }

    private static func pair(_ text: Substring) -> (name: String, value: String)? {
        let bytes = Array(text.utf8)[...].trimmed
        guard !bytes.isEmpty else { return nil }
        let equals = bytes.firstIndex(of: UInt8(ascii: "="))
        let name = bytes[..<(equals ?? bytes.endIndex)].trimmed
        let value = equals.map { bytes[($0 + 1)...].trimmed } ?? []
        return (String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
    }
}
