import Testing

@testable import Pins

@Suite("Encodings")
struct TextDecodingTests {
    private static func bytes(_ text: String, _ byte: UInt8 = 0xe9) -> [UInt8] {
        text.utf8.map { $0 == UInt8(ascii: "~") ? byte : $0 }
    }

    @Test(
        "XML is read by its declaration, code is Latin-1 where it is not UTF-8, and nothing else is guessed",
        arguments: [
            ("<?xml version='1.0' encoding='ISO-8859-1'?><a>~</a>", true),
            ("<?xml version=\"1.0\" encoding = \"windows-1252\"?>\n<a>~</a>", true),
            ("<?xml version='1.0' encoding='utf-8'?><a>~</a>", false), ("<?xml version='1.0'?><a>~</a>", false),
            ("<?xml version='1.0' encoding='US-ASCII'?><a>~</a>", false), ("<a>~</a>", false),
            ("{\"a\": \"~\"}", false),
            ("// caf~\nimport okhttp3.CertificatePinner;", true), ("caf~\u{0}", false), ("\u{1}caf~", false),
        ])
    func decoded(_ text: String, _ isText: Bool) {
        let expected = isText ? text.replacing("~", with: "\u{e9}") : nil
        #expect(PinFileContent(Self.bytes(text)).text == expected)
    }

    @Test("a mark counts for more than what stands behind it")
    func marks() {
        let declared = "<?xml version='1.0' encoding='ISO-8859-1'?><a>\u{e9}</a>"
        #expect(PinFileContent([0xef, 0xbb, 0xbf] + Array(declared.utf8)).text == declared)
        #expect(PinFileContent([0xff, 0xfe, 0xe9, 0]).text == "\u{e9}")
        #expect(PinFileContent([0xfe, 0xff, 0, 0xe9]).text == "\u{e9}")
    }

    @Test("Android's config and code in Latin-1 are read")
    func files() throws {
        let pin = AppleConfigReaderTests.a
        let config =
            "<?xml version='1.0' encoding='ISO-8859-1'?>\n<network-security-config><!-- ~ --><domain-config>"
            + "<domain>a.example</domain><pin-set><pin digest='SHA-256'>\(pin)</pin></pin-set></domain-config>"
            + "</network-security-config>"
        let code =
            "// caf~\nimport okhttp3.CertificatePinner;\nclass A { CertificatePinner p = new "
            + "CertificatePinner.Builder().add(\"a.example\", \"sha256/\(pin)\").build(); }"
        for (text, path) in [(config, "nsc.xml"), (code, "A.java")] {
            let files = try FormatRecogniser.standard.read(PinFileContent(Self.bytes(text)), path: path)
            #expect(files[0].hosts.map(\.domain) == ["a.example"] && files[0].hosts[0].pins.map(\.text) == [pin])
        }
    }
}
