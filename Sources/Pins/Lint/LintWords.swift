import Facts

/// Words that several rules need: of formats, of pins and of hosts.
enum LintWords {
    /// Text of a file in quotation marks, made safe and short.
    static func quoted(_ text: String) -> String { "\"\(Printable.excerpt(text))\"" }

    /// `api.example.com and 2 more`; `the host` where no name is known.
    static func hosts(_ hosts: [String]) -> String {
        hosts.isEmpty ? "the host" : English.some(hosts.map { Printable.excerpt($0) })
    }

    static func pin(_ pin: DeclaredPin) -> String { Printable.excerpt(pin.name) }

    /// How a key's pin is written in that format.
    static func written(_ key: [UInt8], in format: PinFormat) -> String {
        let value = Base64.encode(key)
        return switch format {
        case .androidNSC: "<pin digest=\"SHA-256\">\(value)</pin>"
        case .appleATS: "<key>SPKI-SHA256-BASE64</key><string>\(value)</string>"
        case .trustKit: "\"\(value)\""
        case .curl: "sha256//\(value)"
        case .hpkp: "pin-sha256=\"\(value)\""
        default: "sha256/\(value)"
        }
    }

    /// What a pin of the wrong form does there. Source: the formats' own code.
    static func malformedEffect(_ format: PinFormat) -> String {
        switch format {
        case .androidNSC: "Android throws at the first connection of the app, to whatever host"
        case .appleATS: "iOS drops it without a word; where all are dropped, every connection fails"
        case .trustKit: "TrustKit throws when the app starts"
        case .okHttp: "OkHttp throws where it is no base64, and else it never matches"
        case .curl: "it never matches: curl refuses every connection"
        default: "it never matches"
        }
    }

    static func days(_ days: Int) -> String { English.count(days, "day") }

    /// The one, where there is only one.
    static func single(_ hosts: [String]) -> String? { hosts.count == 1 ? hosts.first : nil }

    /// A name that a developer's own machine or a test stage has.
    static func isOfDevelopment(_ host: String) -> Bool {
        let labels = host.split(separator: ".").map(String.init)
        let stages: Set = [
            "dev", "develop", "development", "test", "testing", "stage", "staging", "qa", "uat", "debug",
        ]
        return ["localhost", "local", "test", "internal", "lan"].contains(labels.last ?? "")
            || HostName(host)?.isIP == true || labels.dropLast(2).contains { stages.contains($0) }
    }

    /// A name under which apps ask whether there is a newer version, or get configuration.
    static func isOfUpdates(_ host: String) -> Bool {
        let words = host.split(separator: ".").dropLast(2).flatMap { $0.split(separator: "-").map(String.init) }
        let names: Set = [
            "update", "updates", "updater", "upgrade", "version", "versions", "appversion", "config", "configs", "ota",
            "remoteconfig", "download", "downloads", "release", "releases", "firmware", "bootstrap",
        ]
        return words.contains { names.contains($0) }
    }
}

extension LintWords {
    /// The word for `pinproof pins --for`.
    static func snippet(_ format: PinFormat) -> String {
        switch format {
        case .androidNSC: "nsc"
        case .appleATS: "apple-leaf"
        case .trustKit: "trustkit"
        case .okHttp, .cronet: "okhttp"
        case .alamofire, .afNetworking: "alamofire"
        case .flutter: "flutter"
        case .curl: "curl"
        default: "profile"
        }
    }
}
