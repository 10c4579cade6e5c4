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
    /// The same, whose commands ask servers as the watch was told to.
    package func asking(places: [String], roots: [String]) -> WatchReport {
        let options =
            places.map { " --resolve \(WatchCommands.word($0))" } + roots.map { " --roots \(WatchCommands.path($0))" }
        var report = self
        for index in events.indices {
            report.events[index].commands = events[index].commands.map {
                $0.hasSuffix(" --live") ? $0 + options.joined() : $0
            }
        }
        return report
    }
}
