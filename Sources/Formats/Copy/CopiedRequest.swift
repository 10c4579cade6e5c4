import Facts
import Flows

/// What every copy of a request sends.
struct CopiedRequest {
    var method: String
    /// Without userinfo and fragment; `http` or `https`.
    var url: URLParts
    var fields: [HeaderField]
    /// Nil where there is none; as on the wire where that is known.
    var body: [UInt8]?
    /// `HTTP/1.0`, `HTTP/1.1`, `h2`.
    var version: String?
    var notes: [String] = []
    /// What its request line had, where the URL does not tell it.
    private var ownTarget: [UInt8]?
    /// Where it went, where its URL says otherwise: a Host field may name anything.
    private(set) var place: Place?

    struct Place: Hashable {
        /// With the brackets of an IPv6 address.
        var host: String
        var port: Int
        /// TLS was asked for this host, and not for the URL's (SNI).
        var isNamedInTLS: Bool
    }

    init?(_ recorded: RecordedFlow) {
        let flow = recorded.flow
        guard let method = flow.method, !method.isEmpty, let url = flow.url, flow.kind != .tunnel, flow.kind != .raw,
            // A line end in it would begin a request of its own.
            !method.utf8.contains(where: Self.endsLine)
        else {
            return nil
        }
        self.method = method
        self.url = URLParts(url)
        self.url.fragment = nil
        let (path, query) = (Self.inOneLine(self.url.path), self.url.query.map(Self.inOneLine))
        if path != self.url.path || query != self.url.query {
            notes.append(Self.noteOfControls(in: self.url.target))
            (self.url.path, self.url.query) = (path, query)
        }
        version = flow.version
        ownTarget = flow.request?.target?.bytes
        if ownTarget?.contains(where: Self.endsLine) == true { ownTarget = nil }
        switch self.url.scheme?.lowercased() {
        case "ws": self.url.scheme = "http"
        case "wss": self.url.scheme = "https"
        case "http", "https": break
        default: return nil
        }
        guard !self.url.host.isEmpty else { return nil }
        fields = flow.request?.headers ?? []
        goBy(flow.tls == nil ? flow.scheme : "https")
        place = Self.place(of: flow, self.url)
        if let host = flow.server.host, !host.isEmpty, HostName(host) == nil,
            host.lowercased() != self.url.host.lowercased().filter({ $0 != "[" && $0 != "]" })
        {
            notes.append("what it went to is no host: \(Printable.excerpt(host)); this goes where the URL says")
        }
        if self.url.userinfo != nil {
            self.url.userinfo = nil
            notes.append("the URL's user and password are left out: they were no part of the request")
        }
        if flow.isOfAnotherProtocol(.down) {
            notes.append("this asks for another protocol, and says nothing of what was said in it")
        }
        if !flow.isOfAnotherProtocol(.up) { takeBody(recorded) }
        for field in fields where !field.canBeSent {
            notes.append("the header \(Printable.excerpt(field.name)) cannot be sent by any tool, and is left out")
        }
        fields.removeAll { !$0.canBeSent }
        if flow.request?.trailers.isEmpty == false { notes.append("trailers are left out") }
        if flow.kind == .websocket { notes.append("this asks for the WebSocket, and sends none of its messages") }
        if let redaction = recorded.redaction, redaction.count > 0 { notes.append("secrets are [redacted]") }
    }

    /// What went through TLS goes through TLS again, whatever a target in absolute form or HTTP/2's `:scheme` says.
    private mutating func goBy(_ scheme: String?) {
        guard let scheme, ["http", "https"].contains(scheme), let said = url.scheme?.lowercased(), said != scheme else {
            return
        }
        url.scheme = scheme
        notes.append(
            "its URL says \(said); it went \(scheme == "https" ? "through TLS" : "in the clear"), and so does this")
    }

    private static func place(of flow: Flow, _ url: URLParts) -> Place? {
        // An import may have any text there.
        guard let name = flow.server.host, HostName(name) != nil, let port = flow.server.port else { return nil }
        let host = name.contains(":") && !name.hasPrefix("[") ? "[\(name)]" : name
        guard host.lowercased() != url.host.lowercased() || port != url.port ?? url.defaultPort else { return nil }
        let isNamed = url.isSecure && host.lowercased() != url.host.lowercased()
        return Place(host: host, port: port, isNamedInTLS: isNamed && flow.tls?.sni?.lowercased() == name.lowercased())
    }

    /// What tools without an option for it do not keep.
    func noteOfPlace(_ tool: String) -> String? {
        place.map { "it went to \($0.host):\($0.port); \(tool) goes where the URL says" }
    }

    private mutating func takeBody(_ recorded: RecordedFlow) {
        if recorded.redaction?.leftOut.contains("request.body") == true {
            notes.append("the body could not be searched for secrets and is left out; --with-secrets has it")
        } else if let known = recorded.flow.request?.body, known.isCut {
            notes.append("only \(known.kept) of \(known.size) bytes of the body were kept")
        }
        if let bytes = recorded.request.kept, !bytes.isEmpty { body = bytes }
        if recorded.flow.isUnfinished(.up) { notes.append(noteOfEnd(recorded.flow)) }
        // Nothing, in chunks, has an end all the same, and a server waits for it.
        if body == nil, fields.elements(of: "transfer-encoding").last == "chunked" {
            body = []
            if let known = recorded.flow.request?.body, known.size > 0, !known.isCut {
                notes.append("the body is not there any more, and is left out")
            }
        }
        if recorded.request.wire == nil, body != nil, !values("content-encoding").isEmpty {
            notes.append(
                "the body is sent decoded, and Content-Encoding is left out: the compressed bytes are not known")
            fields.removeAll { $0.isNamed("content-encoding") }
        }
        // A length that is not the body's would leave the server waiting, or reading on.
        let length = String(body?.count ?? 0)
        fields.removeAll { $0.isNamed("content-length") && $0.value != length }
    }

    /// What is sent is a whole request, whatever it was.
    private func noteOfEnd(_ flow: Flow) -> String {
        let came = flow.request?.body?.size ?? 0
        return (flow.state == .open ? "the request has not come to its end yet" : "the request never came to its end")
            + (came == 0
                ? ": nothing of its body came"
                : ": \(English.count(came, "byte")) of its body came, and this ends behind them")
    }

    func values(_ name: String) -> [String] { fields.values(of: name) }
    func has(_ name: String) -> Bool { fields.contains { $0.isNamed(name) } }

    var isChunked: Bool { body != nil && fields.elements(of: "transfer-encoding").last == "chunked" }

    /// The Host field says no more than the URL.
    func isPlainHost(_ field: HeaderField) -> Bool {
        field.isNamed("host") && field.value.lowercased() == url.authority.lowercased()
    }

    /// The URL with everything that no URL may have as `%41`.
    var safeURL: String { url.origin + CopiedRequest.safe(url.target) }

    /// The target is not what a tool would make of the URL.
    var hasOddTarget: Bool { Array(CopiedRequest.safe(url.target).utf8) != target }

    /// What the request line has; the URL of `OPTIONS *` has no path (RFC 9110 §7.1).
    var target: [UInt8] {
        if let ownTarget { return ownTarget }
        return method == "OPTIONS" && url.path.isEmpty && url.query == nil
            ? [UInt8(ascii: "*")] : Array(url.target.utf8)
    }

    /// What tools that take a URL alone make of it.
    func noteOfTarget(_ tool: String) -> String? {
        guard target != Array(url.target.utf8) else { return nil }
        return
            "it asked for \(Printable.excerpt(String(decoding: target, as: UTF8.self))); \(tool) asks for what the URL says"
    }

    /// The target has characters that some tools write as `%41`, or escapes and dots that they resolve.
    func isRewritten(beyond kept: String, dots: Bool) -> Bool {
        let target = Array(url.target.utf8)
        if !target.allSatisfy({ $0.isAlphanumeric || kept.utf8.contains($0) }) { return true }
        let path = url.path.lowercased()
        if dots, path.replacing("%2e", with: ".").split(separator: "/").contains(where: { $0 == "." || $0 == ".." }) {
            return true
        }
        // Letters, digits and the like need no escape, and lose it.
        return FormFields.decoded(target[...], plusIsSpace: false).count < target.count
            && path.contains(#/%(2d|2e|3[0-9]|4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9ae])/#)
    }

    /// What becomes of them: DEL in a request line ends nothing, and is escaped all the same, since tools refuse it.
    private static func noteOfControls(in url: String) -> String {
        guard url.utf8.contains(where: { $0 < 0x20 }) else { return "the URL has a DEL character, which is %7F here" }
        return
            "the URL has control characters, which HTTP/2 can carry and no request line can: they are %0A and the like here"
    }

    /// HTTP/2 can carry it, and a request line cannot; DEL aside.
    private static func endsLine(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7f }

    private static func inOneLine(_ part: String) -> String {
        guard part.utf8.contains(where: endsLine) else { return part }
        return String(
            decoding: part.utf8.flatMap { endsLine($0) ? FormFields.encoded([$0]) : [$0] }, as: UTF8.self)
    }

    private static func safe(_ target: String) -> String {
        String(
            decoding: target.utf8.flatMap { byte in
                byte > 0x20 && byte < 0x7f ? [byte] : FormFields.encoded([byte])
            }, as: UTF8.self)
    }
}

extension HeaderField {
    func isNamed(_ name: String) -> Bool { self.name.utf8.count == name.utf8.count && self.name.lowercased() == name }

    /// Its name is one, and nothing in its value ends it.
    var canBeSent: Bool {
        !name.isEmpty && name.utf8.allSatisfy(\.isTokenByte)
            && !valueBytes.contains { $0 == 0 || $0 == 0x0a || $0 == 0x0d }
    }
}
