import Facts
import Policy

/// Tunnels to a host whose inside was neither TLS nor HTTP, as far as could be seen.
///
/// What is in them was not attacked: they may come to TLS later than the proxy looks for it, or in a way that it does not
/// know. Nothing that was refused elsewhere says anything of them.
enum UnreadTunnel {
    static func find(_ host: HostCase) -> [Finding] {
        let (file, review) = (host.file, host.review)
        // Only under attack: then it is a way around the refusal, and told as that.
        let fallback = Set(review.cleartextFallback.map(\.line))
        let tunnels = (review.sightings + file.byAddress(review.host)).filter {
            $0.isUnreadTunnel && !fallback.contains($0.line)
        }
        guard !tunnels.isEmpty else { return [] }
        return [
            Finding(
                id: "unread-tunnel", severity: .error, fact: .leak(.unreadTunnels(tunnels.count)),
                evidence: tunnels.map(\.line))
        ]
    }
}

extension Sighting {
    /// The client said something in a tunnel, and it was neither TLS nor a request that can be read.
    var isUnreadTunnel: Bool {
        guard observation.action == .tunnelled, !hasHello, observation.bytesUp > 0 else { return false }
        // Older evidence does not say what it looked like.
        guard let shape = observation.first?.shape else { return false }
        return shape != "h2 preface" && !Self.plainHTTP.contains(shape)
    }

    /// As the evidence has it. `EHLO host.example` looks like a request too, so only methods that are known count; what is
    /// within a CONNECT of its own is not read.
    private static let plainHTTP = Set(methods.map { "http/1 " + $0 })

    /// The registered ones (IANA, HTTP Method Registry) and UPnP's; without CONNECT.
    private static let methods = [
        "ACL", "BASELINE-CONTROL", "BIND", "CHECKIN", "CHECKOUT", "COPY", "DELETE", "GET", "HEAD", "LABEL", "LINK",
        "LOCK", "MERGE", "MKACTIVITY", "MKCALENDAR", "MKCOL", "MKREDIRECTREF", "MKWORKSPACE", "MOVE", "NOTIFY",
        "OPTIONS", "ORDERPATCH", "PATCH", "POST", "PROPFIND", "PROPPATCH", "PUT", "QUERY", "REBIND", "REPORT",
        "SEARCH", "SUBSCRIBE", "TRACE", "UNBIND", "UNCHECKOUT", "UNLINK", "UNLOCK", "UNSUBSCRIBE", "UPDATE",
        "UPDATEREDIRECTREF", "VERSION-CONTROL",
    ]
}
