import Facts

/// A program that is asked whether it trusts the CA: by letting it ask the proxy's own page.
struct TrustClient: Hashable, Sendable {
    /// How its output says what became of it.
    enum Reading: Hashable, Sendable {
        /// Our scripts: `answer 200`, `failed WORDS`, or `absent` for what the program lacks.
        case script
        /// `200 0`: the status, and 0 for a chain that verified.
        case curl
        /// The exit status, and words on stderr.
        case wget
    }

    /// A file that has to be there for it.
    struct Source: Hashable, Sendable {
        var name: String
        var text: String
    }

    var id: String
    var name: String
    /// What it is called in `PATH`.
    var program: String
    var arguments: [String] = []
    var source: Source?
    var environment: [String: String?] = [:]
    /// Seconds.
    var limit = TrustClient.patience
    var reading = Reading.script
    /// What makes it trust the CA; `ROOT` stands for the certificate's path.
    var remedy: String

    static let host = "check.pinproof.test"
    static let address = "https://check.pinproof.test/"

    /// Asking takes milliseconds; more only a machine that is very busy.
    static let patience = 10.0
    /// The same for those that compile what they are given before.
    static let compiling = 30.0

    /// Each once, whether it is installed or not.
    ///
    /// - Parameter folder: where sources are put.
    static func all(through proxy: Endpoint, folder: String) -> [TrustClient] {
        let url = "http://\(proxy)"
        let parts = [proxy.host.text, String(proxy.port), host]
        let certificates = "`export SSL_CERT_FILE=ROOT`, or the system's store"
        return [
            TrustClient(
                id: "curl", name: "curl", program: "curl",
                arguments: [
                    "-sS", "-o", "/dev/null", "-w", "%{http_code} %{ssl_verify_result}", "--max-time", "8", "--noproxy",
                    "", "--proxy", url, address,
                ], reading: .curl, remedy: "`export CURL_CA_BUNDLE=ROOT`, `curl --cacert ROOT`, or the system's store"),
            TrustClient(
                id: "wget", name: "wget", program: "wget",
                arguments: ["-nv", "-O", "/dev/null", "--tries=1", "--timeout=8", "--no-hsts", address],
                // Its words are known in one language.
                environment: ["https_proxy": url, "LC_ALL": "C", "LANGUAGE": "C"], reading: .wget,
                remedy: "`wget --ca-certificate=ROOT`, or the system's store"),
            TrustClient(
                id: "python", name: "Python", program: "python3", arguments: ["-c", TrustScripts.python] + parts,
                remedy: certificates),
            TrustClient(
                id: "requests", name: "Python requests", program: "python3",
                arguments: ["-c", TrustScripts.requests] + parts, remedy: "`export REQUESTS_CA_BUNDLE=ROOT`"),
            TrustClient(
                id: "node", name: "Node.js", program: "node", arguments: ["-e", TrustScripts.node, "--"] + parts,
                remedy: "`export NODE_EXTRA_CA_CERTS=ROOT`"),
            TrustClient(
                id: "java", name: "Java", program: "java", arguments: ["\(folder)/Check.java"] + parts,
                source: Source(name: "Check.java", text: TrustScripts.java), limit: compiling,
                remedy:
                    "`keytool -importcert -cacerts -storepass changeit -noprompt -alias pinproof -file ROOT`, or a trust "
                    + "store of its own (`pinproof ca export --format pkcs12`)"),
            TrustClient(
                id: "go", name: "Go", program: "go", arguments: ["run", "\(folder)/check.go"] + parts,
                source: Source(name: "check.go", text: TrustScripts.go),
                // Nothing is fetched: the program needs what comes with Go alone.
                environment: ["GOPROXY": "off", "GOTOOLCHAIN": "local", "GOFLAGS": "", "GO111MODULE": "off"],
                limit: compiling, remedy: certificates),
            TrustClient(
                id: "ruby", name: "Ruby", program: "ruby", arguments: ["-e", TrustScripts.ruby, "--"] + parts,
                remedy: certificates),
            TrustClient(
                id: "php", name: "PHP", program: "php", arguments: ["-r", TrustScripts.php, "--"] + parts,
                remedy: "`php -d openssl.cafile=ROOT`, or the same in php.ini"),
        ]
    }

    /// What every client is given: variables of the shell that lead elsewhere, or past the proxy, are not its business.
    static let cleared: [String: String?] = Dictionary(
        uniqueKeysWithValues: [
            "http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY",
        ].map { ($0, nil) })
}
