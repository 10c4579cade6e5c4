import Facts

/// What `http://pinproof.test/about.json` says of a proxy.
struct AboutProxy: Hashable, Sendable {
    struct CA: Hashable, Sendable {
        var name: String?
        /// Of its root's DER, lower-case hexadecimal.
        var sha256: String
        /// Unix seconds.
        var notBefore: Double?
        var notAfter: Double?
    }

    var version: String
    var ca: CA?
    /// By its clock, in Unix seconds.
    var time: Double?

    static let host = "pinproof.test"
    static let address = "http://pinproof.test/about.json"

    /// nil for what no pinproof says.
    init?(json bytes: [UInt8]) {
        guard let json = try? JSONValue.parse(bytes), let version = json["pinproof"]?.string else { return nil }
        self.version = version
        time = json["time"]?.double.flatMap { $0.isFinite ? $0 : nil }
        guard let ca = json["ca"], let digits = ca["sha256"]?.string else { return }
        let sha256 = digits.lowercased().filter { $0 != ":" }
        guard !sha256.isEmpty else { return }
        self.ca = CA(
            name: ca["name"]?.string, sha256: sha256, notBefore: Self.moment(ca["not_before"]),
            notAfter: Self.moment(ca["not_after"]))
    }

    init(version: String, ca: CA?, time: Double?) {
        self.version = version
        self.ca = ca
        self.time = time
    }

    private static func moment(_ value: JSONValue?) -> Double? {
        value?.string.flatMap { UTCTime.unix(rfc3339: $0) } ?? value?.double.flatMap { $0.isFinite ? $0 : nil }
    }
}

/// Who answers at the proxy's address.
enum ProxyAnswer: Hashable, Sendable {
    case pinproof(AboutProxy)
    /// It speaks, and is no pinproof of this kind; `server` is what it calls itself.
    case other(server: String?)
    case nothingListens
    /// No connection for another reason, or no answer in time.
    case silent(reason: String)

    var about: AboutProxy? {
        if case .pinproof(let about) = self { about } else { nil }
    }

    /// Reads what came for a request of `about.json`.
    init(answer bytes: [UInt8]) {
        let (head, body) = Self.parts(bytes)
        let lines = String(decoding: head, as: UTF8.self).split(whereSeparator: \.isNewline)
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count > 1, words[0].hasPrefix("HTTP/") else {
            self = .other(server: nil)
            return
        }
        if words[1] == "200", let about = AboutProxy(json: body) {
            self = .pinproof(about)
            return
        }
        let server = lines.dropFirst().lazy.compactMap { line -> String? in
            let name = line.prefix { $0 != ":" }
            guard name.lowercased() == "server" else { return nil }
            return line.dropFirst(name.count + 1).split(separator: " ").joined(separator: " ")
        }.first
        self = .other(server: server.flatMap { $0.isEmpty ? nil : Printable.excerpt($0, limit: 30) })
    }

    /// The answer is there as a whole, as far as its length is told; else the connection's end says it.
    static func isWhole(_ bytes: [UInt8]) -> Bool {
        let (head, body) = parts(bytes)
        guard head.count < bytes.count else { return false }
        for line in String(decoding: head, as: UTF8.self).lowercased().split(whereSeparator: \.isNewline)
        where line.hasPrefix("content-length:") {
            return Int(line.dropFirst(15).filter { $0 != " " }).map { body.count >= $0 } ?? false
        }
        return false
    }

    /// All is head where none has ended.
    private static func parts(_ bytes: [UInt8]) -> (head: ArraySlice<UInt8>, body: [UInt8]) {
        let end: [UInt8] = [0x0d, 0x0a, 0x0d, 0x0a]
        guard let at = bytes.indices.first(where: { bytes[$0...].starts(with: end) }) else { return (bytes[...], []) }
        return (bytes[..<at], Array(bytes[(at + end.count)...]))
    }
}
