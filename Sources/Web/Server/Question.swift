import FlyingFox
import Foundation

/// A request to page or API, taken apart.
struct Question: Sendable {
    var method: String
    /// Decoded, without empty parts: `["api", "flows", "7"]`.
    var path: [String]
    /// Decoded; of a name that stands twice, the last value.
    var query: [String: String]
    /// A name that stands twice in it.
    var doubled: String?
    /// As on the wire.
    var rawPath: String
    var rawQuery: String
    /// By lower-case name.
    var headers: [String: String]
    var body: [UInt8] = []

    /// Asks that secrets be left out of the answer: `pinproof mcp` sends it.
    static let redactionField = "pinproof-redact"

    /// `PageListener` puts it behind all fields that the client has sent: among `Askers`, its number.
    static let askerField = "pinproof-asker"

    /// nil where it did not come through a listener.
    var asker: Int? { headers[Self.askerField].flatMap { Int($0.split(separator: " ").last ?? "") } }

    var hidesSecrets: Bool { headers[Self.redactionField] == "1" }

    /// - Parameter target: as on the wire, path and query, percent-encoded.
    init(method: String, target: String, headers: [String: String] = [:], body: [UInt8] = []) {
        self.method = method
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        rawPath = String(parts.first ?? "")
        rawQuery = parts.count > 1 ? String(parts[1]) : ""
        path = (parts.first ?? "").split(separator: "/").map { Self.decoded($0) }
        var query: [String: String] = [:]
        for pair in parts.count > 1 ? parts[1].split(separator: "&") : [] {
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = Self.decoded(halves[0], isForm: true)
            let value = halves.count > 1 ? Self.decoded(halves[1], isForm: true) : ""
            if query.updateValue(value, forKey: name) != nil { doubled = name }
        }
        self.query = query
        self.headers = headers
        self.body = body
    }

    /// What is longer is no question of ours: marks and comments are all that is ever sent.
    static let bodyLimit = 64 * 1024

    /// - Throws: `Problem` for a body that is too long, or whose length is not known.
    init(_ request: HTTPRequest) async throws {
        var headers: [String: String] = [:]
        for (name, value) in request.headers {
            let name = name.rawValue.lowercased()
            headers[name] = headers[name].map { $0 + ", " + value } ?? value
        }
        var target = request.target.rawValue
        // In absolute form the target's own authority counts (RFC 9112 §3.2.2).
        if let start = target.range(of: "http://", options: [.anchored, .caseInsensitive]) {
            let rest = target[start.upperBound...]
            let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
            headers["host"] = String(rest[..<end])
            target = rest[end...].hasPrefix("/") ? String(rest[end...]) : "/" + rest[end...]
        }
        self.init(method: request.method.rawValue, target: target, headers: headers)
        if headers["transfer-encoding"] != nil {
            throw Problem(411, "a body needs a Content-Length")
        }
        guard (headers["content-length"].flatMap { Int($0) } ?? 0) <= Self.bodyLimit else {
            throw Problem(413, "a body here has at most \(Self.bodyLimit) bytes")
        }
        body = Array(try await request.bodyData)
    }

    /// Percent signs that are none stand for themselves, and so does what is no UTF-8.
    private static func decoded(_ text: Substring, isForm: Bool = false) -> String {
        var bytes = Array(text.utf8)
        if isForm { bytes = bytes.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 } }
        let plain = String(decoding: bytes, as: UTF8.self)
        guard bytes.contains(UInt8(ascii: "%")) else { return plain }
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        var at = 0
        while at < bytes.count {
            guard bytes[at] == UInt8(ascii: "%") else {
                out.append(bytes[at])
                at += 1
                continue
            }
            guard at + 2 < bytes.count, let high = digit(bytes[at + 1]), let low = digit(bytes[at + 2]) else {
                return plain
            }
            out.append(high << 4 | low)
            at += 3
        }
        return String(validating: out, as: UTF8.self) ?? plain
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }

    /// The value of a cookie (RFC 6265 §4.2.1).
    func cookie(_ name: String) -> String? {
        for pair in (headers["cookie"] ?? "").split(separator: ";") {
            let halves = pair.split(separator: "=", maxSplits: 1)
            if halves.count == 2, halves[0].trimmingCharacters(in: .whitespaces) == name {
                return halves[1].trimmingCharacters(in: .whitespaces)
            }
        }
        return nil
    }
}
