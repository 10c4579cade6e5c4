/// What a server that looks at ClientHellos can tell the proxy from the app by.
///
/// Both JA4s are taken apart as FoxIO describes them: `t13d1516h2` (transport, highest version, server name or address,
/// number of cipher suites and of extensions, first ALPN protocol), a digest of the suites, and one of the extensions with
/// the signature algorithms.
enum JA4Note {
    private struct Parts {
        var version, name, suiteCount, extensionCount, alpn, suites, extensions: Substring

        /// nil: it is no JA4.
        init?(_ text: String) {
            let parts = text.split(separator: "_", omittingEmptySubsequences: false)
            guard parts.count == 3, parts[0].utf8.count == 10, parts[0].allSatisfy(\.isASCII) else { return nil }
            let first = Array(parts[0])
            func part(_ range: Range<Int>) -> Substring { Substring(String(first[range])) }
            version = part(1..<3)
            name = part(3..<4)
            suiteCount = part(4..<6)
            extensionCount = part(6..<8)
            alpn = part(8..<10)
            suites = parts[1]
            extensions = parts[2]
        }
    }

    /// nil: one of them is no JA4.
    static func text(app: String, proxy: String) -> String? {
        guard let app = Parts(app), let proxy = Parts(proxy) else { return nil }
        var differences: [String] = []
        if proxy.version != app.version {
            differences.append("TLS up to \(words(version: proxy.version)) (the app \(words(version: app.version)))")
        }
        if proxy.name != app.name {
            differences.append(proxy.name == "d" ? "a server name (the app none)" : "no server name (the app one)")
        }
        if proxy.suiteCount != app.suiteCount {
            differences.append("\(number(proxy.suiteCount)) cipher suites (the app \(number(app.suiteCount)))")
        } else if proxy.suites != app.suites {
            differences.append("other cipher suites")
        }
        if proxy.extensionCount != app.extensionCount {
            differences.append("\(number(proxy.extensionCount)) extensions (the app \(number(app.extensionCount)))")
        } else if proxy.extensions != app.extensions {
            differences.append("other extensions or signature algorithms")
        }
        if proxy.alpn != app.alpn {
            differences.append("ALPN \(words(alpn: proxy.alpn)) (the app \(words(alpn: app.alpn)))")
        }
        guard !differences.isEmpty else { return "by JA4 the server cannot tell the proxy from the app" }
        return "a server that goes by JA4 may notice the proxy, which offers " + differences.joined(separator: ", ")
    }

    private static func words(version: Substring) -> String {
        switch version {
        case "13", "12", "11", "10": "1.\(version.suffix(1))"
        case "s3": "SSL 3"
        case "s2": "SSL 2"
        default: "an unknown version"
        }
    }

    /// First and last character of the first protocol.
    private static func words(alpn: Substring) -> String {
        switch alpn {
        case "00": "none"
        case "h1": "http/1.1"
        default: String(alpn)
        }
    }

    private static func number(_ digits: Substring) -> String {
        digits.first == "0" ? String(digits.suffix(1)) : String(digits)
    }
}
