import Testing

@testable import Pins

@Suite("Checks that are taken out in source code")
struct SourceWarningsTests {
    private static let webView =
        "override fun onReceivedSslError(view: WebView, handler: SslErrorHandler, error: SslError) "
    private static let verifier = "@Override public boolean verify(String host, SSLSession session) "
    private static let challenge =
        "func urlSession(_ s: URLSession, didReceive challenge: URLAuthenticationChallenge, completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void) "
    private static let header =
        "0x30, 0x82, 0x01, 0x22, 0x30, 0x0d, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01, 0x05, 0x00, 0x03, 0x82, 0x01, 0x0f, 0x00"
    private static let curve =
        "0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00"

    static let android: [(String, String, [String])] = [
        ("a.kt", webView + "{ handler.proceed() }", ["1 trustsEverything"]),
        ("a.kt", webView + "{\n if (known(error)) handler.proceed() else handler.cancel()\n}", ["2 errorPathOnly"]),
        ("a.kt", webView + "{ handler.cancel() }", []),
        ("a.kt", webView + "{ // handler.proceed()\n }", []),
        ("a.kt", webView + "{ if (BuildConfig.DEBUG) { handler.proceed() } else { handler.cancel() } }", []),
        (
            "a.java",
            "class A { public void onReceivedSslError(WebView v, SslErrorHandler h, SslError e) { h.proceed(); } }",
            ["1 trustsEverything"]
        ),
        (
            "a.kt", "override fun checkServerTrusted(chain: Array<X509Certificate>, authType: String) {}",
            ["1 trustsEverything"]
        ),
        (
            "a.kt", "override fun checkServerTrusted(chain: Array<X509Certificate>, authType: String) = Unit",
            ["1 trustsEverything"]
        ),
        (
            "a.java",
            "class A { public void checkServerTrusted(X509Certificate[] c, String a) throws CertificateException {\n // all\n } }",
            ["1 trustsEverything"]
        ),
        (
            "a.java",
            "class A { public void checkServerTrusted(X509Certificate[] c, String a) { Log.d(T, a); return; } }",
            ["1 trustsEverything"]
        ),
        (
            "a.java",
            "class A { public void checkServerTrusted(X509Certificate[] c, String a) { other.checkServerTrusted(c, a); } }",
            []
        ),
        (
            "a.java",
            "class A { public void checkClientTrusted(X509Certificate[] c, String a) { } void f() { x.checkServerTrusted(c, a); } }",
            []
        ),
        ("a.java", "HostnameVerifier v = new HostnameVerifier() { \(verifier){ return true; } };", ["1 nameCheckOff"]),
        ("a.java", "HostnameVerifier v = new HostnameVerifier() { \(verifier){ return host.equals(x); } };", []),
        ("a.java", "class A { void f() { c.setHostnameVerifier((h, s) -> true); } }", ["1 nameCheckOff"]),
        ("a.java", "class A { void f() { c.setHostnameVerifier((h, s) -> { return true; }); } }", ["1 nameCheckOff"]),
        ("a.java", "class A { void f() { c.setHostnameVerifier((h, s) -> h.equals(\"a\")); } }", []),
        (
            "a.java",
            "import x.SSLSocketFactory.ALLOW_ALL_HOSTNAME_VERIFIER;\nclass A { X v = SSLSocketFactory.ALLOW_ALL_HOSTNAME_VERIFIER; }",
            ["2 nameCheckOff"]
        ),
        ("a.kt", "val c = OkHttpClient.Builder().hostnameVerifier { _, _ -> true }.build()", ["1 nameCheckOff"]),
        (
            "a.kt",
            "val c = OkHttpClient.Builder().hostnameVerifier(HostnameVerifier { h, s -> h == s.peerHost }).build()", []
        ),
    ]

    static let apple: [(String, String, [String])] = [
        (
            "a.swift",
            challenge
                + "{ completionHandler(.useCredential, URLCredential(trust: challenge.protectionSpace.serverTrust!)) }",
            ["1 trustsEverything"]
        ),
        (
            "a.swift",
            challenge + """
                {
                    guard let trust = challenge.protectionSpace.serverTrust, SecTrustEvaluateWithError(trust, nil) else { return }
                    completionHandler(.useCredential, URLCredential(trust: trust))
                }
                """, []
        ),
        (
            "a.swift",
            challenge + """
                {
                    if let trust = challenge.protectionSpace.serverTrust, let c = SecTrustGetCertificateAtIndex(trust, 0) {
                        if hash(c) == pin { completionHandler(.useCredential, URLCredential(trust: trust)) }
                    }
                }
                """, ["3 chainCheckOff"]
        ),
        (
            "a.swift",
            challenge + """
                {
                    if check(challenge.protectionSpace.serverTrust!) { completionHandler(.useCredential, URLCredential(trust: t)) }
                }
                func check(_ trust: SecTrust) -> Bool { SecTrustEvaluateWithError(trust, nil) }
                """, []
        ),
        ("a.swift", challenge + "{ completionHandler(.performDefaultHandling, nil) }", []),
        (
            "a.swift",
            challenge
                + "{ completionHandler(.useCredential, URLCredential(user: u, password: p, persistence: .none)) }", []
        ),
        (
            "a.swift",
            "#if DEBUG\n" + challenge
                + "{ completionHandler(.useCredential, URLCredential(trust: challenge.protectionSpace.serverTrust!)) }\n#endif",
            []
        ),
        (
            "a.m",
            """
            - (void)URLSession:(NSURLSession *)s didReceiveChallenge:(NSURLAuthenticationChallenge *)challenge completionHandler:(H)done {
                done(NSURLSessionAuthChallengeUseCredential, [NSURLCredential credentialForTrust:challenge.protectionSpace.serverTrust]);
            }
            """, ["2 trustsEverything"]
        ),
        (
            "a.swift", "func f(e: NSError) { let t = e.userInfo[NSURLErrorFailingURLPeerTrustErrorKey] }",
            ["1 errorPathOnly"]
        ),
    ]

    static let headers: [(String, String, [String])] = [
        ("a.swift", "let h: [UInt8] = [\(header)]", ["1 hardCodedKeyHeader"]),
        ("a.m", "static const unsigned char h[] = {\n\(header)\n};", ["2 hardCodedKeyHeader"]),
        (
            "a.kt",
            "val h = byteArrayOf(" + header.split(separator: ", ").map { "\($0).toByte()" }.joined(separator: ", ")
                + ")", ["1 hardCodedKeyHeader"]
        ),
        ("a.dart", "import 'dart:io';\nconst h = 'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A';", ["2 hardCodedKeyHeader"]),
        ("a.swift", "let h: [UInt8] = [\(curve)]", ["1 hardCodedKeyHeader"]),
        ("a.swift", "let h: [UInt8] = [\(header)]\nlet e: [UInt8] = [\(curve)]", []),
        // A whole key, and another sequence.
        ("a.swift", "let key: [UInt8] = [\(header), 0x30, 0x82, 0x01]", []),
        ("a.swift", "let x: [UInt8] = [0x30, 0x82, 0x01, 0x22, 0x30, 0x0e]", []),
        ("a.swift", "// \(header)\nlet a = 0x30", []),
    ]

    static let scripts: [(String, String, [String])] = [
        ("a.js", "const a = new https.Agent({ rejectUnauthorized: false });", ["1 chainCheckOff"]),
        ("a.ts", "const a = { 'rejectUnauthorized': false, host: 'x' };", ["1 chainCheckOff"]),
        ("a.js", "const a = { rejectUnauthorized: true }; // rejectUnauthorized: false", []),
        ("a.js", "process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';", ["1 chainCheckOff"]),
        ("a.js", "process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = 0;", ["1 chainCheckOff"]),
        ("a.js", "process.env.NODE_TLS_REJECT_UNAUTHORIZED = '1';", []),
        ("a.js", "const o = { checkServerIdentity: () => undefined };", ["1 nameCheckOff"]),
        ("a.js", "const o = { checkServerIdentity: (h, c) => { check(c); } };", []),
        ("a.py", "r = requests.get(url, verify=False)", ["1 chainCheckOff"]),
        ("a.py", "s.verify = False", ["1 chainCheckOff"]),
        ("a.py", "r = requests.get(url, verify=True)  # verify=False", []),
        ("a.py", "c.check_hostname = False\nc.verify_mode = ssl.CERT_NONE", ["1 nameCheckOff", "2 chainCheckOff"]),
        ("a.py", "\"\"\"verify=False\"\"\"\nverify_ssl = False", []),
        ("a.go", "c := &tls.Config{InsecureSkipVerify: true}", ["1 chainCheckOff"]),
        (
            "a.cpp",
            "curl_easy_setopt(c, CURLOPT_SSL_VERIFYPEER, 0L);\ncurl_easy_setopt(c, CURLOPT_SSL_VERIFYHOST, 2L);",
            ["1 chainCheckOff"]
        ),
    ]

    @Test("each one, and its twin", arguments: android + apple + headers + scripts)
    func settings(_ path: String, _ source: String, _ expected: [String]) throws {
        let files = try SourceFixture.read(source, path)
        #expect(SourceFixture.settings(files) == expected)
        #expect(files.allSatisfy { $0.format == .source && $0.hosts.isEmpty })
    }

    @Test("pins that the app's own code compares are told, not passed over")
    func handMade() throws {
        let delegate = """
            class Pinning: NSObject, URLSessionDelegate {
                let pins = ["api.example.com": "{A}"]
                func urlSession(_ s: URLSession, didReceive challenge: URLAuthenticationChallenge) {
                    if pins[host] == hash(challenge) { done(.useCredential, trust) }
                }
            }
            """
        let found = try SourceFixture.read(delegate, "Pinning.swift")
        #expect(found.map(\.format) == [.source] && SourceFixture.notes(found.first) == ["2 unresolved"])
        let without = delegate.split(separator: "{A}").joined(separator: "x")
        #expect(try SourceFixture.read(without, "Pinning.swift").flatMap(\.notes).isEmpty)
    }

    @Test("a collection that is empty here, and filled elsewhere, is told")
    func filledElsewhere() throws {
        let kotlin = """
            private var pins: Map<String, List<String>> = emptyMap()
            val pinner = CertificatePinner.Builder().apply {
                pins.forEach { (host, all) -> all.forEach { add(host, it) } }
            }.build()
            """
        #expect(SourceFixture.notes(try SourceFixture.file(kotlin, "Net.kt", .okHttp)) == ["3 unresolved"])
        let swift = """
            var evaluators: [String: ServerTrustEvaluating] = [:]
            let manager = ServerTrustManager(evaluators: evaluators)
            """
        #expect(SourceFixture.notes(try SourceFixture.file(swift, "Net.swift", .alamofire)) == ["1 unresolved"])
    }

    @Test("a pin that is looked up by a key that is not known says so")
    func lookedUp() throws {
        let file = try SourceFixture.file(
            """
            val pins = mapOf("a.com" to "sha256/{A}")
            val p = CertificatePinner.Builder().add("a.com", pins[config.host])
            """, "Net.kt", .okHttp)
        #expect(
            file?.notes.map(\.text) == [
                "a pin is pins[config.host] by a key that is not known, and this file does not say what that is"
            ])
    }

    @Test("a delegate that hashes keys compares the pins beside it, wherever its challenge stands")
    func delegate() throws {
        let source = """
            class Pinning: NSObject, URLSessionDelegate {
                func sha256(_ data: Data) -> String { CC_SHA256(data, CC_LONG(data.count), &hash); return encoded }
                static let publicKeyHash = "{A}"
            }
            """
        #expect(SourceFixture.notes(try SourceFixture.read(source, "P.swift").first) == ["3 unresolved"])
        let without = source.split(separator: "CC_SHA256").joined(separator: "other")
        #expect(try SourceFixture.read(without, "P.swift").isEmpty)
    }
}
