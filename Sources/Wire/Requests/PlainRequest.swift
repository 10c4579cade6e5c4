import Facts

/// An absolute-form request as it is sent on to its origin.
package struct PlainRequest: Hashable, Sendable {
    package var target: Endpoint
    /// Whom the Host field names, where the URL says an address: the request's own name for the server.
    package var namedHost: HostName?
    package var method: String
    /// The rewritten head, the empty line included. What follows it is relayed as it comes.
    package var head: [UInt8]
    /// How much content follows the head.
    package var bodyLength: HTTPBodyLength
    /// The client may wait to be told to go on before it sends the content, and leave it out where it is not (RFC 9110 §10.1.1).
    package var awaitsContinue: Bool
    /// The client asks to go on with WebSocket.
    package var isWebSocket: Bool
    /// It asks whether there is a network, and says nothing of its own (`ReachabilityProbe`).
    package var isProbe: Bool
    /// The client would send another request on this connection. Never one of HTTP/1.0, whatever it says: a proxy may not
    /// keep its connection, as its keep-alive may have come through another proxy that knows none (RFC 9112 §9.3).
    package var keepsConnection: Bool

    /// Rewrites the head to origin form: the Host field names what the URL does (RFC 9112 §3.2.2), credentials and fields that
    /// are for this hop only are gone.
    ///
    /// - Parameter mayKeep: whether the origin's connection may outlive the answer. Where it may not, or the client ends
    ///   its own, the origin is told (RFC 9112 §9.6), so that its answer says the same to the client.
    init(_ http: HTTPHead, _ bodyLength: HTTPBodyLength, mayKeep: Bool) throws(WireError) {
        let url = http.text(http.target)
        guard let separator = url.firstIndex(of: UInt8(ascii: ":")), url[separator...].starts(with: Self.separator),
            url[..<separator].allSatisfy(Self.isSchemeCharacter), separator > url.startIndex
        else { throw .notForAProxy }
        guard ASCII.equal(url[..<separator], Self.http) else { throw .scheme(WireError.printable(url[..<separator])) }
        guard !url.contains(UInt8(ascii: "#")) else { throw .requestTarget(UInt8(ascii: "#")) }

        let rest = url[(separator + Self.separator.count)...]
        let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
        var authority = rest[..<end]
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) { authority = authority[(at + 1)...] }
        guard let target = HostPort.endpoint(authority, defaultPort: Self.defaultPort) else {
            throw .authority(WireError.printable(authority))
        }
        self.target = target
        let field = http.values(of: .host).first.flatMap { HostPort.endpoint(http.text($0), defaultPort: 80)?.host }
        namedHost = target.host.isIP ? field.flatMap { $0.isIP ? nil : $0 } : nil
        method = String(decoding: http.text(http.method), as: UTF8.self)

        let options = Self.connectionOptions(http)
        let wantsUpgrade = options.contains(StaticName.upgrade.bytes)
        let upgrades = http.values(of: .upgrade).flatMap { ASCII.list(http.bytes, $0) }
        // Only WebSocket: an upgrade to h2c would let requests pass that nobody looked at.
        isWebSocket =
            wantsUpgrade && upgrades.count == 1
            && upgrades.allSatisfy {
                ASCII.equal(http.text($0), Self.webSocket)
            }
        self.bodyLength = bodyLength
        awaitsContinue =
            bodyLength != .none
            && http.values(of: .expect).flatMap { ASCII.list(http.bytes, $0) }.contains {
                ASCII.equal(http.text($0), Self.goOn)
            }
        isProbe = bodyLength == .none && ReachabilityProbe.matches(http, authority: rest[..<end], path: rest[end...])
        keepsConnection = http.staysOpen
        head = []
        head = rewritten(http, options, path: rest[end...], closes: !mayKeep || !keepsConnection)
    }

    /// - Parameter hop: fields of these names are for this hop alone.
    private func rewritten(
        _ http: HTTPHead, _ hop: Set<[UInt8]>, path: ArraySlice<UInt8>, closes: Bool
    ) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(http.bytes.count + 64)
        out += http.text(http.method)
        out.append(UInt8(ascii: " "))
        if path.isEmpty, method == "OPTIONS" {
            out.append(UInt8(ascii: "*"))  // RFC 9112 §3.2.4
        } else {
            if path.first != UInt8(ascii: "/") { out.append(UInt8(ascii: "/")) }
            out += path
        }
        out += (http.isVersion10 ? " HTTP/1.0\r\nHost: " : " HTTP/1.1\r\nHost: ").utf8
        out += hostField(http)
        out += "\r\n".utf8
        for field in http.fields where isSentOn(field, http, hop) {
            out += http.text(field.name)
            out += ": ".utf8
            out += http.text(field.value)
            out += "\r\n".utf8
        }
        if isWebSocket {
            out += "Connection: Upgrade\r\n".utf8
        } else if closes {
            out += "Connection: close\r\n".utf8
        }
        out += "\r\n".utf8
        return out
    }

    /// The URL's host and port, in the client's own words where its field says the same: some servers tell `A.test` and
    /// `a.test.` from `a.test`.
    private func hostField(_ http: HTTPHead) -> [UInt8] {
        let values = http.values(of: .host)
        if values.count == 1, let text = values.first.map({ http.text($0) }),
            HostPort.endpoint(text, defaultPort: Self.defaultPort) == target
        {
            return Array(text)
        }
        let host = target.host.address?.isIPv4 == false ? "[\(target.host)]" : target.host.text
        return Array((target.port == Self.defaultPort ? host : "\(host):\(target.port)").utf8)
    }

    private func isSentOn(_ field: HTTPHead.Field, _ http: HTTPHead, _ hop: Set<[UInt8]>) -> Bool {
        // How long the content is must never depend on which hop reads it.
        for name in [StaticName.contentLength, .transferEncoding] where http.has(field, name) { return true }
        for name in Self.removed where http.has(field, name) { return false }
        if http.has(field, .upgrade) { return isWebSocket }
        return hop.isEmpty || !hop.contains(http.text(field.name).map(ASCII.lower))
    }

    /// In lower case. Both they and the fields may be many thousand.
    private static func connectionOptions(_ http: HTTPHead) -> Set<[UInt8]> {
        Set(http.values(of: .connection).flatMap { ASCII.list(http.bytes, $0) }.map { http.text($0).map(ASCII.lower) })
    }

    private static func isSchemeCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2b, 0x2d, 0x2e: true
        default: false
        }
    }

    private static let removed: [StaticName] = [
        .host, .connection, .proxyConnection, .proxyAuthorization, .keepAlive, .te, .http2Settings,
    ]
    private static let separator = Array("://".utf8)
    private static let http = Array("http".utf8)
    private static let webSocket = Array("websocket".utf8)
    private static let goOn = Array("100-continue".utf8)
    private static let defaultPort: UInt16 = 80
}
