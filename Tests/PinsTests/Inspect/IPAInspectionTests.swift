import Facts
import Testing

@testable import Pins

@Suite("an .ipa")
struct IPAInspectionTests {
    private static let a = CurlReaderTests.a
    private static let b = CurlReaderTests.b

    private func inspect(_ files: [String: [UInt8]], sizes: [String: Int] = [:]) throws -> IPAInspection {
        try IPAInspection(
            IPAMembers(names: Array(files.keys), size: { sizes[$0] ?? files[$0]?.count }) {
                name, limit, take throws(PinFileFault) in
                guard let bytes = files[name], bytes.count <= limit else { throw PinFileFault(line: nil, name) }
                for start in stride(from: 0, to: bytes.count, by: 50) {
                    guard take(Array(bytes[start..<min(bytes.count, start + 50)])) else { return }
                }
            })
    }

    private static func plist(id: String, _ more: String = "") -> [UInt8] {
        let text = """
            <plist><dict><key>CFBundleIdentifier</key><string>\(id)</string>
            <key>CFBundleShortVersionString</key><string>1.2.3</string><key>CFBundleVersion</key><string>45</string>
            <key>CFBundleExecutable</key><string>App</string>\(more)</dict></plist>
            """
        return Array(text.utf8)
    }

    private static let pinned = """
        <key>NSAppTransportSecurity</key><dict><key>NSAllowsArbitraryLoads</key><true/><key>NSPinnedDomains</key><dict>
        <key>a.example.org</key><dict><key>NSPinnedLeafIdentities</key><array>\(AppleConfigReaderTests.identity(a))</array></dict>
        </dict></dict>
        """

    private static let trustKit = """
        <key>TSKConfiguration</key><dict><key>TSKPinnedDomains</key><dict><key>b.example.org</key><dict>
        <key>TSKPublicKeyHashes</key><array><string>\(a)</string><string>\(b)</string></array></dict></dict></dict>
        """

    @Test("its Info.plist, binary too, has id, version, pins and settings")
    func app() throws {
        let text = try PropertyList.read(PinFileContent(Self.plist(id: "com.example.app", Self.pinned + Self.trustKit)))
        for bytes in [
            Self.plist(id: "com.example.app", Self.pinned + Self.trustKit), BinaryPlistFixture(text.value).bytes(),
        ] {
            let ipa = try inspect(["Payload/My App.app/Info.plist": bytes, "Payload/": [], "iTunesMetadata.plist": [1]])
            #expect(ipa.app.id == "com.example.app" && ipa.app.version == "1.2.3" && ipa.app.build == "45")
            #expect(ipa.app.path == "Payload/My App.app" && ipa.app.name == "My App.app" && ipa.app.faults.isEmpty)
            #expect(ipa.app.file.hosts.map(\.domain) == ["a.example.org", "b.example.org"])
            #expect(ipa.app.file.settings.map(\.kind) == [.arbitraryLoads, .validatorNotWired])
            #expect(ipa.isDebuggable == nil && !ipa.isEncrypted && ipa.embedded.isEmpty && ipa.libraries.isEmpty)
        }
    }

    @Test("extensions and watch apps have pins of their own, or none")
    func embedded() throws {
        let ipa = try inspect([
            "Payload/A.app/Info.plist": Self.plist(id: "a", Self.pinned),
            "Payload/A.app/PlugIns/Share.appex/Info.plist": Self.plist(id: "a.share"),
            "Payload/A.app/Watch/W.app/Info.plist": Self.plist(id: "a.watch", Self.pinned),
            "Payload/A.app/Watch/W.app/PlugIns/E.appex/Info.plist": [1, 2, 3],
            "Payload/A.app/Frameworks/X.framework/Info.plist": Self.plist(id: "x", Self.pinned),
            "Payload/A.app/Frameworks/Y.framework/Info.plist": Self.plist(id: "y"),
        ])
        #expect(ipa.embedded.map(\.id) == ["a.share", "a.watch"])
        #expect(ipa.embedded.map(\.kind) == [.appExtension, .embeddedApp])
        #expect(
            ipa.embedded.map(\.file.hosts.count) == [0, 1]
                && ipa.embedded.map(\.file.notes.first?.id) == [.otherHosts, .otherHosts])
        #expect(ipa.embedded[0].file.path == "Payload/A.app/PlugIns/Share.appex/Info.plist")
        #expect(ipa.unread == ["Payload/A.app/Watch/W.app/PlugIns/E.appex/Info.plist"])
        #expect(ipa.notes.map(\.id) == [.misplaced])
        let plain = try inspect([
            "Payload/A.app/Info.plist": Self.plist(id: "a"),
            "Payload/A.app/PlugIns/S.appex/Info.plist": Self.plist(id: "s"),
        ])
        #expect(plain.embedded[0].file.notes.isEmpty)
    }

    @Test("what the platform rejects of its configuration is kept with the rest")
    func rejected() throws {
        let ipa = try inspect([
            "Payload/A.app/Info.plist": Self.plist(
                id: "a", Self.trustKit.replacing("<string>\(Self.b)</string>", with: ""))
        ])
        #expect(ipa.app.id == "a" && ipa.app.file.hosts.map(\.pins.count) == [1])
        #expect(ipa.app.faults.map(\.effect) == [.failsClosed] && ipa.app.faults.map(\.line) == [4])
    }

    @Test("a file of pins that its library rejects, or that is broken, is told; one of another kind is not")
    func faultyResources() throws {
        func plist(_ inside: String) -> [UInt8] { Array("<plist><dict>\(inside)</dict></plist>".utf8) }
        let ipa = try inspect([
            "Payload/A.app/Info.plist": Self.plist(id: "a"),
            "Payload/A.app/TrustKit.plist": plist(Self.trustKit.replacing("<string>\(Self.b)</string>", with: "")),
            "Payload/A.app/broken.plist": Array("<plist><dict><key>TSKConfiguration</key>".utf8),
            "Payload/A.app/pins.json": Array("{\"schema\": \"pinproof.pin-list/1\",\n\"hosts\": 1}".utf8),
            "Payload/A.app/ssl_config.json": Array("{\"sha256Keys\": {".utf8),
            "Payload/A.app/other.plist": plist("<key>Fonts</key><array/>"), "Payload/A.app/cut.plist": [0x3c, 0x70],
            "Payload/A.app/data.json": Array("{\"pins\": ".utf8), "Payload/A.app/a.js": Array("TSKPinnedDomains".utf8),
        ])
        let names = ["TrustKit.plist", "broken.plist", "pins.json", "ssl_config.json"]
        #expect(ipa.resourceFaults.map(\.path) == names.map { "Payload/A.app/\($0)" })
        #expect(ipa.resourceFaults.map(\.fault.effect) == [.failsClosed, .unreadable, .unreadable, .unreadable])
        #expect(ipa.resources.isEmpty)
    }

    @Test("get-task-allow stands in the profile, and what the binary is signed with counts before it")
    func debuggable() throws {
        func profile(_ flag: String) -> [UInt8] {
            [0x30, 0x82, 0, 0x3c, 0x3f]
                + Array(
                    "junk<?xml version=\"1.0\"?>\n<plist><dict><key>Name</key><string>x</string><key>Entitlements</key><dict><key>get-task-allow</key><\(flag)/></dict></dict></plist>"
                        .utf8) + [0, 0xa0]
        }
        func debuggable(_ files: [String: [UInt8]]) throws -> Bool? {
            try inspect(files.merging(["Payload/A.app/Info.plist": Self.plist(id: "a")]) { one, _ in one }).isDebuggable
        }
        let place = "Payload/A.app/embedded.mobileprovision"
        #expect(try debuggable([place: profile("true")]) == true)
        #expect(try debuggable([place: profile("false")]) == false)
        #expect(try debuggable([place: [1, 2, 3]]) == nil)
        let release = IPAMachOTests.binary(
            entitlements: "<plist><dict><key>get-task-allow</key><false/></dict></plist>")
        #expect(try debuggable([place: profile("true"), "Payload/A.app/App": release]) == false)
        let debug = IPAMachOTests.binary(entitlements: "<plist><dict><key>get-task-allow</key><true/></dict></plist>")
        #expect(try debuggable(["Payload/A.app/App": debug]) == true)
        #expect(try debuggable(["Payload/A.app/App": IPAMachOTests.binary(), place: profile("true")]) == true)
    }

    @Test("certificates, strings like pins, resources and libraries are found")
    func files() throws {
        let ssl = "{\"sha256Keys\": {\"c.example\": [\"sha256/\(Self.a)\"]}}"
        let ipa = try inspect([
            "Payload/A.app/Info.plist": Self.plist(id: "a"),
            "Payload/A.app/App": IPAMachOTests.binary(libraries: ["@rpath/Alamofire.framework/Alamofire"])
                + Array("\0\(Self.b)\0xsha256/\(Self.a)\0TSKPublicKeyHashes\0sha256/AAAA\0".utf8),
            "Payload/A.app/Frameworks/Flutter.framework/Flutter": Array("x\0\(Self.b)\0".utf8),
            "Payload/A.app/main.jsbundle": Array("pin:'sha256/\(Self.b)'".utf8),
            "Payload/A.app/ssl_config.json": Array(ssl.utf8),
            "Payload/A.app/TrustKit.plist": Array("<plist><dict>\(Self.trustKit)</dict></plist>".utf8),
            "Payload/A.app/certs/Root.CER": [0x30, 1], "Payload/A.app/a.pem": [2],
            "Payload/A.app/Frameworks/App.framework/flutter_assets/assets/client.p12": [5],
            "Payload/A.app/image.png": [3],
            "SwiftSupport/x.pem": [4],
        ])
        #expect(
            ipa.certificates == [
                .init(path: "Payload/A.app/Frameworks/App.framework/flutter_assets/assets/client.p12", bytes: [5]),
                .init(path: "Payload/A.app/a.pem", bytes: [2]),
                .init(path: "Payload/A.app/certs/Root.CER", bytes: [0x30, 1]),
            ])
        #expect(ipa.libraries == ["alamofire", "flutter", "react-native", "trustkit"])
        #expect(ipa.resources.map(\.format) == [.trustKit, .reactNative])
        #expect(
            ipa.pinLikeStrings == [
                .init(value: "sha256/\(Self.a)", path: "Payload/A.app/App"),
                .init(value: "sha256/\(Self.b)", path: "Payload/A.app/App"),
            ])
        #expect(ipa.unread.isEmpty)
    }

    @Test("strings of a binary count where TrustKit may take them")
    func bare() throws {
        let files = [
            "Payload/A.app/Info.plist": Self.plist(id: "a"), "Payload/A.app/App": Array("x\0\(Self.b)\0".utf8),
        ]
        #expect(try inspect(files).pinLikeStrings.isEmpty)
        let more = files.merging(["Payload/A.app/Frameworks/TrustKit.framework/TrustKit": [0]]) { one, _ in one }
        #expect(
            try inspect(more).pinLikeStrings == [.init(value: "sha256/\(Self.b)", path: "Payload/A.app/App")])
    }

    @Test("code that is too large to be searched is refused, with its name and the bound")
    func tooLarge() throws {
        let files = [
            "Payload/A.app/Info.plist": Self.plist(id: "a"), "Payload/A.app/App": [1], "Payload/A.app/a.png": [2],
        ]
        #expect(
            throws: PinFileFault(
                line: nil, "Payload/A.app/App has 300 MB, and at most 256 MB are read of one file in an app")
        ) { try inspect(files, sizes: ["Payload/A.app/App": 300 << 20]) }
        #expect(try inspect(files, sizes: ["Payload/A.app/a.png": 300 << 20]).unread.isEmpty)
        #expect(try inspect(files, sizes: ["Payload/A.app/App": 256 << 20]).unread.isEmpty)
    }

    @Test("of two apps neither is taken for the one that is meant")
    func twoApps() throws {
        let files = ["A", "B"].map { ("Payload/\($0).app/Info.plist", Self.plist(id: $0)) }
        #expect(
            throws: PinFileFault(
                line: nil, "there are 2 apps in it, and an app for iOS has one: Payload/A.app and Payload/B.app",
                hints: ["export the app that is meant by itself"])
        ) { try inspect(Dictionary(uniqueKeysWithValues: files)) }
    }

    @Test("an archive without an app is told, and so is one with an Info.plist that is none")
    func none() throws {
        #expect(throws: PinFileFault.self) { try inspect([:]) }
        #expect(throws: PinFileFault.self) { try inspect(["Payload/A.app/B.app/Info.plist": Self.plist(id: "a")]) }
        #expect(throws: PinFileFault(line: 1, "this is no property list")) {
            try inspect(["Payload/A.app/Info.plist": [1, 2]])
        }
    }
}
