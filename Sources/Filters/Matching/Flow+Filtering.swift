import Facts
import Flows

/// What filters compare, where that is not simply a value of the flow. A store that keeps columns takes them from here.
extension Flow {
    /// With the query: `/v1/login?x=1`; `/` where the URL has none. nil without a URL.
    package var pathAndQuery: Substring? {
        guard let url else { return nil }
        let bytes = url.utf8
        var start = bytes.startIndex
        if bytes.first != UInt8(ascii: "/"), let scheme = bytes.firstIndex(of: UInt8(ascii: ":")),
            bytes[scheme...].starts(with: "://".utf8)
        {
            let authority = bytes.index(scheme, offsetBy: 3)
            start =
                bytes[authority...].firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? bytes.endIndex
        } else if bytes.first != UInt8(ascii: "/") {
            return bytes.first == UInt8(ascii: "*") ? url[...] : nil
        }
        let end = bytes[start...].firstIndex(of: UInt8(ascii: "#")) ?? bytes.endIndex
        if bytes[start..<end].first == UInt8(ascii: "/") { return url[start..<end] }
        return "/" + url[start..<end]
    }

    /// In lower case, without parameters. Of an answer without a body too, if it names one.
    package var responseType: String? {
        if let type = response?.body?.type { return type }
        guard let value = response?.headers.first(where: { $0.isNamed("content-type") })?.value else { return nil }
        let type = value.utf8.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",") }
            .filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
        return type.isEmpty ? nil : String(decoding: type.map(CaseFolding.ascii), as: UTF8.self)
    }

    /// Bytes of the body on the wire; 0 where the request has none, nil without a request.
    package var requestSize: Int64? { request.map { Int64($0.body?.size ?? 0) } }

    /// Bytes of the body on the wire; 0 where the answer has none, nil without an answer.
    package var responseSize: Int64? { response.map { Int64($0.body?.size ?? 0) } }

    package var durationMicroseconds: Int64? { durationMS.flatMap { Int64(exactly: ($0 * 1000).rounded()) } }

    /// `127.0.0.1` of `127.0.0.1:50123`, `::1` of `[::1]:50123`.
    package var clientHost: Substring? {
        guard let address = client.address else { return nil }
        if address.utf8.first == UInt8(ascii: "["), let end = address.utf8.firstIndex(of: UInt8(ascii: "]")) {
            return address[..<end].dropFirst()
        }
        guard let colon = address.utf8.lastIndex(of: UInt8(ascii: ":")),
            address.utf8.firstIndex(of: UInt8(ascii: ":")) == colon
        else { return address[...] }
        return address[..<colon]
    }

    /// What `tls:` compares, of `TLSv1.3`.
    package var tlsVersion: TLSVersion? { tls?.version.flatMap(TLSVersion.init(named:)) }

    /// What `url:` and bare words look at: the URL, or host and port where there is none.
    package var urlText: String? {
        if let url { return url }
        guard let host = server.host else { return nil }
        return server.port.map { "\(host):\($0)" } ?? host
    }

    package func has(_ trait: FilterTrait) -> Bool {
        switch trait {
        case .failed: failure != nil || kind == .failure
        case .open: state == .open
        case .complete: state == .complete
        case .aborted: state == .aborted
        case .http: kind == .http
        case .websocket: kind == .websocket
        case .raw: kind == .raw
        case .tunnel: kind == .tunnel
        case .redirect: [301, 302, 303, 307, 308].contains(status)
        case .cached: isCached
        case .graphql, .grpc, .sse: tags.contains { $0.isTag(trait.rawValue) }
        case .marked: mark?.isEmpty == false
        case .commented: comment?.isEmpty == false
        case .undecodable: undecodable != nil
        // Of what is only counted nothing was to be kept.
        case .cut: kind != .tunnel && kind != .raw && (request?.body?.isCut == true || response?.body?.isCut == true)
        }
    }

    /// Somebody between here and the origin answered from what it kept (RFC 9111 §5.1, RFC 9211).
    private var isCached: Bool {
        if status == 304 { return true }
        return response?.headers.contains { field in
            if field.isNamed("age") { return field.value.utf8.contains { $0 &- 0x31 < 9 } }
            guard field.isNamed("x-cache") || field.isNamed("cf-cache-status") || field.isNamed("cache-status") else {
                return false
            }
            return Self.hit.isPart(ofUTF8: field.value.utf8)
        } ?? false
    }

    private static let hit = FilterPattern("hit")
}

extension HeaderField {
    /// - Parameter name: in lower case.
    func isNamed(_ name: String) -> Bool {
        self.name.utf8.count == name.utf8.count
            && self.name.utf8.elementsEqual(name.utf8) { CaseFolding.ascii($0) == $1 }
    }
}

extension String {
    /// `grpc`, or `grpc:` and more.
    fileprivate func isTag(_ word: String) -> Bool {
        utf8.starts(with: word.utf8) && (utf8.count == word.utf8.count || utf8.dropFirst(word.utf8.count).first == 0x3a)
    }
}

extension TLSVersion {
    /// `1.3`, `TLSv1.3`, `TLS1.3`, `ssl3`, `SSLv3`, in whatever case.
    package init?(named text: some StringProtocol) {
        var rest = text.lowercased()[...]
        for prefix in ["tls", "ssl"] where rest.hasPrefix(prefix) {
            rest = rest.dropFirst(3).drop { $0 == "v" || $0 == " " }
            if prefix == "ssl" {
                guard rest == "3" || rest == "3.0" else { return nil }
                self = .ssl3
                return
            }
        }
        switch rest {
        case "1", "1.0": self = .tls10
        case "1.1": self = .tls11
        case "1.2": self = .tls12
        case "1.3": self = .tls13
        default: return nil
        }
    }
}
