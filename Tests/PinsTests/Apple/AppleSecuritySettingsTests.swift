import Facts
import Testing

@testable import Pins

@Suite("App Transport Security")
struct AppleSecuritySettingsTests {
    private func read(_ settings: String, beside: String = "") throws -> PinFile {
        let content = PinFileContent(
            "<plist><dict>\(beside)<key>NSAppTransportSecurity</key><dict>\n\(settings)\n</dict></dict></plist>")
        #expect(AppleConfigReader.recognises(content))
        return try AppleConfigReader.read(content, path: "Info.plist")
    }

    @Test("arbitrary loads are told, and where a narrower key takes them back")
    func arbitraryLoads() throws {
        let on = try read("<key>NSAllowsArbitraryLoads</key><true/>")
        #expect(on.settings == [PinSetting(.arbitraryLoads, line: 2, "NSAllowsArbitraryLoads")] && on.hosts.isEmpty)
        #expect(try read("<key>NSAllowsArbitraryLoads</key><false/>").settings.isEmpty)
        let narrowed = try read(
            "<key>NSAllowsArbitraryLoads</key><true/>\n<key>NSAllowsArbitraryLoadsInWebContent</key><true/>")
        #expect(narrowed.settings == [PinSetting(.arbitraryLoadsInPart, line: 3, "NSAllowsArbitraryLoadsInWebContent")])
        #expect(narrowed.notes.map(\.id) == [.versionsDiffer])
        let local = try read("<key>NSAllowsArbitraryLoads</key><true/><key>NSAllowsLocalNetworking</key><true/>")
        #expect(local.settings.isEmpty && local.notes.map(\.line) == [2])
    }

    @Test("an exception allows clear text, and loosens the host itself")
    func exceptions() throws {
        let file = try read(
            """
            <key>NSExceptionDomains</key><dict>
            <key>Old.example</key><dict><key>NSIncludesSubdomains</key><true/>
              <key>NSExceptionAllowsInsecureHTTPLoads</key><true/></dict>
            <key>b.example</key><dict><key>NSExceptionAllowsInsecureHTTPLoads</key><false/></dict>
            <key>c.example</key><dict><key>NSTemporaryExceptionAllowsInsecureHTTPLoads</key><true/></dict>
            </dict>
            """)
        #expect(
            file.settings == [
                PinSetting(
                    .clearText, host: "old.example", coversSubdomains: true, line: 4,
                    "NSExceptionAllowsInsecureHTTPLoads"),
                PinSetting(
                    .arbitraryLoads, host: "old.example", coversSubdomains: true, line: 4,
                    "NSExceptionAllowsInsecureHTTPLoads"),
                PinSetting(.clearText, host: "c.example", line: 6, "NSTemporaryExceptionAllowsInsecureHTTPLoads"),
                PinSetting(.arbitraryLoads, host: "c.example", line: 6, "NSTemporaryExceptionAllowsInsecureHTTPLoads"),
            ])
    }

    @Test("pins where nobody looks for them are told, and pin nothing")
    func misplaced() throws {
        let domains = """
            <key>NSPinnedDomains</key><dict><key>a.example</key><dict><key>NSPinnedLeafIdentities</key><array>
            <dict><key>SPKI-SHA256-BASE64</key><string>\(AppleConfigReaderTests.a)</string></dict></array></dict></dict>
            """
        let top = PinFileContent("<plist><dict>\n\(domains)</dict></plist>")
        #expect(AppleConfigReader.recognises(top))
        let file = try AppleConfigReader.read(top, path: "Info.plist")
        #expect(file.hosts.isEmpty)
        #expect(
            file.notes == [
                PinNote(
                    .misplaced, line: 2,
                    "NSPinnedDomains stands at the top of the file, and is read in NSAppTransportSecurity alone: it pins nothing (fails open)"
                )
            ])
        let inner = try read("<key>NSExceptionDomains</key><dict><key>a.example</key><dict>\n\(domains)</dict></dict>")
        #expect(inner.hosts.isEmpty && inner.notes.map(\.id) == [.misplaced] && inner.notes.map(\.line) == [3])
        // The same as a pasted piece is what stands in NSAppTransportSecurity.
        let piece = PinFileContent(domains)
        #expect(AppleConfigReader.recognises(piece))
        #expect(try AppleConfigReader.read(piece, path: "-").hosts.map(\.domain) == ["a.example"])
    }

    @Test("SecTrustPinningRequired takes the pins' place")
    func required() throws {
        let list =
            "<key>NSPinnedDomains</key><dict><key>a.example</key><dict><key>NSPinnedLeafIdentities</key><array><dict><key>SPKI-SHA256-BASE64</key><string>\(AppleConfigReaderTests.a)</string></dict></array></dict></dict>"
        let key = "<key>SecTrustPinningRequired</key>"
        #expect(try read(list, beside: "\(key)<true/>").notes.map(\.id) == [.neverMatches])
        #expect(try read(list, beside: "\(key)<false/>").notes.isEmpty)
    }

    @Test(
        "other files are not recognised",
        arguments: [
            "<plist><dict><key>CFBundleIdentifier</key><string>a</string></dict></plist>",
            "<plist><dict><!-- NSAppTransportSecurity --><key>a</key><string>NSPinnedDomains</string></dict></plist>",
            "let key = \"NSAppTransportSecurity\"", "# NSPinnedDomains\n<plist>", "{\"NSAppTransportSecurity\": {}}",
        ])
    func others(_ text: String) {
        #expect(!AppleConfigReader.recognises(PinFileContent(text)))
    }

    @Test("a broken one is recognised, and told with its line")
    func broken() {
        let content = PinFileContent("<plist><dict>\n<key>NSAppTransportSecurity</key><dict>\n</plist>")
        #expect(AppleConfigReader.recognises(content))
        let fault = PinFileFault.syntax(line: 3, "</plist> stands where <dict> of line 2 should end", .apple)
        #expect(fault.hints == ["Xcode refuses it as an Info.plist, and no system installs an app with it"])
        #expect(throws: fault) { try AppleConfigReader.read(content, path: "Info.plist") }
        let none = PinFileContent("<plist><dict>\n<key>NSAppTransportSecurity</key></dict></plist>")
        let noValue = PinFileFault.syntax(line: 2, "the key \"NSAppTransportSecurity\" has no value", .apple)
        #expect(throws: noValue) { try AppleConfigReader.read(none, path: "Info.plist") }
        let old = PinFileContent("{ NSAppTransportSecurity = { NSPinnedDomains = { }; }; }")
        #expect(AppleConfigReader.recognises(old))
        #expect(throws: PinFileFault.self) { try AppleConfigReader.read(old, path: "Info.plist") }
    }
}
