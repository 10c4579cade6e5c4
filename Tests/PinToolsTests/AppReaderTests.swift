import Facts
import Pins
import Support
import TLS
import Testing

@testable import PinTools

@Suite("Apps as they ship")
struct AppReaderTests {
    /// Members are stored, or deflated in one block that is stored (RFC 1951 §3.2.4).
    static func zip(_ files: [(name: String, bytes: [UInt8])], deflated: Bool = false) -> [UInt8] {
        func little(_ number: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(number >> (8 * $0) & 255) } }
        var out: [UInt8] = []
        var directory: [UInt8] = []
        for file in files {
            let name = Array(file.name.utf8)
            let (size, count) = (little(file.bytes.count, 4), file.bytes.count)
            let packed = (deflated ? [1] + little(count, 2) + little(~count, 2) : []) + file.bytes
            let method = little(0, 2) + little(deflated ? 8 : 0, 2) + little(0, 8)
            let common = method + little(packed.count, 4) + size + little(name.count, 2)
            directory += [0x50, 0x4b, 1, 2, 20, 0, 20, 0] + common + little(0, 12) + little(out.count, 4) + name
            out += [0x50, 0x4b, 3, 4, 20, 0] + common + little(0, 2) + name + packed
        }
        let count = little(files.count, 2)
        return out + directory + [0x50, 0x4b, 5, 6, 0, 0, 0, 0] + count + count + little(directory.count, 4)
            + little(out.count, 4) + [0, 0]
    }

    private static func info(_ security: String) -> [UInt8] {
        Array(
            """
            <plist><dict><key>CFBundleIdentifier</key><string>a</string><key>NSAppTransportSecurity</key><dict>
            \(security)
            </dict></dict></plist>
            """.utf8)
    }

    private func read(_ files: [(String, [UInt8])]) throws -> AppInspection {
        let folder = try TemporaryFolder()
        return try AppReader.read(try folder.write("app.ipa", Self.zip(files)))
    }

    @Test("files within an app are named by their paths in it")
    func paths() throws {
        let app = try read([("Payload/A.app/Info.plist", Self.info("<key>NSAllowsArbitraryLoads</key><true/>"))])
        #expect(app.files.map(\.path) == ["Payload/A.app/Info.plist"])
        let rejected = "<key>TSKConfiguration</key><dict><key>TSKPinnedDomains</key><string>a</string></dict>"
        let broken = try read([
            ("Payload/A.app/Info.plist", Array("<plist><dict>\(rejected)</dict></plist>".utf8))
        ])
        #expect(broken.faults.allSatisfy { $0.path == "Payload/A.app/Info.plist" })
    }

    @Test(
        "clear text is told of every host only where every connection may use it",
        arguments: [
            ("NSAllowsArbitraryLoads", ["*"]), ("NSAllowsArbitraryLoadsInWebContent", []),
            ("NSAllowsArbitraryLoadsForMedia", []), ("NSAllowsLocalNetworking", []),
        ] as [(String, [String])])
    func clearText(key: String, expected: [String]) throws {
        let one = try read([("Payload/A.app/Info.plist", Self.info("<key>\(key)</key><true/>"))])
        #expect(one.clearText == expected)
        guard key != "NSAllowsArbitraryLoads" else { return }
        let both = Self.info("<key>NSAllowsArbitraryLoads</key><true/><key>\(key)</key><false/>")
        #expect(try read([("Payload/A.app/Info.plist", both)]).clearText == [])
    }

    @Test("a file of pins in the bundle is rejected as it is by itself, and a broken one is noted with its name")
    func resources() throws {
        let pins = "<key>TSKPublicKeyHashes</key><array><string>x</string></array>"
        let trustKit = "<key>TSKPinnedDomains</key><dict><key>a.example.org</key><dict>\(pins)</dict></dict>"
        let app = try read([
            ("Payload/A.app/Info.plist", Self.info("")),
            ("Payload/A.app/TrustKit.plist", Array("<plist><dict>\(trustKit)</dict></plist>".utf8)),
            ("Payload/A.app/ssl_config.json", Array("{\"sha256Keys\":\n{".utf8)),
        ])
        #expect(app.faults.map(\.path) == ["Payload/A.app/TrustKit.plist"])
        #expect(PinFileSource.findings(of: app).map(\.rule.id) == ["L1"])
        #expect(app.notes.contains { $0.hasPrefix("Payload/A.app/ssl_config.json:2: it cannot be read: ") })
    }

    @Test("an app for iOS that can be debugged is told so, whatever else it declares", arguments: [true, false])
    func debuggable(_ flag: Bool) throws {
        let entitlements = "<key>Entitlements</key><dict><key>get-task-allow</key><\(flag)/></dict>"
        let app = try read([
            ("Payload/A.app/Info.plist", Array("<plist><dict/></plist>".utf8)),
            ("Payload/A.app/embedded.mobileprovision", Array("<plist><dict>\(entitlements)</dict></plist>".utf8)),
        ])
        let today = CalendarDate(year: 2026, month: 11, day: 26)
        let found = PinLint.findings(app.files, LintSituation(today: today, isDebuggable: app.isDebuggable))
        #expect(found.map(\.rule.id) == (flag ? ["L16"] : []))
        guard let finding = found.first else { return }
        #expect(finding.file == "Payload/A.app/Info.plist" && finding.text.hasPrefix("get-task-allow: "))
        for word in ["android", "Gradle", "debug-overrides"] {
            #expect(!finding.text.contains(word) && !finding.fix.contains(word))
        }
        // How it was signed says nothing of its pins.
        let pin = DeclaredPin(base64: Base64.encode([UInt8](repeating: 7, count: 32)), part: .any, line: 1)
        let host = DeclaredHost("a.example.org", .itself, pins: [pin], format: .androidNSC, line: 1)
        #expect(!PinSync(app.files + [PinFile(path: "nsc.xml", format: .androidNSC, hosts: [host])]).disagrees)
    }

    @Test("a certificate is read, and a store that a password closes is told to be there")
    func stores() throws {
        let chain = try Chain()
        let app = try read([
            ("Payload/A.app/Info.plist", Self.info("")), ("Payload/A.app/a.cer", chain.leaf.der),
            ("Payload/A.app/Frameworks/App.framework/flutter_assets/b.p12", try chain.root.trustStore(password: "x")),
            ("Payload/A.app/c.pem", [1, 2]),
        ])
        #expect(app.certificates.map(\.path) == ["Payload/A.app/a.cer"] && app.certificates[0].subject == "CN=leaf")
        #expect(
            app.notes.filter { $0.contains("Payload/") }.sorted() == [
                "Payload/A.app/Frameworks/App.framework/flutter_assets/b.p12: an encrypted PKCS#12 file, whose content is "
                    + "not seen without its password",
                "Payload/A.app/c.pem: no certificate is read of it: it is neither PEM nor DER",
            ])
    }
}
