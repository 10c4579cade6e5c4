import Facts
import Testing

@testable import Pins

@Suite("Pins written in another format: the text")
struct ExportTextTests {
    private let list = file(
        "pins.json", .neutral,
        [
            entry(".a.com", [pin(1), pin(2)], .neutral, expires: "2027-06-01"), entry("cdn.a.com", [], .neutral),
        ])
    private let one = Base64.encode([UInt8](repeating: 1, count: 32))
    private let two = Base64.encode([UInt8](repeating: 2, count: 32))

    private func text(_ format: ExportFormat) -> String { PinExport(list, as: format).text }

    @Test("OkHttp")
    func okHttp() {
        #expect(
            text(.okHttp) == """
                import okhttp3.CertificatePinner

                // a.com, **.a.com: its pins are off from 2027-06-01 on, and OkHttp has no last day: they stay on
                // cdn.a.com: OkHttp cannot leave these names out: they are pinned, too
                // For OkHttpClient.Builder().certificatePinner(certificatePinner).
                // "**." needs OkHttp 4.3 or later, and matches the domain itself, too.
                val certificatePinner: CertificatePinner = CertificatePinner.Builder()
                    .add(
                        "**.a.com",
                        "sha256/\(one)",
                        "sha256/\(two)"
                    )
                    .build()

                """)
    }

    @Test("Android's network security config, and TrustKit's part in it")
    func android() {
        let expected = """
            <?xml version="1.0" encoding="utf-8"?>
            <network-security-config>
                <domain-config>
                    <domain includeSubdomains="true">a.com</domain>
                    <pin-set expiration="2027-06-01">
                        <pin digest="SHA-256">\(one)</pin>
                        <pin digest="SHA-256">\(two)</pin>
                    </pin-set>
                    <trustkit-config enforcePinning="true" />
                </domain-config>
                <domain-config>
                    <domain includeSubdomains="false">cdn.a.com</domain>
                    <!-- not pinned: without this entry, a wider one would be its -->
                </domain-config>
            </network-security-config>

            """
        #expect(text(.trustKitAndroid) == expected)
        let plain = expected.replacing("        <trustkit-config enforcePinning=\"true\" />\n", with: "")
        #expect(text(.nsc) == plain)
    }

    @Test("property lists")
    func propertyLists() throws {
        for format in [ExportFormat.apple, .appleCA, .trustKit] { _ = try XMLReader.read(text(format)) }
        #expect(
            text(.trustKit).contains(
                """
                            <key>a.com</key>
                            <dict>
                                <key>TSKIncludeSubdomains</key>
                                <true/>
                                <key>TSKEnforcePinning</key>
                                <true/>
                                <key>TSKExpirationDate</key>
                                <string>2027-06-01</string>
                                <key>TSKPublicKeyHashes</key>
                                <array>
                                    <string>\(one)</string>
                                    <string>\(two)</string>
                                </array>
                            </dict>
                            <key>cdn.a.com</key>
                            <dict>
                                <key>TSKExcludeSubdomainFromParentPolicy</key>
                                <true/>
                            </dict>

                """))
        #expect(text(.apple).contains("<key>NSPinnedLeafIdentities</key>") && text(.apple).contains("<key>a.com</key>"))
        #expect(text(.appleCA).contains("<key>NSPinnedCAIdentities</key>") && !text(.appleCA).contains("Leaf"))
    }

    @Test("command lines, headers and tables of code")
    func others() {
        #expect(text(.curl).hasSuffix("curl --pinnedpubkey 'sha256//\(one);sha256//\(two)' 'https://a.com/'\n"))
        #expect(
            text(.hpkp).hasSuffix(
                "# of a.com\nPublic-Key-Pins: pin-sha256=\"\(one)\"; pin-sha256=\"\(two)\"; max-age=5184000; "
                    + "includeSubDomains\n"))
        #expect(
            text(.python).contains(
                "    \"a.com\": [\"sha256/\(one)\", \"sha256/\(two)\"],\n    \"**.a.com\": [\"sha256/\(one)\", "
                    + "\"sha256/\(two)\"],\n    \"cdn.a.com\": [],\n}\n"))
        #expect(text(.node).contains("  ['cdn.a.com', []],\n]);\n") && text(.node).contains("['**.a.com', ['sha256/"))
        #expect(text(.go).contains("\t\"cdn.a.com\": {},\n}\n") && text(.go).contains("package pins\n"))
        #expect(text(.cronet).contains("            true,\n            Date(1811808000000L) // 2027-06-01\n"))
        #expect(text(.reactNative).contains("    \"expirationDate\": \"2027-06-01\"\n  }\n});\n"))
        #expect(text(.alamofire).contains("// a.com-2.cer: sha256/\(two)\n"))
        #expect(text(.profile).hasPrefix("# The hosts that the app's own files pin."))
    }

    @Test("Flutter's package has fingerprints of certificates, in capitals")
    func flutter() {
        let prints = file("m.dart", .flutter, [entry("a.com", [pin(0xab, .leaf, .certificateSHA256)], .flutter)])
        #expect(PinExport(prints, as: .flutter).text.contains("      '\(String(repeating: "AB", count: 32))',\n"))
    }

    @Test("no comment can end itself", arguments: ExportFormat.allCases)
    func comments(_ format: ExportFormat) throws {
        let hostile = file(
            "x", .okHttp,
            [
                entry("a.com", [pin(1), malformedPin("x\n*/ --> \u{1b}[2J <y>"), pin(2)], .okHttp),
                entry("b\n.com --> '\"", [pin(1)], .okHttp),
                entry("xn--a--b-.com", [malformedPin("---"), pin(1), pin(2)], .okHttp),
            ])
        let text = PinExport(hostile, as: format).text
        #expect(!text.contains("\u{1b}") && !text.contains("\n*/") && !text.contains("\n.com"))
        if text.hasPrefix("<?xml") { _ = try XMLReader.read(text) }
        for comment in text.split(separator: "<!-- ").dropFirst() {
            let body = comment.prefix { $0 != "\n" }
            #expect(body.hasSuffix(" -->") && !body.dropLast(4).contains("--"))
        }
    }
}
