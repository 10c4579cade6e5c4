import Testing

@testable import Pins

@Suite("Android's manifest")
struct AndroidManifestTests {
    static let resources: [String: UInt32] = [
        "versionCode": 0x0101_021b, "versionName": 0x0101_021c, "debuggable": 0x0101_000f,
        "targetSdkVersion": 0x0101_0270, "minSdkVersion": 0x0101_020c, "networkSecurityConfig": 0x0101_0527,
        "usesCleartextTraffic": 0x0101_04ec, "versionCodeMajor": 0x0101_0576,
    ]

    /// As its compiler leaves it: numbers, booleans and `@N` are typed, attributes have their resources.
    static func compiled(_ element: XMLElement) -> XMLElement {
        var out = element
        for index in out.attributes.indices where out.attributes[index].name.hasPrefix("android:") {
            let attribute = out.attributes[index]
            let value = attribute.value
            var compiled = CompiledValue(
                resource: resources[attribute.localName] ?? 0x0101_0001, type: CompiledValue.Kind.string, data: 0)
            if let number = UInt32(value) {
                (compiled.type, compiled.data) = (CompiledValue.Kind.decimal, number)
            } else if value == "true" || value == "false" {
                (compiled.type, compiled.data) = (CompiledValue.Kind.boolean, value == "true" ? UInt32.max : 0)
            } else if value.hasPrefix("@"), let id = UInt32(value.dropFirst(), radix: 16) {
                (compiled.type, compiled.data) = (CompiledValue.Kind.reference, id)
            }
            out.attributes[index].compiled = compiled
        }
        out.attributes.removeAll { $0.name.hasPrefix("xmlns:") }
        out.children = out.children.map(Self.compiled)
        return out
    }

    static let text = """
        <manifest xmlns:android="http://schemas.android.com/apk/res/android" package="com.example.app"
            android:versionCode="45" android:versionName="@7f040000">
          <uses-sdk android:minSdkVersion="24" android:targetSdkVersion="35"/>
          <application android:debuggable="true" android:networkSecurityConfig="@7f030002"
              android:usesCleartextTraffic="true"/>
          <application android:debuggable="false"/>
        </manifest>
        """

    @Test("it is read alike compiled, from a bundle and with its references", arguments: [true, false])
    func read(isBundle: Bool) throws {
        let source = Self.compiled(try XMLReader.read(Self.text))
        let root =
            isBundle
            ? try ProtobufXMLReader.read(ProtobufBytes.xml(source))
            : try BinaryXMLReader.read(CompiledXML.bytes(source))
        let table = try ResourceTable(compiled: CompiledTable.bytes(ResourceTableTests.entries))
        let manifest = try AndroidManifest(root, table)
        #expect(manifest.id == "com.example.app" && manifest.version == "1.2.3" && manifest.build == "45")
        #expect(manifest.minSDK == 24 && manifest.targetSDK == 35 && manifest.isDebuggable)
        #expect(manifest.networkSecurityConfig == 0x7f03_0002 && manifest.usesClearText == true && !manifest.isSplit)
    }

    @Test("names do not count where resources are, and stripped names do not hurt")
    func resourcesCount() throws {
        var source = Self.compiled(try XMLReader.read(Self.text))
        let application = source.children[1]
        // Named so, and another attribute to the platform.
        source.children[1].attributes[0].compiled?.resource = 0x0101_0001
        #expect(try AndroidManifest(BinaryXMLReader.read(CompiledXML.bytes(source))).isDebuggable == false)
        source.children[1] = application
        source.children[1].attributes[0].name = "android:"
        #expect(try AndroidManifest(BinaryXMLReader.read(CompiledXML.bytes(source))).isDebuggable)
    }

    @Test("an app for old systems trusts the user's roots, if it says so and has no config")
    func target() throws {
        func kinds(_ target: String, _ attributes: String = "") throws -> [PinSetting.Kind] {
            let text =
                "<manifest xmlns:android='http://schemas.android.com/apk/res/android'><uses-sdk \(target)/>\n"
                + "<application \(attributes)/></manifest>"
            return try AndroidManifestReader.read(PinFileContent(text), path: "").settings.map(\.kind)
        }
        #expect(try kinds("android:targetSdkVersion='23'") == [.userAnchorsByDefault])
        #expect(try kinds("android:targetSdkVersion='24'") == [] && kinds("android:minSdkVersion='16'") == [])
        #expect(try kinds("android:targetSdkVersion='23'", "android:networkSecurityConfig='@xml/nsc'") == [])
    }

    @Test("long version codes, previews, splits and what is not said")
    func rest() throws {
        func manifest(_ attributes: String, _ inside: String = "") throws -> AndroidManifest {
            try AndroidManifest(Self.compiled(XMLReader.read("<manifest \(attributes)>\(inside)</manifest>")))
        }
        #expect(try manifest("android:versionCode='7' android:versionCodeMajor='2'").build == "8589934599")
        #expect(try manifest("split='config.de'").isSplit)
        #expect(try manifest("", "<uses-sdk android:targetSdkVersion='Tiramisu'/>").targetSDK == nil)
        let empty = try manifest("")
        #expect(empty.id == nil && empty.build == nil && empty.effectiveTargetSDK == 1 && !empty.isDebuggable)
        #expect(throws: PinFileFault.self) { try AndroidManifest(XMLElement("application")) }
    }

    @Test(
        "a source manifest has what a linter reads",
        arguments: [
            ("android:debuggable='true'", [PinSetting.Kind.debuggable]), ("android:debuggable='${debug}'", []),
            ("debuggable='true'", []), ("android:usesCleartextTraffic='true'", [.clearText]),
            ("android:usesCleartextTraffic='true' android:networkSecurityConfig='@xml/nsc'", []),
        ])
    func linted(attributes: String, kinds: [PinSetting.Kind]) throws {
        let content = PinFileContent(
            "<manifest xmlns:android='http://schemas.android.com/apk/res/android'>\n"
                + "<application \(attributes)/></manifest>"
        )
        #expect(AndroidManifestReader.recognises(content) && !AndroidConfigReader.recognises(content))
        let file = try AndroidManifestReader.read(content, path: "AndroidManifest.xml")
        #expect(file.settings.map(\.kind) == kinds && file.settings.allSatisfy { $0.line == 2 })
        #expect(file.format == .androidManifest && file.hosts.isEmpty)
    }
}
