import Facts

/// What a team states about its app: hosts that must refuse, must work, stay untouched.
package struct Profile: Hashable, Sendable {
    package var name: String
    /// In the order of the file; no two with an equal pattern.
    package var rules: [HostRule]
    package var others: Others
    /// Hosts the same build contacts unpinned; proof that it trusts the CA. A rule for such a host comes first.
    package var controls: [HostPattern]
    /// nil: `standard`.
    package var attacks: AttackSelection?
    package var coldStarts: Int?
    /// Where connections to a name really go. A missing port keeps the asked one.
    package var resolve: [HostName: Destination]
    /// The run given by `--evidence-from` is of a build with the same trust anchors.
    package var sameAnchors: Bool
    /// This build applies no policy besides pins once the handshake is over: no Certificate Transparency, no revocation.
    package var onlyPins: Bool
    package var lent: [HostName: LentMaterial]
    package var upstream: Upstream
    /// Clients that are told apart and judged one by one, in the order of the file; empty: all are one.
    package var clients: [ClientRule]
    /// In the order of the file.
    package var waivers: [Waiver]
    /// Names for filters of recorded flows, in the order of the file.
    package var filters: [NamedFilter] = []
    /// Recorded flows that are not shown unless they are asked for.
    package var mutes: [NamedFilter] = []

    package init(
        name: String, rules: [HostRule] = [], others: Others = .tunnel, controls: [HostPattern] = [],
        attacks: AttackSelection? = nil, coldStarts: Int? = nil, resolve: [HostName: Destination] = [:],
        sameAnchors: Bool = false, onlyPins: Bool = false, lent: [HostName: LentMaterial] = [:],
        upstream: Upstream = Upstream(),
        clients: [ClientRule] = [], waivers: [Waiver] = []
    ) {
        self.name = name
        self.rules = rules
        self.others = others
        self.controls = controls
        self.attacks = attacks
        self.coldStarts = coldStarts
        self.resolve = resolve
        self.sameAnchors = sameAnchors
        self.onlyPins = onlyPins
        self.lent = lent
        self.upstream = upstream
        self.clients = clients
        self.waivers = waivers
    }

    /// The most specific rule for a host.
    package func rule(for host: HostName) -> HostRule? {
        var best: HostRule?
        for rule in rules where rule.pattern.matches(host) {
            if best.map({ rule.pattern.isMoreSpecific(than: $0.pattern) }) ?? true { best = rule }
        }
        return best
    }
}

package struct HostRule: Hashable, Sendable {
    package var pattern: HostPattern
    package var expect: HostExpectation
    package var required: Bool
    package var pins: [Pin]
    /// Paths of the only roots that the app trusts for this host; empty: those of its platform, or unknown.
    package var anchors: [String]
    /// Where the app reports a refusal at this host to.
    package var reportsTo: HostName?
    /// It tells the app to update, and has to be reachable when pins no longer fit.
    package var tellsUpdates: Bool

    package init(
        pattern: HostPattern, expect: HostExpectation, required: Bool = true, pins: [Pin] = [], anchors: [String] = [],
        reportsTo: HostName? = nil, tellsUpdates: Bool = false
    ) {
        self.pattern = pattern
        self.expect = expect
        self.required = required
        self.pins = pins
        self.anchors = anchors
        self.reportsTo = reportsTo
        self.tellsUpdates = tellsUpdates
    }
}

package enum HostExpectation: String, Hashable, Sendable, CaseIterable {
    /// The app must refuse every forged chain.
    case refuse
    /// Intercepted on purpose and expected to work.
    case accept
    /// Never touched.
    case tunnel
}

/// What happens to hosts the profile does not name.
package enum Others: String, Hashable, Sendable, CaseIterable { case tunnel, accept, report }

/// `sha256/…`: the SHA-256 of a certificate's SubjectPublicKeyInfo, base64 (RFC 7469 §2.4).
package struct Pin: Hashable, Sendable, CustomStringConvertible {
    /// Standard base64 of 32 bytes, with padding.
    package let base64: String

    /// Accepts `sha256/<base64>` and `sha256//<base64>` (curl); nil unless it decodes to exactly 32 bytes.
    package init?(_ text: String) {
        guard text.hasPrefix("sha256/") else { return nil }
        var rest = text.dropFirst(7)
        if rest.hasPrefix("/"), rest.utf8.count == 45 { rest = rest.dropFirst() }
        // 43 characters carry 258 bits: unless the last two are zero, it is not what 32 bytes are written as.
        guard let digest = Base64.decoded(Array(rest.utf8)[...]), digest.count == 32, Base64.encode(digest) == rest
        else {
            return nil
        }
        base64 = String(rest)
    }

    package var description: String { "sha256/\(base64)" }
}

/// Where connections to a name go: another host, another port, or both.
package struct Destination: Hashable, Sendable, CustomStringConvertible {
    package var host: HostName
    package var port: UInt16?

    package init(_ host: HostName, _ port: UInt16?) {
        self.host = host
        self.port = port
    }

    /// Parses `host`, `host:port`, `[v6]:port` and a bare IPv6 address.
    package init?(_ text: String) {
        if let host = HostName(text) {
            self.init(host, nil)
        } else if let endpoint = Endpoint(text) {
            self.init(endpoint.host, endpoint.port)
        } else {
            return nil
        }
    }

    package var description: String { port.map { Endpoint(host, $0).description } ?? host.text }
}

/// Key material only the operator has; paths as resolved against the profile's folder.
package struct LentMaterial: Hashable, Sendable {
    package var backupKey: String?
    package var sameCAChain: String?
    /// Chain and key, in this order.
    package var otherHost: [String]

    package init(backupKey: String? = nil, sameCAChain: String? = nil, otherHost: [String] = []) {
        self.backupKey = backupKey
        self.sameCAChain = sameCAChain
        self.otherHost = otherHost
    }
}

package struct Upstream: Hashable, Sendable {
    /// Paths of PEM or DER files, resolved against the profile's folder.
    package var roots: [String]
    /// An HTTP proxy that every connection to an origin goes through, by CONNECT.
    package var proxy: Endpoint?
    /// What origins are shown that ask who the client is, in the order of the file; no two with an equal pattern. For the
    /// debugging proxy alone.
    package var clientCertificates: [ClientCertificateRule]

    package init(
        roots: [String] = [], proxy: Endpoint? = nil, clientCertificates: [ClientCertificateRule] = []
    ) {
        self.roots = roots
        self.proxy = proxy
        self.clientCertificates = clientCertificates
    }
}
