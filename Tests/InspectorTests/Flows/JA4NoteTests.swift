import Testing

@testable import Inspector

@Suite("JA4Note")
struct JA4NoteTests {
    private static let app = "t13d1516h2_8daaf6152771_e5627efa2ab1"

    @Test(
        "which parts differ is said in words",
        arguments: [
            (app, "by JA4 the server cannot tell the proxy from the app"),
            ("t12d1516h2_8daaf6152771_e5627efa2ab1", "TLS up to 1.2 (the app 1.3)"),
            ("t13i1516h2_8daaf6152771_e5627efa2ab1", "no server name (the app one)"),
            ("t13d0916h2_000000000001_e5627efa2ab1", "9 cipher suites (the app 15)"),
            ("t13d1516h2_000000000001_e5627efa2ab1", "other cipher suites"),
            ("t13d1511h2_8daaf6152771_000000000001", "11 extensions (the app 16)"),
            ("t13d1516h2_8daaf6152771_000000000001", "other extensions or signature algorithms"),
            ("t13d1516h1_8daaf6152771_e5627efa2ab1", "ALPN http/1.1 (the app h2)"),
            ("t13d151600_8daaf6152771_e5627efa2ab1", "ALPN none (the app h2)"),
            (
                "t12d0910h1_000000000001_000000000002",
                "TLS up to 1.2 (the app 1.3), 9 cipher suites (the app 15), 10 extensions (the app 16), ALPN http/1.1 (the app h2)"
            ),
        ])
    func words(proxy: String, expected: String) throws {
        let text = try #require(JA4Note.text(app: Self.app, proxy: proxy))
        #expect(text.hasSuffix(expected))
        #expect(text.contains("may notice") == (proxy != Self.app))
    }

    @Test(
        "what is no JA4 says nothing",
        arguments: ["", "_", "__", "t13d1516h2", "t13d1516h_a_b", "é13d1516h2_a_b", "a_b_c_d"])
    func nonsense(text: String) {
        #expect(JA4Note.text(app: Self.app, proxy: text) == nil)
        #expect(JA4Note.text(app: text, proxy: Self.app) == nil)
    }
}
