import Facts

/// The commands that a watch tells to run next, ready for a shell.
enum WatchCommands {
    static func mismatch(_ host: String?, _ file: String) -> [String] {
        [
            "pinproof pins \(name(host))", "pinproof pins lint \(path(file)) --live",
            "pinproof pins sync --check \(path(file))",
        ]
    }

    static func renewal(_ host: String, _ leaf: GenuineCertificate, _ file: String) -> [String] {
        let isLetsEncrypt = DistinguishedName(leaf.issuer).organisation == "Let's Encrypt"
        return [
            isLetsEncrypt
                ? "certbot renew --cert-name \(name(host)) --reuse-key"
                : "openssl req -new -key KEY.pem -subj /CN=\(name(host)) -addext subjectAltName=DNS:\(name(host)) -out next.csr",
            "pinproof rehearse PROFILE --with next=CHAIN.pem -- COMMAND", "pinproof pins lint \(path(file)) --live",
        ]
    }

    static func look(_ host: String?, _ file: String) -> [String] {
        ["pinproof pins \(name(host))", "pinproof rehearse PROFILE --standard -- COMMAND"]
    }

    static func pinSet(_ file: String) -> [String] {
        ["pinproof pins lint \(path(file))", "pinproof gate PROFILE -- COMMAND"]
    }

    /// What is no host name is nothing to put into a command.
    private static func name(_ host: String?) -> String { host.flatMap { HostName($0) }?.text ?? "HOST" }

    /// In single quotes where a shell would see more in it than a word.
    static func word(_ text: String) -> String {
        let parts = text.split(separator: "=", maxSplits: 1).map { path(String($0)) }
        return parts.joined(separator: "=")
    }

    /// The same of a file.
    static func path(_ path: String) -> String {
        let isPlain = path.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "/"):
                true
            default: false
            }
        }
        guard path.unicodeScalars.allSatisfy(\.isPrintable) else { return "FILE" }
        // An option it is not: a name that begins with a hyphen is reached by its folder.
        let safe = path.hasPrefix("-") ? "./" + path : path
        return isPlain && !path.isEmpty
            ? safe : "'" + safe.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}

extension WatchReport {
    /// The same, whose commands ask each server as the watch did.
    ///
    /// - Parameters:
    ///   - roots: typed ones, which hold for all.
    ///   - proxy: the same; without its password, which is nothing to print.
    package func asking(
        _ ways: [HostName: ServerWay], of files: [PinFile], roots: [String] = [], proxy: Endpoint? = nil
    ) -> WatchReport {
        let common = ServerWay(roots: roots, proxy: proxy)
        var report = self
        for index in events.indices {
            let event = events[index]
            let host = event.host.flatMap { HostName($0) }
            report.events[index].commands = event.commands.map { command in
                if command.hasSuffix(" --live") {
                    return command + Self.options(ways, of: files.filter { $0.path == event.file }, common)
                }
                guard let host, command == "pinproof pins \(host.text)" else { return command }
                let way = (ways[host] ?? ServerWay()).and(common)
                return command + (way.place.map { " --at \(WatchCommands.word($0.description))" } ?? "")
                    + Self.rest(way)
            }
        }
        return report
    }

    /// Of a command that asks for all hosts of a file.
    private static func options(_ ways: [HostName: ServerWay], of files: [PinFile], _ common: ServerWay) -> String {
        var seen: Set<HostName> = []
        let hosts = files.flatMap(\.askedHosts).filter { seen.insert($0).inserted }
        let places = hosts.compactMap { host -> String? in
            // A place that the file itself has, and the watch did not go to: the file is alone in that command.
            let isDiverted = files.contains { $0.servers?.places[host] != nil }
            guard let place = ways[host]?.place ?? (isDiverted ? Endpoint(host, 443) : nil) else { return nil }
            return " --resolve \(WatchCommands.word("\(host.text)=\(place)"))"
        }
        let way = hosts.compactMap { ways[$0] }.reduce(ServerWay()) { $0.and($1) }.and(common)
        return places.joined() + rest(way)
    }

    private static func rest(_ way: ServerWay) -> String {
        way.roots.map { " --roots \(WatchCommands.path($0))" }.joined()
            + (way.proxy.map { " --through \(WatchCommands.word("http://\($0)"))" } ?? "")
    }
}

extension ServerWay {
    /// With the roots of both, and the other's proxy first.
    fileprivate func and(_ other: ServerWay) -> ServerWay {
        ServerWay(
            place: place, roots: roots + other.roots.filter { !roots.contains($0) }, proxy: other.proxy ?? proxy)
    }
}
