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
        #expect(text.faults[0].fault.message == "res/aB.xml is no compiled XML")
    }

    @Test("what is no app, or a broken one, is refused")
    func refused() throws {
        #expect(throws: PinFileFault.self) { try AppSample.inspect(AppSample.zip([("a.txt", [])])) }
        #expect(throws: PinFileFault.self) { try AppSample.inspect(try AppSample.apk([("AndroidManifest.xml", [1])])) }
        do {
            _ = try AndroidInspection.read(
                try ZipArchive(AppSample.zip([("splits/base-master.apk", [])])), path: "", sha256: "",
                inflate: { _ in { _ in nil } })
            Issue.record("it was read")
        } catch let fault as PinFileFault {
            #expect(fault.hints == ["this holds APKs: unpack it, and give its base or universal APK"])
        }
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
