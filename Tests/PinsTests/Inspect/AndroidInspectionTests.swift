import Facts
import Testing

@testable import Pins

@Suite("Inspecting an Android app")
struct AndroidInspectionTests {
    private static let a = "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
    private static let b = "sha256/BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBA="

    private func check(_ app: AppInspection, _ base: String) {
        #expect(app.platform == .android && app.id == "com.example.app" && app.version == "1.2.3" && app.build == "45")
        #expect(app.isDebuggable && app.targetSDK == 35)
        let hosts = app.files.flatMap(\.hosts)
        #expect(hosts.map(\.domain) == ["example.com"] && hosts[0].pins.map(\.name) == [Self.a])
        #expect(app.files.map(\.path).contains("\(base)res/aB.xml"))
        #expect(!app.hasUserAnchors && app.clearText == ["legacy.example"])
        #expect(app.certificateFiles.map(\.path) == ["\(base)res/c.pem"])
        #expect(app.certificateFiles.map(\.reason) == ["a trust anchor of the network security config"])
        #expect(app.pinLikeStrings.map(\.value) == [Self.b] && app.libraries == ["okhttp"])
        #expect(app.faults.isEmpty && app.notes.isEmpty)
    }

    @Test("an APK's config is the one that its manifest names, whatever its path")
    func apk() throws {
        let bytes = try AppSample.apk()
        #expect(AndroidInspection.recognises(try ZipArchive(bytes)))
        check(try AppSample.inspect(bytes), "")
    }

    @Test("an app bundle reads alike")
    func bundle() throws { check(try AppSample.inspect(try AppSample.bundle()), "base/") }

    @Test("the manifest's settings go to the linter beside the config's")
    func settings() throws {
        let app = try AppSample.inspect(try AppSample.apk())
        #expect(app.files.map(\.format) == [.androidManifest, .androidNSC])
        #expect(app.files.flatMap(\.settings).map(\.kind) == [.debuggable, .clearText])
    }

    @Test(
        "what is allowed goes by the manifest, the config and the SDK that the app targets",
        arguments: [
            // uses-sdk, the application's attributes, clear text, the user's certificates
            (35, "", [], false), (27, "", ["*"], false), (23, "", ["*"], true),
            (35, "android:usesCleartextTraffic='true'", ["*"], false),
            (23, "android:usesCleartextTraffic='false'", [], true),
            (27, "android:networkSecurityConfig='@7f030002' android:usesCleartextTraffic='false'", ["*"], false),
            (35, "android:networkSecurityConfig='@7f030002' android:usesCleartextTraffic='true'", [], false),
        ] as [(Int, String, [String], Bool)])
    func defaults(target: Int, attributes: String, clearText: [String], trustsUser: Bool) throws {
        let manifest =
            "<manifest package='a'><uses-sdk android:targetSdkVersion='\(target)'/>"
            + "<application \(attributes)/></manifest>"
        let app = try AppSample.inspect(try AppSample.apk(manifest: manifest, config: "<network-security-config/>"))
        #expect(app.clearText == clearText && app.hasUserAnchors == trustsUser)
    }

    @Test(
        "the user's certificates are told where any host trusts them",
        arguments: [
            ("<base-config><trust-anchors><certificates src='user'/></trust-anchors></base-config>", true),
            (
                "<domain-config><domain>a.example</domain><trust-anchors><certificates src='user'/></trust-anchors>"
                    + "</domain-config>", true
            ),
            // The sample is debuggable.
            ("<debug-overrides><trust-anchors><certificates src='user'/></trust-anchors></debug-overrides>", true),
            ("<base-config><trust-anchors><certificates src='system'/></trust-anchors></base-config>", false),
        ])
    func userAnchors(config: String, trusts: Bool) throws {
        let app = try AppSample.inspect(
            try AppSample.apk(config: "<network-security-config>\(config)</network-security-config>"))
        #expect(app.hasUserAnchors == trusts)
    }

    @Test("a config that the platform rejects is among the faults, and the rest is told all the same")
    func faults() throws {
        let config = "<network-security-config>\n<domain-config/></network-security-config>"
        let app = try AppSample.inspect(try AppSample.apk(config: config))
        #expect(app.id == "com.example.app" && app.faults.map(\.path) == ["res/aB.xml"])
        #expect(app.faults[0].fault.line == 2 && app.faults[0].fault.effect == .failsClosed)
        let missing = try AppSample.inspect(try AppSample.apk([("resources.arsc", CompiledTable.bytes([]))]))
        #expect(missing.faults.map(\.path) == ["AndroidManifest.xml"])
        let text = try AppSample.inspect(try AppSample.apk([("res/aB.xml", Array("<network-security-config/>".utf8))]))
        #expect(text.faults[0].fault.message == "it is no compiled XML" && text.faults[0].path == "res/aB.xml")
    }

    @Test("a config over a bound of ours is refused with its name, as the platform reads it")
    func configOverBound() throws {
        func fault(_ config: [UInt8]) -> String? {
            do { _ = try AppSample.inspect(try AppSample.apk([("res/aB.xml", config)])) } catch {
                return (error as? PinFileFault)?.message
            }
            return nil
        }
        let large = fault([UInt8](repeating: 0, count: XMLReader.sizeLimit + 1))
        #expect(large == "res/aB.xml: it has more than 16 MB, the most that is read of one")
        let deep = XMLElement(
            "network-security-config",
            children: [
                (0..<70).reduce(XMLElement("a")) { inner, _ in
                    XMLElement("a", children: [inner])
                }
            ])
        #expect(
            fault(CompiledXML.bytes(deep))?.hasPrefix("res/aB.xml: the compiled XML is broken: elements lie") == true)
    }

    @Test("what holds by default for the SDK that the app targets is told where the config does not say")
    func defaultSettings() throws {
        func kinds(_ target: String, _ inside: String, _ attributes: String = "") throws -> [PinSetting.Kind] {
            let manifest =
                "<manifest package='a'>\(target)<application android:networkSecurityConfig='@7f030002'/></manifest>"
            let config =
                "<network-security-config>\(inside)<domain-config \(attributes)><domain>a.example</domain><pin-set>"
                + "<pin digest='SHA-256'>\(Self.a.dropFirst(7))</pin></pin-set></domain-config></network-security-config>"
            let app = try AppSample.inspect(try AppSample.apk(manifest: manifest, config: config))
            return app.files.filter { $0.format == .androidNSC }.flatMap(\.settings).map(\.kind)
        }
        func sdk(_ target: Int) -> String { "<uses-sdk android:targetSdkVersion='\(target)'/>" }
        #expect(try kinds(sdk(23), "") == [.userAnchorsByDefault, .clearText])
        #expect(try kinds("", "") == [.userAnchorsByDefault, .clearText])
        #expect(try kinds(sdk(27), "") == [.clearText] && kinds(sdk(28), "") == [])
        #expect(try kinds("<uses-sdk android:targetSdkVersion='Tiramisu'/>", "") == [])
        let base =
            "<base-config cleartextTrafficPermitted='false'><trust-anchors><certificates src='system'/>"
            + "</trust-anchors></base-config>"
        #expect(try kinds(sdk(23), base) == [])
        #expect(try kinds(sdk(23), "", "cleartextTrafficPermitted='false'") == [.userAnchorsByDefault])
    }

    @Test("an app that names neither config nor SDK trusts the user's certificates")
    func noTarget() throws {
        func kinds(_ attributes: String) throws -> [PinSetting.Kind] {
            let manifest = "<manifest package='a' \(attributes)><application/></manifest>"
            return try AppSample.inspect(try AppSample.apk(manifest: manifest)).files.flatMap(\.settings).map(\.kind)
        }
        #expect(try kinds("") == [.userAnchorsByDefault] && kinds("split='config.de'") == [])
    }

    @Test("what is no app, or a broken one, is refused")
    func refused() throws {
        #expect(throws: PinFileFault.self) { try AppSample.inspect(AppSample.zip([("a.txt", [])])) }
        #expect(throws: PinFileFault.self) { try AppSample.inspect(try AppSample.apk([("AndroidManifest.xml", [1])])) }
    }

    @Test("certificates and key stores are found by their names, and by how they begin")
    func certificates() throws {
        let certificate: [UInt8] = [0x30, 0x82, 1, 2, 0x30, 0x82, 0, 9, 0xa0, 3, 2, 1, 2, 2]
        let store: [UInt8] = [0x30, 0x82, 1, 2, 2, 1, 3, 0x30, 0x82]
        func padded(_ bytes: [UInt8]) -> [UInt8] { bytes + [UInt8](repeating: 7, count: 80) }
        let found =
            [
                ("assets/flutter_assets/assets/ca.PEM", [1]), ("res/raw/root.crt", [1]), ("assets/client.p12", [1]),
                ("assets/a.bks", [1]), ("res/raw/trust.jks", [1]), ("res/raw/root", padded(certificate)),
                ("res/xY", padded(store)), ("assets/keys", padded([0xfe, 0xed, 0xfe, 0xed, 0, 0, 0, 2])),
                ("assets/bc.bin", padded([0, 0, 0, 2, 0, 0, 0, 20])),
                ("assets/www/a.txt", padded(Array("-----BEGIN CERTIFICATE-----\n".utf8))),
            ] as [(String, [UInt8])]
        let others =
            [
                ("META-INF/CERT.crt", [1]), ("assets/a.xml", padded(certificate)),
                ("assets/b", padded([0x30, 0x82, 1, 2])),
                ("lib/x.bin", padded(certificate)), ("assets/a.png", padded(certificate)),
            ] as [(String, [UInt8])]
        let app = try AppSample.inspect(try AppSample.apk(found + others))
        #expect(Set(app.certificateFiles.map(\.path)) == Set(found.map(\.0) + ["res/c.pem"]))
    }

    @Test("raw resources are searched as assets are")
    func rawResources() throws {
        let app = try AppSample.inspect(
            try AppSample.apk([("res/raw/pins.json", Array("sha256/\(Self.a.dropFirst(7))".utf8))]))
        #expect(app.pinLikeStrings.map(\.path) == ["classes.dex", "res/raw/pins.json"])
    }

    @Test("texts of resources are searched, in either encoding and in a bundle")
    func texts() throws {
        let entries = AppSample.entries + [.init(id: 0x7f04_0001, value: .text(Self.a))]
        for isUTF8 in [true, false] {
            let table = CompiledTable.bytes(entries, isUTF8: isUTF8)
            let app = try AppSample.inspect(try AppSample.apk([("resources.arsc", table)]))
            #expect(
                app.pinLikeStrings == [
                    .init(value: Self.b, path: "classes.dex"), .init(value: Self.a, path: "resources.arsc"),
                ])
        }
        let bundle = try AppSample.inspect(try AppSample.bundle(entries))
        #expect(bundle.pinLikeStrings.map(\.path) == ["base/dex/classes.dex", "base/resources.pb"])
    }

    @Test("texts that lie over each other take no more time than the table's size allows")
    func overlappingTexts() throws {
        let texts = CompiledBytes.pool([String(repeating: "x", count: 30_000)], repeated: 100_000)
        let table = CompiledBytes.chunk(2, header: CompiledBytes.words(0), texts)
        var taken = 0
        try CompiledResourceTable(table).texts(limit: 2 * table.count) { taken += $0.count }
        #expect(taken > 30_000 && taken <= 2 * table.count + 30_000)
    }

    @Test("an app changed anywhere does not trap")
    func hostile() throws {
        let bytes = try AppSample.apk()
        for index in stride(from: 0, to: bytes.count, by: 3) {
            var other = bytes
            other[index] ^= index % 2 == 0 ? 0xff : 0x01
            _ = try? AppSample.inspect(other)
        }
    }
}
