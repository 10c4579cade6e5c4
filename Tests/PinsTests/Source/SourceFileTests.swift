import Testing

@testable import Pins

@Suite("Files of source code")
struct SourceFileTests {
    @Test("a file with several formats gives one each, and what a linter tells of")
    func several() throws {
        let source = """
            val pinner = CertificatePinner.Builder().add("a.example.com", "sha256/{A}").build()
            val client = OkHttpClient.Builder().certificatePinner(pinner).hostnameVerifier { _, _ -> true }.build()
            val engine = CronetEngine.Builder(c).addPublicKeyPins("b.example.com", setOf(Base64.decode("{B}", 0)), false, Date(0L))
            """
        #expect(try SourceFixture.read(source, "Net.kt").map(\.format) == [.okHttp, .cronet, .source])
    }

    @Test(
        "code is recognised by its content, markup and prose are left to others",
        arguments: [
            (
                "noname",
                "import okhttp3.CertificatePinner\nval p = CertificatePinner.Builder().add(\"a.example.com\", \"sha256/{A}\").build()",
                1
            ),
            (
                "README.md",
                "```kotlin\nval p = CertificatePinner.Builder().add(\"a.example.com\", \"sha256/{A}\").build()\n```", 0
            ),
            ("x.plist", "<?xml version=\"1.0\"?><plist><dict><key>TSKPinnedDomains</key><dict/></dict></plist>", 0),
            ("x.json", "{\"TSKPinnedDomains\": {\"a.com\": {}}}", 0),
            (
                "hook.js",
                "const CertificatePinner = Java.use(\"okhttp3.CertificatePinner\"); CertificatePinner.add(\"a\", \"b\");",
                0
            ),
            ("empty.kt", "", 0), ("plain.swift", "print(\"hello\")", 0),
        ])
    func recognition(_ path: String, _ source: String, _ count: Int) throws {
        #expect(try SourceFixture.read(source, path).count == count)
    }

    @Test("each reader takes its own files alone")
    func readers() throws {
        let content = PinFileContent(
            SourceFixture.text("val p = CertificatePinner.Builder().add(\"a.example.com\", \"sha256/{A}\")"))
        #expect(OkHttpReader.recognises(content) && !CronetReader.recognises(content) && SourceFile.recognises(content))
        #expect(try OkHttpReader.read(content, path: "a.kt").hosts.count == 1)
        #expect(!SourceFile.recognises(PinFileContent("<a>CertificatePinner</a>")))
        #expect(!SourceFile.recognises(PinFileContent([0xff, 0xfe, 0xfd])))
    }

    @Test("a file over the bound is refused, with what the bound is")
    func size() {
        let text = "CertificatePinner " + String(repeating: "x", count: SourceTokenizer.sizeLimit)
        let fault = #expect(throws: PinFileFault.self) { try SourceFile.read(PinFileContent(text), path: "a.kt") }
        #expect(fault?.message == "it has more than 4 MB, the most that is read of a file of source code")
    }

    static let bombs: [(String, String)] = [
        (
            "constants that double",
            "val a0 = \"xxxxxxxx\"\n" + (1..<100).map { "val a\($0) = a\($0 - 1) + a\($0 - 1)\n" }.joined()
                + "val p = CertificatePinner.Builder().add(\"a.com\", a99)"
        ),
        (
            "a circle of constants",
            "val a = b\nval b = a\nval p = CertificatePinner.Builder().add(a, b)"
        ),
        (
            "functions that call themselves",
            "fun f(x: String): String = f(x + x)\nval p = CertificatePinner.Builder().add(\"a.com\", f(\"x\"))"
        ),
        (
            "functions that call two",
            "fun f0() = \"x\"\n" + (1..<60).map { "fun f\($0)() = f\($0 - 1)() + f\($0 - 1)()\n" }.joined()
                + "val p = CertificatePinner.Builder().add(\"a.com\", f59())"
        ),
        ("operators", "val p = CertificatePinner.Builder().add(" + String(repeating: "!-*", count: 5000) + ")"),
        ("a chain", "val p = CertificatePinner.Builder()" + String(repeating: "\n.add(\"a.com\", X)", count: 5000)),
        ("what does not end", "CertificatePinner \"\"\" ${ /* \" ' ` /*"),
    ]

    @Test("what goes on and on ends soon", .timeLimit(.minutes(20)), arguments: bombs)
    func bounded(_ name: String, _ source: String) throws {
        for path in ["a.kt", "a.java", "a.swift", "a.m", "a.dart"] {
            _ = try SourceFixture.read(source + "\nbadCertificateCallback = kTSKPinnedDomains", path)
        }
    }

    static let overBounds: [(String, String)] = [
        (
            "1000000 steps",
            "val l = listOf(" + Array(repeating: "\"x\"", count: 60).joined(separator: ",")
                + ")\nval p = CertificatePinner.Builder().apply { l.forEach { a -> l.forEach { b -> \n"
                + String(repeating: "add(a, BuildConfig.PIN)\n", count: 300) + "} } }"
        ),
        (
            "4096 rounds",
            "val l = listOf(" + Array(repeating: "\"x\"", count: 100).joined(separator: ",")
                + ")\nval p = CertificatePinner.Builder().apply {" + String(repeating: "l.forEach { a -> ", count: 3)
                + "add(a, BuildConfig.PIN)" + String(repeating: "}", count: 4)
        ),
        ("256 deep", "val p = CertificatePinner.Builder().add(" + String(repeating: "([{", count: 5000)),
    ]

    @Test("what is over a bound is refused, rather than read in part", .timeLimit(.minutes(20)), arguments: overBounds)
    func refused(_ bound: String, _ source: String) {
        let fault = #expect(throws: PinFileFault.self) { try SourceFixture.read(source, "a.kt") }
        #expect(fault?.effect == .unreadable && fault?.message.contains(bound) == true)
    }

    @Test("no prefix of a file, and no file with a byte changed, ends the reader")
    func truncated() {
        let source = SourceFixture.text(OkHttpReaderTests.shapes.map(\.1).joined(separator: "\n"))
        let bytes = Array(source.utf8)
        for length in stride(from: 0, to: bytes.count, by: 331) {
            for path in ["a.kt", "a.java", "a.swift", "a.m", "a.dart"] {
                _ = try? SourceFile.read(PinFileContent(Array(bytes[..<length])), path: path)
            }
            var changed = bytes
            changed[length] = [UInt8(ascii: "("), UInt8(ascii: "\""), UInt8(ascii: "}"), 0][length % 4]
            _ = try? SourceFile.read(PinFileContent(changed), path: "a.kt")
        }
    }
}
