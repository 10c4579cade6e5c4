import Facts

/// What the environment of the shell makes of programs that are started in it.
struct ShellChecks: Sendable {
    var environment: [String: String]
    var proxy: Endpoint

    /// What reaches the proxy under either name.
    private static let names = ["https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"]

    var checks: [DoctorCheck] { [proxies, exceptions].compactMap(\.self) + careless }

    private var named: [(name: String, value: String)] {
        Self.names.compactMap { name in environment[name].flatMap { $0.isEmpty ? nil : (name, $0) } }
    }

    private var proxies: DoctorCheck {
        let setting = "`export https_proxy=http://\(proxy) http_proxy=http://\(proxy)`"
        guard !named.isEmpty else {
            return DoctorCheck(
                "environment", .skipped, "this shell names no proxy: what it starts goes past pinproof", todo: setting)
        }
        let astray = named.filter { !leadsToProxy($0.value) }
        guard !astray.isEmpty else {
            let secure = named.filter { !$0.name.lowercased().hasPrefix("http_") }
            guard !secure.isEmpty else {
                return DoctorCheck(
                    "environment", .warning, "\(named[0].name) leads to the proxy, and nothing does for HTTPS",
                    todo: setting)
            }
            return DoctorCheck(
                "environment", .ok,
                "\(English.list(named.map(\.name))) \(named.count == 1 ? "leads" : "lead") to the proxy")
        }
        // User and password may be in it.
        let shown = astray.map { "\($0.name) (\(Self.place($0.value)))" }
        return DoctorCheck(
            "environment", .warning,
            "\(English.list(shown)) \(astray.count == 1 ? "leads" : "lead") elsewhere than to \(proxy): "
                + "what this shell starts goes there",
            todo: setting + "; if origins are only to be had through that one, give it to pinproof: "
                + "`pinproof proxy --upstream-proxy URL`")
    }

    /// Hosts that go past the proxy; those of this machine are nobody's business.
    private var exceptions: DoctorCheck? {
        guard !named.isEmpty else { return nil }
        var found: [(name: String, hosts: [String])] = []
        for name in ["no_proxy", "NO_PROXY"] {
            let hosts = (environment[name] ?? "").split { $0 == "," || $0.isWhitespace }.map(String.init)
                .filter { !Self.isOfThisMachine($0) }
            if !hosts.isEmpty { found.append((name, hosts)) }
        }
        guard let first = found.first else { return nil }
        let names = English.list(found.map(\.name))
        if found.contains(where: { $0.hosts.contains("*") }) {
            return DoctorCheck(
                "no-proxy", .warning, "\(names) lets every host go past the proxy", todo: "`unset no_proxy NO_PROXY`")
        }
        let hosts = English.some(first.hosts.map { Printable.excerpt($0, limit: 40) })
        return DoctorCheck(
            "no-proxy", .warning, "\(names) lets hosts go past the proxy: \(hosts)",
            todo: "take those from it that you want to see, or `unset no_proxy NO_PROXY`")
    }

    private var careless: [DoctorCheck] {
        guard environment["NODE_TLS_REJECT_UNAUTHORIZED"] == "0" else { return [] }
        return [
            DoctorCheck(
                "careless", .warning, "NODE_TLS_REJECT_UNAUTHORIZED=0: Node.js verifies no certificate at all",
                todo: "`unset NODE_TLS_REJECT_UNAUTHORIZED`, and let it trust the CA instead")
        ]
    }

    private func leadsToProxy(_ value: String) -> Bool {
        guard let endpoint = Self.endpoint(value), endpoint.port == proxy.port else { return false }
        return endpoint.host == proxy.host || Self.isLoopback(endpoint.host) && Self.isLoopback(proxy.host)
    }

    private static func isLoopback(_ host: HostName) -> Bool {
        host.text == "localhost" || host.address?.isLoopback == true || host.address?.isUnspecified == true
    }

    /// `http://user:password@proxy.example.com:3128/`, of which most parts may be missing.
    static func endpoint(_ value: String) -> Endpoint? {
        var rest = value[...]
        var usual: UInt16 = 80
        if let scheme = rest.range(of: "://") {
            switch rest[..<scheme.lowerBound].lowercased() {
            case "https": usual = 443
            case "socks4", "socks4a", "socks5", "socks5h", "socks": usual = 1080
            default: break
            }
            rest = rest[scheme.upperBound...]
        }
        rest = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        if let at = rest.lastIndex(of: "@") { rest = rest[rest.index(after: at)...] }
        return Endpoint(rest, defaultPort: usual)
    }

    private static func place(_ value: String) -> String { endpoint(value)?.description ?? "no address" }

    private static func isOfThisMachine(_ entry: String) -> Bool {
        let bare = entry.hasPrefix(".") ? String(entry.dropFirst()) : entry
        if bare.hasPrefix("127.") || bare.hasPrefix("::1") { return true }
        guard let host = Endpoint(bare, defaultPort: 0)?.host ?? HostName(bare) else { return false }
        return isLoopback(host)
    }
}
