import Testing

@testable import Pins

@Suite("OkHttp's rules")
struct OkHttpRulesTests {
    private func file(_ arguments: String, after: String = "") throws -> PinFile? {
        try SourceFixture.file(
            "val b = CertificatePinner.Builder()\n    .add(\(arguments)).build()\n\(after)", "Net.kt", .okHttp)
    }

    @Test(
        "patterns match as CertificatePinner.kt has it",
        arguments: [
            ("example.com", ["example.com"], ["a.example.com"]),
            ("*.example.com", ["a.example.com"], ["example.com", "b.a.example.com"]),
            ("**.example.com", ["example.com", "a.example.com", "b.a.example.com"], ["anexample.com"]),
            ("API.Example.COM", ["api.example.com"], ["example.com"]),
            ("münchen.de", ["xn--mnchen-3ya.de"], ["münchen.de"]),
            ("*.例え.jp", ["a.xn--r8jz45g.jp"], []),
            ("[::0:1]", ["::1"], []),
            ("example.com.", [], ["example.com", "example.com."]),
        ])
    func patterns(_ pattern: String, _ covered: [String], _ others: [String]) throws {
        let host = try #require(try file("\"\(pattern)\", \"sha256/{A}\"")?.hosts.first)
        #expect(covered.allSatisfy { host.covers($0) } && !others.contains { host.covers($0) })
    }

    @Test(
        "what OkHttp throws at is a fault that fails closed, with its line",
        arguments: [
            "\"a.*.example.com\", \"sha256/{A}\"", "\"*.*.example.com\", \"sha256/{A}\"",
            "\"*example.com\", \"sha256/{A}\"",
            "\"https://example.com\", \"sha256/{A}\"", "\"example.com:443\", \"sha256/{A}\"", "\"\", \"sha256/{A}\"",
            "\"a b\", \"sha256/{A}\"", "\"a..b\", \"sha256/{A}\"", "\"example.com\", \"{A}\"", "\"example.com\", \"\"",
            "\"example.com\", \"SHA256/{A}\"", "\"example.com\", \"sha256/%%%\"", "\"example.com\", \"sha256/A\"",
            "\"example.com\", \"sha512/{A}\"",
        ])
    func refused(_ arguments: String) throws {
        let fault = #expect(throws: PinFileFault.self) { try file(arguments) }
        #expect(fault?.line == 2 && fault?.effect == .failsClosed && fault?.message.hasPrefix("OkHttp refuses") == true)
    }

    @Test("what it takes, however odd, is no fault: no pins, url-safe letters, missing padding")
    func taken() throws {
        #expect(try file("\"https://example.com\"") == nil)
        #expect(
            SourceFixture.shown(try file("\"e.com\", \"sha256/QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUE\"")) == [
                "2 e.com: A"
            ])
        #expect(try file("\"e.com\", \"sha256/-_8=\"")?.hosts[0].pins[0].digest == nil)
    }

    @Test("a hash of the wrong length matches nothing, and is told")
    func length() throws {
        let found = try file("\"e.com\", \"sha256/QUFB\", \"sha1/QkJCQkJCQkJCQkJCQkJCQkJCQkI=\"")
        #expect(SourceFixture.shown(found) == ["2 e.com: bad sha1/B"])
        #expect(SourceFixture.notes(found) == ["2 malformed-pin"])
    }

    @Test("older versions have no **, patterns that match a host together are united")
    func notes() throws {
        #expect(SourceFixture.notes(try file("\"**.e.com\", \"sha256/{A}\"")) == ["2 versions-differ"])
        let both = try file("\"*.e.com\", \"sha256/{A}\").add(\"a.e.com\", \"sha256/{B}\"")
        #expect(SourceFixture.notes(both) == ["2 union"])
        #expect(SourceFixture.notes(try file("\"*.e.com\", \"sha256/{A}\").add(\"e.com\", \"sha256/{B}\"")) == [])
    }

    @Test(
        "constants that are elsewhere leave a note and what is known",
        arguments: [
            ("BuildConfig.HOST, \"sha256/{A}\"", ["2 ?: A"], 1),
            ("\"e.com\", BuildConfig.PIN, \"sha256/{A}\"", ["2 e.com: A ?"], 1),
            ("\"e.com\", *Secrets.pins.toTypedArray()", ["2 e.com: ?"], 1),
            ("\"$prefix.e.com\", \"sha256/{A}\"", ["2 ?: A"], 1),
            ("\"e.com\", \"sha256/${hash()}\"", ["2 e.com: ?"], 1),
            ("context.getString(R.string.host), \"sha256/{A}\"", ["2 ?: A"], 1),
        ])
    func unresolved(_ arguments: String, _ expected: [String], _ count: Int) throws {
        let found = try file(arguments)
        #expect(SourceFixture.shown(found) == expected)
        #expect(found?.notes.map(\.id) == Array(repeating: .unresolved, count: count))
    }

    @Test("a name that gets two values has none, a nearer one goes before an outer one")
    func names() throws {
        let shadowed = """
            val host = "outer.example.com"
            fun a() { val host = "inner.example.com"; CertificatePinner.Builder().add(host, "sha256/{A}").build() }
            fun b(host: String) = CertificatePinner.Builder().add(host, "sha256/{B}").build()
            var pin = "sha256/{A}"
            fun c() { pin = "sha256/{B}"; CertificatePinner.Builder().add(host, pin).build() }
            object X { const val H = "x.example.com" }
            object Y { const val H = "y.example.com" }
            val d = CertificatePinner.Builder().add(X.H, "sha256/{A}").add(Y.H, "sha256/{B}").add(H, "sha256/{C}").build()
            """
        #expect(
            SourceFixture.shown(try SourceFixture.file(shadowed, "A.kt", .okHttp)) == [
                "2 inner.example.com: A", "3 ?: B", "5 outer.example.com: ?", "8 x.example.com: A",
                "8 y.example.com: B", "8 ?: C",
            ])
    }

    @Test("of a condition of debug builds the release's side counts, and pins under it are told")
    func debug() throws {
        let source = """
            val host = if (BuildConfig.DEBUG) "dev.example.com" else "api.example.com"
            val b = CertificatePinner.Builder().apply {
                add(host, "sha256/{A}")
                if (BuildConfig.DEBUG) { add("dev.example.com", "sha256/{B}") }
                if (!BuildConfig.DEBUG) { add("rel.example.com", "sha256/{C}") }
            }.build()
            """
        let found = try SourceFixture.file(source, "A.kt", .okHttp)
        #expect(SourceFixture.shown(found) == ["3 api.example.com: A", "4 dev.example.com: B", "5 rel.example.com: C"])
        #expect(SourceFixture.notes(found) == ["4 debug-overrides"])
    }

    @Test("a pinner that no client of the file gets is told, where the file builds one")
    func wiring() throws {
        func settings(_ after: String) throws -> [String] {
            SourceFixture.settings([try file("\"e.com\", \"sha256/{A}\"", after: after)].compactMap { $0 })
        }
        #expect(try settings("val c = OkHttpClient.Builder().build()") == ["3 validatorNotWired"])
        #expect(try settings("val c = OkHttpClient()") == ["3 validatorNotWired"])
        #expect(try settings("val c = OkHttpClient.Builder().certificatePinner(b).build()") == [])
        #expect(try settings("fun client(c: OkHttpClient) = c") == [])
        #expect(
            try settings("// .certificatePinner(b)\nval c = OkHttpClient.Builder().build()") == ["4 validatorNotWired"])
    }

    @Test("a pin that two calls add stands there twice, one that a loop or a caller leads to again does not")
    func twice() throws {
        #expect(
            SourceFixture.shown(try file("\"e.com\", \"sha256/{A}\").add(\"e.com\", \"sha256/{A}\"")) == [
                "2 e.com: A A"
            ])
        let loop = "for (x in listOf(1, 2)) { b.add(\"e.com\", \"sha256/{A}\") }"
        let found = try SourceFixture.file("val b = CertificatePinner.Builder()\n\(loop)", "A.kt", .okHttp)
        #expect(SourceFixture.shown(found) == ["2 e.com: A"])
    }

    @Test("what is no constant is told as it is written, to its end")
    func written() throws {
        let found = try file("if (b) \"a.com\" else \"b.com\", \"sha256/{A}\"")
        #expect(
            found?.notes.map(\.text) == [
                "the host is if (b) \"a.com\" else \"b.com\", and this file does not say what that is"
            ])
    }

    @Test("more entries than are looked at are refused as soon as they are met", .timeLimit(.minutes(20)))
    func bounds() {
        let many = (0..<20_000).map { ".add(\"h\($0).com\", \"sha256/{A}\")\n" }.joined()
        let fault = #expect(throws: PinFileFault.self) {
            try SourceFixture.read("val p = CertificatePinner.Builder()\n\(many)", "A.kt")
        }
        #expect(fault?.message == "it has more than 2000 entries, the most that are looked at")
    }
}
