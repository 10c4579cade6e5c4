import Facts
import Testing

@testable import Pins

@Suite("Several pinners in one file")
struct SeveralPinnersTests {
    private static let kotlin = """
        val prod = CertificatePinner.Builder().add("api.example.com", "sha256/{A}", "sha256/{C}").build()
        val old = CertificatePinner.Builder().add("*.example.com", "sha256/{B}", "sha256/{C}").build()
        """
    private static let trustKit = """
        let a = TrustKit(configuration: [kTSKPinnedDomains: ["a.com": [kTSKPublicKeyHashes: ["{A}", "{B}"]]]])
        let b = TrustKit(configuration: [kTSKPinnedDomains: ["a.com": [kTSKPublicKeyHashes: ["{C}", "{D}"]]]])
        """
    private static let alamofire = """
        let a = ServerTrustManager(evaluators: ["a.com": PublicKeysTrustEvaluator()])
        let b = ServerTrustManager(evaluators: ["a.com": PinnedCertificatesTrustEvaluator()])
        """

    private func name(_ letter: Character) -> String { "sha256/" + Base64.encode(SourceFixture.digest(letter)) }

    @Test("OkHttp unites the pins of one pinner alone")
    func okHttp() throws {
        let found = PinImport(try SourceFixture.read(Self.kotlin, "Net.kt"))
        #expect(found.hosts.map { $0.effectivePins ?? [] } == [[name("A"), name("C")], [name("B"), name("C")]])
        #expect(found.notes.map { "\($0.note.line) \($0.note.id.rawValue)" } == ["1 several-pinners"])
        #expect(
            found.notes[0].note.text
                == "api.example.com has other pins in line 2, for another client: they do not count together")
        let one =
            "val p = CertificatePinner.Builder().add(\"a.b.com\", \"sha256/{A}\").add(\"*.b.com\", \"sha256/{B}\")"
        let united = PinImport(try SourceFixture.read(one, "Net.kt"))
        #expect(united.hosts[0].effectivePins == [name("A"), name("B")])
        #expect(united.notes.map(\.note.id) == [.union])
    }

    @Test("a builder that is handed over is not told apart from the one that it may be")
    func handedOver() throws {
        let found = try SourceFixture.file(
            """
            fun more(b: CertificatePinner.Builder) { b.add("*.example.com", "sha256/{B}") }
            val p = CertificatePinner.Builder().also { it.add("api.example.com", "sha256/{A}"); more(it) }.build()
            """, "Net.kt", .okHttp)
        #expect(found?.hosts.count == 2 && found?.hosts.allSatisfy { $0.pinner == nil } == true)
    }

    @Test("a profile has the pins that each of them takes, and says so")
    func profile() throws {
        let rules = ProfileRules(try SourceFixture.read(Self.kotlin, "Net.kt")).rules
        #expect(rules.map(\.pattern) == ["api.example.com", "*.example.com"])
        #expect(rules.map(\.pins) == [[name("C")], [name("B"), name("C")]])
        #expect(
            rules[0].comments.contains(
                "Net.kt:1 (okhttp) and Net.kt:2 (okhttp) are for clients of their own: only a pin that all of them have "
                    + "stands here"))
        #expect(!rules[1].comments.contains { $0.contains("does not pin it") })
        let none = ProfileRules(try SourceFixture.read(Self.trustKit, "Pins.swift")).rules
        #expect(none.map(\.refuses) == [true] && none[0].pins.isEmpty)
    }

    @Test(
        "TrustKit's configurations and Alamofire's managers do not shadow each other", arguments: [trustKit, alamofire])
    func apple(source: String) throws {
        let files = try SourceFixture.read(source, "Pins.swift")
        let found = PinImport(files)
        #expect(found.hosts.map(\.entry.pinner) == [0, 1])
        #expect(found.notes.filter { $0.note.id == .severalPinners }.map(\.note.line) == [1, 2])
        #expect(!found.notes.contains { $0.note.id == .union })
    }

    @Test("each is held by itself against what other files pin, where it names the host")
    func sync() throws {
        let apart = try SourceFixture.read(
            """
            val a = CertificatePinner.Builder().add("a.com", "sha256/{A}").build()
            val b = CertificatePinner.Builder().add("b.com", "sha256/{B}").build()
            """, "Net.kt")
        let pins = ["A", "B"].map { DeclaredPin(base64: Base64.encode(SourceFixture.digest($0)), line: 1) }
        let other = file(
            "n.xml", .androidNSC, [entry("a.com", [pins[0]], .androidNSC), entry("b.com", [pins[1]], .androidNSC)])
        #expect(PinSync(apart + [other]).agrees)
        let more = file("n.xml", .androidNSC, other.hosts + [entry("c.com", [pins[1]], .androidNSC)])
        #expect(PinSync(apart + [more]).disagreements.map(\.text) == ["does not pin c.com, and n.xml:1 does"])
        #expect(!PinSync(try SourceFixture.read(Self.kotlin, "Net.kt") + [other]).agrees)
    }

    @Test("a single pin of one of them is no backup of another's")
    func lint() throws {
        let single = try SourceFixture.read(
            """
            val prod = CertificatePinner.Builder().add("api.example.com", "sha256/{A}").build()
            val old = CertificatePinner.Builder().add("*.example.com", "sha256/{B}").build()
            """, "Net.kt")
        let files = single.map { LintFile($0) }
        let counts = files.flatMap { file in file.hosts.map { file.effective(of: $0)?.pins.count } }
        #expect(counts == [1, 1])
    }
}
