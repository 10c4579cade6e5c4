import Facts

/// The address that a request is for, as one text.
enum FlowURL {
    /// - Parameter server: whom the connection is for; it stands where the request does not name its host.
    static func text(_ head: RequestHead, scheme: String, server: Flow.Server) -> String {
        let scheme = head.scheme ?? scheme
        if head.method == "CONNECT", head.connectProtocol == nil { return head.target }
        if !head.target.hasPrefix("/"), head.target.firstRange(of: "://") != nil { return head.target }
        let named = head.authority ?? head.fields.first(of: "host")
        let authority = named.flatMap { isAuthority($0) ? $0 : nil } ?? authority(of: server, scheme)
        // `OPTIONS *` is about the server as a whole (RFC 9110 §7.1).
        let path = head.target == "*" ? "" : head.target
        return scheme + "://" + withoutDefault(authority, scheme)
            + (path.isEmpty || path.hasPrefix("/") ? path : "/" + path)
    }

    static func authority(of server: Flow.Server, _ scheme: String) -> String {
        let host = server.host ?? server.address ?? ""
        let shown = host.contains(":") && !host.hasPrefix("[") && server.host != nil ? "[\(host)]" : host
        guard let port = server.port, server.host != nil else { return shown }
        return "\(shown):\(port)"
    }

    /// Nothing in it would make it more than a host and a port.
    private static func isAuthority(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7f && !"/?#@\\\"<>".utf8.contains($0) }
    }

    private static func withoutDefault(_ authority: String, _ scheme: String) -> String {
        let port = scheme == "https" ? ":443" : scheme == "http" ? ":80" : nil
        guard let port, authority.hasSuffix(port) else { return authority }
        return String(authority.dropLast(port.utf8.count))
    }
}
